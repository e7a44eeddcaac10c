/**
 * Hides from callers who may not read users why a code was refused. The refusal is always the same, so it reveals
 * nothing about a user.
 */
import type { Call } from '../../access/call.ts'
import { holdsOnInstance } from '../../access/roles.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import { verificationRefusals } from './refusals.ts'

/** Refusals that reveal something about a user. */
const TELLING: ReadonlySet<string> = new Set([
  'user.not_found',
  'user.not_human',
  'user.not_active',
  'attempts.too_many',
  'attempts.locked',
  'store.conflict',
])

function mayKnow(call: Call, user: { readonly id: string; readonly owner: string } | undefined): boolean {
  if (user === undefined) return holdsOnInstance(call.caller.grants, 'user.read')
  return call.caller.userId === user.id || call.may('user.read', user.owner) || call.may('session.write', user.owner)
}

/** The error when a code for this user was refused: `verification.code_invalid` unless the caller may know more. */
export function hideReason(
  call: Call,
  user: { readonly id: string; readonly owner: string } | undefined,
  error: unknown,
): unknown {
  const isTelling = error instanceof Refused && TELLING.has(error.code)
  return isTelling && !mayKnow(call, user) ? refused(verificationRefusals, 'verification.code_invalid') : error
}
