/** Jobs in PostgreSQL: leased with `skip locked`, so that nodes never wait for each other and never get the same job. */
import type { Instant } from '../../kernel/instant.ts'
import type { JobMethods, JobRow, LeasedJob } from '../engine.ts'
import type { Pool } from './pool.ts'

/** The part of the engine that stores jobs. Every statement may be repeated after a lost connection. */
export function jobMethods(pool: Pool): JobMethods {
  const run = <Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    pool.read('job', async ({ client }) => (await client.query<Row>(text, [...values])).rows)

  return {
    // A lease whose answer was lost expires.
    leaseJobs: async (kinds, now, leasedUntil, limit) =>
      await run<LeasedJob>(
        `update jobs set leased_until = $3, attempts = attempts + 1
         where instance = 1 and id in (
           select id from jobs
           where instance = 1 and not parked and due_at <= $2 and leased_until <= $2 and kind = any($1::text[])
           order by due_at limit $4 for update skip locked)
         returning id, kind, data, attempts - 1 as attempts`,
        ...[kinds, now, leasedUntil, limit],
      ),
    async renewJob(id, leasedUntil) {
      await run('update jobs set leased_until = $2 where instance = 1 and id = $1 and not parked', id, leasedUntil)
    },
    async finishJob(id) {
      await run('delete from jobs where instance = 1 and id = $1', id)
    },
    async addJobOnce(id, kind, dueAt) {
      await run(
        `insert into jobs (instance, id, kind, data, due_at) values (1, $1, $2, '{}', $3) on conflict do nothing`,
        ...[id, kind, dueAt],
      )
    },
    async repeatJob(id, dueAt) {
      await run(
        `update jobs set due_at = $2, leased_until = 0, attempts = 0, error = '' where instance = 1 and id = $1`,
        ...[id, dueAt],
      )
    },
    async retryJob(id, dueAt, error) {
      await run(
        'update jobs set due_at = $2, leased_until = 0, error = $3 where instance = 1 and id = $1',
        ...[id, dueAt, error],
      )
    },
    async parkJob(id, error, at) {
      await run(
        'update jobs set parked = true, leased_until = 0, error = $2, due_at = $3 where instance = 1 and id = $1',
        ...[id, error, at],
      )
    },
    parkedJobs: async (limit) =>
      await run<LeasedJob & { error: string }>(
        'select id, kind, data, attempts, error from jobs where instance = 1 and parked order by id limit $1',
        limit,
      ),
    listJobs: async ({ kind, parked, descending = false, from, limit }) =>
      await run<JobRow>(
        `select id, kind, data, attempts, error, parked, due_at as "dueAt" from jobs where instance = 1 and kind = $1
         ${parked === undefined ? '' : parked ? 'and parked' : 'and not parked'}
         and ($2::text is null or id ${descending ? '<' : '>'} $2)
         order by id ${descending ? 'desc' : 'asc'} limit $3`,
        ...[kind, from ?? null, limit],
      ),
    async rewriteJob(id, data) {
      await run('update jobs set data = $2::json where instance = 1 and id = $1', id, data)
    },
    async unparkJob(id, dueAt: Instant, kind) {
      const rows = await run(
        `update jobs set parked = false, attempts = 0, due_at = $2
         where instance = 1 and id = $1 and parked and ($3::text is null or kind = $3) returning id`,
        ...[id, dueAt, kind ?? null],
      )
      return rows.length > 0
    },
    async countJobs(kind) {
      const [counts] = await run<{ waiting: number; parked: number }>(
        `select count(*) filter (where not parked) as waiting, count(*) filter (where parked) as parked
         from jobs where instance = 1 and ($1::text is null or kind = $1)`,
        kind ?? null,
      )
      return counts ?? { waiting: 0, parked: 0 }
    },
  }
}
