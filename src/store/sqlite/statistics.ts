/**
 * Gathers the statistics by which SQLite chooses indexes. The writer does so whenever the data has doubled, index by index,
 * and raises a number in the database. Readers of all processes see the new number and reopen the file to load the statistics.
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

/** What the writer does for statistics; to be called outside a transaction. */
export interface StatisticsUpdater {
  /** Whether there is something to gather, after so many more commits. */
  isDue(added: number): boolean
  /** Gathers for about so long. It returns whether something is left, and writers can commit in between. */
  gather(milliseconds: number): boolean
}

/** Gathers statistics when the data has doubled since the last time: with millions of documents this takes seconds. */
export function statisticsUpdater(database: DatabaseSync): StatisticsUpdater {
  // Enough to tell a selective field from one with three values.
  database.exec('pragma analysis_limit = 1000')
  const hasSome = database.prepare(`select name from sqlite_schema where name = 'sqlite_stat1'`)
  const now = database.prepare(
    `select sequence, (select version from versions where instance = 1 and name = '${GATHERED_AT}') from instances where id = 1`,
    { returnArrays: true },
  )
  const readNow = () => now.get() as unknown as [sequence: number, gatheredAt: number | null]
  let unchecked = 0
  let left: string[] = []
  let lastGatheredAt: number | null = null

  const finish = (): void => {
    database.exec('begin immediate')
    // Otherwise an index was added in the meantime, which needs statistics, too.
    if (readNow()[1] === lastGatheredAt) database.exec(recordGathered('sequence'))
    reopenReaders(database)
    database.exec('commit')
  }

  return {
    isDue(added) {
      if (left.length > 0) return true
      unchecked += added
      if (unchecked < FIRST_AFTER_COMMITS) return false
      unchecked = 0
      const [sequence, gatheredAt] = readNow()
      // Earlier versions gathered them at least once for each run of the server, and did not record it.
      if (gatheredAt === null && hasSome.get() !== undefined) database.exec(recordGathered('sequence'))
      else if (sequence >= 2 * (gatheredAt ?? 0)) {
        left = indexNames(database)
        lastGatheredAt = gatheredAt
      }
      return left.length > 0
    },
    gather(milliseconds) {
      const startedAt = performance.now()
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        database.exec(`analyze "${index}"`)
        if (left.length === 0) finish()
        else if (performance.now() - startedAt >= milliseconds) return true
      }
      return false
    },
  }
}

function indexNames(database: DatabaseSync): string[] {
  const indexes = database.prepare(`select name from pragma_index_list('documents') union all
    select name from pragma_index_list('events')`)
  return indexes.all().map(({ name }) => String(name))
}
