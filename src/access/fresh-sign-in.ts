/**
 * A person who changes how they sign in, or where codes reach them, must have signed in lately: a session that was left
 * open, or stolen, is not enough to take the account over. Every method that changes a user is one of these unless the
 * contract says otherwise (`oneself`).
 */
import { refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'
import { accessRefusals } from './refusals.ts'

/** The maximum age of the last check of a first factor. */
export const FRESH_SIGN_IN_MILLISECONDS = 15 * 60_000

/** Throws `access.sign_in_again` when the caller acts on themself after a sign-in that is not fresh. */
export function requireFreshSignIn({ caller, at }: Pick<Call, 'caller' | 'at'>, subject: string): void {
  const authenticatedAt = caller.session?.authenticatedAt ?? caller.authenticatedAt
  if (caller.userId !== subject || authenticatedAt === undefined) return
  if (at - authenticatedAt > FRESH_SIGN_IN_MILLISECONDS) {
    throw refused(accessRefusals, 'access.sign_in_again')
  }
}
