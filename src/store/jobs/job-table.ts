/** The statements on the table of jobs. Both databases run them; only leasing differs, by one clause. */
import type { Instant } from '../../kernel/instant.ts'
import type { JobMethods, JobRow, LeasedJob } from '../engine.ts'

type Rows = readonly (readonly unknown[])[]

/** Runs a statement with parameters `$1`, `$2` …; rows are arrays. Each may be repeated after a lost connection. */
type Run = (sql: string, ...parameters: readonly (string | number)[]) => Promise<Rows>

export interface JobTable {
  /** For statements that change jobs; the rows are those of a `returning` clause. */
  readonly run: Run
  readonly read: Run
  /** At the end of the selection of jobs to lease. */
  readonly locking: string
}

/** The part of an engine that stores jobs. */
export function jobMethods({ run, read, locking }: JobTable): JobMethods {
  return {
    async leaseJobs(kinds, now, leasedUntil, limit) {
      if (kinds.length === 0) return []
      // A lease whose answer was lost expires.
      const rows = await run(
        `update jobs set leased_until = $1, attempts = attempts + 1 where instance = 1 and id in (
           select id from jobs where instance = 1 and not parked and due_at <= $2 and leased_until <= $2
             and kind in (${kinds.map((_, index) => `$${index + 4}`).join(', ')})
           order by due_at limit cast($3 as integer) ${locking})
         returning id, kind, data, attempts - 1, due_at`,
        ...[leasedUntil, now, limit, ...kinds],
      )
      return rows.map(leasedJob)
    },
    async renewJob(id, leasedUntil) {
      await run('update jobs set leased_until = $2 where instance = 1 and id = $1 and not parked', id, leasedUntil)
    },
    async finishJob(id) {
      await run('delete from jobs where instance = 1 and id = $1', id)
    },
    async finishRun(id, seen) {
      const sql = 'delete from jobs where instance = 1 and id = $1 and due_at = cast($2 as bigint) returning id'
      if ((await run(sql, id, seen)).length > 0) return
      await run('update jobs set leased_until = 0, attempts = 0 where instance = 1 and id = $1', id)
    },
    async addJobOnce(id, kind, dueAt) {
      await run(
        `insert into jobs (instance, id, kind, data, due_at, leased_until, attempts, parked, error)
         values (1, $1, $2, '{}', $3, 0, 0, false, '') on conflict do nothing`,
        ...[id, kind, dueAt],
      )
    },
    async repeatJob(id, dueAt) {
      await run(
        `update jobs set due_at = $2, leased_until = 0, attempts = 0, error = '' where instance = 1 and id = $1`,
        ...[id, dueAt],
      )
    },
    async saveJob(id, before, after) {
      // A statement that is repeated after a lost connection finds its own result.
      const rows = await run(
        `update jobs set data = $3 where instance = 1 and id = $1 and cast(data as text) in ($2, $4) returning id`,
        ...[id, before, after, after],
      )
      return rows.length > 0
    },
    async continueJob(id, data, { kind, wokenKind, dueAt, seen }) {
      await run(
        `update jobs set kind = case when due_at = cast($4 as bigint) then cast($3 as text) else cast($6 as text) end, due_at = case when due_at = cast($4 as bigint) then cast($5 as bigint) else due_at end,
           leased_until = 0, attempts = 0, error = '' where instance = 1 and id = $1 and cast(data as text) = $2`,
        ...[id, data, kind, seen, dueAt, wokenKind],
      )
    },
    async wakeJobs(ids, kinds, to, now) {
      if (ids.length === 0) return 0
      const marks = (from: number, list: readonly string[]) => list.map((_, index) => `$${index + from}`).join(', ')
      // Of a job that is due already, or running, the time only has to change.
      const rows = await run(
        `update jobs set kind = coalesce(nullif(cast($1 as text), ''), kind), due_at = case when leased_until > cast($2 as bigint) or due_at <= cast($2 as bigint)
           then due_at - 1 else cast($2 as bigint) end
         where instance = 1 and not parked and kind in (${marks(3, kinds)})
           and id in (${marks(3 + kinds.length, ids)}) returning id`,
        ...[to ?? '', now, ...kinds, ...ids],
      )
      return rows.length
    },
    async readJob(id) {
      const [row] = await read(`select ${COLUMNS} from jobs where instance = 1 and id = $1`, id)
      return row === undefined ? undefined : jobRow(row)
    },
    async retryJob(id, dueAt, error) {
      const sql = 'update jobs set due_at = $2, leased_until = 0, error = $3 where instance = 1 and id = $1'
      await run(sql, id, dueAt, error)
    },
    async parkJob(id, error, at) {
      await run(
        'update jobs set parked = true, leased_until = 0, due_at = $2, error = $3 where instance = 1 and id = $1',
        ...[id, at, error],
      )
    },
    async listJobs({ kind, parked, descending = false, from, to, limit }) {
      const bounds = [from === undefined ? [] : [['<', '>', from]], to === undefined ? [] : [['>', '<', to]]].flat()
      const rows = await read(
        `select ${COLUMNS} from jobs
         where instance = 1 and kind = $1 ${parked === undefined ? '' : parked ? 'and parked' : 'and not parked'}
         ${bounds.map(([down, up], index) => `and id ${descending ? down : up} $${index + 3}`).join(' ')}
         order by id ${descending ? 'desc' : 'asc'} limit cast($2 as integer)`,
        ...[kind, limit, ...bounds.map(([, , id]) => id ?? '')],
      )
      return rows.map(jobRow)
    },
    async rewriteJob(id, data) {
      await run('update jobs set data = $2 where instance = 1 and id = $1', id, data)
    },
    async unparkJob(id, dueAt, kind) {
      const rows = await run(
        `update jobs set parked = false, attempts = 0, due_at = $2 where instance = 1 and id = $1 and parked
         ${kind === undefined ? '' : 'and kind = $3'} returning id`,
        ...[id, dueAt, ...(kind === undefined ? [] : [kind])],
      )
      return rows.length > 0
    },
    ...counting(read),
  }
}

/** How many jobs there are, and how large they are. */
function counting(read: Run): Pick<JobMethods, 'countJobs' | 'measureJobs'> {
  return {
    async countJobs(kind) {
      const [[waiting, parked] = []] = await read(
        `select count(*) filter (where not parked), count(*) filter (where parked) from jobs
         where instance = 1 ${kind === undefined ? '' : 'and kind = $1'}`,
        ...(kind === undefined ? [] : [kind]),
      )
      return { waiting: Number(waiting), parked: Number(parked) }
    },
    async measureJobs(kind, from, to) {
      const [[number, bytes] = []] = await read(
        `select count(*), sum(length(cast(data as text))) from jobs
         where instance = 1 and kind = $1 and id > $2 and id < $3`,
        ...[kind, from, to],
      )
      return { number: Number(number), bytes: Number(bytes ?? 0) }
    },
  }
}

/** In the order that `jobRow` reads them. */
const COLUMNS = 'id, kind, data, attempts, due_at, error, case when parked then 1 else 0 end'

function leasedJob([id, kind, data, attempts, dueAt]: readonly unknown[]): LeasedJob {
  const due = Number(dueAt) as Instant
  return { id: String(id), kind: String(kind), data: String(data), attempts: Number(attempts), dueAt: due }
}

function jobRow(row: readonly unknown[]): JobRow {
  const [error, isParked] = row.slice(5)
  return { ...leasedJob(row), error: String(error), parked: isParked === 1 }
}
