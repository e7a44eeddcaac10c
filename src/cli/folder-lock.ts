/**
 * One server at a time on a data folder. Two would give out the same work twice and hide each other's mistakes. The lock
 * is one of SQLite on a file of its own: the system releases it when the process ends, in whatever way.
 */
import { mkdir, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SettingRefused } from './setting-refused.ts'

const LOCK_FILE = 'server.lock'
const SQLITE_BUSY = 5

/** Makes the data folder; throws `SettingRefused` when that is not possible. */
export async function makeFolder(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const problem = code === 'EEXIST' ? 'is a file, not a folder' : `cannot be created (${code})`
    throw new SettingRefused('SIGNET_DATA_DIR', `${folder} ${problem}.`)
  }
}

/** Kept, because a connection that is collected as garbage gives its lock back. */
const held = new Set<object>()

/** Takes the lock on a file, which is made where needed; undefined when somebody has it. The end of the process returns it. */
export async function takeLock(file: string): Promise<{ release(): void } | undefined> {
  const { DatabaseSync } = await import('node:sqlite')
  await (await open(file, 'a', 0o600)).close()
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    const { errcode } = error as { readonly errcode?: number }
    if (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY) return undefined
    throw error
  }
  held.add(lock)
  return {
    release() {
      held.delete(lock)
      lock.close()
    },
  }
}

/** Takes the lock of the folder for the life of this process; throws `SettingRefused` when another server has it. */
export async function lockFolder(dataDir: string): Promise<void> {
  const folder = resolve(dataDir)
  const lock = await takeLock(join(folder, LOCK_FILE)).catch(() => {
    throw new SettingRefused('SIGNET_DATA_DIR', `${folder} is not writable by this user.`)
  })
  if (lock === undefined) throw new SettingRefused('SIGNET_DATA_DIR', `another Signet server is using ${folder}.`)
}
