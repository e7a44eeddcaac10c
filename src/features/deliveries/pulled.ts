/**
 * Destinations that fetch their events themselves. Their position is kept like that of those that events are sent to, so that
 * one can become the other. Two requests at the same time can only lose what one of them settled: it is fetched again.
 */
import { randomUUID } from 'node:crypto'
import type { App } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import { QUEUE, queueId } from './names.ts'
import { type QueueState, queueState } from './queue-state.ts'

/** Everything up to the cursor is settled, and so is what is done after it. */
export type Pulled = Required<Pick<QueueState, 'cursor' | 'done'>>

/** How far a destination has got; `since` is where it began. */
export async function pulledBy({ store }: App, ref: DestinationRef, since: number): Promise<Pulled> {
  const { cursor = since, done } = queueState((await store.jobs.read(queueId(ref)))?.data)
  return { cursor: Math.max(cursor, since), done }
}

/** Remembers how far a destination has got. */
export async function savePulled({ store, clock }: App, ref: DestinationRef, { cursor, done }: Pulled): Promise<void> {
  const id = queueId(ref)
  const now = clock()
  const job = await store.jobs.read(id)
  if (job === undefined) await store.jobs.schedule(id, QUEUE, now)
  const { failing: _, ...state } = queueState(job?.data)
  await store.jobs.rewrite(id, { ...state, run: randomUUID(), cursor, done, deliveredAt: now } satisfies QueueState)
}
