/**
 * The password of one person. Stream: `password`, under the user's id, owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** A hash of ours (a PHC string of argon2id) or one that came from another system. */
export interface PasswordHash {
  readonly hash: string
}

export type PasswordEvent =
  /** `changeRequired`: the person must choose another one at the next sign-in. */
  | Fact<
      'password.set.v1',
      { readonly changeRequired: boolean; readonly setAt: Instant; readonly secret: PasswordHash }
    >
  /** The same password under a better hash, made when it was typed. */
  | Fact<'password.rehashed.v1', { readonly secret: PasswordHash }>
  /** The user is no more. */
  | Fact<'password.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const passwordEventTypes: readonly string[] = Object.keys({
  'password.set.v1': true,
  'password.rehashed.v1': true,
  'password.removed.v1': true,
} satisfies Record<PasswordEvent['type'], true>)
