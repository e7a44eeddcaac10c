/**
 * Checks the password of a user: refuses when there were too many wrong ones, compares on another thread, counts a wrong
 * one, and renews an outdated hash. Visitors get the same answer for unknown users, locked users, and users without
 * a password.
 */

import { foldText } from '../../../kernel/fold-text.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import { type App, perApp } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { admitTry, attempts, countTry, nextTryAt, type Try, verificationRefusals } from '../../verifications/index.ts'
import { openTurns } from '../check-queue.ts'
import { passwords } from '../documents.ts'
import { passwordsRefusals } from '../refusals.ts'

/** The user and the password to check. */
export interface PasswordOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly password: string
  /** Actor and time of the stored result. */
  readonly origin: Origin
}

/**
 * Makes a right password part of a work, whose commit resets the failure count. Throws when the password was changed,
 * or too many wrong ones were counted, since it was compared.
 */
export type ConfirmPassword = (work: Work) => Promise<void>

/** How many checks of the same user can wait; a human never needs that many. */
const MOST_WAITING = 32
/** How many typed names are remembered; the oldest is dropped first. */
const MOST_NAMES = 10_000
/** How long after its last failure a typed name is remembered. */
const NAME_MILLISECONDS = 15 * 60_000
/** No user has these ids: there is a space in them. */
const UNKNOWN_USER: Try = { userId: 'no one', owner: 'no where', path: 'password' }

interface TypedName {
  readonly failures: number
  readonly lastFailedAt: Instant
}

function openPasswordChecks() {
  return {
    turns: openTurns(MOST_WAITING),
    /**
     * Failures by what visitors typed, in this process alone, whether or not there is such a user. This count is the only
     * one that a visitor is told about, so names of users and other names behave alike on every process.
     */
    names: new Map<string, TypedName>(),
  }
}

const passwordChecks = perApp(openPasswordChecks)

/** Runs checks with the same key one after the other, so that each sees the failures of the previous ones. */
async function inTurn<Value>(app: App, key: string, check: () => Promise<Value>): Promise<Value> {
  const turn = passwordChecks(app).turns.take(key, check)
  if (turn === undefined) throw refused(verificationRefusals, 'attempts.too_many', { retryAfterSeconds: 1 })
  return turn
}

/** Replaces the outdated hash of a right password. */
async function rehash(app: App, { userId, password, origin }: PasswordOf, from: string): Promise<void> {
  try {
    const hash = await app.hashing.hash(password)
    await app.store.write(origin, (work) => work.decide(passwords, userId, { type: 'rehash', from, hash }))
  } catch (error) {
    // The password is right even if there is no time for a better hash now.
    if (!(error instanceof Refused)) throw error
  }
}

/** Takes as long as a failure that is stored. */
async function writeAsForKnownUser(app: App, one: Try, origin: Origin): Promise<void> {
  await app.store.write(origin, async (work) => {
    await work.get(attempts, one.userId)
    work.waitForDisk()
  })
}

async function compare(app: App, what: PasswordOf): Promise<ConfirmPassword> {
  const { userId, owner, password, origin } = what
  const one = { userId, owner, path: 'password' } as const
  await admitTry(app, one, origin.at)
  const state = (await app.store.get(passwords, userId))?.state
  if (state?.status !== 'set') {
    await app.hashing.verifyNothing(password)
    await writeAsForKnownUser(app, one, origin)
    throw refused(passwordsRefusals, 'password.not_set')
  }
  const { generation, secret } = state
  const { matches, rehash: isOutdated } = await app.hashing.verify(secret.hash, password, owner)
  // Refuses a wrong password with `password.wrong` and remembers it.
  if (!matches) await app.store.write(origin, (work) => countTry(app, work, one, false))
  if (isOutdated) await rehash(app, what, secret.hash)
  return async (work) => {
    const now = (await work.get(passwords, userId))?.state
    if (now?.status !== 'set' || now.generation !== generation) {
      throw refused(passwordsRefusals, 'password.changed_meanwhile')
    }
    await countTry(app, work, one, true)
  }
}

/** Refusals that follow from the count of wrong passwords. */
const COUNTED: ReadonlySet<string> = new Set(['password.wrong', 'attempts.too_many', 'attempts.locked'])

