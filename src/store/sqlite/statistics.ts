/**
 * SQLite chooses indexes by statistics that somebody has to gather. The writer does it when the data has doubled, and
 * counts how often: readers, also those of other processes, see the new number and load the new statistics.
 */
import type { DatabaseSync } from 'node:sqlite'

const FIRST_AFTER_DOCUMENTS = 1000

/** Makes every reader open the file anew; part of the caller's transaction. */
export function turnReadersOut(database: DatabaseSync): void {
  database.exec(
    `insert or replace into versions (instance, name, version) values (1, 'statistics', ${statisticsVersion} + 1)`,
  )
}

/** The number of the latest statistics or rebuild, 0 before the first. */
export const statisticsVersion = `coalesce((select version from versions where instance = 1 and name = 'statistics'), 0)`

/** A function to call, outside of a transaction, with the number of documents just added. */
export function statisticsKeeper(database: DatabaseSync): (added: number) => void {
  // Enough to tell names from states of three; a whole scan would stop the writer for seconds.
  database.exec('pragma analysis_limit = 1000')
  let added = 0
  let next = FIRST_AFTER_DOCUMENTS
  return (more) => {
    added += more
    if (added < next) return
    next = 2 * added
    database.exec('begin immediate; analyze documents; analyze events')
    turnReadersOut(database)
    database.exec('commit')
  }
}
