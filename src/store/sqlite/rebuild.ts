/** Folds the documents and claims of one kind again from the log, in one transaction: readers see all old or all new. */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { countsOf, Tally } from '../counters.ts'
import type { RebuildFold } from '../fold.ts'
import type { AnyKind } from '../kind.ts'
import { ROWS_AT_ONCE } from '../streams.ts'
import type { StoredEvent } from '../types.ts'
import { streamsOf } from './log.ts'
import { recordFold } from './schema.ts'

/** The name in `versions` that counts how often documents were folded again. */
const REBUILDS = 'rebuilds'

/** Selects the history that the documents are of, see `Stamp`. */
export const historyColumn = `coalesce((select version from versions where instance = 1 and name = '${REBUILDS}'), 0)`

/** Runs on a separate connection, because the fold is a function of the main thread. */
export async function rebuildKind(database: DatabaseSync, kind: AnyKind, fold: RebuildFold): Promise<void> {
  database.exec('begin immediate')
  try {
    database.prepare('delete from claims where instance = 1 and holder_kind = ?').run(kind.name)
    database.prepare('delete from documents where instance = 1 and kind = ?').run(kind.name)
    database.prepare('delete from counters where instance = 1 and kind = ?').run(kind.name)
    const addDocument = database.prepare(
      'insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at) values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const addClaim = database.prepare(
      'insert into claims (instance, kind, value, id, holder_kind) values (1, ?, ?, ?, ?)',
    )

    const addCount = database.prepare(
      `insert into counters (instance, kind, scope, hour, name, n) values (1, ?, ?, ?, ?, ?)
       on conflict (instance, kind, scope, hour, name) do update set n = n + excluded.n`,
    )
    const counted = new Tally()
    const writeCounts = () => {
      for (const { scope, hour, name, n } of counted.take()) addCount.run(kind.name, scope, hour, name, n)
    }

    const write = (events: readonly StoredEvent[]): void => {
      const [first, last] = [events[0], events.at(-1)]
      if (first === undefined || last === undefined) return
      const { state, gone, claims, createdAt, changedAt } = fold(events)
      for (const event of events) counted.add(countsOf(kind, event, event))
      if (counted.size > ROWS_AT_ONCE) writeCounts()
      addDocument.run(
        ...[kind.name, first.id, first.owner, state, gone ? 1 : 0, last.revision, last.sequence, createdAt, changedAt],
      )
      for (const claim of claims) {
        try {
          addClaim.run(claim.kind, claim.value, first.id, kind.name)
        } catch (cause) {
          throw new Error(`rebuild of ${kind.name} ${first.id}: its claim of ${claim.kind} is held by another`, {
            cause,
          })
        }
      }
    }

    let streams = 0
    for (const events of streamsOf(database, kind)) {
      write(events)
      if (++streams % ROWS_AT_ONCE === 0) await nextTurn()
    }
    writeCounts()
    recordFold(database, kind)
    // No event tells the readers of other processes that these documents changed.
    database.exec(
      `insert or replace into versions (instance, name, version) values (1, '${REBUILDS}', ${historyColumn} + 1)`,
    )
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}
