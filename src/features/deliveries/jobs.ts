/** Runners and metrics of the queues. */
import type { App } from '../../module/app.ts'
import type { JobGroup, Metric } from '../../module/module.ts'
import { endlessPause } from '../../store/index.ts'
import { deliveryCounts } from './counts.ts'
import { FAILING, HELD, ORDER, QUEUE, RECORD } from './names.ts'
import { queueState } from './queue-state.ts'
import { runQueue } from './run-queue.ts'

/** How many queues run at once in a process. Those whose destination fails take no place from the others. */
const AT_ONCE = 16
/** How long a queue stands still when its node dies. */
const LEASE_MS = 15_000
/** How many failing queues are looked at for the metric of their age. */
const MOST_READ = 1_000

export function deliveryJobs(app: App): readonly JobGroup[] {
  const run: JobGroup['handlers'][string] = (job) => runQueue(app, job)
  const options = { concurrency: AT_ONCE, leaseMilliseconds: LEASE_MS, pauseAfter: endlessPause }
  return [
    { handlers: { [QUEUE]: run }, options, stays: [QUEUE, FAILING, HELD, ORDER, RECORD] },
    { handlers: { [FAILING]: run }, options },
  ]
}

/** Since when the destination that has failed for longest fails, in seconds. */
async function longestFailure({ store, clock }: App): Promise<number> {
  const lanes = [FAILING, HELD].map((kind) => store.jobs.list({ kind, limit: MOST_READ }))
  const since = (await Promise.all(lanes)).flat().flatMap(({ data }) => queueState(data).failing?.since ?? [])
  return since.length === 0 ? 0 : Math.max(0, (clock() - Math.min(...since)) / 1000)
}

export function deliveryMetrics(app: App): readonly Metric[] {
  const { jobs } = app.store
  return [
    {
      name: 'signet_delivery_attempts_total',
      help: 'Requests to webhooks and targets, by outcome; overflowed: calls that were not made because too many waited.',
      type: 'counter',
      merge: 'sum',
      label: 'outcome',
      read: () => ({ ...deliveryCounts(app) }),
    },
    {
      name: 'signet_delivery_queues',
      help: 'Queues of webhooks and targets: working, failing and tried again, and parked after three days.',
      type: 'gauge',
      merge: 'max',
      label: 'state',
      async read() {
        const [working, failing, parked] = await Promise.all([QUEUE, FAILING, HELD].map((kind) => jobs.count(kind)))
        return { working: working?.waiting ?? 0, failing: failing?.waiting ?? 0, parked: parked?.waiting ?? 0 }
      },
    },
    {
      name: 'signet_delivery_longest_failure_seconds',
      help: 'For how long the webhook or target that has failed for longest has failed.',
      type: 'gauge',
      merge: 'max',
      read: () => longestFailure(app),
    },
  ]
}
