/** Trying a secret of a person: what is written when it was wrong, and what is not even looked at. */
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Reader, Work } from '../../store/index.ts'
import { effectiveSettings } from '../settings/index.ts'
import { type Attempts, NO_ATTEMPTS, nextTryAt, objectionTo } from './decisions/attempts.ts'
import { attempts } from './documents.ts'
import type { SecretPath } from './events.ts'
import { type VerificationRefusal, verificationRefusals } from './refusals.ts'

/** Whose secret is tried, and on which way. */
export interface Try {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly path: SecretPath
  /** Which code of that purpose was compared. */
  readonly issue?: number
}

/** How many failures in a row close a way in an organization. */
export async function mostFailures(
  reader: Reader,
  path: SecretPath,
  owner: string,
  instanceId: string,
): Promise<number> {
  const { maxPasswordAttempts, maxOtpAttempts } = await effectiveSettings(reader, owner, instanceId)
  return path === 'password' ? maxPasswordAttempts : maxOtpAttempts
}

function refuse(code: VerificationRefusal, state: Attempts, at: Instant): Error {
  if (code !== 'attempts.too_many') return refused(verificationRefusals, code)
  const retryAfterSeconds = Math.max(1, Math.ceil((nextTryAt(state) - at) / 1000))
  return refused(verificationRefusals, code, { retryAfterSeconds })
}

/** Throws when a try would not be looked at in this state of things, with the seconds to wait. */
export function refuseThrottled(
  state: Attempts,
  one: { path: SecretPath; issue?: number; most: number; at: Instant },
): void {
  const objection = objectionTo(state, one)
  if (objection !== undefined) throw refuse(objection, state, one.at)
}

/** What is known about the tries of a user; read through a work, it is guarded until the commit. */
export async function attemptsOf(reader: Reader, userId: string): Promise<Attempts> {
  return (await reader.get(attempts, userId))?.state ?? NO_ATTEMPTS
}

/** Throws when a try would not be looked at now; otherwise answers what the decider must know about it. */
export async function admitTry(reader: Reader, instanceId: string, { userId, owner, path, issue }: Try, at: Instant) {
  const most = await mostFailures(reader, path, owner, instanceId)
  const one = { path, ...(issue !== undefined && { issue }), most, at }
  refuseThrottled(await attemptsOf(reader, userId), one)
  return one
}

/**
 * Counts a try in this work. A wrong one is refused and remembered; a right one that comes too soon or too late is
 * refused too, and what else the work has decided is dropped with it.
 */
export async function countTry(
  work: Work,
  instanceId: string,
  what: Try,
  matches: boolean,
): Promise<Document<Attempts>> {
  const one = await admitTry(work, instanceId, what, work.origin.at)
  return work.decide(attempts, what.userId, { type: 'try', matches, ...one }, what.owner)
}

/** Begins the count of a user anew, as when an administrator unlocks them; answers whether there was anything to clear. */
export async function unlockAttempts(work: Work, userId: string): Promise<boolean> {
  const before = await work.get(attempts, userId)
  if (before === undefined || before.state.failures === 0) return false
  await work.decide(attempts, userId, { type: 'unlock' })
  return true
}
