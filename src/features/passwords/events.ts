/**
 * The password of one person. Stream: `password`, under the user's id, owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** A hash of ours (a PHC string of argon2id) or one that came from another system. */
export interface PasswordHash {
  readonly hash: string
}

export const passwordEvents = declareEvents({
  /** `changeRequired`: the person must choose another one at the next sign-in. */
  'password.set.v1': data<{
    readonly changeRequired: boolean
    readonly setAt: Instant
    readonly secret: PasswordHash
  }>(),
  /** The same password under a better hash, made when it was typed. */
  'password.rehashed.v1': data<{ readonly secret: PasswordHash }>(),
  /** The user is no more. */
  'password.removed.v1': data(),
})

export type PasswordEvent = EventOf<typeof passwordEvents>
