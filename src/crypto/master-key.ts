/**
 * The master key encrypts only the data keys of the instance. The operator provides it or, for the embedded database
 * only, the server generates it at the first start and stores it in the data folder. There is no default and no
 * fallback.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { KEY_BYTES, type Key, type KeyRing, keyOf, keyRing } from './key-ring.ts'

/** The reason why the server does not start, for the operator. Never contains the key. */
export class MasterKeyRefused extends Error {
  readonly reason: string
  /** The variable with the key or its file name, whose value is wrong. */
  readonly setting: string | undefined

  constructor(reason: string, setting?: string) {
    super(setting === undefined ? `master key: ${reason}` : `${setting}: the key ${reason}`)
    this.name = 'MasterKeyRefused'
    this.reason = reason
    this.setting = setting
  }
}

const HOW_TO_MAKE_ONE = 'generate one with: openssl rand -base64 32'
const HEX = /^[0-9a-fA-F]{64}$/
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/

function keyBytes(text: string): Uint8Array {
  if (HEX.test(text)) return Buffer.from(text, 'hex')
  if (BASE64.test(text)) return Buffer.from(text, 'base64')
  throw new MasterKeyRefused(`must be ${KEY_BYTES} random bytes as base64 or hex; ${HOW_TO_MAKE_ONE}`)
}

/** The fewest different bytes among 32 random ones: fewer than 16 occur about once in 10¹³ keys. */
const FEWEST_DIFFERENT_BYTES = 16

function checkStrength(bytes: Uint8Array): void {
  const isMonotonous = new Set(bytes).size < FEWEST_DIFFERENT_BYTES
  const steps = new Set(bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0)))
  // A phrase encoded as base64: 32 random bytes are all printable only once in 10¹³ keys.
  const isPhrase = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  if (isMonotonous || isPhrase || steps.size < 4) {
    throw new MasterKeyRefused(`is not random; ${HOW_TO_MAKE_ONE}`)
  }
}

/**
 * Reads one or more master keys, separated by commas or line breaks. The first is active; the others only decrypt until
 * `keys rotate-data` has been run.
 */
export function parseMasterKeys(text: string): KeyRing {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part): Key => {
      const bytes = keyBytes(part)
      checkStrength(bytes)
      return keyOf(bytes)
    })
  const [first, ...others] = keys
  if (first === undefined) throw new MasterKeyRefused(`is empty; ${HOW_TO_MAKE_ONE}`)
  return keyRing([first, ...others])
}

export const MASTER_KEY_FILE = 'master.key'

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

async function readKeyFile(path: string): Promise<KeyRing | undefined> {
  try {
    const { mode } = await stat(path)
    // Group bits are ignored, because container platforms set them on whole volumes.
    if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
      throw new MasterKeyRefused(`${path} is readable by all users; run: chmod 600 ${path}`)
    }
    return parseMasterKeys(await readFile(path, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Whether the file exists and is not empty. */
async function isWritten(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Reads the master key of the data folder; undefined when there is none yet. Refuses when the key is missing but
 * `dataFile` exists, because another key could not decrypt it.
 */
export async function findMasterKeyFile(dataDir: string, dataFile?: string): Promise<KeyRing | undefined> {
  const path = join(dataDir, MASTER_KEY_FILE)
  // Checked first: a key is written before its data, so data without a key is not from a start in progress.
  const hasData = dataFile !== undefined && (await isWritten(dataFile))
  const existing = await readKeyFile(path)
  if (existing !== undefined || !hasData) return existing
  throw new MasterKeyRefused(
    `${path} is missing, but ${dataFile} needs it; restore the file, or set SIGNET_MASTER_KEY_FILE`,
  )
}

/**
 * Reads the master key of the data folder, or generates it when there is neither a key nor data. Two processes that
 * start at the same time get the same key, because the file appears atomically.
 */
export async function openMasterKeyFile(dataDir: string, dataFile?: string): Promise<KeyRing> {
  const path = join(dataDir, MASTER_KEY_FILE)
  const existing = await findMasterKeyFile(dataDir, dataFile)
  if (existing !== undefined) return existing
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  try {
    await link(draft, path)
    await syncFolder(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
  const made = await readKeyFile(path)
  if (made === undefined) throw new MasterKeyRefused(`${path} disappeared while it was being created`)
  return made
}

/** Replaces the key file of the data folder, atomically and durably. The first key is active. */
export async function writeMasterKeyFile(dataDir: string, keys: readonly [Key, ...Key[]]): Promise<void> {
  const path = join(dataDir, MASTER_KEY_FILE)
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await writeDurably(draft, keys.map((key) => `${Buffer.from(key.bytes).toString('base64')}\n`).join(''))
  await rename(draft, path)
  await syncFolder(dataDir)
}

export interface MasterKeySource {
  /** The key itself (`SIGNET_MASTER_KEY`). */
  readonly text?: string | undefined
  /** A file that holds it (`SIGNET_MASTER_KEY_FILE`). */
  readonly file?: string | undefined
  /** Where a key may be generated when none is given. Not set for PostgreSQL, whose nodes must all get the same key. */
  readonly dataDir?: string | undefined
  /** The data that is encrypted with the key of the data folder. If it exists, no key is generated. */
  readonly dataFile?: string | undefined
}

/** Adds the source of a key to its error. */
async function givenBy(setting: string, read: () => KeyRing | Promise<KeyRing>): Promise<KeyRing> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof MasterKeyRefused ? new MasterKeyRefused(error.reason, setting) : error
  }
}

async function readGivenFile(file: string): Promise<KeyRing> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new MasterKeyRefused(`cannot be read from ${file}: ${error.code}`)
  })
  return parseMasterKeys(text)
}

/** Opens the master key from its configured source. Throws when there is none. */
export async function openMasterKey(source: MasterKeySource): Promise<KeyRing> {
  if (source.text !== undefined && source.file !== undefined) {
    throw new MasterKeyRefused('is set twice, as a value and as a file; remove one')
  }
  const { text, file } = source
  if (text !== undefined) return givenBy('SIGNET_MASTER_KEY', () => parseMasterKeys(text))
  if (file !== undefined) return givenBy('SIGNET_MASTER_KEY_FILE', () => readGivenFile(file))
  if (source.dataDir !== undefined) return openMasterKeyFile(source.dataDir, source.dataFile)
  throw new MasterKeyRefused(
    `is required with PostgreSQL (SIGNET_MASTER_KEY or SIGNET_MASTER_KEY_FILE); ${HOW_TO_MAKE_ONE}`,
  )
}
