/**
 * The rules of the SMTP server and of webhooks for emails. Claims of their kind ensure that there is only one SMTP server,
 * and that only one of all is active; the settings of an SMTP server are validated before.
 */
import { accept, type Decider, type Decision, refuse } from '../../../kernel/decider.ts'
import type { SealedPassword, SmtpConfigEvent, SmtpSettings } from '../events.ts'
import type { MailRefusal } from '../refusals.ts'
import { decideWebhook, type EmailWebhook, evolveWebhook, isWebhook, type WebhookCommand } from './email-webhook.ts'

/** A configured SMTP server. `status` tells whether it is active. */
export interface SetSmtpConfig extends SmtpSettings {
  readonly type: 'smtp'
  readonly status: 'active' | 'inactive'
  readonly secret: SealedPassword
}

export type SmtpConfig = { readonly status: 'unknown' } | { readonly status: 'removed' } | SetSmtpConfig | EmailWebhook

/** What can be done with both. */
type Switch = { readonly type: 'activate' | 'deactivate' | 'remove' }

export type SmtpConfigCommand = SmtpCommand | WebhookCommand | Switch

type SmtpCommand =
  | { readonly type: 'add'; readonly settings: SmtpSettings; readonly secret: SealedPassword }
  /**
   * Without `secret`, the password does not change. `mayBeSame`: a change without effect is accepted and writes no
   * event.
   */
  | {
      readonly type: 'change'
      readonly settings: SmtpSettings
      readonly secret?: SealedPassword
      readonly mayBeSame: boolean
    }
  | { readonly type: 'change_password'; readonly secret: SealedPassword }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly password: string }

/** Whether a mail server is set, active or not. */
export function isSet(state: SmtpConfig): state is SetSmtpConfig {
  return (state.status === 'active' || state.status === 'inactive') && state.type === 'smtp'
}

const MEMBERS = ['senderAddress', 'senderName', 'replyToAddress', 'tls', 'host', 'user', 'description'] as const

/** Whether access tokens come from the same place for the same client. */
export function isSameOAuth(one: SmtpSettings, other: SmtpSettings): boolean {
  const { tokenEndpoint, clientId, scopes = [] } = one.oauth ?? {}
  const { oauth } = other
  if (tokenEndpoint !== oauth?.tokenEndpoint || clientId !== oauth?.clientId) return false
  return scopes.join(' ') === (oauth?.scopes ?? []).join(' ')
}

function isSame(one: SmtpSettings, other: SmtpSettings): boolean {
  return MEMBERS.every((name) => one[name] === other[name]) && isSameOAuth(one, other)
}

function decideSmtp(
  command: Exclude<SmtpCommand, { type: 'add' }> | Switch,
  state: SetSmtpConfig,
): Decision<SmtpConfigEvent, MailRefusal> {
  switch (command.type) {
    case 'change': {
      const { settings, secret, mayBeSame } = command
      if (secret === undefined && isSame(settings, state)) {
        return mayBeSame ? accept() : refuse('mail.smtp_unchanged')
      }
      return accept({ type: 'smtp_config.changed.v1', data: { ...settings, ...(secret ? { secret } : {}) } })
    }
    case 'change_password':
      return accept({ type: 'smtp_config.password_changed.v1', data: { secret: command.secret } })
    case 'reseal':
      if (state.secret.password !== command.before) return accept()
      return accept({ type: 'smtp_config.password_resealed.v1', data: { secret: { password: command.password } } })
    case 'activate':
      // It is active from the start, which clients that add one and activate it do not expect.
      if (state.status === 'active') return accept()
      return accept({ type: 'smtp_config.activated.v1', data: {} })
    case 'deactivate':
      if (state.status === 'inactive') return refuse('mail.smtp_inactive')
      return accept({ type: 'smtp_config.deactivated.v1', data: {} })
    case 'remove':
      return accept({ type: 'smtp_config.removed.v1', data: {} })
  }
}

function isForWebhook(command: SmtpConfigCommand): command is WebhookCommand {
  return command.type === 'add_webhook' || command.type === 'change_webhook' || command.type === 'reseal_key'
}

export const smtpConfig: Decider<SmtpConfigCommand, SmtpConfig, SmtpConfigEvent, MailRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'smtp_config.added.v1') return { type: 'smtp', status: 'active', ...event.data }
    if (event.type === 'email_webhook.added.v1') return { type: 'http', status: 'inactive', ...event.data }
    if (isWebhook(state)) return evolveWebhook(state, event)
    if (!isSet(state)) return state
    switch (event.type) {
      case 'smtp_config.changed.v1': {
        const { oauth: _, ...rest } = state
        return { ...rest, ...event.data }
      }
      case 'smtp_config.password_changed.v1':
      case 'smtp_config.password_resealed.v1':
        return { ...state, secret: event.data.secret }
      case 'smtp_config.activated.v1':
        return { ...state, status: 'active' }
      case 'smtp_config.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'smtp_config.removed.v1':
        return { status: 'removed' }
      default:
        return state
    }
  },

  decide(command, state) {
    if (command.type === 'add' || command.type === 'add_webhook') {
      if (state.status !== 'unknown') return refuse('mail.smtp_id_taken')
      if (command.type === 'add') {
        return accept({ type: 'smtp_config.added.v1', data: { ...command.settings, secret: command.secret } })
      }
      const { endpoint, description, signingKey } = command
      return accept({ type: 'email_webhook.added.v1', data: { endpoint, description, secret: { signingKey } } })
    }
    if (isWebhook(state)) return decideWebhook(command, state)
    if (!isSet(state) || isForWebhook(command)) return refuse('mail.smtp_not_found')
    return decideSmtp(command, state)
  },
}
