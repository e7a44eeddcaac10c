/**
 * Checks the password of a user: refuses when there were too many wrong ones, compares on another thread, counts a wrong
 * one, and renews an outdated hash. An unknown user, or one without a password, is not answered faster.
 */
import { type App, perApp } from '../../../access/app.ts'
import { ANONYMOUS_ACTOR } from '../../../kernel/actor.ts'
import { foldText } from '../../../kernel/fold-text.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { Refused, refused } from '../../../kernel/refusal.ts'
import type { Origin, Work } from '../../../store/index.ts'
import {
  type Attempts,
  admitTry,
  countTry,
  NO_ATTEMPTS,
  refuseThrottled,
  type Try,
  verificationRefusals,
} from '../../verifications/index.ts'
import { passwords } from '../documents.ts'
import { passwordsRefusals } from '../refusals.ts'
import { openTurns } from '../turns.ts'

/** Whose password is checked. */
export interface PasswordOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly password: string
  /** Who gives the password and when; it is stored with what is remembered. */
  readonly origin: Origin
}

/**
 * Makes a right password part of a work: its commit resets the count of wrong ones. Throws when, since it was compared,
 * the password was changed or too many wrong ones were counted.
 */
export type ConfirmPassword = (work: Work) => Promise<void>

/** How many checks of the same user may wait; a person never makes that many at once. */
const MOST_WAITING = 32
/** How many unknown names and users without a password are remembered; the oldest is dropped first. */
const MOST_REMEMBERED = 10_000
/** No user has these ids: there is a space in them. */
const UNKNOWN_USER: Try = { userId: 'no one', owner: 'no where', path: 'password' }

function openPasswordChecks() {
  return {
    turns: openTurns(MOST_WAITING),
    /** Wrong attempts where no password exists, by user or name; in this process alone. */
    withoutPassword: new Map<string, Attempts>(),
  }
}

const passwordChecks = perApp(openPasswordChecks)

/** Runs checks with the same key one after the other, so that each sees the failures of those before it. */
async function inTurn<Value>(app: App, key: string, check: () => Promise<Value>): Promise<Value> {
  const turn = passwordChecks(app).turns.take(key, check)
  if (turn === undefined) throw refused(verificationRefusals, 'attempts.too_many', { retryAfterSeconds: 1 })
  return turn
}

/** Replaces an outdated hash of a password that was right. */
async function rehash(app: App, { userId, password, origin }: PasswordOf, from: string): Promise<void> {
  try {
    const hash = await app.hashing.hash(password)
    await app.store.write(origin, (work) => work.decide(passwords, userId, { type: 'rehash', from, hash }))
  } catch (error) {
    // The password is right whether or not there is time for a better hash now.
    if (!(error instanceof Refused)) throw error
  }
}

/** Throws when a check without a password to compare with comes too soon or after too many. */
function refuseThrottledWithout(app: App, key: string, most: number, at: Instant): void {
  const state = passwordChecks(app).withoutPassword.get(key) ?? NO_ATTEMPTS
  refuseThrottled(state, { path: 'password', most, at })
}

/** Counts a check without a password to compare with: in memory, but as slowly as a failure that is stored. */
async function countWithout(app: App, key: string, one: Try, origin: Origin): Promise<void> {
  const { withoutPassword } = passwordChecks(app)
  const before = withoutPassword.get(key) ?? NO_ATTEMPTS
  withoutPassword.delete(key)
  withoutPassword.set(key, { ...before, failures: before.failures + 1, lastFailedAt: instant(origin.at) })
  const [oldest] = withoutPassword.keys()
  if (withoutPassword.size > MOST_REMEMBERED && oldest !== undefined) withoutPassword.delete(oldest)
  await app.store.write(origin, async (work) => {
    await admitTry(app, one, origin.at, work)
    work.waitForDisk()
  })
}

async function compare(app: App, key: string, what: PasswordOf): Promise<ConfirmPassword> {
  const { userId, owner, password, origin } = what
  const one = { userId, owner, path: 'password' } as const
  const { most } = await admitTry(app, one, origin.at)
  const state = (await app.store.get(passwords, userId))?.state
  if (state?.status !== 'set') {
    refuseThrottledWithout(app, key, most, origin.at)
    await app.hashing.verifyNothing(password)
    await countWithout(app, key, one, origin)
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

/** Does the same work as `compare`, so that the time it takes does not tell that the user is unknown. */
async function compareWithNothing(app: App, key: string, password: string, at: Instant): Promise<never> {
  const { most } = await admitTry(app, UNKNOWN_USER, at)
  await app.store.get(passwords, UNKNOWN_USER.userId)
  refuseThrottledWithout(app, key, most, at)
  await app.hashing.verifyNothing(password)
  await countWithout(app, key, UNKNOWN_USER, { actor: ANONYMOUS_ACTOR, at })
  throw refused(verificationRefusals, 'password.wrong')
}

/**
 * Compares the password of a user. Throws `password.wrong` and remembers it, or `password.not_set`; without comparing it
 * throws `attempts.too_many` (with seconds to wait) and `attempts.locked`. The caller checks whether the user may act,
 * before or after: this takes the same time either way.
 */
export function checkPassword(app: App, what: PasswordOf): Promise<ConfirmPassword> {
  const key = `user ${what.userId}`
  return inTurn(app, key, () => compare(app, key, what))
}

/** Checks a password for a name that no user has: takes as long, is throttled alike, and always throws. */
export function checkUnknownUser(
  app: App,
  { name, password, at }: { readonly name: string; readonly password: string; readonly at: Instant },
): Promise<never> {
  const key = `name ${foldText(name)}`
  return inTurn(app, key, () => compareWithNothing(app, key, password, at))
}
