/**
 * Counts attempts at the secrets of a user: refuses an attempt that comes too soon or after too many, and records a
 * wrong one.
 */
import type { App } from '../../../access/app.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import { type Attempts, attemptPrecondition, NO_ATTEMPTS, nextTryAt } from '../decisions/attempts.ts'
import { attempts } from '../documents.ts'
import type { SecretPath } from '../events.ts'
import { type VerificationRefusal, verificationRefusals } from '../refusals.ts'

/** One attempt at a secret. */
export interface Try {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  /** The type of secret. */
  readonly path: SecretPath
  /** Which code of that purpose was compared. */
  readonly issue?: number
}

/** How many failures in a row lock this kind of secret of a user. */
async function mostFailures(app: App, { path, userId, owner }: Try, reader: Reader): Promise<number> {
  const user = { userId, organizationId: owner }
  const { maxPasswordAttempts, maxOtpAttempts } = await settingsOfUser(app, user, reader)
  return path === 'password' ? maxPasswordAttempts : maxOtpAttempts
}

function refuse(code: VerificationRefusal, state: Attempts, at: Instant): Error {
  if (code !== 'attempts.too_many') return refused(verificationRefusals, code)
  const retryAfterSeconds = Math.max(1, Math.ceil((nextTryAt(state) - at) / 1000))
  return refused(verificationRefusals, code, { retryAfterSeconds })
}

/** Throws, with the seconds to wait, when no secret can be compared in this state. */
export function refuseThrottled(
  state: Attempts,
  one: { path: SecretPath; issue?: number; most: number; at: Instant },
): void {
  const refusal = attemptPrecondition(state, one)
  if (refusal !== undefined) throw refuse(refusal, state, one.at)
}

/** The failure count of a user; read through a work, it is guarded until the commit. */
async function attemptsOf(reader: Reader, userId: string): Promise<Attempts> {
  const document = await reader.get(attempts, userId)
  return document?.state ?? NO_ATTEMPTS
}

/** Throws when a secret may not be compared now; otherwise returns what the decider must know about the try. */
export async function admitTry(app: App, what: Try, at: Instant, reader: Reader = app.store) {
  const { userId, path, issue } = what
  const most = await mostFailures(app, what, reader)
  const one = { path, ...(issue !== undefined && { issue }), most, at }
  refuseThrottled(await attemptsOf(reader, userId), one)
  return one
}

/**
 * Counts an attempt in this work. A wrong one is refused and recorded. A right one that comes too soon or too late is
 * refused too, and all other decisions of the work are dropped.
 */
export async function countTry(app: App, work: Work, what: Try, matches: boolean): Promise<Document<Attempts>> {
  const one = await admitTry(app, what, work.origin.at, work)
  return work.decide(attempts, what.userId, { type: 'try', matches, ...one }, what.owner)
}

/** Resets the failure count of a user, for example when an administrator unlocks them. Returns whether there was one. */
export async function unlockAttempts(work: Work, userId: string): Promise<boolean> {
  const before = await work.get(attempts, userId)
  if (before === undefined || before.state.failures === 0) return false
  await work.decide(attempts, userId, { type: 'unlock' })
  return true
}
