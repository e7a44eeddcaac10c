/** The rules of providers of text messages. A claim of their kind ensures that only one is active. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import type { SealedKey, SealedToken, SmsProviderEvent, TwilioAccount } from './events.ts'
import type { SmsRefusal } from './refusals.ts'

interface Living {
  readonly status: 'active' | 'inactive'
  readonly description: string
}

/** A webhook. */
export interface SmsWebhook extends Living {
  readonly type: 'http'
  readonly endpoint: string
  readonly secret: SealedKey
}

/** An account at Twilio. */
export interface SmsAccount extends Living, TwilioAccount {
  readonly type: 'twilio'
  readonly secret: SealedToken
}

/** An existing provider. Text messages are sent through it when it is active. */
export type LivingSmsProvider = SmsWebhook | SmsAccount

export type SmsProvider = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingSmsProvider

type WebhookCommand =
  | { readonly type: 'add'; readonly endpoint: string; readonly description: string; readonly signingKey: string }
  /** Without `signingKey`, the current one is kept. */
  | { readonly type: 'change'; readonly endpoint: string; readonly description: string; readonly signingKey?: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly signingKey: string }

type TwilioCommand =
  | { readonly type: 'add_twilio'; readonly account: TwilioAccount; readonly token: string }
  | { readonly type: 'change_twilio'; readonly account: TwilioAccount }
  | { readonly type: 'change_token'; readonly token: string }
  /** As `reseal` of a webhook. */
  | { readonly type: 'reseal_token'; readonly before: string; readonly token: string }

export type SmsProviderCommand =
  | WebhookCommand
  | TwilioCommand
  | { readonly type: 'activate' | 'deactivate' | 'remove' }

type SmsDecision = Decision<SmsProviderEvent, SmsRefusal>

/** Whether a provider exists. */
export function isLiving(state: SmsProvider): state is LivingSmsProvider {
  return state.status === 'active' || state.status === 'inactive'
}

function decideWebhook(command: Exclude<WebhookCommand, { type: 'add' }>, state: SmsProvider): SmsDecision {
  if (!isLiving(state) || state.type !== 'http') return refuse('sms.provider_not_found')
  const { signingKey } = command
  if (command.type === 'reseal') {
    if (state.secret.signingKey !== command.before) return accept()
    return accept({ type: 'sms_provider.key_resealed.v1', data: { secret: { signingKey: command.signingKey } } })
  }
  const { endpoint, description } = command
  if (signingKey === undefined && endpoint === state.endpoint && description === state.description) return accept()
  const secret = signingKey === undefined ? {} : { secret: { signingKey } }
  return accept({ type: 'sms_provider.changed.v1', data: { endpoint, description, ...secret } })
}

const MEMBERS = ['sid', 'senderNumber', 'verifyServiceSid', 'description'] as const

function decideTwilio(command: Exclude<TwilioCommand, { type: 'add_twilio' }>, state: SmsProvider): SmsDecision {
  if (!isLiving(state) || state.type !== 'twilio') return refuse('sms.provider_not_found')
  switch (command.type) {
    case 'change_twilio':
      if (MEMBERS.every((name) => command.account[name] === state[name])) return accept()
      return accept({ type: 'sms_provider.twilio_changed.v1', data: command.account })
    case 'change_token':
      return accept({ type: 'sms_provider.token_changed.v1', data: { secret: { token: command.token } } })
    case 'reseal_token':
      if (state.secret.token !== command.before) return accept()
      return accept({ type: 'sms_provider.token_resealed.v1', data: { secret: { token: command.token } } })
  }
}

/** A change of a provider, which has the members of its own type alone. */
function changed(state: LivingSmsProvider, change: object): LivingSmsProvider {
  return { ...state, ...change } as LivingSmsProvider
}

export const smsProvider: Decider<SmsProviderCommand, SmsProvider, SmsProviderEvent, SmsRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'sms_provider.added.v1') return { type: 'http', status: 'inactive', ...event.data }
    if (event.type === 'sms_provider.twilio_added.v1') return { type: 'twilio', status: 'inactive', ...event.data }
    if (!isLiving(state)) return state
    switch (event.type) {
      case 'sms_provider.changed.v1':
      case 'sms_provider.twilio_changed.v1':
      case 'sms_provider.key_resealed.v1':
      case 'sms_provider.token_changed.v1':
      case 'sms_provider.token_resealed.v1':
        return changed(state, event.data)
      case 'sms_provider.activated.v1':
        return { ...state, status: 'active' }
      case 'sms_provider.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'sms_provider.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    switch (command.type) {
      case 'add': {
        if (state.status !== 'unknown') return refuse('sms.provider_id_taken')
        const { endpoint, description, signingKey } = command
        return accept({ type: 'sms_provider.added.v1', data: { endpoint, description, secret: { signingKey } } })
      }
      case 'add_twilio': {
        if (state.status !== 'unknown') return refuse('sms.provider_id_taken')
        const { account, token } = command
        return accept({ type: 'sms_provider.twilio_added.v1', data: { ...account, secret: { token } } })
      }
      case 'change':
      case 'reseal':
        return decideWebhook(command, state)
      case 'change_twilio':
      case 'change_token':
      case 'reseal_token':
        return decideTwilio(command, state)
    }
    if (!isLiving(state)) return refuse('sms.provider_not_found')
    switch (command.type) {
      case 'activate':
        if (state.status === 'active') return refuse('sms.provider_active')
        return accept({ type: 'sms_provider.activated.v1', data: {} })
      case 'deactivate':
        if (state.status === 'inactive') return refuse('sms.provider_inactive')
        return accept({ type: 'sms_provider.deactivated.v1', data: {} })
      case 'remove':
        return accept({ type: 'sms_provider.removed.v1', data: {} })
    }
  },
}
