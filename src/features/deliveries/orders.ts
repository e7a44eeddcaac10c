/** What a queue is to do beside its events. Each is a job that waits for the next run of the queue. */
import type { Instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import { deliveryCounts } from './counts.ts'
import { LANES, NEVER, ORDER, orderIds, QUEUE, queueId, WORKING } from './names.ts'
import type { Replay } from './queue-state.ts'

/** How many orders of a destination may wait, and how long they may be together. */
const MOST_ORDERS = 1_000
const MOST_BYTES = 64 * 1024 * 1024
/** How often both are measured again. */
const MEASURED_FOR_MS = 5_000
/** How many are read at once: each can be as large as a request. */
const PAGE = 10

/** A call that waits, with what became of it so far. */
export interface CallOrder {
  readonly type: 'call'
  readonly payload: unknown
  readonly at: Instant
  readonly since?: Instant
  readonly tries?: number
  readonly dueAt?: Instant
  /** Set when it is no longer tried by itself, until the queue is resumed or something is replayed. */
  readonly parkedAt?: Instant
  readonly reason?: string
}

export type Order = CallOrder | ({ readonly type: 'replay' } & Replay) | { readonly type: 'resume' }

interface Measured {
  number: number
  bytes: number
  at: number
}

const waiting = perApp(() => new Map<string, Measured>())

/** Whether a destination has room for another order. What waits is measured from time to time, and counted in between. */
async function hasRoom(
  { store }: App,
  known: Map<string, Measured>,
  ref: DestinationRef,
  order: Order,
): Promise<boolean> {
  const key = queueId(ref)
  const now = performance.now()
  let measured = known.get(key)
  if (measured === undefined || now - measured.at > MEASURED_FOR_MS) {
    const { from, to } = orderIds(ref)
    measured = { ...(await store.jobs.measure(ORDER, from, to)), at: now }
    known.set(key, measured)
  }
  measured.number++
  measured.bytes += JSON.stringify(order).length
  return measured.number <= MOST_ORDERS && measured.bytes <= MOST_BYTES
}

/** Has a queue look at its orders and at the log now, unless it waits because its destination fails. */
export async function wakeQueue({ store, clock }: App, ref: DestinationRef): Promise<void> {
  const woken = await store.jobs.wake([queueId(ref)], WORKING, undefined, clock())
  if (woken === 0) await store.jobs.schedule(queueId(ref), QUEUE, clock())
}

/** Gives a queue an order; false when too many wait. A call does not end its waiting. */
async function give(app: App, ref: DestinationRef, order: Order): Promise<boolean> {
  const { store, clock, newId } = app
  if (!(await hasRoom(app, waiting(app), ref, order))) return false
  // First, so that the order is found when this process ends before it wakes the queue.
  await store.jobs.schedule(queueId(ref), QUEUE, clock())
  await store.write({ actor: 'server', at: clock() }, async (work) => {
    work.enqueue({ id: `${orderIds(ref).from}${newId()}`, kind: ORDER, data: order, dueAt: NEVER })
  })
  if (order.type === 'call') await wakeQueue(app, ref)
  else await store.jobs.wake([queueId(ref)], LANES, QUEUE, clock())
  return true
}

/** Has a call made, also when this process ends. When too many wait for this destination, it is counted and not made. */
export async function callLater(app: App, ref: DestinationRef, payload: unknown): Promise<void> {
  const isTaken = await give(app, ref, { type: 'call', payload, at: app.clock() })
  if (!isTaken) deliveryCounts(app).overflowed++
}

/** Tries everything again at once: the destination works again. */
export function resumeQueue(app: App, ref: DestinationRef): Promise<boolean> {
  return give(app, ref, { type: 'resume' })
}

/** Sends the events after `after`, up to `until`, once more: those that the destination gets by its filter. */
export function replayEvents(app: App, ref: DestinationRef, range: Replay): Promise<boolean> {
  return give(app, ref, { type: 'replay', ...range })
}

/** Has calls that are parked tried again, as if for the first time. */
export async function unparkCalls(app: App, ref: DestinationRef): Promise<void> {
  for await (const { id, order } of ordersOf(app, ref)) {
    if (order.type !== 'call' || order.parkedAt === undefined) continue
    const { type, payload, at } = order
    await app.store.jobs.rewrite(id, { type, payload, at } satisfies CallOrder)
  }
}

/** The orders of a destination, oldest first. */
export async function* ordersOf({ store }: App, ref: DestinationRef) {
  const { from, to } = orderIds(ref)
  for (let after = from; ; ) {
    const rows = await store.jobs.list({ kind: ORDER, from: after, to, limit: PAGE })
    for (const { id, data } of rows) yield { id, order: data as Order }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}
