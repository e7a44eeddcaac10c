/** The embedded database: one file, written by one thread of each process, read by the main thread, searched by a third. */
import { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../kernel/instant.ts'
import type { Engine, JobRow, LeasedJob } from '../engine.ts'
import { encodeBatch, outcomeOf, type WriterRequest } from './batch.ts'
import { checkSqliteVersion, configureWriter, prepareSqliteFile, type Synchronous } from './connection.ts'
import { openReader, type SqliteReader } from './read.ts'
import { rebuildKind } from './rebuild.ts'
import { scanThread } from './scan.ts'
import { prepareSchema } from './schema.ts'
import { startWriter, type WriterAnswer } from './write.ts'

/** How long a write waits for another process that is writing. */
const BUSY_TIMEOUT_MILLISECONDS = 10_000

const PROBE = `insert into versions (instance, name, version) values (1, 'probe', 1)
  on conflict do update set version = version + 1`

export interface SqliteOptions {
  readonly file: string
  /** `OFF` does not wait for the disk and loses acknowledged writes in a power cut: the control of that test. */
  readonly synchronous?: Synchronous
}

/** Opens the file, which is created when missing. Refuses network file systems and an SQLite that is too old. */
export async function openSqlite({ file, synchronous = 'FULL' }: SqliteOptions): Promise<Engine> {
  checkSqliteVersion(process.versions.sqlite ?? '0')
  await prepareSqliteFile(file)
  const writer = startWriter({ file, synchronous, busyTimeoutMilliseconds: BUSY_TIMEOUT_MILLISECONDS })
  const scans = scanThread({ file, busyTimeoutMilliseconds: BUSY_TIMEOUT_MILLISECONDS })
  let opened: SqliteReader | undefined
  const reader = (): SqliteReader => {
    opened ??= openReader(file, BUSY_TIMEOUT_MILLISECONDS)
    return opened
  }

  /** A second writing connection, for the rare work that must be done on the main thread. */
  const withConnection = async <Value>(use: (database: DatabaseSync) => Value | Promise<Value>): Promise<Value> => {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MILLISECONDS })
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

  const run = async (sql: string, ...parameters: readonly (string | number)[]) => {
    const answer = await ask({ type: 'run', sql, parameters })
    return answer.type === 'done' ? answer : { rows: [], changes: 0 }
  }

  return {
    name: 'sqlite',
    prepare: (kinds) => withConnection((database) => prepareSchema(database, kinds)),
    get: (kind, id) => reader().get(kind, id),
    find: (query) => reader().find(query) ?? scans.find(query),
    holder: (claimKind, value) => reader().holder(claimKind, value),
    events: async (query) => reader().events(query),
    stream: async (kind, id) => reader().stream(kind, id),
    async commit(batch) {
      const answer = await ask({ type: 'commit', count: batch.length, batch: encodeBatch(batch) })
      return answer.type === 'committed' ? answer.outcomes.map(outcomeOf) : []
    },
    rebuild: (kind, fold) => withConnection((database) => rebuildKind(database, kind, fold)),
    async leaseJobs(kinds, now, leasedUntil, limit) {
      if (kinds.length === 0) return []
      const { rows } = await run(
        `update jobs set leased_until = ?, attempts = attempts + 1 where instance = 1 and id in (
           select id from jobs where instance = 1 and not parked and due_at <= ? and leased_until <= ?
             and kind in (${kinds.map(() => '?').join(', ')}) order by due_at limit +?)
         returning id, kind, data, attempts - 1`,
        ...[leasedUntil, now, now, ...kinds, limit],
      )
      return rows.map(leasedJob)
    },
    async renewJob(id, leasedUntil) {
      await run('update jobs set leased_until = ? where instance = 1 and id = ? and not parked', leasedUntil, id)
    },
    async finishJob(id) {
      await run('delete from jobs where instance = 1 and id = ?', id)
    },
    async retryJob(id, dueAt, error) {
      await run(
        'update jobs set due_at = ?, leased_until = 0, error = ? where instance = 1 and id = ?',
        dueAt,
        error,
        id,
      )
    },
    async parkJob(id, error, at) {
      await run(
        'update jobs set parked = 1, leased_until = 0, due_at = ?, error = ? where instance = 1 and id = ?',
        ...[at, error, id],
      )
    },
    async parkedJobs(limit) {
      const rows = reader().all(
        'select id, kind, data, attempts, error from jobs where instance = 1 and parked order by id limit +?',
        limit,
      )
      return rows.map((row) => ({ ...leasedJob(row), error: String(row[4]) }))
    },
    async listJobs({ kind, parked, descending = false, from, limit }) {
      const rows = reader().all(
        `select id, kind, data, attempts, error, parked, due_at from jobs where instance = 1 and kind = ?
         ${parked === undefined ? '' : parked ? 'and parked' : 'and not parked'}
         ${from === undefined ? '' : `and id ${descending ? '<' : '>'} ?`}
         order by id ${descending ? 'desc' : 'asc'} limit ?`,
        ...[kind, ...(from === undefined ? [] : [from]), limit],
      )
      return rows.map((row): JobRow => {
        const [error, isParked, dueAt] = row.slice(4)
        return { ...leasedJob(row), error: String(error), parked: isParked === 1, dueAt: Number(dueAt) as Instant }
      })
    },
    async rewriteJob(id, data) {
      await run('update jobs set data = ? where instance = 1 and id = ?', data, id)
    },
    async unparkJob(id, dueAt: Instant, kind) {
      const { changes } = await run(
        `update jobs set parked = 0, attempts = 0, due_at = ? where instance = 1 and id = ? and parked
         ${kind === undefined ? '' : 'and kind = ?'}`,
        ...[dueAt, id, ...(kind === undefined ? [] : [kind])],
      )
      return changes > 0
    },
    async countJobs(kind) {
      const rows = reader().all(
        `select parked, count(*) from jobs where instance = 1 ${kind === undefined ? '' : 'and kind = ?'} group by parked`,
        ...(kind === undefined ? [] : [kind]),
      )
      const counts = new Map(rows.map(([parked, count]) => [parked, Number(count)]))
      return { waiting: counts.get(0) ?? 0, parked: counts.get(1) ?? 0 }
    },
    async ping() {
      if (reader().all('select sequence from instances where id = 1').length !== 1) {
        throw new Error('The database has no instance.')
      }
      // After a failed write, only a write that succeeds shows that the disk is well again.
      // It has to change something: SQLite does not write what stays the same.
      if (writer.trouble() !== undefined) await run(PROBE)
    },
    async close() {
      opened?.close()
      await Promise.all([scans.close(), writer.close()])
    },
  }
}

function leasedJob(row: readonly unknown[]): LeasedJob {
  return {
    id: String(row[0]),
    kind: String(row[1]),
    data: String(row[2]),
    attempts: Number(row[3]),
  }
}
