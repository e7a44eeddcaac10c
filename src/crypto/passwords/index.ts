/** Passwords: hashes them, checks them against own and imported hashes, and decides which hashes can be imported. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Owners } from '../../kernel/share.ts'
import { type Argon2Costs, expectArgon2Milliseconds, hasCosts, writeHashOfNothing } from './argon2.ts'
import { readHash, readSecretHash } from './formats.ts'
import { type Check, type HashFlaw, isCheck } from './reading.ts'
import { spellForChecking, spellForHashing } from './spelling.ts'
import type { Outcome } from './thread.ts'
import { type Load, Threads } from './threads.ts'

export {
  checkPassword,
  DEFAULT_PASSWORD_POLICY,
  describePasswordFlaw,
  type PasswordFlaw,
  type PasswordPolicy,
} from './policy.ts'
export { passwordRefusals } from './refusals.ts'

/** The OWASP costs of argon2id: 19 MiB, two passes, one lane. */
export const ARGON2_COSTS: Argon2Costs = Object.freeze({ memoryKib: 19_456, passes: 2, lanes: 1 })

/** The options of the library. Only whose share a hash is has no default. */
export interface PasswordsOptions {
  /** Costs of new hashes. */
  readonly costs?: Argon2Costs
  /** Number of hashes computed at the same time. Defaults to the number of cores. */
  readonly threads?: number
  /** How long a hash can wait in the queue before it is refused. */
  readonly queueSeconds?: number
  /** Whom a hash is for, the organization first: owners take turns, and none can fill the queue for the others. */
  readonly currentOwners: () => Owners
  /** Where salts come from; tests pass their own. */
  readonly newSalt?: () => Uint8Array
}

/** `expensive`: imported hashes that cost much more than ours; they have threads of their own. */
export type HashQueue = 'usual' | 'expensive'

/** Hashing and checking, off the event loop. Each may refuse with `password.busy` and seconds to wait. */
export interface Passwords {
  /** The argon2id hash of a password, as a PHC string. */
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one of this hash, and if so, whether it deserves a new hash of ours. Expensive hashes of
   * different groups take turns, and those of one group cannot fill the queue for another.
   */
  verify(
    hash: string,
    password: string,
    group?: string,
  ): Promise<{ readonly matches: boolean; readonly rehash: boolean }>
  /**
   * Whether a random secret is the one of a hash that another product made. It waits in the same queues as passwords.
   */
  verifySecret(hash: string, secret: string, group: string): Promise<boolean>
  /** The work of `verify` without a hash: for users who do not exist, so that time does not tell. */
  verifyNothing(password: string): Promise<void>
  /** Why this hash cannot be imported, if so. Hashes nothing. */
  checkImport(hash: string): HashFlaw | undefined
  /** As above, of the random secret of a client or machine, where a cheaper function is enough. */
  checkSecret(hash: string): HashFlaw | undefined
  /** How busy one queue is; all of them when none is named. */
  readLoad(queue?: HashQueue): Load
  /** Finishes what was taken on, then ends the threads. */
  close(): Promise<void>
}

const MISMATCH = Object.freeze({ matches: false, rehash: false })

/** A hash is expensive when it takes more than this many of ours, or more memory than this. */
const MOST_HASHES_OF_OURS = 4
const MOST_USUAL_MEMORY_BYTES = 128 * 1024 * 1024
/** Expensive hashes yield their core to the others. */
const EXPENSIVE_NICENESS = 10

/** No slower hash is imported: refusals on public pages take as long as the slowest check, for every name. */
const MOST_IMPORT_MILLISECONDS = 5000
const MOST_SECRET_MILLISECONDS = 1500

function tooSlow(most: number): HashFlaw {
  const description = `A check must take ${most / 1000} seconds at most.`
  return { code: 'password.hash_cost_out_of_bounds', description }
}

/** Roughly how long a check against this hash takes; 0 when it cannot be checked. */
export function expectCheckMilliseconds(hash: string): number {
  const reading = readHash(hash)
  return isCheck(reading) ? reading.expectedMilliseconds : 0
}

function readMatching(outcome: Outcome): number {
  return 'matching' in outcome ? outcome.matching : -1
}

function addLoads(one: Load, other: Load): Load {
  return {
    running: one.running + other.running,
    waiting: one.waiting + other.waiting,
    finished: one.finished + other.finished,
    refused: one.refused + other.refused,
  }
}

