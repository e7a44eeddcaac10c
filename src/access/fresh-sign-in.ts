/**
 * Users who add a sign-in method to their own account need a recent sign-in, because a session can be left open or
 * stolen.
 */
import { refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { accessRefusals } from './refusals.ts'

/** The maximum age of the last check of a first factor. */
export const FRESH_SIGN_IN_MILLISECONDS = 15 * 60_000

/** Throws `access.sign_in_again` when callers act on their own user and the sign-in of their session is not recent. */
export function requireFreshSignIn({ caller, at }: Pick<Call, 'caller' | 'at'>, subject: string): void {
  if (caller.userId !== subject || caller.session === undefined) return
  if (at - caller.session.authenticatedAt > FRESH_SIGN_IN_MILLISECONDS) {
    throw refused(accessRefusals, 'access.sign_in_again')
  }
}
