/**
 * Gathers the statistics by which SQLite chooses indexes. The writer does so whenever the data has doubled, and raises a
 * number in the database. Readers of all processes see the new number and reopen the file to load the statistics.
 */
import type { DatabaseSync } from 'node:sqlite'

const FIRST_AFTER_COMMITS = 1000

/** Makes every reader reopen the file; part of the caller's transaction. */
export function reopenReaders(database: DatabaseSync): void {
  database.exec(
    `insert or replace into versions (instance, name, version) values (1, 'statistics', ${statisticsVersion} + 1)`,
  )
}

/** The number of the latest statistics or rebuild, 0 before the first. */
export const statisticsVersion = `coalesce((select version from versions where instance = 1 and name = 'statistics'), 0)`

/** The sequence at which statistics were gathered. */
const GATHERED_AT = 'statistics-sequence'

function recordGathered(sequence: string): string {
  return `insert or replace into versions (instance, name, version) select 1, '${GATHERED_AT}', ${sequence} from instances where id = 1`
}

/** Makes the writer gather statistics soon, however many there are. */
export const forgetStatistics = recordGathered('0')

/**
 * Returns a function to call outside a transaction with the number of commits just written. It stops the writer for a second
 * or more when there are millions of documents, and so only when their number has doubled since the last time.
 */
export function statisticsUpdater(database: DatabaseSync): (added: number) => void {
  // Enough to tell a selective field from one with three values.
  database.exec('pragma analysis_limit = 1000')
  const hasSome = database.prepare(`select name from sqlite_schema where name = 'sqlite_stat1'`)
  const now = database.prepare(
    `select sequence, (select version from versions where instance = 1 and name = '${GATHERED_AT}') from instances where id = 1`,
    { returnArrays: true },
  )
  let unchecked = 0
  return (added) => {
    unchecked += added
    if (unchecked < FIRST_AFTER_COMMITS) return
    unchecked = 0
    const [sequence, gatheredAt] = now.get() as unknown as [number, number | null]
    // Earlier versions gathered them at least once for each run of the server, and did not record it.
    if (gatheredAt === null && hasSome.get() !== undefined) database.exec(recordGathered('sequence'))
    else if (sequence >= 2 * (gatheredAt ?? 0)) gather(database)
  }
}

function gather(database: DatabaseSync): void {
  database.exec('begin immediate; analyze documents; analyze events')
  database.exec(recordGathered('sequence'))
  reopenReaders(database)
  database.exec('commit')
}
