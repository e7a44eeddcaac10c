/** Counts and times what the store does: commits, queries, jobs, and the events that modules want to have counted. */
import type { Log } from '../../module/app.ts'
import type { EventCounter } from '../../module/module.ts'
import type { StoreObserver } from '../../store/index.ts'
import type { Registry } from './metrics.ts'

/** From a cached page to a statement that runs into its timeout. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

type Count = (data: string) => void

/** What is counted for each event type. The data of other events is not parsed. */
function countsByType(registry: Registry, counters: readonly EventCounter[]): ReadonlyMap<string, readonly Count[]> {
  const counts = new Map<string, Count[]>()
  for (const { name, help, labels, events } of counters) {
    const counter = registry.counter(name, help, labels)
    for (const [type, labelsOf] of Object.entries(events)) {
      const count: Count = (data) => {
        const values = labelsOf(JSON.parse(data) as Readonly<Record<string, unknown>>)
        if (values !== undefined) counter.add(values)
      }
      counts.set(type, [...(counts.get(type) ?? []), count])
    }
  }
  return counts
}

/** Adds the metrics of the store. The store is opened with what it returns; retries and jobs go to the debug log. */
export function observeStore(
  registry: Registry,
  counters: readonly EventCounter[],
  log: Pick<Log, 'debug'>,
): StoreObserver {
  const counts = countsByType(registry, counters)
  const sizes = registry.histogram('signet_commit_batch_size', 'Commits written together.', [], BATCH_SIZES)
  const waits = registry.histogram(
    'signet_commit_wait_seconds',
    'Time from a commit joining the queue to the start of its batch, in seconds.',
    [],
    SECONDS,
  )
  const writes = registry.histogram(
    'signet_commit_write_seconds',
    'Time that the database takes for a batch of commits, in seconds.',
    [],
    SECONDS,
  )
  const conflicts = registry.counter('signet_commit_conflicts_total', 'Decisions made again or given up.', [])
  const queries = registry.histogram(
    'signet_database_query_seconds',
    'Time of a query without the wait for a connection, by operation, in seconds.',
    ['operation'],
    SECONDS,
  )
  const connections = registry.histogram(
    'signet_database_wait_seconds',
    'Time that a query waited for a free connection, in seconds.',
    [],
    SECONDS,
  )
  const failures = registry.counter('signet_database_failures_total', 'Queries and batches that failed.', ['operation'])
  const jobs = registry.counter('signet_jobs_total', 'Runs of jobs, by kind and outcome.', ['kind', 'outcome'])
  const jobSeconds = registry.histogram('signet_job_seconds', 'Time of a job, in seconds.', ['kind'], JOB_SECONDS)

  return {
    batchWritten({ commits, startedAt, endedAt, hasFailed }) {
      sizes.observe([], commits.length)
      writes.observe([], (endedAt - startedAt) / 1000)
      for (const { joinedAt } of commits) waits.observe([], (startedAt - joinedAt) / 1000)
      if (hasFailed) failures.add(['commit'])
    },
    committed(changes) {
      for (const { events } of changes) {
        for (const { type, data } of events) {
          const counted = counts.get(type)
          if (counted !== undefined) for (const count of counted) count(data)
        }
      }
    },
    conflicted(changes, attempt) {
      conflicts.add([])
      log.debug({ kinds: changes.map(({ kind }) => kind), attempt: attempt + 1 }, 'write conflict')
    },
    queried({ operation, askedAt, startedAt, endedAt, hasFailed }) {
      queries.observe([operation], (endedAt - startedAt) / 1000)
      connections.observe([], (startedAt - askedAt) / 1000)
      if (hasFailed) failures.add([operation])
    },
    jobFinished({ id, kind, attempts, milliseconds, outcome, pauseMs }) {
      jobs.add([kind, outcome])
      jobSeconds.observe([kind], milliseconds / 1000)
      log.debug({ id, kind, attempts, outcome, pauseMs, durationMs: Math.round(milliseconds) }, 'job')
    },
    runJob: (_, run) => run(),
  }
}
