/** The result of reading a stored hash: a check that can be run, or the flaw of the hash. */

/** A stored hash that could be read, and the cost of a check against it. */
export interface Check {
  /** Estimated time on one ordinary core. The queue corrects it by its measurements. */
  readonly expectedMilliseconds: number
  readonly memoryBytes: number
  /** Whether the hash distinguishes this password from all others. If not, the password must not match. */
  canJudge(password: Uint8Array): boolean
  /** Runs the function. Blocks for `expectedMilliseconds`, so only a hashing thread calls it. */
  matches(password: Uint8Array): boolean
}

/** Why a hash is not accepted. The description contains limits, never parts of the hash. */
export interface HashFlaw {
  readonly code: 'password.hash_unreadable' | 'password.hash_cost_out_of_bounds'
  readonly description: string
}

/** The result of reading a hash. */
export type Reading = Check | HashFlaw

/** Reads hashes of one family; undefined when the hash belongs to another one. Never hashes anything. */
export type ReadHash = (hash: string) => Reading | undefined

/** Whether the hash can be checked. */
export function isCheck(reading: Reading): reading is Check {
  return 'matches' in reading
}

/** The flaw of a hash that resembles a format but is invalid. */
export function unreadable(description: string): HashFlaw {
  return { code: 'password.hash_unreadable', description }
}

/** A cost: its name, its value in the hash, the minimum and the maximum. */
export type Bound = readonly [name: string, value: number, least: number, most: number]

/** The first cost that is out of bounds, as a flaw. */
export function findOutOfBounds(...bounds: readonly Bound[]): HashFlaw | undefined {
  const broken = bounds.find(([, value, least, most]) => !(value >= least && value <= most))
  if (broken === undefined) return undefined
  const [name, , least, most] = broken
  return { code: 'password.hash_cost_out_of_bounds', description: `${name} must be from ${least} to ${most}.` }
}

/**
 * For functions that end or pad a password with NUL bytes (HMAC, bcrypt, C strings): "a" and "a\0" would be the same
 * password, so a password with NUL never matches. The length limits the work of functions that read the whole password
 * in every round.
 */
export function textUpTo(mostBytes: number) {
  return (password: Uint8Array): boolean => password.length <= mostBytes && !password.includes(0)
}
