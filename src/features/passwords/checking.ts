/**
 * Checking a password: throttled before anything is hashed, compared off the event loop, counted when it was wrong,
 * hashed anew when its hash is not of today. Who does not exist, or has no password, is not answered faster.
 */
import type { Passwords } from '../../crypto/passwords/index.ts'
import { foldText } from '../../kernel/fold-text.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { Refused, refused } from '../../kernel/refusal.ts'
import type { Origin, Store, Work } from '../../store/index.ts'
import {
  type Attempts,
  admitTry,
  countTry,
  NO_ATTEMPTS,
  refuseThrottled,
  type Try,
  verificationRefusals,
} from '../verifications/index.ts'
import { passwords } from './documents.ts'
import { passwordsRefusals } from './refusals.ts'
import { openTurns } from './turns.ts'

/** Whose password is checked. */
export interface PasswordOf {
  readonly userId: string
  /** The organization of the user. */
  readonly owner: string
  readonly password: string
  /** Who asks and when: stands on what is remembered. */
  readonly origin: Origin
}

/**
 * Puts a right password into a work: ends the count of wrong ones with its commit, and refuses when the password was
 * changed, or the user closed by too many wrong ones, since it was compared.
 */
export type ConfirmPassword = (work: Work) => Promise<void>

/** The one place where passwords are compared; there is one in a process. */
export interface PasswordChecks {
  /**
   * Compares the password of a user. Throws `password.wrong` and remembers it, `password.not_set`, or without looking
   * `attempts.too_many` (with seconds to wait) and `attempts.locked`. Whether the user may act is the caller's to ask,
   * before or after: the answer here takes its time either way.
   */
  check(what: PasswordOf): Promise<ConfirmPassword>
  /** The same for a name that nobody has: takes as long, is throttled alike, and always throws. */
  checkNobody(what: { readonly name: string; readonly password: string; readonly at: Instant }): Promise<never>
}

export interface PasswordChecksNeeds {
  readonly store: Store
  readonly library: Pick<Passwords, 'verify' | 'verifyNothing' | 'hash'>
  readonly instanceId: string
}

/** How many may wait for the same person; more at once is no person. */
const LONGEST_LINE = 32
/** Names that nobody has, and people without a password, that were tried lately; the oldest is forgotten first. */
const STRANGERS = 10_000
/** Nobody has these ids: there is a space in them. */
const NOBODY: Try = { userId: 'no one', owner: 'no where', path: 'password' }

function tooMany() {
  return refused(verificationRefusals, 'attempts.too_many', { retryAfterSeconds: 1 })
}

/** Opens the place where passwords are compared. */
export function openPasswordChecks({ store, library, instanceId }: PasswordChecksNeeds): PasswordChecks {
  const turns = openTurns(LONGEST_LINE)
  const strangers = new Map<string, Attempts>()

  const rehash = async ({ userId, password, origin }: PasswordOf, from: string): Promise<void> => {
    try {
      const hash = await library.hash(password)
      await store.write(origin, (work) => work.decide(passwords, userId, { type: 'rehash', from, hash }))
    } catch (error) {
      // The password is right whether or not there is time for a better hash now.
      if (!(error instanceof Refused)) throw error
    }
  }

  /** Throws when a try at a password that nobody has would not be looked at now. */
  const admitStranger = (key: string, most: number, at: Instant): void =>
    refuseThrottled(strangers.get(key) ?? NO_ATTEMPTS, { path: 'password', most, at })

  /** Counts a try at a password that nobody has: in this process alone, and not faster than a try that is written down. */
  const countStranger = async (key: string, one: Try, origin: Origin): Promise<void> => {
    const before = strangers.get(key) ?? NO_ATTEMPTS
    strangers.delete(key)
    strangers.set(key, { ...before, failures: before.failures + 1, lastFailedAt: instant(origin.at) })
    const [oldest] = strangers.keys()
    if (strangers.size > STRANGERS && oldest !== undefined) strangers.delete(oldest)
    await store.write(origin, async (work) => {
      await admitTry(work, instanceId, one, origin.at)
      work.waitForDisk()
    })
  }

  const compare = async (key: string, what: PasswordOf): Promise<ConfirmPassword> => {
    const { userId, owner, password, origin } = what
    const one = { userId, owner, path: 'password' } as const
    const { most } = await admitTry(store, instanceId, one, origin.at)
    const state = (await store.get(passwords, userId))?.state
    if (state?.status !== 'set') {
      admitStranger(key, most, origin.at)
      await library.verifyNothing(password)
      await countStranger(key, one, origin)
      throw refused(passwordsRefusals, 'password.not_set')
    }
    const { generation, secret } = state
    const { matches, rehash: isOld } = await library.verify(secret.hash, password)
    if (!matches) await store.write(origin, (work) => countTry(work, instanceId, one, false))
    if (isOld) await rehash(what, secret.hash)
    return async (work) => {
      const now = (await work.get(passwords, userId))?.state
      if (now?.status !== 'set' || now.generation !== generation) {
        throw refused(passwordsRefusals, 'password.changed_meanwhile')
      }
      await countTry(work, instanceId, one, true)
    }
  }

  /** Reads what `compare` reads, although nothing is there. */
  const compareWithNothing = async (key: string, password: string, at: Instant): Promise<never> => {
    const { most } = await admitTry(store, instanceId, NOBODY, at)
    await store.get(passwords, NOBODY.userId)
    admitStranger(key, most, at)
    await library.verifyNothing(password)
    await countStranger(key, NOBODY, { actor: 'anonymous', at })
    throw refused(verificationRefusals, 'password.wrong')
  }

  return {
    async check(what) {
      const key = `user ${what.userId}`
      const turn = turns.take(key, () => compare(key, what))
      if (turn === undefined) throw tooMany()
      return turn
    },
    async checkNobody({ name, password, at }) {
      const key = `name ${foldText(name)}`
      const turn = turns.take(key, () => compareWithNothing(key, password, at))
      if (turn === undefined) throw tooMany()
      return turn
    },
  }
}
