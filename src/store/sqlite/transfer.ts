/** Snapshots of a SQLite file, and loading a log into one. */
import { access } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CountRow } from '../counters.ts'
import type { AnyKind } from '../kind.ts'
import { ROWS_AT_ONCE } from '../streams.ts'
import {
  DatabaseRefused,
  type EventLine,
  type Loader,
  MARKS,
  type Snapshot,
  type StoredClaim,
  type StoredDocument,
} from '../transfer/types.ts'
import { BUSY_TIMEOUT_MS, configureWriter, openReadOnly, prepareSqliteFile } from './connection.ts'
import { eventColumns, portions, streamsOf } from './log.ts'
import { prepareSchema } from './schema.ts'
import { currentState } from './search.ts'

type DocumentValues = [string, string, string, string | null, number, number, number, number, number]

async function* documentsOf(database: DatabaseSync, documentKind: string): AsyncGenerator<StoredDocument> {
  // The database of an earlier version is not migrated before it is read.
  const isMigrated = database.prepare(`select 1 from pragma_table_info('documents') where name = 'newer_state'`).get()
  const states = isMigrated === undefined ? 'state, null' : `${currentState}, iif(newer_state is null, null, state)`
  const columns = `id, owner, ${states}, gone, revision, sequence, created_at, changed_at`
  const sql = `select ${columns} from documents where instance = 1 and kind = ? order by id`
  for await (const rows of portions<DocumentValues>(database, sql, documentKind)) {
    for (const [id, owner, state, indexed, gone, revision, sequence, createdAt, changedAt] of rows) {
      yield { id, owner, state, indexed, gone: gone === 1, revision, sequence, createdAt, changedAt, behind: null }
    }
  }
}

async function* claimsOf(database: DatabaseSync, kind: AnyKind): AsyncGenerator<StoredClaim> {
  const sql = 'select id, kind, value from claims where instance = 1 and holder_kind = ? order by id, kind, value'
  for await (const rows of portions<[string, string, string]>(database, sql, kind.name)) {
    for (const [id, claimKind, value] of rows) yield { id, kind: claimKind, value }
  }
}

async function* countersOf(database: DatabaseSync): AsyncGenerator<readonly CountRow[]> {
  // The database of an earlier version has none.
  if (database.prepare(`select 1 from sqlite_schema where name = 'counters'`).get() === undefined) return
  const sql = 'select kind, scope, hour, name, n from counters where instance = 1'
  for await (const rows of portions<[string, string, number, string, number]>(database, sql)) {
    yield rows.map(([kind, scope, hour, name, n]) => ({ kind, scope, hour, name, n }))
  }
}

/** The file at this moment; rejects when there is none. */
export async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  await access(file).catch(() => {
    throw new DatabaseRefused(`There is no database at ${file}.`)
  })
  const database = openReadOnly(file)
  database.exec('begin')
  const one = (sql: string, ...parameters: string[]) =>
    Object.values(database.prepare(sql).get(...parameters) ?? {})[0] as number | undefined
  return {
    engine: 'sqlite',
    // The first read takes the snapshot.
    sequence: one('select sequence from instances where id = 1') ?? 0,
    eventCount: one('select count(*) from events where instance = 1') ?? 0,
    jobCount: one('select count(*) from jobs where instance = 1') ?? 0,
    events: (after = 0) =>
      portions<EventLine>(
        database,
        `select ${eventColumns} from events where instance = 1 and sequence > ? order by sequence`,
        after,
      ),
    async *jobs() {
      const sql = 'select id, kind, data, due_at, attempts, parked, error from jobs where instance = 1 order by id'
      type Values = [string, string, string, number, number, number, string]
      for await (const rows of portions<Values>(database, sql)) {
        yield rows.map(([id, kind, data, dueAt, attempts, parked, error]) => {
          return [id, kind, data, dueAt, attempts, parked === 1, error] as const
        })
      }
    },
    async *streams(kind) {
      let streams = 0
      for (const events of streamsOf(database, kind)) {
        yield events
        if (++streams % ROWS_AT_ONCE === 0) await nextTurn()
      }
    },
    documents: (documentKind) => documentsOf(database, documentKind),
    claims: (kind) => claimsOf(database, kind),
    counters: () => countersOf(database),
    async versions({ name }) {
      const version = one('select version from versions where instance = 1 and name = ?', `fold.${name}`)
      return version === undefined ? [] : [{ version, documentKind: name, isReady: true }]
    },
    close: async () => database.close(),
  }
}

/** Sets a mark that keeps servers from starting. */
export function setMark(database: DatabaseSync, mark: string): void {
  database.prepare('insert or replace into versions (instance, name, version) values (1, ?, 1)').run(mark)
}

/** Marks the file as moved. */
export async function markSqliteMoved(file: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  configureWriter(database, 'FULL')
  setMark(database, MARKS.moved)
  database.close()
}

function inTransaction(database: DatabaseSync, write: () => void): void {
  database.exec('begin immediate')
  try {
    write()
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** Opens a file for loading: a new one, or one whose loading was interrupted. */
export async function openSqliteLoader(file: string, kinds: readonly AnyKind[]): Promise<Loader> {
  await prepareSqliteFile(file)
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  configureWriter(database, 'FULL')
  const isFresh = database.prepare(`select 1 from sqlite_schema where name = 'versions'`).get() === undefined
  if (isFresh) prepareSchema(database, kinds)
  const isLoading = database.prepare('select 1 from versions where name = ?').get(MARKS.loading) !== undefined
  const lastOf = () => Object.values(database.prepare('select max(sequence) from events').get() ?? {})[0]
  if (!isLoading && lastOf() !== null) {
    database.close()
    throw new DatabaseRefused(`${file} is not empty. Name a folder without a database.`)
  }
  setMark(database, MARKS.loading)
  const addEvent = database.prepare(
    `insert into events (instance, ${eventColumns}) values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const addJob = database.prepare(
    `insert or replace into jobs (instance, id, kind, data, due_at, attempts, parked, error, leased_until)
     values (1, ?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  return {
    loaded: Number(lastOf() ?? 0),
    addEvents: async (lines) =>
      inTransaction(database, () => {
        for (const line of lines) addEvent.run(...line)
      }),
    addJobs: async (lines) =>
      inTransaction(database, () => {
        for (const [id, kind, data, dueAt, attempts, parked, error] of lines) {
          addJob.run(id, kind, data, dueAt, attempts, parked ? 1 : 0, error)
        }
      }),
    finish: async (sequence) =>
      inTransaction(database, () => {
        database.prepare('update instances set sequence = ? where id = 1').run(sequence)
        // The next start folds all documents.
        database.exec(`update versions set version = 0 where name like 'fold.%'`)
        database.prepare('delete from versions where name = ?').run(MARKS.loading)
      }),
    close: async () => database.close(),
  }
}
