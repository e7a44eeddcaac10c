/**
 * What a queue remembers: how far its destination has got in the log, and what is not settled before that. It is the data
 * of the queue's job, written only by the node that has the lease. Pure functions.
 */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { StoredEvent } from '../../store/index.ts'

const HOUR_MS = 3_600_000
/** How long deliveries are tried again. */
export const TRIED_FOR_MS = 72 * HOUR_MS
/** How long a destination is left alone at most between two attempts. */
const LONGEST_PAUSE_MS = 900_000
const FIRST_PAUSE_MS = 5_000
/** How many events may wait because their objects were refused, and how many may be parked, before the queue waits. */
const MOST_DEFERRED = 500
const MOST_PARKED = 1_000
export const MOST_REPLAYS = 20

/** An event that the destination refused, or a later one of the same object. */
export interface Deferred {
  readonly sequence: number
  readonly object: string
  /** When the first attempt failed; undefined: there was none yet. */
  readonly since?: Instant
  readonly tries: number
  readonly dueAt: Instant
  readonly reason: string
}

/** An event that is no longer tried by itself. */
export interface Parked {
  readonly sequence: number
  readonly object: string
  readonly at: Instant
  readonly reason: string
}

/** Events that are sent once more, beside the others. */
export interface Replay {
  readonly after: number
  readonly until: number
}

/** The destination as a whole cannot be reached: the breaker is open. */
export interface Failing {
  readonly since: Instant
  readonly tries: number
  /** When it is tried again. */
  readonly until: Instant
  readonly reason: string
}

export interface QueueState {
  /** The run that has the lease: it makes every run's data differ. */
  readonly run: string
  /** Everything up to here is delivered, deferred or parked; undefined: it has not begun. */
  readonly cursor?: number
  /** Delivered after the cursor. */
  readonly done: readonly number[]
  readonly deferred: readonly Deferred[]
  readonly parked: readonly Parked[]
  readonly replays: readonly Replay[]
  readonly failing?: Failing
  /** When the last request was accepted. */
  readonly deliveredAt?: Instant
}

const EMPTY: QueueState = { run: '', done: [], deferred: [], parked: [], replays: [] }

/** The state in the data of a job; a new job has none. */
export function queueState(data: unknown): QueueState {
  return { ...EMPTY, ...(data as Partial<QueueState>) }
}

/** The object that an event is about; the events of one object keep their order. */
export function objectOf({ kind, id }: StoredEvent): string {
  return `${kind}/${id}`
}

/** 5 s, 10 s, 20 s … at most 15 minutes. */
export function pauseAfter(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 20), LONGEST_PAUSE_MS)
}

function withoutFailing({ failing: _, ...rest }: QueueState): QueueState {
  return rest
}

/** The destination accepted something. */
export function accepted(state: QueueState, at: Instant): QueueState {
  return { ...withoutFailing(state), deliveredAt: at }
}

/** Marks an event as delivered. */
export function delivered(state: QueueState, sequence: number, at: Instant): QueueState {
  const isAfter = sequence > (state.cursor ?? -1)
  const deferred = state.deferred.filter((one) => one.sequence !== sequence)
  return { ...accepted(state, at), deferred, done: isAfter ? [...state.done, sequence] : state.done }
}

/** Continues to a position of the log, before which everything is settled. */
export function movedTo(state: QueueState, position: number): QueueState {
  const cursor = Math.max(state.cursor ?? 0, position)
  return { ...state, cursor, done: state.done.filter((sequence) => sequence > cursor) }
}

/** Whether a later event must wait, because an earlier one of its object does. */
export function mustWait(state: QueueState, event: StoredEvent): boolean {
  const object = objectOf(event)
  return state.deferred.some((one) => one.object === object && one.sequence < event.sequence)
}

export function isDeferred(state: QueueState, sequence: number): boolean {
  return state.deferred.some((one) => one.sequence === sequence)
}

/** Whether no further event can be put aside. */
export function isFull({ deferred, parked }: QueueState): boolean {
  return deferred.length >= MOST_DEFERRED || parked.length >= MOST_PARKED
}

/** Puts an event behind the earlier ones of its object, without an attempt. */
export function waits(state: QueueState, event: StoredEvent, at: Instant): QueueState {
  const one: Deferred = { sequence: event.sequence, object: objectOf(event), tries: 0, dueAt: at, reason: '' }
  return { ...state, deferred: [...state.deferred, one].sort((a, b) => a.sequence - b.sequence) }
}

/** The destination works, but refused this event: its object waits, and the others continue. */
export function refusedBy(state: QueueState, event: StoredEvent, at: Instant, reason: string): QueueState {
  const { sequence } = event
  const waiting = isDeferred(state, sequence) ? state : waits(state, event, at)
  const one = waiting.deferred.find((deferred) => deferred.sequence === sequence)
  const since = one?.since ?? at
  const tries = (one?.tries ?? 0) + 1
  const object = objectOf(event)
  if (at - since >= TRIED_FOR_MS) {
    const parked = [...state.parked.filter((other) => other.sequence !== sequence), { sequence, object, at, reason }]
    const deferred = waiting.deferred.filter((other) => other.sequence !== sequence)
    return { ...accepted(waiting, at), deferred, parked }
  }
  const again: Deferred = { sequence, object, since, tries, dueAt: instant(at + pauseAfter(tries)), reason }
  const deferred = waiting.deferred.map((other) => (other.sequence === sequence ? again : other))
  return { ...accepted(waiting, at), deferred }
}

/** The destination does not work: everything waits. */
export function failedBy(state: QueueState, at: Instant, reason: string, waitMs = 0): QueueState {
  const { since = at, tries = 0 } = state.failing ?? {}
  const pause = Math.min(Math.max(pauseAfter(tries + 1), waitMs), LONGEST_PAUSE_MS * 4)
  return { ...state, failing: { since, tries: tries + 1, until: instant(at + pause), reason } }
}

/** What a destination answers that wants nothing more. */
const GONE = 'HTTP 410'

/** Whether it said so, and nobody has resumed it since. */
export function isGone({ failing }: QueueState): boolean {
  return failing?.reason === GONE
}

/** Whether a failing destination has been tried for long enough. */
export function isGivenUp({ failing }: QueueState, at: Instant): boolean {
  return failing !== undefined && at - failing.since >= TRIED_FOR_MS
}

/** Tries everything at once, as if for the first time. */
export function resumed(state: QueueState, at: Instant): QueueState {
  const deferred = state.deferred.map(({ since: _, ...one }) => ({ ...one, tries: 0, dueAt: at }))
  return { ...withoutFailing(state), deferred }
}

/** Sends a range of the log again. What is parked in it is settled by that. */
export function replayed(state: QueueState, { after, until }: Replay): QueueState {
  const parked = state.parked.filter(({ sequence }) => sequence <= after || sequence > until)
  return { ...state, parked, replays: [...state.replays, { after, until }] }
}

/** The first waiting event of each object that is due. */
export function dueObjects({ deferred }: QueueState, at: Instant): readonly Deferred[] {
  const first = new Map<string, Deferred>()
  for (const one of deferred) if (!first.has(one.object)) first.set(one.object, one)
  return [...first.values()].filter(({ dueAt }) => dueAt <= at)
}

/** When the next waiting event is due. */
export function nextDue({ deferred }: QueueState): number {
  const first = new Map<string, number>()
  for (const { object, dueAt } of deferred) if (!first.has(object)) first.set(object, dueAt)
  return Math.min(...first.values())
}
