/** The SQLite engine: one file. Each process writes it on one thread, reads it on the main thread and scans it on a third. */
import { DatabaseSync } from 'node:sqlite'
import type { Owners } from '../../kernel/share.ts'
import { counterMethods } from '../counters.ts'
import type { Engine } from '../engine.ts'
import { jobMethods } from '../jobs/job-table.ts'
import type { AnyKind } from '../kind.ts'
import { NO_OBSERVER, type StoreObserver } from '../observer.ts'
import { encodeBatch, outcomeOf, type WriterRequest } from './batch.ts'
import {
  BUSY_TIMEOUT_MS,
  checkSqliteVersion,
  configureWriter,
  prepareSqliteFile,
  type Synchronous,
} from './connection.ts'
import { eventReader } from './find-events.ts'
import { LateIndexes } from './late-indexes.ts'
import { readStream } from './log.ts'
import { SqliteReader } from './read.ts'
import { historyColumn, rebuildKind } from './rebuild.ts'
import { type ScanThread, scanThread } from './scan.ts'
import { prepareSchema } from './schema.ts'
import { positional, valuesStatement } from './search.ts'
import { startWriter, type WriterAnswer } from './write.ts'

const HEAD = `select sequence, ${historyColumn} from instances where id = 1`

const PROBE = `insert into versions (instance, name, version) values (1, 'probe', 1)
  on conflict do update set version = version + 1`

export interface SqliteOptions {
  readonly file: string
  /** `OFF` does not wait for the disk and loses acknowledged writes in a power cut; only the test of that uses it. */
  readonly synchronous?: Synchronous
  readonly observer?: StoreObserver | undefined
  /** Whom slow searches are for. Undefined: all of them are the program's own. */
  readonly currentOwners?: (() => Owners) | undefined
}

/** Times a read. Reads by id are not timed: they are mostly answered from memory, in less time than a clock takes. */
function timeReads({ contextOf, queried }: StoreObserver) {
  return <Value>(operation: string, read: () => Value): Value => {
    const startedAt = performance.now()
    const contexts = [contextOf?.()]
    const end = (hasFailed: boolean) =>
      queried({ operation, askedAt: startedAt, startedAt, endedAt: performance.now(), contexts, hasFailed })
    const value = read()
    if (value instanceof Promise) {
      value.then(
        () => end(false),
        () => end(true),
      )
    } else end(false)
    return value
  }
}

/** Opens the file and creates it when missing. Throws on a network file system and when SQLite is too old. */
export async function openSqlite({
  file,
  synchronous = 'FULL',
  observer = NO_OBSERVER,
  currentOwners = () => [''],
}: SqliteOptions): Promise<Engine> {
  const timed = timeReads(observer)
  checkSqliteVersion(process.versions.sqlite ?? '0')
  await prepareSqliteFile(file)
  const writer = startWriter({ file, synchronous })
  const scans = scanThread(file, currentOwners)
  const indexes = new LateIndexes()
  let prepared: readonly AnyKind[] = []
  let opened: SqliteReader | undefined
  const reader = (): SqliteReader => {
    opened ??= new SqliteReader(file)
    return opened
  }

  const events = eventReader(reader, scans, indexes.isMissing, () => prepared)

  /** A second writing connection, for the rare work that must run on the main thread. */
  const withConnection = async <Value>(use: (database: DatabaseSync) => Value | Promise<Value>): Promise<Value> => {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      configureWriter(database, synchronous)
      return await use(database)
    } finally {
      database.close()
      opened?.renew()
    }
  }

  const ask = async (request: WriterRequest): Promise<WriterAnswer> => {
    const answer = await writer.ask(request)
    opened?.renew()
    return answer
  }

  const run = async (text: string, ...given: readonly (string | number)[]) => {
    const [sql, parameters] = positional(text, given)
    const answer = await ask({ type: 'run', sql, parameters })
    return answer.type === 'done' ? answer.rows : []
  }

  const read = async (text: string, ...given: readonly (string | number)[]) => {
    const [sql, parameters] = positional(text, given)
    return reader().read((all) => all(sql, ...parameters)).value
  }

  /** Beside the main thread. */
  const readMany = (text: string, ...given: readonly (string | number)[]) => {
    const [sql, parameters] = positional(text, given)
    return scans.all(sql, ...parameters)
  }

  return {
    name: 'sqlite',
    dialect: indexes.dialect,
    prepare: (kinds) =>
      withConnection((database) => {
        const { stale, changes } = prepareSchema(database, kinds)
        indexes.plan(changes)
        prepared = kinds
        return stale
      }),
    buildIndexes: () => indexes.build((sql) => run(sql)),
    get: (kind, id) => reader().get(kind, id),
    findClaimHolder: (claimKind, value) => reader().findClaimHolder(claimKind, value),
    find: (query) => timed('find', () => reader().find(query) ?? scans.find(query)),
    values: (query, column, limit) => timed('find', () => findValues(reader(), scans, query, column, limit)),
    computed: { get: (key) => reader().computed.get(key), begin: () => reader().computed.begin() },
    head: async () => {
      const [[sequence, history] = []] = reader().read((all) => all(HEAD)).value
      return { sequence: Number(sequence ?? 0), history: String(history) }
    },
    events: (query) => timed('events', () => events(query)),
    stream: async (kind, id) => reader().read((all) => readStream(all, kind, id)).value,
    async commit(batch) {
      const answer = await ask({ type: 'commit', count: batch.length, batch: encodeBatch(batch) })
      return answer.type === 'committed' ? answer.outcomes.map(outcomeOf) : []
    },
    rebuild: (kind, fold) => withConnection((database) => rebuildKind(database, kind, fold)),
    ...jobMethods({ run, read, locking: '' }),
    ...counterMethods({ run, read, readMany }),
    async ping() {
      if ((await read('select sequence from instances where id = 1')).length !== 1) {
        throw new Error('The database has no instance.')
      }
      // After a failed write, only a successful write shows that the disk works again.
      // It has to change a value: SQLite does not write a page that stays the same.
      if (writer.trouble() !== undefined) await run(PROBE)
    },
    async close() {
      indexes.stop()
      opened?.close()
      await Promise.all([scans.close(), writer.close()])
    },
  }
}

async function findValues(
  reader: SqliteReader,
  scans: ScanThread,
  ...asked: Parameters<Engine['values']>
): Promise<readonly unknown[]> {
  const { value } = reader.read((all) => {
    const { isCheap, sql, values } = valuesStatement(all, ...asked)
    return isCheap ? { rows: all(sql, ...values) } : { sql, values }
  })
  const rows = 'rows' in value ? value.rows : await scans.all(value.sql, ...value.values)
  return rows.map(([first]) => first)
}
