/** Jobs in SQLite: the writer thread changes them, the main thread reads them. */
import type { Instant } from '../../kernel/instant.ts'
import type { JobMethods, JobRow, LeasedJob } from '../engine.ts'

type Rows = readonly (readonly unknown[])[]

/** Runs a statement on the writer thread. */
type Run = (
  sql: string,
  ...parameters: readonly (string | number)[]
) => Promise<{ readonly rows: Rows; readonly changes: number }>

/** Runs a query on the main thread. */
type All = (sql: string, ...parameters: (string | number)[]) => Rows

/** The part of the engine that stores jobs. */
export function jobMethods(run: Run, all: All): JobMethods {
  return {
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
    async addJobOnce(id, kind, dueAt) {
      await run(
        `insert into jobs (instance, id, kind, data, due_at, leased_until, attempts, parked, error)
         values (1, ?, ?, '{}', ?, 0, 0, 0, '') on conflict do nothing`,
        ...[id, kind, dueAt],
      )
    },
    async repeatJob(id, dueAt) {
      await run(
        `update jobs set due_at = ?, leased_until = 0, attempts = 0, error = '' where instance = 1 and id = ?`,
        ...[dueAt, id],
      )
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
      const rows = all(
        'select id, kind, data, attempts, error from jobs where instance = 1 and parked order by id limit +?',
        limit,
      )
      return rows.map((row) => ({ ...leasedJob(row), error: String(row[4]) }))
    },
    async listJobs({ kind, parked, descending = false, from, limit }) {
      const rows = all(
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
      const rows = all(
        `select parked, count(*) from jobs where instance = 1 ${kind === undefined ? '' : 'and kind = ?'} group by parked`,
        ...(kind === undefined ? [] : [kind]),
      )
      const counts = new Map(rows.map(([parked, count]) => [parked, Number(count)]))
      return { waiting: counts.get(0) ?? 0, parked: counts.get(1) ?? 0 }
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
