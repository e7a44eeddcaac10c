/** How a queue is, for those who look after its destination. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import { HELD, queueId, refOf } from './names.ts'
import { type Deferred, type Failing, type Parked, queueState } from './queue-state.ts'
import { type Record, readRecord } from './records.ts'

export interface QueueStatus {
  /** Everything up to here is settled; undefined: nothing was sent yet. */
  readonly position: number | undefined
  /** Set when the destination as a whole fails. */
  readonly failing: Failing | undefined
  /** Whether it is no longer tried. */
  readonly isParked: boolean
  readonly deferred: readonly Deferred[]
  readonly parked: readonly Parked[]
  readonly deliveredAt: Instant | undefined
  readonly record: Record
}

export async function queueStatus(app: App, ref: DestinationRef): Promise<QueueStatus> {
  const [job, record] = await Promise.all([app.store.jobs.read(queueId(ref)), readRecord(app, ref)])
  const { cursor, failing, deferred, parked, deliveredAt } = queueState(job?.data)
  const isParked = job?.kind === HELD
  return { position: cursor, failing, isParked, deferred, parked, deliveredAt, record }
}

/** A destination in trouble by its name, such as `webhook 4711`, from the ID and the data of its queue. */
export function troubleOf(queue: string, data: string): { readonly name: string; readonly reason: string } {
  const { kind, id } = refOf(queue)
  return { name: `${kind} ${id}`, reason: queueState(JSON.parse(data)).failing?.reason ?? '' }
}
