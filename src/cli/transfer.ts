/** `backup`, `restore`, `verify` and `move`: the whole log of a database to a file, from a file, or to another database. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Config, databaseFile } from '../config/index.ts'
import { kinds } from '../modules.ts'
import {
  DatabaseRefused,
  type EventLine,
  type Loader,
  newVerification,
  readBackup,
  readHeader,
  type Snapshot,
  type Verification,
  verify,
  writeBackup,
} from '../store/transfer/index.ts'
import { loadApp } from './load-app.ts'
import { describeProgress, showProgress } from './progress.ts'

/** How a command reports: progress on standard error unless the result is asked for as JSON. */
export interface Reporting {
  readonly isQuiet: boolean
}

/** A database by what names it: a URL of PostgreSQL, or the folder of SQLite. */
export type Place = Pick<Config, 'databaseUrl' | 'dataDir'>

/** The database of a place at this moment. */
export async function openSnapshot({ databaseUrl, dataDir }: Place): Promise<Snapshot> {
  if (databaseUrl !== undefined) {
    const { openPostgresSnapshot } = await import('../store/postgres/transfer.ts')
    return openPostgresSnapshot(databaseUrl.reveal())
  }
  const { openSqliteSnapshot } = await import('../store/sqlite/transfer.ts')
  return openSqliteSnapshot(resolve(databaseFile(dataDir)))
}

/** Loads a log into the empty database of a place. */
export async function openLoader({ databaseUrl, dataDir }: Place): Promise<Loader> {
  if (databaseUrl !== undefined) {
    const { openPostgresLoader } = await import('../store/postgres/transfer.ts')
    return openPostgresLoader(databaseUrl.reveal(), kinds)
  }
  const { openSqliteLoader } = await import('../store/sqlite/transfer.ts')
  return openSqliteLoader(resolve(databaseFile(dataDir)), kinds)
}

/** Does something while a line shows how far it is. */
export async function withProgress<Value>(
  { isQuiet }: Reporting,
  describe: (seconds: number) => string,
  act: () => Promise<Value>,
): Promise<Value> {
  if (isQuiet) return act()
  const began = performance.now()
  const progress = showProgress(process.stderr, () => describe((performance.now() - began) / 1000))
  try {
    return await act()
  } finally {
    progress.stop()
  }
}

function keyOf({ backupKey }: Config): Buffer | undefined {
  return backupKey === undefined ? undefined : Buffer.from(backupKey.reveal(), 'base64')
}

export interface BackupResult {
  readonly file: string
  readonly events: number
  readonly jobs: number
  readonly sequence: number
  readonly isEncrypted: boolean
}

/** Writes a backup while the server runs. Without `replaces`, an earlier one stays as it is. */
export async function backup(
  config: Config,
  file: string,
  { replaces, ...reporting }: Reporting & { readonly replaces: boolean },
): Promise<BackupResult> {
  if (!replaces && existsSync(file)) throw new DatabaseRefused(`${file} exists. Choose another name, or add --force.`)
  const snapshot = await openSnapshot(config)
  try {
    const copied = { events: 0, jobs: 0 }
    const { sequence, isEncrypted } = await withProgress(
      reporting,
      (seconds) => describeProgress(copied.events, snapshot.eventCount, 'events', seconds),
      () => writeBackup(snapshot, file, { key: keyOf(config), copied }),
    )
    return { file: resolve(file), ...copied, sequence, isEncrypted }
  } finally {
    await snapshot.close()
  }
}

/** Opens the database once: that folds all documents from the log. */
async function foldDocuments(place: Place): Promise<void> {
  const { openKeyless } = await loadApp()
  await (await openKeyless(place)).close()
}

export interface CheckResult extends Readonly<Omit<Verification, 'problems'>> {
  readonly problems: readonly string[]
}

/** Compares every document and claim with the log. */
export async function check(place: Place, reporting: Reporting): Promise<CheckResult> {
  const snapshot = await openSnapshot(place)
  try {
    const found = newVerification()
    await withProgress(
      reporting,
      (seconds) => describeProgress(found.documents, snapshot.eventCount, 'documents and events', seconds),
      () => verify(snapshot, kinds, found),
    )
    return found
  } finally {
    await snapshot.close()
  }
}

async function requireSound(place: Place, reporting: Reporting): Promise<CheckResult> {
  const found = await check(place, reporting)
  const [first] = found.problems
  if (first !== undefined) throw new DatabaseRefused(`The loaded database does not agree with its log. ${first}`)
  return found
}

/** Loads a backup into an empty database, folds the documents and checks them. Can be run again after an interruption. */
export async function restore(config: Config, file: string, reporting: Reporting): Promise<CheckResult> {
  const key = keyOf(config)
  const { header } = await readHeader(file, key)
  const loader = await openLoader(config)
  let done = 0
  try {
    await withProgress(
      reporting,
      (seconds) => describeProgress(done, header.events, 'events', seconds),
      async () => {
        for await (const part of readBackup(file, key)) {
          if (part.type === 'jobs') await loader.addJobs(part.lines)
          else await loader.addEvents(newOf(loader, part.lines))
          if (part.type === 'events') done += part.lines.length
        }
        await loader.finish(header.sequence)
      },
    )
  } finally {
    await loader.close()
  }
  await foldDocuments(config)
  return requireSound(config, reporting)
}

/** The lines that an interrupted attempt has not loaded yet. */
function newOf({ loaded }: Loader, lines: readonly EventLine[]): readonly EventLine[] {
  return loaded === 0 ? lines : lines.filter(([sequence]) => sequence > loaded)
}

/** Marks the old database; false when a server wrote to it meanwhile. */
async function markMoved({ databaseUrl, dataDir }: Place, sequence: number): Promise<boolean> {
  if (databaseUrl !== undefined) {
    const { markPostgresMoved } = await import('../store/postgres/transfer.ts')
    return markPostgresMoved(databaseUrl.reveal(), sequence)
  }
  const { markSqliteMoved } = await import('../store/sqlite/transfer.ts')
  await markSqliteMoved(resolve(databaseFile(dataDir)))
  return true
}

/**
 * Copies the log to another database, folds the documents there, compares both logs event by event, and marks the old
 * database so that no server starts on it. Can be run again after an interruption.
 */
export async function move(config: Config, target: Place, reporting: Reporting): Promise<CheckResult> {
  if (config.databaseUrl === undefined) {
    const { lockFolder } = await import('./folder-lock.ts')
    await lockFolder(config.dataDir)
  }
  const snapshot = await openSnapshot(config)
  try {
    const loader = await openLoader(target)
    let done = 0
    try {
      await withProgress(
        reporting,
        (seconds) => describeProgress(done, snapshot.eventCount, 'events', seconds),
        async () => {
          for await (const lines of snapshot.events(loader.loaded)) {
            await loader.addEvents(lines)
            done += lines.length
          }
          for await (const lines of snapshot.jobs()) await loader.addJobs(lines)
          await loader.finish(snapshot.sequence)
        },
      )
    } finally {
      await loader.close()
    }
    await foldDocuments(target)
    const [before, after] = [await check(config, reporting), await requireSound(target, reporting)]
    if (before.digest !== after.digest || !(await markMoved(config, snapshot.sequence))) {
      throw new DatabaseRefused(
        'A server wrote to the database meanwhile. Stop all servers and move to an empty database.',
      )
    }
    return after
  } finally {
    await snapshot.close()
  }
}
