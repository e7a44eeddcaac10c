/**
 * Runs the queue of one destination: reads the log from its cursor, sends, and moves the cursor. At least once, and in
 * order for each object. Events of different objects are sent at the same time.
 */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import type { Job, RunAgain, Store, StoredEvent } from '../../store/index.ts'
import { FAILING, HELD, NEVER, QUEUE, recordId, refOf, SLOW } from './names.ts'
import { type CallOrder, ordersOf, unparkCalls } from './orders.ts'
import { type Lane, takePlace, withoutPlace } from './places.ts'
import {
  accepted,
  delivered,
  dueObjects,
  failedBy,
  isDeferred,
  isFull,
  isGivenUp,
  isGone,
  MOST_REPLAYS,
  movedTo,
  mustWait,
  nextDue,
  objectOf,
  pauseAfter,
  type QueueState,
  queueState,
  refusedBy,
  replayed,
  resumed,
  TRIED_FOR_MS,
  waits,
} from './queue-state.ts'
import { Turn } from './turn.ts'

/** How many events are read at once. */
const PAGE = 200
/** A destination that takes this long to answer still gets as many requests in a second as it may. */
const USUAL_ANSWER_S = 0.25
/** How many requests a destination gets at the same time. */
const FEWEST_AT_ONCE = 4
const MOST_AT_ONCE = 32
/** A queue without work looks this often whether it was forgotten. */
const IDLE_MS = 300_000

/** The number of the last event. */
export async function headOf(store: Store): Promise<number> {
  const [last] = await store.events({ descending: true, limit: 1 })
  return last?.sequence ?? 0
}

/** Sends one event and settles it; false when it is still to be sent. */
async function sendEvent(turn: Turn, event: StoredEvent): Promise<boolean> {
  const { app, kind, ref } = turn
  const { sequence, type } = event
  const answer = await turn.attempt({ sequence, type }, () => kind.eventRequest(app, ref.id, event))
  if (answer === undefined) return false
  const isRefused = answer !== 'skipped' && answer.outcome === 'refused'
  const isDelivered = answer === 'skipped' || answer.outcome === 'delivered'
  if (isDelivered) turn.state = delivered(turn.state, sequence, turn.now)
  if (isRefused) turn.state = refusedBy(turn.state, event, turn.now, answer.reason)
  await turn.saveIfTime()
  return isDelivered || isRefused
}

/** Sends the events of one object, one after the other. */
async function sendObject(turn: Turn, events: readonly StoredEvent[]): Promise<void> {
  for (const event of events) {
    if (turn.isOver) return
    if (isDeferred(turn.state, event.sequence)) continue
    const isFullNow = isFull(turn.state)
    if (mustWait(turn.state, event) && !isFullNow) turn.state = waits(turn.state, event, turn.now)
    else if (!isFullNow) await sendEvent(turn, event)
    else {
      turn.state = failedBy(turn.state, turn.now, 'too_many_refused')
      turn.isStopped = true
    }
  }
}

/** Sends events; those of different objects at the same time. A destination that failed gets one at a time. */
async function sendAll(turn: Turn, events: readonly StoredEvent[]): Promise<void> {
  const objects = [...Map.groupBy(events, objectOf).values()].values()
  const wanted = Math.ceil(turn.destination.perSecond * USUAL_ANSWER_S)
  const atOnce = turn.state.failing === undefined ? Math.max(FEWEST_AT_ONCE, Math.min(wanted, MOST_AT_ONCE)) : 1
  const work = async () => {
    for (const object of objects) await sendObject(turn, object)
  }
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
}

/** A part of the log, and the position after it. */
interface Page {
  readonly events: readonly StoredEvent[]
  readonly end: number
  /** Whether there may be more after it. */
  readonly hasMore: boolean
}

