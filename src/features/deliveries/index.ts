/**
 * Deliveries: one durable queue for each destination, an endpoint outside that gets events or calls over HTTP. Other
 * modules declare kinds of destinations (`module/destinations.ts`); this one sends, tries again, parks and replays.
 */
import { module } from '../../module/module.ts'
import { deliveryJobs } from './jobs.ts'
import { deliveryMetrics } from './metrics.ts'
import { watchOf } from './watch.ts'

export const deliveriesModule = module({
  name: 'deliveries',
  jobs: deliveryJobs,
  metrics: deliveryMetrics,
  begin: (app) => watchOf(app).begin(),
  close: (app) => watchOf(app).stop(),
})

export { QUEUES_IN_TROUBLE } from './names.ts'
export { callLater, replayEvents, resumeQueue, wakeQueue } from './orders.ts'
export { type Pulled, pulledBy, savePulled } from './pulled.ts'
export type { Attempt, AttemptsOfHour } from './records.ts'
export { headOf as lastSequence } from './run-queue.ts'
export { send } from './send.ts'
export { type QueueStatus, queueStatus, troubleOf } from './status.ts'
export { watchOf } from './watch.ts'
