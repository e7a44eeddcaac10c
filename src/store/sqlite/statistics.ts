/**
 * Gathers the statistics by which SQLite chooses indexes. The writer does so whenever the data has doubled, and raises a
 * number in the database. Readers of all processes see the new number and reopen the file to load the statistics.
 */
import type { DatabaseSync } from 'node:sqlite'

const FIRST_AFTER_DOCUMENTS = 1000

/** Makes every reader reopen the file; part of the caller's transaction. */
export function reopenReaders(database: DatabaseSync): void {
  database.exec(
    `insert or replace into versions (instance, name, version) values (1, 'statistics', ${statisticsVersion} + 1)`,
  )
}

/** The number of the latest statistics or rebuild, 0 before the first. */
export const statisticsVersion = `coalesce((select version from versions where instance = 1 and name = 'statistics'), 0)`

/** Returns a function to call outside a transaction with the number of commits just written. */
export function statisticsUpdater(database: DatabaseSync): (added: number) => void {
  // Enough to tell a selective field from one with three values; a full scan would stop the writer for seconds.
  database.exec('pragma analysis_limit = 1000')
  let added = 0
  let next = FIRST_AFTER_DOCUMENTS
  return (more) => {
    added += more
    if (added < next) return
    next = 2 * added
    database.exec('begin immediate; analyze documents; analyze events')
    reopenReaders(database)
    database.exec('commit')
  }
}
