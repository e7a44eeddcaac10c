/** Metrics of the app itself: jobs, passwords, commits that wait, and the connections of the database. */
import type { App } from '../../module/app.ts'
import type { Metric } from '../../module/module.ts'

// Counted in the database that all processes share, hence not added up.
const SHARED = { type: 'gauge', merge: 'max' } as const

/** `repeating`: the kinds of jobs that always wait, because they repeat without end. */
export function appMetrics({ store, hashing }: App, repeating: readonly string[]): readonly Metric[] {
  return [
    {
      ...SHARED,
      name: 'signet_jobs_waiting',
      help: 'Jobs waiting to run.',
      read: async () => {
        const counts = await Promise.all([undefined, ...repeating].map((kind) => store.jobs.count(kind)))
        const [all = 0, ...endless] = counts.map(({ waiting }) => waiting)
        return endless.reduce((rest, waiting) => rest - waiting, all)
      },
    },
    {
      ...SHARED,
      name: 'signet_jobs_parked',
      help: 'Jobs that failed permanently.',
      read: async () => (await store.jobs.count()).parked,
    },
    {
      type: 'gauge',
      merge: 'sum',
      label: 'state',
      name: 'signet_password_tasks',
      help: 'Passwords being hashed or checked, and passwords in the queue.',
      read() {
        const { running, waiting } = hashing.readLoad('usual')
        const expensive = hashing.readLoad('expensive')
        return { running, waiting, expensive_running: expensive.running, expensive_waiting: expensive.waiting }
      },
    },
    {
      type: 'counter',
      merge: 'sum',
      label: 'outcome',
      name: 'signet_password_tasks_total',
      help: 'Passwords hashed or checked, and turned away.',
      read() {
        const { finished, refused } = hashing.readLoad('usual')
        const expensive = hashing.readLoad('expensive')
        return { finished, refused, expensive_finished: expensive.finished, expensive_refused: expensive.refused }
      },
    },
    {
      type: 'gauge',
      merge: 'sum',
      name: 'signet_commits_waiting',
      help: 'Commits waiting for their batch.',
      read: () => store.load().waitingCommits,
    },
    {
      type: 'gauge',
      merge: 'sum',
      label: 'state',
      name: 'signet_database_connections',
      help: 'Connections of the PostgreSQL pool that are in use and idle, and queries waiting for one.',
      read() {
        const { connections } = store.load()
        if (connections === undefined) return {}
        return { in_use: connections.inUse, idle: connections.idle, waiting: connections.waiting }
      },
    },
  ]
}