/** Reads what the destination gets after a position. A destination that failed gets one event at a time. */
async function readPage({ app: { store }, destination: { wants }, state }: Turn, after: number): Promise<Page> {
  const head = Math.max(after, await headOf(store))
  if (wants === undefined) return { events: [], end: head, hasMore: false }
  const { matches, ...query } = wants
  const limit = state.failing === undefined ? PAGE : 1
  const page = await store.events({ ...query, from: after, limit })
  const events = page.filter((event) => matches?.(event) ?? true)
  const last = page.at(-1)?.sequence ?? after
  return page.length < limit
    ? { events, end: Math.max(head, last), hasMore: false }
    : { events, end: last, hasMore: true }
}

/** Sends new events; false when there are no more. */
async function sendNew(turn: Turn): Promise<boolean> {
  const { cursor = 0 } = turn.state
  const { events, end, hasMore } = await readPage(turn, cursor)
  const isSettled = ({ sequence }: StoredEvent) =>
    turn.state.done.includes(sequence) ||
    isDeferred(turn.state, sequence) ||
    turn.state.parked.some((one) => one.sequence === sequence)
  await sendAll(
    turn,
    events.filter((event) => !isSettled(event)),
  )
  const open = events.find((event) => !isSettled(event))
  turn.state = movedTo(turn.state, open === undefined ? end : open.sequence - 1)
  return hasMore || open !== undefined
}

/** Continues with what is to be sent again, in the order of the log; false when that was all. */
async function sendReplay(turn: Turn): Promise<boolean> {
  const [replay, ...others] = turn.state.replays
  if (replay === undefined) return false
  const { events, end, hasMore } = await readPage(turn, replay.after)
  let after = hasMore ? end : replay.until
  for (const event of events) {
    if (event.sequence > replay.until) break
    if (turn.isOver || !(await sendEvent(turn, event))) {
      after = event.sequence - 1
      break
    }
  }
  const rest = after >= replay.until ? others : [{ ...replay, after }, ...others]
  turn.state = { ...turn.state, replays: rest }
  return rest.length > 0
}

/** Tries the events again that were refused, and those that wait behind them. */
async function sendDeferred(turn: Turn): Promise<void> {
  for (const { object } of dueObjects(turn.state, turn.now)) {
    for (;;) {
      const next = turn.state.deferred.find((one) => one.object === object)
      if (next === undefined || next.dueAt > turn.now || turn.isOver) break
      const at = object.indexOf('/')
      const query = { kinds: [object.slice(0, at)], id: object.slice(at + 1), from: next.sequence - 1, limit: 1 }
      const [event] = await turn.app.store.events(query)
      if (event?.sequence === next.sequence) await sendEvent(turn, event)
      // Its object was removed from the log meanwhile.
      else turn.state = { ...turn.state, deferred: turn.state.deferred.filter((one) => one !== next) }
    }
  }
}

/** Makes one call; returns when it is due again, 0 when it was not made. */
async function makeCall(turn: Turn, id: string, order: CallOrder): Promise<number> {
  const { app, kind, ref, now } = turn
  const { jobs } = app.store
  const { since = now, tries = 0, dueAt = 0 } = order
  if (order.parkedAt !== undefined) return NEVER
  if (dueAt > now) return dueAt
  const answer = await turn.attempt({ type: 'call' }, async () =>
    kind.callRequest?.(app, ref.id, { id, payload: order.payload }),
  )
  if (answer === undefined) return 0
  if (answer === 'skipped' || answer.outcome === 'delivered') {
    turn.state = accepted(turn.state, now)
    await jobs.finish([id])
    await turn.saveIfTime()
    return NEVER
  }
  if (answer.outcome !== 'refused') return 0
  const isGivenUp = now - since >= TRIED_FOR_MS
  const next = instant(now + pauseAfter(tries + 1))
  const refused = { ...order, since, tries: tries + 1, reason: answer.reason, ...(!isGivenUp && { dueAt: next }) }
  await jobs.rewrite(id, { ...refused, ...(isGivenUp && { parkedAt: now }) } satisfies CallOrder)
  await turn.saveIfTime()
  return isGivenUp ? NEVER : next
}

