/** The rules of the password of a user. Its quality and the permission to set it are checked before. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { PasswordEvent, PasswordHash } from './events.ts'
import type { PasswordsRefusal } from './refusals.ts'

export type Password =
  | { readonly status: 'none' | 'removed' }
  | {
      readonly status: 'set'
      /** Counts the passwords of this user. A new hash of the same password does not count. */
      readonly generation: number
      readonly changeRequired: boolean
      readonly changedAt: Instant
      /** Roughly how long a check takes, only when that is long. */
      readonly slowMilliseconds?: number
      readonly secret: PasswordHash
    }

export type PasswordCommand =
  | {
      readonly type: 'set'
      readonly hash: string
      readonly changeRequired: boolean
      /** Roughly how long a check of this hash takes, only when that is long. */
      readonly slowMilliseconds?: number
      readonly at: Instant
    }
  /** `from` is the hash that the password matched; it does nothing when that was replaced meanwhile. */
  | { readonly type: 'rehash'; readonly from: string; readonly hash: string }
  | { readonly type: 'remove' }

export const password: Decider<PasswordCommand, Password, PasswordEvent, PasswordsRefusal> = {
  initial: { status: 'none' },

  evolve(state, event) {
    switch (event.type) {
      case 'password.set.v1': {
        const { changeRequired, setAt, secret } = event.data
        const generation = state.status === 'set' ? state.generation + 1 : 1
        return { status: 'set', generation, changeRequired, changedAt: setAt, secret }
      }
      case 'password.rehashed.v1': {
        if (state.status !== 'set') return state
        const { slowMilliseconds: _, ...rest } = state
        const { secret } = event.data
        return { ...rest, secret }
      }
      case 'password.slow_hash_found.v1':
        return state.status === 'set' ? { ...state, slowMilliseconds: event.data.milliseconds } : state
      case 'password.removed.v1':
        return { status: 'removed' }
    }
  },

  decide(command, state) {
    if (state.status === 'removed') return refuse('password.removed')
    switch (command.type) {
      case 'set': {
        const { hash, changeRequired, slowMilliseconds: milliseconds, at } = command
        const slow: readonly PasswordEvent[] =
          milliseconds === undefined ? [] : [{ type: 'password.slow_hash_found.v1', data: { milliseconds } }]
        return accept({ type: 'password.set.v1', data: { changeRequired, setAt: at, secret: { hash } } }, ...slow)
      }
      case 'rehash':
        return state.status === 'set' && state.secret.hash === command.from
          ? accept({ type: 'password.rehashed.v1', data: { secret: { hash: command.hash } } })
          : accept()
      case 'remove':
        return accept({ type: 'password.removed.v1', data: {} })
    }
  },
}
