/** The rules of a webhook for text messages. A claim of its kind ensures that only one is active. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { SealedKey, SmsProviderEvent } from './events.ts'
import type { SmsRefusal } from './refusals.ts'

/** An existing webhook. Text messages are sent to it when it is active. */
export interface LivingSmsProvider {
  readonly status: 'active' | 'inactive'
  readonly endpoint: string
  readonly description: string
  readonly secret: SealedKey
}

export type SmsProvider = { readonly status: 'unknown' } | { readonly status: 'removed' } | LivingSmsProvider

export type SmsProviderCommand =
  | { readonly type: 'add'; readonly endpoint: string; readonly description: string; readonly signingKey: string }
  /** Without `signingKey`, the current one is kept. */
  | { readonly type: 'change'; readonly endpoint: string; readonly description: string; readonly signingKey?: string }
  /** `before` is the encrypted text that is replaced. If it has changed meanwhile, nothing happens. */
  | { readonly type: 'reseal'; readonly before: string; readonly signingKey: string }
  | { readonly type: 'activate' | 'deactivate' | 'remove' }

/** Whether a webhook exists. */
export function isLiving(state: SmsProvider): state is LivingSmsProvider {
  return state.status === 'active' || state.status === 'inactive'
}

export const smsProvider: Decider<SmsProviderCommand, SmsProvider, SmsProviderEvent, SmsRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'sms_provider.added.v1') return { status: 'inactive', ...event.data }
    if (!isLiving(state)) return state
    switch (event.type) {
      case 'sms_provider.changed.v1':
        return { ...state, ...event.data }
      case 'sms_provider.key_resealed.v1':
        return { ...state, secret: event.data.secret }
      case 'sms_provider.activated.v1':
        return { ...state, status: 'active' }
      case 'sms_provider.deactivated.v1':
        return { ...state, status: 'inactive' }
      case 'sms_provider.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (command.type === 'add') {
      if (state.status !== 'unknown') return refuse('sms.provider_id_taken')
      const { endpoint, description, signingKey } = command
      return accept({ type: 'sms_provider.added.v1', data: { endpoint, description, secret: { signingKey } } })
    }
    if (!isLiving(state)) return refuse('sms.provider_not_found')
    switch (command.type) {
      case 'change': {
        const { endpoint, description, signingKey } = command
        if (signingKey === undefined && endpoint === state.endpoint && description === state.description) {
          return accept()
        }
        const secret = signingKey === undefined ? {} : { secret: { signingKey } }
        return accept({ type: 'sms_provider.changed.v1', data: { endpoint, description, ...secret } })
      }
      case 'reseal': {
        if (state.secret.signingKey !== command.before) return accept()
        const { signingKey } = command
        return accept({ type: 'sms_provider.key_resealed.v1', data: { secret: { signingKey } } })
      }
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