/** Resumes the queue and begins replays, where that was ordered. */
async function takeOrders(turn: Turn): Promise<void> {
  const { app, ref } = turn
  for await (const { id, order } of ordersOf(app, ref)) {
    if (order.type === 'call') continue
    if (order.type === 'replay' && turn.state.replays.length >= MOST_REPLAYS) continue
    turn.state = resumed(turn.state, turn.now)
    await unparkCalls(app, ref)
    if (order.type === 'replay') {
      // What happens from now on is sent as new, and not once more.
      const until = Math.min(order.until, await headOf(app.store))
      turn.state = replayed(turn.state, { after: order.after, until })
    }
    await turn.save()
    await app.store.jobs.finish([id])
  }
}

/** Makes the calls that are due; returns when the next one is. */
async function makeCalls(turn: Turn): Promise<number> {
  let next: number = NEVER
  for await (const { id, order } of ordersOf(turn.app, turn.ref)) {
    if (turn.isOver) return 0
    if (order.type === 'call') next = Math.min(next, await makeCall(turn, id, order))
  }
  return next
}

/** Nothing more is sent until somebody resumes it, which may be while this is written. */
const HOLD: RunAgain = { kind: HELD, dueAt: NEVER, wokenKind: QUEUE }

/** A destination that failed is left alone for a while; after three days, until somebody resumes it. */
function afterFailure(state: QueueState, until: Instant, now: Instant): RunAgain {
  return isGivenUp(state, now) ? HOLD : { kind: FAILING, dueAt: until }
}

async function runTurn(turn: Turn): Promise<RunAgain> {
  await takeOrders(turn)
  // It was woken while it was parked, and not resumed.
  if (isGone(turn.state)) return HOLD
  // It was woken by an event while it failed: pauses are kept all the same.
  const { failing } = turn.state
  if (failing !== undefined && failing.until > turn.now) return afterFailure(turn.state, failing.until, turn.now)
  const nextCall = await makeCalls(turn)
  await sendDeferred(turn)
  let hasMore = true
  while (hasMore && !turn.isOver) {
    const hasNew = await sendNew(turn)
    hasMore = (await sendReplay(turn)) || hasNew
    await turn.saveIfTime()
  }
  const { state, now } = turn
  if (turn.isGone) return HOLD
  // When it was not tried in this turn, there was nothing to send.
  if (state.failing !== undefined && turn.isStopped) {
    return afterFailure(state, state.failing.until, now)
  }
  const dueAt = hasMore ? now : Math.min(now + IDLE_MS, nextDue(state), nextCall)
  return { kind: turn.isSlow ? SLOW : QUEUE, dueAt: instant(Math.max(now, dueAt)) }
}

async function removeQueue(app: App, ref: DestinationRef): Promise<undefined> {
  await app.store.jobs.finish([recordId(ref)])
  for await (const { id } of ordersOf(app, ref)) await app.store.jobs.finish([id])
  return undefined
}

/** The job of a queue, which ran among these so far. */
export async function runQueue(app: App, job: Job, lane: Lane): Promise<RunAgain | undefined> {
  const ref = refOf(job.id)
  const kind = app.destinations.find(({ name }) => name === ref.kind)
  const later = { kind: QUEUE, dueAt: instant(app.clock() + IDLE_MS) }
  // A kind of another version of the server.
  if (kind === undefined) return later
  const destination = await kind.find(app, ref.id)
  if (destination === undefined) return removeQueue(app, ref)
  if (!destination.isActive) return isGone(queueState(job.data)) ? HOLD : later
  const leave = takePlace(app, lane, destination.owner)
  if (leave === undefined) return withoutPlace(app, lane)
  const turn = new Turn(app, { ref, kind, destination, lane }, job)
  try {
    return await runTurn(turn)
  } finally {
    leave()
    await turn.record()
    await turn.save()
    if (turn.isGone) await kind.switchOff?.(app, ref.id)
    job.signal.throwIfAborted()
  }
}
