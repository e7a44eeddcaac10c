/**
 * Keys from a passphrase, and what is done with them in an export: secrets are sealed with AES-256-GCM, lines are checked
 * with HMAC-SHA-256. docs/reference/export-format.md says the same for other programs.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { meaningOf, SettingRefused } from '../setting-refused.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const SALT_BYTES = 16
/** 128 bits, in base64url. */
const CHECK_LENGTH = 22
const SHORTEST_PASSPHRASE = 12

/** How keys follow from a passphrase: scrypt (RFC 7914). */
export interface Derivation {
  readonly algorithm: 'scrypt'
  readonly N: number
  readonly r: number
  readonly p: number
  /** Base64url. */
  readonly salt: string
}

/** 128 MiB and some tenths of a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const
/** A file can ask for no more than this. */
const MOST_MEMORY = 1024 ** 3

export function newDerivation(): Derivation {
  return { algorithm: 'scrypt', ...COST, salt: randomBytes(SALT_BYTES).toString('base64url') }
}

/** Whether a file names a derivation that can be computed here. */
export function isDerivation(given: unknown): given is Derivation {
  const { algorithm, N, r, p, salt } = (given ?? {}) as Partial<Record<keyof Derivation, unknown>>
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
  if (algorithm !== 'scrypt' || typeof salt !== 'string' || !isCount(N) || !isCount(r) || !isCount(p)) return false
  return Number.isInteger(Math.log2(N)) && N > 1 && r <= 32 && p <= 16 && 128 * N * r * p <= MOST_MEMORY
}

/** Seals secrets and checks lines. */
export interface ArchiveKeys {
  seal(place: string, plain: string): string
  /** Undefined when it was sealed with another key or for another place, or changed. */
  open(place: string, sealed: string): string | undefined
  checkOf(text: string): string
}

type Scrypt = (password: string, salt: Buffer, bytes: number, options: object) => Promise<Buffer>

export async function deriveKeys(passphrase: string, { N, r, p, salt }: Derivation): Promise<ArchiveKeys> {
  const options = { N, r, p, maxmem: 2 * MOST_MEMORY }
  const bytes = await (promisify(scrypt) as Scrypt)(
    passphrase.normalize('NFC'),
    Buffer.from(salt, 'base64url'),
    2 * KEY_BYTES,
    options,
  )
  const [sealing, checking] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)]
  return {
    seal(place, plain) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open(place, sealed) {
      const all = Buffer.from(sealed, 'base64url')
      if (all.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = all.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', sealing, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(all.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
    checkOf: (text) => createHmac('sha256', checking).update(text).digest('base64url').slice(0, CHECK_LENGTH),
  }
}

/** The check of a line in a file without secrets: it finds accidents, not forgeries. */
export function plainCheckOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LENGTH)
}

/** The passphrase in a file, without the line break at its end. */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new SettingRefused('--passphrase-file', `${file} ${meaningOf(error)}.`)
  })
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  throw new SettingRefused('--passphrase-file', `the passphrase must have at least ${SHORTEST_PASSPHRASE} characters.`)
}
