/** Argon2i and argon2id (RFC 9106) as PHC strings: the server's own hashes and imported ones. */
import { argon2Sync } from 'node:crypto'
import { readBase64, sameBytes, writeBase64 } from './base64.ts'
import { findOutOfBounds, type ReadHash, unreadable } from './reading.ts'

/** The costs of argon2id. */
export interface Argon2Costs {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

const TAG_BYTES = 32
/** Measured: one pass over one KiB takes about a microsecond. */
const MILLISECONDS_PER_KIB = 0.0011

/** Estimated time of one hash on one ordinary core. */
export function expectArgon2Milliseconds({ memoryKib, passes }: Argon2Costs): number {
  return memoryKib * passes * MILLISECONDS_PER_KIB
}

const FORM = /^\$argon2(id|i)\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

function writePrefix({ memoryKib, passes, lanes }: Argon2Costs): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`
}

/** Whether the hash is argon2id with exactly these costs, so that it needs no new hash. */
export function hasCosts(hash: string, costs: Argon2Costs): boolean {
  return hash.startsWith(writePrefix(costs))
}

/** Returns the PHC string of a password. Blocks, so only a hashing thread calls it. */
export function writeArgon2(password: Uint8Array, nonce: Uint8Array, costs: Argon2Costs): string {
  const { memoryKib: memory, passes, lanes: parallelism } = costs
  const tag = argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength: TAG_BYTES })
  return `${writePrefix(costs)}${writeBase64(nonce)}$${writeBase64(tag)}`
}

/** A hash that no password matches and that takes as long to check as a real one. */
export function writeHashOfNothing(costs: Argon2Costs): string {
  return `${writePrefix(costs)}${writeBase64(new Uint8Array(16))}$${writeBase64(new Uint8Array(TAG_BYTES))}`
}

/** Reads `$argon2i$` and `$argon2id$`. */
export const readArgon2: ReadHash = (hash) => {
  if (!hash.startsWith('$argon2')) return undefined
  const [, variant, version, m, t, p, salt = '', digest = ''] = FORM.exec(hash) ?? []
  const nonce = readBase64(salt)
  const tag = readBase64(digest)
  if (variant === undefined || version !== '19' || nonce === undefined || tag === undefined) {
    return unreadable(
      'Expected argon2i or argon2id of version 19 as a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash.',
    )
  }
  const costs: Argon2Costs = { memoryKib: Number(m), passes: Number(t), lanes: Number(p) }
  const flaw = findOutOfBounds(
    // With more passes, less memory is as good: 7 MiB and five passes is another one of the costs that OWASP names.
    ['argon2 memory in KiB (m)', costs.memoryKib, costs.passes >= 5 ? 7168 : 8192, 524_288],
    ['argon2 passes (t)', costs.passes, 1, 10],
    ['argon2 lanes (p)', costs.lanes, 1, 16],
    ['argon2 salt bytes', nonce.length, 8, 64],
    ['argon2 hash bytes', tag.length, 16, 128],
  )
  if (flaw !== undefined) return flaw
  return {
    expectedMilliseconds: expectArgon2Milliseconds(costs),
    memoryBytes: costs.memoryKib * 1024,
    canJudge: () => true,
    matches(password) {
      const { memoryKib: memory, passes, lanes: parallelism } = costs
      const algorithm = variant === 'id' ? 'argon2id' : 'argon2i'
      const parameters = { message: password, nonce, memory, passes, parallelism, tagLength: tag.length }
      return sameBytes(argon2Sync(algorithm, parameters), tag)
    },
  }
}
