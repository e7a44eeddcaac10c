/** What a queue is to do beside its events. Each is a job that waits for the next run of the queue. */
import { type Instant, instant } from '../../kernel/instant.ts'
import { type App, perApp } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import { deliveryCounts } from './counts.ts'
import { LANES, NEVER, ORDER, orderIds, QUEUE, queueId } from './names.ts'
import type { Replay } from './queue-state.ts'

/** How many orders of a destination may wait. */
const MOST_ORDERS = 1_000
/** How often their number is read again. */
const COUNTED_FOR_MS = 5_000

/** A call that waits, with what became of it so far. */
export interface CallOrder {
  readonly type: 'call'
  readonly payload: unknown
  readonly at: Instant
  readonly since?: Instant
  readonly tries?: number
  readonly dueAt?: Instant
  /** Set when it is no longer tried by itself. */
  readonly parkedAt?: Instant
  readonly reason?: string
}

export type Order = CallOrder | ({ readonly type: 'replay' } & Replay) | { readonly type: 'resume' }

interface Counted {
  number: number
  at: number
}

const waiting = perApp(() => new Map<string, Counted>())

/** Whether a destination has room for another order. Their number is read from time to time, and counted in between. */
async function hasRoom(app: App, ref: DestinationRef): Promise<boolean> {
  const known = waiting(app)
  const key = queueId(ref)
  const now = performance.now()
  let counted = known.get(key)
  if (counted === undefined || now - counted.at > COUNTED_FOR_MS) {
    const rows = await app.store.jobs.list({ kind: ORDER, ...orderIds(ref), limit: MOST_ORDERS })
    counted = { number: rows.length, at: now }
    known.set(key, counted)
  }
  counted.number++
  return counted.number <= MOST_ORDERS
}

/**
 * Has a queue look at its orders and at the log now. Unless `lanes` says so, it goes on waiting while its destination fails.
 */
export async function wakeQueue(
  { store, clock }: App,
  ref: DestinationRef,
  lanes: readonly string[] = [QUEUE],
): Promise<void> {
  const woken = await store.jobs.wake([queueId(ref)], lanes, QUEUE, clock())
  if (woken === 0) await store.jobs.schedule(queueId(ref), QUEUE, clock())
}

/** Gives a queue an order; false when too many wait. */
async function give(app: App, ref: DestinationRef, order: Order, lanes?: readonly string[]): Promise<boolean> {
  const { store, clock, newId } = app
  if (!(await hasRoom(app, ref))) return false
  // First, so that the order is found when this process ends before it wakes the queue.
  await store.jobs.schedule(queueId(ref), QUEUE, clock())
  await store.write({ actor: 'system', at: clock() }, async (work) => {
    work.enqueue({ id: `${orderIds(ref).from}${newId()}`, kind: ORDER, data: order, dueAt: NEVER })
  })
  await wakeQueue(app, ref, lanes)
  return true
}

/** Has a call made, also when this process ends. When too many wait for this destination, it is counted and not made. */
export async function callLater(app: App, ref: DestinationRef, payload: unknown): Promise<void> {
  const isTaken = await give(app, ref, { type: 'call', payload, at: app.clock() })
  if (!isTaken) deliveryCounts(app).overflowed++
}

/** Tries everything again at once: the destination works again. */
export function resumeQueue(app: App, ref: DestinationRef): Promise<boolean> {
  return give(app, ref, { type: 'resume' }, LANES)
}

/** Sends the events after `after`, up to `until`, once more: those that the destination gets by its filter. */
export function replayEvents(app: App, ref: DestinationRef, range: Replay): Promise<boolean> {
  return give(app, ref, { type: 'replay', ...range }, LANES)
}

/** The orders of a destination, oldest first. */
export async function ordersOf({ store }: App, ref: DestinationRef) {
  const rows = await store.jobs.list({ kind: ORDER, ...orderIds(ref), limit: MOST_ORDERS + 100 })
  return rows.map(({ id, data }) => ({ id, order: data as Order }))
}

/** Tries a parked call again. */
export async function replayCall(app: App, ref: DestinationRef, id: string): Promise<boolean> {
  const found = (await ordersOf(app, ref)).find((one) => one.id === id)
  if (found === undefined || found.order.type !== 'call') return false
  const { payload, at } = found.order
  await app.store.jobs.rewrite(id, { type: 'call', payload, at } satisfies CallOrder)
  await wakeQueue(app, ref)
  return true
}

/** When the next call is due that was refused. */
export function nextCallDue(orders: readonly { readonly order: Order }[]): number {
  const due = orders.flatMap(({ order }) =>
    order.type === 'call' && order.parkedAt === undefined ? [order.dueAt] : [],
  )
  return Math.min(...due.map((at) => at ?? instant(0)))
}
