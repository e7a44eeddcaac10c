/**
 * What a caller may know about a refusal that concerns a user. Who may not know gets one and the same refusal for every
 * reason, so that trying reveals nothing: not whether there is such a user, nor what keeps them from signing in.
 */
import { isTemporary, Refused } from '../kernel/refusal.ts'
import type { Call } from './call.ts'

/** Whom a refusal is about. */
export interface Concerned {
  readonly id?: string
  /** The organization of the user; the instance where there is no such user. */
  readonly owner: string
}

/** Whether a caller may be told what is wrong with a user: oneself, and where they read users or manage sessions. */
export function mayKnow(call: Pick<Call, 'caller' | 'may'>, { id, owner }: Concerned): boolean {
  return call.caller.userId === id || call.may('user.read', owner) || call.may('session.write', owner)
}

/** What a caller tries who does not know the user yet. */
type Tried = 'password' | 'code'

const TELLS: Readonly<Record<Tried, (refusal: Refused) => boolean>> = {
  // Names are throttled alike whether they exist or not, so what asks to try again later may be told.
  password: (refusal) => !isTemporary(refusal),
  // Attempts are counted for users who exist, and only their documents are written at the same time. What is wrong with a
  // new password or key is told: only the right code leads there.
  code: ({ code }) => /^(?:user|attempts)\./.test(code) || code === 'store.conflict',
}

/** The error for a caller: the given one, or `instead` where it would tell something that the caller may not know. */
export function hideReason(error: unknown, tried: Tried, isKnown: boolean, instead: () => Refused): unknown {
  return !isKnown && error instanceof Refused && TELLS[tried](error) ? instead() : error
}
