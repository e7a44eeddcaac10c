/** The rules of registrations: one at a time for a user and use, each completed once and before it expires. Pure. */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { LinkProof, PasskeyRegistrationEvent } from '../events.ts'
import type { PasskeyRefusal } from '../refusals.ts'

/** A registration that waits for its credential. */
export interface OpenRegistration {
  readonly status: 'open'
  readonly passkeyId: string
  readonly rpId: string
  readonly expiresAt: Instant
  /** The registration link that authorized it, if any. It is used up when the registration is completed. */
  readonly link?: LinkProof
  readonly secret: { readonly challenge: string }
}

export type PasskeyRegistration = { readonly status: 'none' } | { readonly status: 'removed' } | OpenRegistration

export type PasskeyRegistrationCommand =
  | ({ readonly type: 'start'; readonly challenge: string } & Omit<OpenRegistration, 'status' | 'secret'>)
  | { readonly type: 'finish'; readonly passkeyId: string; readonly challenge: string; readonly at: Instant }
  /** The user no longer wants the key. */
  | { readonly type: 'cancel'; readonly passkeyId: string }
  | { readonly type: 'remove' }

export const passkeyRegistration: Decider<
  PasskeyRegistrationCommand,
  PasskeyRegistration,
  PasskeyRegistrationEvent,
  PasskeyRefusal
> = {
  initial: { status: 'none' },

  evolve(_, event) {
    switch (event.type) {
      case 'passkey_registration.started.v1':
        return { status: 'open', ...event.data }
      case 'passkey_registration.finished.v1':
      case 'passkey_registration.cancelled.v1':
        return { status: 'none' }
      case 'passkey_registration.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (state.status === 'removed') return refuse('passkey.not_found')
    switch (command.type) {
      case 'start': {
        const { type: _, challenge, ...data } = command
        return accept({ type: 'passkey_registration.started.v1', data: { ...data, secret: { challenge } } })
      }
      case 'finish': {
        const { passkeyId, challenge, at } = command
        // Another one was started, or this one completed, since the credential was verified.
        const isSame = state.status === 'open' && state.passkeyId === passkeyId && state.secret.challenge === challenge
        if (!isSame) return refuse('passkey.not_found')
        if (at >= state.expiresAt) return refuse('passkey.registration_expired')
        return accept({ type: 'passkey_registration.finished.v1', data: { passkeyId } })
      }
      case 'cancel': {
        const { passkeyId } = command
        return state.status === 'open' && state.passkeyId === passkeyId
          ? accept({ type: 'passkey_registration.cancelled.v1', data: { passkeyId } })
          : refuse('passkey.not_found')
      }
      case 'remove':
        return accept({ type: 'passkey_registration.removed.v1', data: {} })
    }
  },
}