/** The threads of all queues, each started when it is first needed. */
function openQueues(size: number, queueSeconds: number) {
  const niceness = EXPENSIVE_NICENESS
  const mostMilliseconds = MOST_HASHES_OF_OURS * expectArgon2Milliseconds(ARGON2_COSTS)
  // A sign-in does not wait longer because there are many callers.
  const usual = new Threads({ size, queueSeconds, mostQueues: 1 })
  // Half of the cores, so that many expensive hashes do not slow the others much.
  const slow = new Threads({ size: Math.max(1, Math.floor(size / 2)), queueSeconds, niceness })
  // One at a time, so that the process needs half a gibibyte for them and no more.
  const large = new Threads({ size: 1, queueSeconds, niceness })
  return {
    usual,
    threadsFor({ expectedMilliseconds, memoryBytes }: Check): Threads {
      if (memoryBytes > MOST_USUAL_MEMORY_BYTES) return large
      return expectedMilliseconds > mostMilliseconds ? slow : usual
    },
    readLoad(queue?: HashQueue): Load {
      if (queue === 'usual') return usual.readLoad()
      const expensive = addLoads(slow.readLoad(), large.readLoad())
      return queue === 'expensive' ? expensive : addLoads(usual.readLoad(), expensive)
    },
    close: () => Promise.all([usual, slow, large].map((threads) => threads.close())),
  }
}

/** Opens the password library. Threads start when first needed and do not keep the process alive. */
export function openPasswords(options: PasswordsOptions): Passwords {
  const { costs = ARGON2_COSTS, threads: size = availableParallelism(), queueSeconds = 2, currentOwners } = options
  const newSalt = options.newSalt ?? (() => randomBytes(16))
  const queues = openQueues(size, queueSeconds)
  const hashOfNothing = writeHashOfNothing(costs)
  const ownMilliseconds = expectArgon2Milliseconds(costs)
  const ownReading = readHash(hashOfNothing)
  if (!isCheck(ownReading)) throw new Error(`These costs could not be checked again: ${ownReading.description}`)

  const verifySpellingsOfNothing = async (spellings: readonly Uint8Array[]): Promise<void> => {
    const task = { type: 'verify', hash: hashOfNothing, spellings } as const
    await queues.usual.run(task, ownMilliseconds * spellings.length, currentOwners())
  }

  return {
    async hash(password) {
      const bytes = spellForHashing(password)
      const task = { type: 'hash', password: bytes, nonce: newSalt(), costs } as const
      const outcome = await queues.usual.run(task, ownMilliseconds, currentOwners())
      if (!('hash' in outcome)) throw new Error('A hashing thread answered another question.')
      return outcome.hash
    },

    async verify(hash, password, group = '') {
      const all = spellForChecking(password)
      const check = readHash(hash)
      const spellings = isCheck(check) ? all.filter((spelling) => check.canJudge(spelling)) : []
      if (!isCheck(check) || spellings.length === 0) {
        // A fast refusal would reveal that the user exists and has such a hash.
        await verifySpellingsOfNothing(all)
        return MISMATCH
      }
      const expected = check.expectedMilliseconds * spellings.length
      const threads = queues.threadsFor(check)
      // Usual hashes go by caller: each is so short that turns would not matter.
      const outcome = await threads.run(
        { type: 'verify', hash, spellings },
        expected,
        // By the caller and not by the user: otherwise the time of a check would tell whether the user exists.
        threads === queues.usual ? currentOwners() : [group],
      )
      const matching = readMatching(outcome)
      if (matching < 0) return MISMATCH
      const isNormal = spellings[matching] === all.at(-1)
      return { matches: true, rehash: !hasCosts(hash, costs) || !isNormal }
    },

    async verifySecret(hash, secret, group) {
      const check = readSecretHash(hash)
      const spelling = Buffer.from(secret)
      if (!isCheck(check) || !check.canJudge(spelling)) return false
      const task = { type: 'verify', hash, spellings: [spelling], isSecret: true } as const
      const threads = queues.threadsFor(check)
      const owners: Owners = threads === queues.usual ? currentOwners() : [group]
      return readMatching(await threads.run(task, check.expectedMilliseconds, owners)) >= 0
    },

    async verifyNothing(password) {
      await verifySpellingsOfNothing(spellForChecking(password))
    },

    checkSecret(hash) {
      const reading = readSecretHash(hash)
      if (!isCheck(reading)) return reading
      // One that is slow to check would cost the server more than the caller.
      const isUsual = hash.startsWith('$') && reading.expectedMilliseconds <= MOST_SECRET_MILLISECONDS
      return isUsual ? undefined : tooSlow(MOST_SECRET_MILLISECONDS)
    },

    checkImport(hash) {
      const reading = readHash(hash)
      if (!isCheck(reading)) return reading
      if (reading.expectedMilliseconds <= MOST_IMPORT_MILLISECONDS) return undefined
      return tooSlow(MOST_IMPORT_MILLISECONDS)
    },

    readLoad: queues.readLoad,

    async close() {
      await queues.close()
    },
  }
}
