/** A folder for the databases and other files of a run: in memory where there is enough, because tests mostly wait for the disk. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Two gigabytes are more than the files of a complete run. */
const ENOUGH_BYTES = 2 ** 31

function freeBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Makes the folder. It is removed when the process exits. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(freeBytes(MEMORY) > ENOUGH_BYTES ? MEMORY : tmpdir(), 'signet-tests-'))
  // PostgreSQL does not run as root: its own user must be able to reach its files.
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
