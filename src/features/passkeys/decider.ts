/** The rules of keys: each belongs to one user, and its counter only grows. Credentials are verified before. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { KeyUse, PasskeyEvent } from './events.ts'
import type { PasskeyRefusal } from './refusals.ts'

const DAY_MS = 86_400_000

/** A key that a user can sign in with. */
export interface ReadyPasskey {
  readonly status: 'ready'
  readonly userId: string
  readonly use: KeyUse
  readonly rpId: string
  readonly name: string
  /** base64url. */
  readonly credentialId: string
  /** COSE_Key in base64url. */
  readonly publicKey: string
  readonly signCount: number
  readonly aaguid: string
  readonly transports: readonly string[]
  /** Not known of some imported keys before their first use. */
  readonly isBackupEligible?: boolean
  readonly isBackedUp: boolean
  /** Set only if the authenticator has another one than we would give it. base64url. */
  readonly userHandle?: string
  /** When it was last used, to the day; undefined: not since that is noted. */
  readonly usedAt?: Instant
}

export type Passkey = { readonly status: 'unknown' } | { readonly status: 'removed' } | ReadyPasskey

export type PasskeyCommand =
  | ({ readonly type: 'register'; readonly isBackupEligible: boolean } & Omit<
      ReadyPasskey,
      'status' | 'isBackupEligible' | 'userHandle' | 'usedAt'
    >)
  | ({ readonly type: 'bring' } & Omit<ReadyPasskey, 'status'>)
  | { readonly type: 'rename'; readonly name: string }
  /** An assertion of this key was verified. */
  | {
      readonly type: 'use'
      readonly signCount: number
      readonly isBackedUp: boolean
      /** As the authenticator says; it is learned where it was not known. */
      readonly isBackupEligible?: boolean
      readonly at: Instant
    }
  | { readonly type: 'remove' }

/**
 * Whether a signature counter can follow another one. A counter that does not grow belongs to a copy of the key
 * (WebAuthn Level 3 §6.1.1). Keys that are synchronized between devices do not count; their counter stays 0.
 */
export function isNextCount(before: number, next: number): boolean {
  return (before === 0 && next === 0) || next > before
}

export const passkey: Decider<PasskeyCommand, Passkey, PasskeyEvent, PasskeyRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'passkey.registered.v1' || event.type === 'passkey.imported.v1')
      return { status: 'ready', ...event.data }
    if (event.type === 'passkey.removed.v1' || state.status !== 'ready') return { status: 'removed' }
    return { ...state, ...event.data }
  },

  decide(command, state) {
    if (command.type === 'register') {
      if (state.status !== 'unknown') return refuse('passkey.id_taken')
      const { type: _, ...data } = command
      return accept({ type: 'passkey.registered.v1', data })
    }
    if (command.type === 'bring') {
      if (state.status !== 'unknown') return refuse('passkey.id_taken')
      const { type: _, ...data } = command
      return accept({ type: 'passkey.imported.v1', data })
    }
    if (state.status !== 'ready') return refuse('passkey.not_found')
    switch (command.type) {
      case 'rename':
        return command.name === state.name
          ? accept()
          : accept({ type: 'passkey.renamed.v1', data: { name: command.name } })
      case 'use': {
        const { signCount, isBackedUp, isBackupEligible, at: usedAt } = command
        const isLearned = state.isBackupEligible === undefined && isBackupEligible !== undefined
        // Learned by another use since this one was verified.
        if ((isBackupEligible ?? state.isBackupEligible) !== (state.isBackupEligible ?? isBackupEligible)) {
          return refuse('passkey.assertion_invalid')
        }
        if (!isNextCount(state.signCount, signCount)) return refuse('passkey.assertion_invalid')
        // Most keys neither count nor change: their use is noted once a day.
        const isSame = signCount === state.signCount && isBackedUp === state.isBackedUp && !isLearned
        if (isSame && state.usedAt !== undefined && usedAt - state.usedAt < DAY_MS) return accept()
        return accept({
          type: 'passkey.used.v2',
          data: { signCount, isBackedUp, usedAt, ...(isLearned && { isBackupEligible }) },
        })
      }
      case 'remove':
        return accept({ type: 'passkey.removed.v1', data: {} })
    }
  },
}
