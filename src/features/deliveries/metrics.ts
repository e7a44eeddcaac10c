/** Metrics of the queues. */
import type { App } from '../../module/app.ts'
import type { Metric } from '../../module/module.ts'
import { deliveryCounts } from './counts.ts'
import { longestFailure, MOST_SHOWN, worstLags } from './lag.ts'
import { FAILING, HELD, QUEUE, SLOW } from './names.ts'

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
      help: 'Queues of webhooks and targets: working, slow to answer, failing and tried again, and parked after three days or after 410.',
      type: 'gauge',
      merge: 'max',
      label: 'state',
      async read() {
        const lanes = { working: QUEUE, slow: SLOW, failing: FAILING, parked: HELD }
        const counts = Object.entries(lanes).map(async ([state, lane]) => [state, (await jobs.count(lane)).waiting])
        return Object.fromEntries(await Promise.all(counts))
      },
    },
    {
      name: 'signet_delivery_longest_failure_seconds',
      help: 'For how long the webhook or target that has failed for longest has failed.',
      type: 'gauge',
      merge: 'max',
      read: () => longestFailure(app),
    },
    {
      name: 'signet_delivery_lag_seconds',
      help: `How old the oldest event is that a webhook or target has not got, of the ${MOST_SHOWN} that are furthest behind.`,
      type: 'gauge',
      merge: 'max',
      label: 'destination',
      read: () => worstLags(app),
    },
  ]
}
