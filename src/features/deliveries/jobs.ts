/** Runners of the queues. */
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { endlessPause, type Job } from '../../store/index.ts'
import { FAILING, HELD, ORDER, QUEUE, RECORD, SLOW } from './names.ts'
import { AT_ONCE, type Lane } from './places.ts'
import { runQueue } from './run-queue.ts'

/** How long a queue stands still when its node dies. */
export const LEASE_MS = 15_000

export function deliveryJobs(app: App): readonly JobGroup[] {
  const runIn = (lane: Lane) => (job: Job) => runQueue(app, job, lane)
  const options = { concurrency: AT_ONCE, leaseMilliseconds: LEASE_MS, pauseAfter: endlessPause }
  return [
    { handlers: { [QUEUE]: runIn(QUEUE) }, options, stays: [QUEUE, SLOW, FAILING, HELD, ORDER, RECORD] },
    { handlers: { [SLOW]: runIn(SLOW) }, options },
    { handlers: { [FAILING]: runIn(FAILING) }, options },
  ]
}
