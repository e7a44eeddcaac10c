/**
 * A person who changes how they sign in, or where codes reach them, must have signed in lately: a session that was left
 * open, or stolen, is not enough to take the account over. Every method that changes a user is one of these unless the
 * contract says otherwise (`oneself`).
 */
import type { Instant } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { accessRefusals } from './refusals.ts'

/** The maximum age of the last check of a first factor. */
export const FRESH_SIGN_IN_MILLISECONDS = 15 * 60_000

/** Whether what was checked then is recent enough. */
export function isRecentCheck(checkedAt: Instant, at: Instant): boolean {
  return at - checkedAt <= FRESH_SIGN_IN_MILLISECONDS
}

/** Throws `access.sign_in_again` when the caller acts on themself after a sign-in that is not fresh. */
export function requireFreshSignIn({ caller, at }: Pick<Call, 'caller' | 'at'>, subject: string): void {
  const authenticatedAt = caller.session?.authenticatedAt ?? caller.authenticatedAt
  if (caller.userId !== subject || authenticatedAt === undefined) return
  if (!isRecentCheck(authenticatedAt, at)) throw refused(accessRefusals, 'access.sign_in_again')
}
