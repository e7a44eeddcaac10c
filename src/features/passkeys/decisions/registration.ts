/**
 * The rules of registrations: one at a time for each link of a user, and one without a link. Each is completed once and
 * before it expires. Pure.
 */
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { type Generations, isCurrent } from '../../../kernel/generations.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { LinkProof, PasskeyRegistrationEvent } from '../events.ts'
import type { PasskeyRefusal } from '../refusals.ts'

/** A registration that waits for its credential. */
export interface OpenRegistration {
  readonly passkeyId: string
  readonly rpId: string
  readonly expiresAt: Instant
  /** The registration link that authorized it, if any. It was used up by that. */
  readonly link?: LinkProof
  readonly generations?: Generations<'user' | 'organization'>
  readonly secret: { readonly challenge: string }
}

export interface PasskeyRegistration {
  readonly isRemoved: boolean
  /** Oldest first. Some may have expired. */
  readonly open: readonly OpenRegistration[]
}

/** How many registrations of a user and use are remembered: more than there are links at a time. */
const MOST_OPEN = 20

export type PasskeyRegistrationCommand =
  | ({ readonly type: 'start'; readonly challenge: string } & Omit<OpenRegistration, 'secret'>)
  | {
      readonly type: 'finish'
      readonly passkeyId: string
      readonly challenge: string
      readonly at: Instant
      /** How often the user was locked out, and the organization closed, by now. */
      readonly now: Generations<'user' | 'organization'>
    }
  /** The user no longer wants the key. */
  | { readonly type: 'cancel'; readonly passkeyId: string }
  | { readonly type: 'remove' }

/** The registration that makes the key with this ID. */
export function openRegistration({ open }: PasskeyRegistration, passkeyId: string): OpenRegistration | undefined {
  return open.find((registration) => registration.passkeyId === passkeyId)
}

function without({ open }: PasskeyRegistration, passkeyId: string): PasskeyRegistration {
  return { isRemoved: false, open: open.filter((registration) => registration.passkeyId !== passkeyId) }
}

export const passkeyRegistration: Decider<
  PasskeyRegistrationCommand,
  PasskeyRegistration,
  PasskeyRegistrationEvent,
  PasskeyRefusal
> = {
  initial: { isRemoved: false, open: [] },

  evolve(state, event) {
    switch (event.type) {
      case 'passkey_registration.started.v1': {
        const others = state.open.filter(({ link }) => link?.issue !== event.data.link?.issue)
        return { isRemoved: false, open: [...others, event.data].slice(-MOST_OPEN) }
      }
      case 'passkey_registration.finished.v1':
      case 'passkey_registration.cancelled.v1':
        return without(state, event.data.passkeyId)
      case 'passkey_registration.removed.v1':
        return { isRemoved: true, open: [] }
    }
  },

  decide(command, state) {
    if (state.isRemoved) return refuse('passkey.not_found')
    switch (command.type) {
      case 'start': {
        const { type: _, challenge, ...data } = command
        return accept({ type: 'passkey_registration.started.v1', data: { ...data, secret: { challenge } } })
      }
      case 'finish': {
        const { passkeyId, challenge, at, now } = command
        // Another one was started, or this one completed, since the credential was verified.
        const registration = openRegistration(state, passkeyId)
        if (registration?.secret.challenge !== challenge) return refuse('passkey.not_found')
        if (at >= registration.expiresAt || !isCurrent(now, registration.generations))
          return refuse('passkey.registration_expired')
        return accept({ type: 'passkey_registration.finished.v1', data: { passkeyId } })
      }
      case 'cancel': {
        const { passkeyId } = command
        return openRegistration(state, passkeyId) === undefined
          ? refuse('passkey.not_found')
          : accept({ type: 'passkey_registration.cancelled.v1', data: { passkeyId } })
      }
      case 'remove':
        return accept({ type: 'passkey_registration.removed.v1', data: {} })
    }
  },
}
