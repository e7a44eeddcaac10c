/** What each hash format makes of a stored hash: a check that can be run, or what is wrong with the hash. */

/** A stored hash that was understood, with what checking a password against it will take. */
export interface Check {
  /** Rough time on one ordinary core; the queue corrects it by what it measures. */
  readonly expectedMilliseconds: number
  readonly memoryBytes: number
  /** Whether the hash can tell this password from every other one; if not, no password of its kind may match. */
  canJudge(password: Uint8Array): boolean
  /** Runs the function. Blocks for `expectedMilliseconds`, so it is called in a hashing thread only. */
  matches(password: Uint8Array): boolean
}

/** Why a hash is not accepted. The description names limits, never parts of the hash. */
export interface HashFlaw {
  readonly code: 'password.hash_unreadable' | 'password.hash_cost_out_of_bounds'
  readonly description: string
}

/** What came of reading a hash. */
export type Reading = Check | HashFlaw

/** Reads hashes of one family; undefined means that the hash belongs to another. Never hashes anything. */
export type ReadHash = (hash: string) => Reading | undefined

/** Tells a hash that can be checked from one with a flaw. */
export function isCheck(reading: Reading): reading is Check {
  return 'matches' in reading
}

/** The flaw of a hash that looks like a format but is not in it. */
export function unreadable(description: string): HashFlaw {
  return { code: 'password.hash_unreadable', description }
}

/** A cost, its value in the hash, the least and the most we accept. */
export type Bound = readonly [name: string, value: number, least: number, most: number]

/** The first cost that is out of its bounds, as a flaw. */
export function findOutOfBounds(...bounds: readonly Bound[]): HashFlaw | undefined {
  const broken = bounds.find(([, value, least, most]) => !(value >= least && value <= most))
  if (broken === undefined) return undefined
  const [name, , least, most] = broken
  return { code: 'password.hash_cost_out_of_bounds', description: `${name} must be from ${least} to ${most}.` }
}

/**
 * For functions that end or pad a password with NUL bytes (HMAC, bcrypt, everything that was C strings): "a" and
 * "a\0" would be the same password, so one with NUL is not judged. The length bounds the work of functions that
 * read the whole password every round.
 */
export function textUpTo(mostBytes: number) {
  return (password: Uint8Array): boolean => password.length <= mostBytes && !password.includes(0)
}
