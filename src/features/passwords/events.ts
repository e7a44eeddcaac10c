/**
 * The password of one user. Stream: `password`, under the id of the user, owned by the organization of the user.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** A hash of this server (an argon2id PHC string) or an imported one. */
export interface PasswordHash {
  readonly hash: string
}

export const passwordEvents = declareEvents({
  /** `changeRequired`: the user must change it at the next sign-in. */
  'password.set.v1': data<{
    readonly changeRequired: boolean
    readonly setAt: Instant
    readonly secret: PasswordHash
  }>(),
  /** An unchanged password with a better hash, created when it was typed. */
  'password.rehashed.v1': data<{ readonly secret: PasswordHash }>(),
  /** A check of the hash that was just set takes roughly this long: much longer than a hash that we create. */
  'password.slow_hash_found.v1': data<{ readonly milliseconds: number }>(),
  /** The user was removed. */
  'password.removed.v1': data(),
})

export type PasswordEvent = EventOf<typeof passwordEvents>
