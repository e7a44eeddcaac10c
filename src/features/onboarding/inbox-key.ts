/**
 * The key of the development inbox, a file in the data folder (mode 0600). Mails hold codes that replace passwords, so
 * being on this machine is not enough to read them: every local process and every careless proxy is.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Holds the key. */
export const INBOX_KEY_FILE = 'inbox-key'

const KEY = /^[\w-]{43}$/
const PATIENCE_MS = 1000

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** The key in the file; undefined when there is no file, or no key in it. */
async function readKey(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return KEY.test(text) ? text : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a key unless there is a file already; false when there is. */
async function writeKey(path: string, key: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${key}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** The key of the inbox page: all processes on a data folder share it. Makes one when there is none. */
export async function openInboxKey(dataDir: string): Promise<string> {
  const path = join(dataDir, INBOX_KEY_FILE)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (let until = performance.now() + PATIENCE_MS; ; ) {
    const known = await readKey(path)
    if (known !== undefined) return known
    const key = randomBytes(32).toString('base64url')
    if (await writeKey(path, key)) return key
    // Another process is writing it; if that takes so long, it crashed there.
    if (performance.now() > until) await rm(path, { force: true })
    else await sleep(20)
  }
}
