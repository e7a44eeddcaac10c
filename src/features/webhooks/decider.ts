/** The rules of a webhook. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { SealedKeys, WebhookEvent, WebhookSettings } from './events.ts'
import type { WebhookRefusal } from './refusals.ts'

export interface LivingWebhook extends WebhookSettings {
  readonly includesDocument: boolean
  /** `off`: the endpoint answered that it is gone. */
  readonly status: 'active' | 'paused' | 'off'
  readonly secret: SealedKeys
  /** Until when requests are signed with the former key, too. */
  readonly formerUntil?: Instant
}

export type Webhook = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingWebhook

export type WebhookCommand =
  | { readonly type: 'add'; readonly settings: WebhookSettings; readonly key: string }
  | { readonly type: 'change'; readonly settings: Partial<WebhookSettings> }
  /** Both are encrypted. Without `former` the old key ends at once. */
  | { readonly type: 'rotate'; readonly key: string; readonly former?: string; readonly formerUntil?: Instant }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly member: keyof SealedKeys; readonly before: string; readonly after: string }
  | { readonly type: 'pause' | 'resume' | 'switch_off' | 'remove' }

/** Whether a webhook exists. */
export function isLiving(state: Webhook): state is LivingWebhook {
  return state.status !== 'unknown' && state.status !== 'removed'
}

function withoutFormer({ formerUntil: _, ...rest }: LivingWebhook): LivingWebhook {
  return rest
}

/** The settings that differ from those before. */
function changed(state: LivingWebhook, settings: Partial<WebhookSettings>): Partial<WebhookSettings> {
  const entries = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(state[name as keyof WebhookSettings]),
  )
  return Object.fromEntries(entries)
}

export const webhook: Decider<WebhookCommand, Webhook, WebhookEvent, WebhookRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'webhook.added.v1') return { status: 'active', includesDocument: false, ...event.data }
    if (!isLiving(state)) return state
    switch (event.type) {
      case 'webhook.changed.v1':
        return { ...state, ...event.data }
      case 'webhook.secret_rotated.v1':
        return { ...withoutFormer(state), ...event.data }
      case 'webhook.secret_resealed.v1':
        return { ...state, secret: event.data.secret }
      case 'webhook.paused.v1':
        return { ...state, status: 'paused' }
      case 'webhook.resumed.v1':
        return { ...state, status: 'active' }
      case 'webhook.switched_off.v1':
        return { ...state, status: 'off' }
      case 'webhook.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('webhook.id_taken')
      return accept({ type: 'webhook.added.v1', data: { ...command.settings, secret: { key: command.key } } })
    }
    if (!isLiving(state)) return refuse('webhook.not_found')
    switch (command.type) {
      case 'change': {
        const settings = changed(state, command.settings)
        return Object.keys(settings).length === 0 ? accept() : accept({ type: 'webhook.changed.v1', data: settings })
      }
      case 'rotate': {
        const { key, former, formerUntil } = command
        const secret = { key, ...(former !== undefined && { former }) }
        const data = { secret, ...(formerUntil !== undefined && { formerUntil }) }
        return accept({ type: 'webhook.secret_rotated.v1', data })
      }
      case 'reseal': {
        if (state.secret[command.member] !== command.before) return accept()
        const secret = { ...state.secret, [command.member]: command.after }
        return accept({ type: 'webhook.secret_resealed.v1', data: { secret } })
      }
      case 'pause':
        if (state.status === 'paused') return refuse('webhook.paused_already')
        return accept({ type: 'webhook.paused.v1', data: {} })
      case 'resume':
        return state.status === 'active' ? accept() : accept({ type: 'webhook.resumed.v1', data: {} })
      case 'switch_off':
        return state.status === 'active' ? accept({ type: 'webhook.switched_off.v1', data: {} }) : accept()
      case 'remove':
        return accept({ type: 'webhook.removed.v1', data: {} })
    }
  },
}
