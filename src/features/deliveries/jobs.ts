/** Runners of the queues. */
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { endlessPause, type Job } from '../../store/index.ts'
import { FAILING, HELD, ORDER, QUEUE, RECORD, SLOW } from './names.ts'
import { runQueue } from './run-queue.ts'

/** How many queues run at once in a process. Those whose destination fails or is slow take no place from the others. */
const AT_ONCE = 16
/** How long a queue stands still when its node dies. */
export const LEASE_MS = 15_000

export function deliveryJobs(app: App): readonly JobGroup[] {
  const run = (job: Job) => runQueue(app, job)
  const options = { concurrency: AT_ONCE, leaseMilliseconds: LEASE_MS, pauseAfter: endlessPause }
  return [
    { handlers: { [QUEUE]: run }, options, stays: [QUEUE, SLOW, FAILING, HELD, ORDER, RECORD] },
    { handlers: { [SLOW]: (job) => runQueue(app, job, SLOW) }, options },
    { handlers: { [FAILING]: run }, options },
  ]
}
