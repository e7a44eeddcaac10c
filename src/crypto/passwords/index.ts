/** Passwords: hashing them, checking them against hashes of ours and of others, and saying which hashes may come in. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Argon2Costs, expectArgon2Milliseconds, hasCosts, writeHashOfNothing } from './argon2.ts'
import { readHash } from './formats.ts'
import { type HashFlaw, isCheck } from './reading.ts'
import { spellForChecking, spellForHashing } from './spelling.ts'
import type { Outcome } from './thread.ts'
import { type Load, openThreads } from './threads.ts'

export type { Argon2Costs } from './argon2.ts'
export {
  checkPassword,
  DEFAULT_PASSWORD_POLICY,
  describePasswordFlaw,
  type PasswordFlaw,
  type PasswordPolicy,
} from './policy.ts'
export type { HashFlaw } from './reading.ts'
export { passwordRefusals } from './refusals.ts'
export type { Load } from './threads.ts'

/** The OWASP costs of argon2id: 19 MiB, two passes, one lane. */
export const ARGON2_COSTS: Argon2Costs = Object.freeze({ memoryKib: 19_456, passes: 2, lanes: 1 })

/** How the library is opened; everything has a default. */
export interface PasswordsOptions {
  /** Costs of new hashes. */
  readonly costs?: Argon2Costs
  /** Hashes computed at once; the number of cores when not given. */
  readonly threads?: number
  /** How long a hash may wait for its turn before it is refused. */
  readonly queueSeconds?: number
  /** Where salts come from; tests pass their own. */
  readonly newSalt?: () => Uint8Array
}

/** Hashing and checking, off the event loop. Each may refuse with `password.busy` and seconds to wait. */
export interface Passwords {
  /** The argon2id hash of a password, as a PHC string. */
  hash(password: string): Promise<string>
  /** Whether the password is the one of this hash, and if so, whether it deserves a new hash of ours. */
  verify(hash: string, password: string): Promise<{ readonly matches: boolean; readonly rehash: boolean }>
  /** The work of `verify` without a hash: for users who do not exist, so that time does not tell. */
  verifyNothing(password: string): Promise<void>
  /** What speaks against importing this hash, if anything. Hashes nothing. */
  checkImport(hash: string): HashFlaw | undefined
  readLoad(): Load
  /** Finishes what was taken on, then ends the threads. */
  close(): Promise<void>
}

const MISMATCH = Object.freeze({ matches: false, rehash: false })

/** Imported hashes that need more than this go to a thread apart, one at a time, and hold up nobody else. */
const MOST_COMMON_MEMORY_BYTES = 128 * 1024 * 1024
const MOST_COMMON_MILLISECONDS = 2000

/** No slower hash is imported: refusals on public pages take as long as the slowest check, for every name. */
const MOST_IMPORT_MILLISECONDS = 5000

/** Roughly how long a check against this hash takes; 0 when it cannot be checked. */
export function expectCheckMilliseconds(hash: string): number {
  const reading = readHash(hash)
  return isCheck(reading) ? reading.expectedMilliseconds : 0
}

function readMatching(outcome: Outcome): number {
  return 'matching' in outcome ? outcome.matching : -1
}

/** Opens the password library. Threads start when first needed and do not keep the process alive. */
export function openPasswords(options: PasswordsOptions = {}): Passwords {
  const { costs = ARGON2_COSTS, threads: size = availableParallelism(), queueSeconds = 2 } = options
  const newSalt = options.newSalt ?? (() => randomBytes(16))
  const threads = openThreads({ size, queueSeconds })
  const slowThread = openThreads({ size: 1, queueSeconds })
  const hashOfNothing = writeHashOfNothing(costs)
  const ownMilliseconds = expectArgon2Milliseconds(costs)
  const ownReading = readHash(hashOfNothing)
  if (!isCheck(ownReading)) throw new Error(`These costs could not be checked again: ${ownReading.description}`)

  const verifySpellingsOfNothing = async (spellings: readonly Uint8Array[]): Promise<void> => {
    await threads.run({ type: 'verify', hash: hashOfNothing, spellings }, ownMilliseconds * spellings.length)
  }

  return {
    async hash(password) {
      const bytes = spellForHashing(password)
      const outcome = await threads.run({ type: 'hash', password: bytes, nonce: newSalt(), costs }, ownMilliseconds)
      if (!('hash' in outcome)) throw new Error('A hashing thread answered another question.')
      return outcome.hash
    },

    async verify(hash, password) {
      const all = spellForChecking(password)
      const check = readHash(hash)
      const spellings = isCheck(check) ? all.filter((spelling) => check.canJudge(spelling)) : []
      if (!isCheck(check) || spellings.length === 0) {
        // A quick no would tell that the user exists and has such a hash.
        await verifySpellingsOfNothing(all)
        return MISMATCH
      }
      const expected = check.expectedMilliseconds * spellings.length
      const isSlow =
        check.expectedMilliseconds > MOST_COMMON_MILLISECONDS || check.memoryBytes > MOST_COMMON_MEMORY_BYTES
      const outcome = await (isSlow ? slowThread : threads).run({ type: 'verify', hash, spellings }, expected)
      const matching = readMatching(outcome)
      if (matching < 0) return MISMATCH
      const isNormal = spellings[matching] === all.at(-1)
      return { matches: true, rehash: !hasCosts(hash, costs) || !isNormal }
    },

    async verifyNothing(password) {
      await verifySpellingsOfNothing(spellForChecking(password))
    },

    checkImport(hash) {
      const reading = readHash(hash)
      if (!isCheck(reading)) return reading
      if (reading.expectedMilliseconds <= MOST_IMPORT_MILLISECONDS) return undefined
      const description = `A check must take ${MOST_IMPORT_MILLISECONDS / 1000} seconds at most.`
      return { code: 'password.hash_cost_out_of_bounds', description }
    },

    readLoad() {
      const usual = threads.readLoad()
      const slow = slowThread.readLoad()
      return {
        running: usual.running + slow.running,
        waiting: usual.waiting + slow.waiting,
        finished: usual.finished + slow.finished,
        refused: usual.refused + slow.refused,
      }
    },

    async close() {
      await Promise.all([threads.close(), slowThread.close()])
    },
  }
}
