/** Adding a way to sign in to one's own account needs a recent sign-in: a session left open, or stolen, is not enough. */
import { refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { accessRefusals } from './refusals.ts'

/** How long ago a first factor may have been checked. */
export const FRESH_SIGN_IN_MILLISECONDS = 15 * 60_000

/** Throws `access.sign_in_again` when the caller acts on themself with a session whose sign-in is not fresh. */
export function requireFreshSignIn({ caller, at }: Pick<Call, 'caller' | 'at'>, subject: string): void {
  if (caller.userId !== subject || caller.session === undefined) return
  if (at - caller.session.authenticatedAt > FRESH_SIGN_IN_MILLISECONDS) {
    throw refused(accessRefusals, 'access.sign_in_again')
  }
}