/**
 * Compares the password of a user. Throws `password.wrong` and remembers it, or `password.not_set`; without comparing it
 * throws `attempts.too_many` and `attempts.locked` (both with seconds to wait). The caller checks whether the user may
 * act, before or after: this takes the same time either way.
 */
export function checkPassword(app: App, what: PasswordOf): Promise<ConfirmPassword> {
  return inTurn(app, `user ${what.userId}`, () => compare(app, what))
}

/**
 * As above, and a refusal carries the count of wrong passwords: only for callers who may know about the user, because only
 * users have a count.
 */
export async function checkPasswordTellingCount(app: App, what: PasswordOf): Promise<ConfirmPassword> {
  try {
    return await checkPassword(app, what)
  } catch (error) {
    if (!(error instanceof Refused) || !COUNTED.has(error.code)) throw error
    const { code, kind, message, retryAfterSeconds } = error
    const failedAttempts = (await app.store.get(attempts, what.userId))?.state.counts.password?.failures ?? 0
    throw new Refused(code, kind, message, { ...(retryAfterSeconds && { retryAfterSeconds }), failedAttempts })
  }
}

/** Does the work of a comparison where there is nothing to compare, and refuses. */
async function compareWithNothing(app: App, password: string, origin: Origin): Promise<never> {
  await app.store.get(passwords, UNKNOWN_USER.userId)
  await app.hashing.verifyNothing(password)
  await writeAsForKnownUser(app, UNKNOWN_USER, origin)
  throw refused(verificationRefusals, 'password.wrong')
}

/** Refusals before the comparison. Visitors do not see them, because only existing users have a stored count. */
const UNCOMPARED: ReadonlySet<string> = new Set(['attempts.too_many', 'attempts.locked'])

async function compareForVisitor(app: App, what: VisitorPassword): Promise<ConfirmPassword> {
  const { user, password, origin } = what
  if (user === undefined) {
    await admitTry(app, UNKNOWN_USER, origin.at)
    return compareWithNothing(app, password, origin)
  }
  try {
    return await checkPassword(app, { ...user, password, origin })
  } catch (error) {
    if (!(error instanceof Refused) || !UNCOMPARED.has(error.code)) throw error
    return compareWithNothing(app, password, origin)
  }
}

/** Throws when what a visitor typed failed too often in this process, with the seconds to wait. */
function refuseThrottledName(app: App, key: string, at: Instant): void {
  const { names } = passwordChecks(app)
  const known = names.get(key)
  if (known === undefined) return
  if (at - known.lastFailedAt > NAME_MILLISECONDS) {
    names.delete(key)
    return
  }
  const wait = nextTryAt(known) - at
  if (wait <= 0) return
  // Without what was typed: people type passwords there.
  app.log.debug({ failures: known.failures, waitMs: wait }, 'a typed name is throttled')
  throw refused(verificationRefusals, 'attempts.too_many', { retryAfterSeconds: Math.ceil(wait / 1000) })
}

/** Counts a failure by what was typed. A success does not reset it: that would reveal that the owner has signed in. */
function countName({ names }: ReturnType<typeof passwordChecks>, key: string, at: Instant): void {
  const failures = (names.get(key)?.failures ?? 0) + 1
  names.delete(key)
  names.set(key, { failures, lastFailedAt: at })
  const [oldest] = names.keys()
  if (names.size > MOST_NAMES && oldest !== undefined) names.delete(oldest)
}

/** A password that a visitor typed, who must not learn whether there is such a user. */
export interface VisitorPassword {
  /** What was typed as the name. */
  readonly name: string
  /** The user of that name, if there is one. */
  readonly user: Pick<PasswordOf, 'userId' | 'owner'> | undefined
  readonly password: string
  readonly origin: Origin
}

/**
 * For a visitor: known and unknown names take as long and are throttled alike, on any process. A user whose
 * password is locked, or has to wait, answers like one whose password is wrong.
 */
export function checkVisitorPassword(app: App, what: VisitorPassword): Promise<ConfirmPassword> {
  const key = `name ${foldText(what.name)}`
  const { at } = what.origin
  return inTurn(app, key, async () => {
    refuseThrottledName(app, key, at)
    try {
      return await compareForVisitor(app, what)
    } catch (error) {
      if (error instanceof Refused && error.kind !== 'exhausted') countName(passwordChecks(app), key, at)
      throw error
    }
  })
}
