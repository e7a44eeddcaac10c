/**
 * Checks the password of a user: refuses after too many wrong ones, compares on another thread, counts a wrong one, and
 * renews an outdated hash. The response is not faster for an unknown user or one without a password.
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
/** How many unknown names and users without a password are remembered; the oldest is dropped first. */
const MOST_REMEMBERED = 10_000
/** No user has these IDs, because they contain a space. */
const UNKNOWN_USER: Try = { userId: 'no one', owner: 'no where', path: 'password' }

function openPasswordChecks() {
  return {
    turns: openTurns(MOST_WAITING),
    /** Wrong attempts without a stored password, by user or name; only in this process. */
    withoutPassword: new Map<string, Attempts>(),
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

/** Throws when a check without a stored password comes too soon or after too many. */
function refuseThrottledWithout(app: App, key: string, most: number, at: Instant): void {
  const state = passwordChecks(app).withoutPassword.get(key) ?? NO_ATTEMPTS
  refuseThrottled(state, { path: 'password', most, at })
}

/** Counts a check without a stored password in memory, but as slowly as a stored failure. */
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

/** Does the same work as `compare`, so that the time does not reveal that the user is unknown. */
async function compareWithNothing(app: App, key: string, password: string, at: Instant): Promise<never> {
  const { most } = await admitTry(app, UNKNOWN_USER, at)
  await app.store.get(passwords, UNKNOWN_USER.userId)
  refuseThrottledWithout(app, key, most, at)
  await app.hashing.verifyNothing(password)
  await countWithout(app, key, UNKNOWN_USER, { actor: ANONYMOUS_ACTOR, at })
  throw refused(verificationRefusals, 'password.wrong')
}

/**
 * Compares the password of a user. Throws `password.wrong` and counts it, or `password.not_set`. Throws
 * `attempts.too_many` (with the seconds to wait) and `attempts.locked` without comparing. The caller checks whether the
 * user is active, before or after; the time is the same.
 */
export function checkPassword(app: App, what: PasswordOf): Promise<ConfirmPassword> {
  const key = `user ${what.userId}`
  return inTurn(app, key, () => compare(app, key, what))
}

/** Checks a password for an unknown name: takes the same time, is throttled in the same way, and always throws. */
export function checkUnknownUser(
  app: App,
  { name, password, at }: { readonly name: string; readonly password: string; readonly at: Instant },
): Promise<never> {
  const key = `name ${foldText(name)}`
  return inTurn(app, key, () => compareWithNothing(app, key, password, at))
}
