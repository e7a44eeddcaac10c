/** The rules of a webhook for emails. Pure. */
import { accept, type Decision, refuse } from '../../../kernel/decider.ts'
import type { SealedKey, SmtpConfigEvent } from '../events.ts'
import type { MailRefusal } from '../refusals.ts'

/** A webhook. Emails are posted to it when it is active. */
export interface EmailWebhook {
  readonly type: 'http'
  readonly status: 'active' | 'inactive'
  readonly endpoint: string
  readonly description: string
  readonly secret: SealedKey
}

export type WebhookCommand =
  | {
      readonly type: 'add_webhook'
      readonly endpoint: string
      readonly description: string
      readonly signingKey: string
    }
  /** Without `signingKey`, the current one is kept. */
  | {
      readonly type: 'change_webhook'
      readonly endpoint: string
      readonly description: string
      readonly signingKey?: string
    }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal_key'; readonly before: string; readonly signingKey: string }

/** Whether this is a webhook, active or not. */
export function isWebhook(state: { readonly status: string; readonly type?: string }): state is EmailWebhook {
  return (state.status === 'active' || state.status === 'inactive') && state.type === 'http'
}

/** The webhook after an event. */
export function evolveWebhook(
  state: EmailWebhook,
  event: SmtpConfigEvent,
): EmailWebhook | { readonly status: 'removed' } {
  switch (event.type) {
    case 'email_webhook.changed.v1':
    case 'email_webhook.key_resealed.v1':
      return { ...state, ...event.data }
    case 'email_webhook.activated.v1':
      return { ...state, status: 'active' }
    case 'email_webhook.deactivated.v1':
      return { ...state, status: 'inactive' }
    case 'email_webhook.removed.v1':
      return { status: 'removed' }
    default:
      return state
  }
}

/** What follows from a command. Commands for an SMTP server find none. */
export function decideWebhook(
  command: WebhookCommand | { readonly type: string },
  state: EmailWebhook,
): Decision<SmtpConfigEvent, MailRefusal> {
  const given = command as WebhookCommand | { readonly type: 'activate' | 'deactivate' | 'remove' }
  switch (given.type) {
    case 'change_webhook': {
      const { endpoint, description, signingKey } = given
      const isSame = endpoint === state.endpoint && description === state.description
      if (signingKey === undefined && isSame) return accept()
      const secret = signingKey === undefined ? {} : { secret: { signingKey } }
      return accept({ type: 'email_webhook.changed.v1', data: { endpoint, description, ...secret } })
    }
    case 'reseal_key': {
      if (state.secret.signingKey !== given.before) return accept()
      return accept({ type: 'email_webhook.key_resealed.v1', data: { secret: { signingKey: given.signingKey } } })
    }
    case 'activate':
      if (state.status === 'active') return refuse('mail.smtp_active')
      return accept({ type: 'email_webhook.activated.v1', data: {} })
    case 'deactivate':
      if (state.status === 'inactive') return refuse('mail.smtp_inactive')
      return accept({ type: 'email_webhook.deactivated.v1', data: {} })
    case 'remove':
      return accept({ type: 'email_webhook.removed.v1', data: {} })
    default:
      return refuse('mail.smtp_not_found')
  }
}
