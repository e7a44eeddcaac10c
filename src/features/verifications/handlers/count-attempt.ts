/** Counts attempts at the secrets of a user: refuses one that is too early or during a lock, and stores a wrong one. */

import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import {
  type Attempt,
  type Attempts,
  attemptPrecondition,
  countOf,
  isLockedAt,
  lockAfter,
  NO_ATTEMPTS,
  nextTryAt,
} from '../decisions/attempts.ts'
import { attempts } from '../documents.ts'
import type { Factor, SecretPath } from '../events.ts'
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

/** The kind of the jobs that tell users about a lock; one for each lock. */
export const LOCK_NOTICE_JOB = 'lock-notice'

/** The data of such a job. */
export interface LockNotice {
  readonly userId: string
  readonly until: Instant
}

/** How many failures in a row begin the first lock of this kind of secret of a user. */
async function mostFailures(app: App, { path, userId, owner }: Try, reader: Reader): Promise<number> {
  const user = { userId, organizationId: owner }
  const { maxPasswordAttempts, maxOtpAttempts } = await settingsOfUser(app, user, reader)
  return path === 'password' ? maxPasswordAttempts : maxOtpAttempts
}

function refuse(code: VerificationRefusal, state: Attempts, { path, at }: Attempt): Error {
  if (code !== 'attempts.too_many' && code !== 'attempts.locked') return refused(verificationRefusals, code)
  const count = countOf(state, path)
  const end = code === 'attempts.locked' ? count.lockedUntil : nextTryAt(count)
  return refused(verificationRefusals, code, { retryAfterSeconds: Math.max(1, Math.ceil((end - at) / 1000)) })
}

/** The failure counts of a user; read through a work, they are guarded until the commit. */
async function attemptsOf(reader: Reader, userId: string): Promise<Attempts> {
  const document = await reader.get(attempts, userId)
  return document?.state ?? NO_ATTEMPTS
}

/** Throws, with the seconds to wait, when a secret may not be compared now; else returns what the decider must know. */
export async function admitTry(app: App, what: Try, at: Instant, reader: Reader = app.store): Promise<Attempt> {
  const { userId, path, issue } = what
  const most = await mostFailures(app, what, reader)
  const one = { path, ...(issue !== undefined && { issue }), most, at }
  const state = await attemptsOf(reader, userId)
  const refusal = attemptPrecondition(state, one)
  if (refusal !== undefined) {
    app.log.debug({ userId, factor: path, refusal, failures: countOf(state, path).failures }, 'attempt not compared')
    throw refuse(refusal, state, one)
  }
  return one
}

/**
 * Counts a try in this work. A wrong one is refused and remembered; if it locks the factor, the user is told. A right one
 * that comes too soon or during a lock is refused too, and everything else that the work has decided is dropped with it.
 */
export async function countTry(app: App, work: Work, what: Try, matches: boolean): Promise<Document<Attempts>> {
  const { userId, owner } = what
  const one = await admitTry(app, what, work.origin.at, work)
  const until = matches ? undefined : lockAfter(await attemptsOf(work, userId), one)
  if (until !== undefined) {
    const data: LockNotice = { userId, until }
    work.enqueue({ kind: LOCK_NOTICE_JOB, data, keptWithRefusal: true })
  }
  return work.decide(attempts, userId, { type: 'try', matches, ...one }, owner)
}

/** Resets all failure counts of a user when an administrator unlocks them. Returns whether there was one. */
export async function unlockAttempts(work: Work, userId: string): Promise<boolean> {
  const before = await work.get(attempts, userId)
  if (before === undefined || Object.keys(before.state.counts).length === 0) return false
  await work.decide(attempts, userId, { type: 'unlock' })
  return true
}

/** Resets the failure count of one factor, for example of the password when a new one is set. */
export async function resetFailures(work: Work, userId: string, factor: Factor): Promise<void> {
  const before = await work.get(attempts, userId)
  if (before?.state.counts[factor] !== undefined) await work.decide(attempts, userId, { type: 'unlock', factor })
}

/** Until when those of these users are locked who are locked now because of wrong attempts, by user ID. */
export async function findLocked(
  { store, clock }: App,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const [first] = userIds
  if (first === undefined) return new Map()
  // Most calls are about one user, and reading by id costs a fraction of a query.
  const only = userIds.length === 1 ? await store.get(attempts, first) : undefined
  const documents =
    userIds.length === 1
      ? [only].filter((document) => document !== undefined)
      : (await store.find(attempts, { where: { field: 'id', in: userIds }, limit: userIds.length })).documents
  const at = clock()
  return new Map(
    documents.flatMap(({ id, state }) =>
      state.lockedUntil !== undefined && isLockedAt(state, at) ? [[id, state.lockedUntil] as const] : [],
    ),
  )
}
