/** Streams whose receivers fetch the events (RFC 8936): from a position of the log, until they are acknowledged. */
import type { App } from '../../module/app.ts'
import type { Document, StoredEvent } from '../../store/index.ts'
import { type Pulled, pulledBy, savePulled } from '../deliveries/index.ts'
import type { LivingStream } from './decider.ts'
import { beganAt, destinationOf } from './destination.ts'
import { filterOf, type SecurityEvent, securityEventOf, sequenceOf } from './security-event.ts'

/** How many events may be acknowledged behind one that is not. Until that one is, there are no more. */
const WINDOW = 200
/** How many events are returned at once. */
export const MOST_AT_ONCE = 50
/** How many pages without anything for the receiver are read in one request. */
const MOST_PAGES = 5

export interface Poll {
  /** IDs of tokens that the receiver has, and of those that it could not use: both are settled. */
  readonly settled: readonly string[]
  readonly most: number
}

export interface Polled {
  readonly sets: readonly SecurityEvent[]
  readonly hasMore: boolean
  /** Up to here there was nothing else. */
  readonly lookedTo: number
}

async function readWindow(app: App, stream: Document<LivingStream>, from: number): Promise<readonly StoredEvent[]> {
  const { matches: _, ...query } = filterOf(app, stream)
  return app.store.events({ ...query, from, limit: WINDOW })
}

interface Window {
  readonly pulled: Pulled
  readonly open: readonly SecurityEvent[]
  readonly isFull: boolean
  readonly lookedTo: number
}

/** The events after the position that are not settled. What is not for the receiver settles itself. */
async function openEvents(
  app: App,
  stream: Document<LivingStream>,
  { cursor, done }: Pulled,
  most: number,
): Promise<Window> {
  const events = await readWindow(app, stream, cursor)
  const settled = new Set(done)
  const open: SecurityEvent[] = []
  const after: number[] = []
  let reached = cursor
  let [hasGap, lookedTo] = [false, cursor]
  for (const event of events) {
    if (open.length > most) break
    const { sequence } = event
    lookedTo = sequence
    const made = settled.has(sequence) ? undefined : await securityEventOf(app, stream, event)
    if (made !== undefined) {
      open.push(made)
      hasGap = true
    } else if (hasGap) {
      if (settled.has(sequence)) after.push(sequence)
    } else reached = sequence
  }
  // Those behind the last one that was looked at stay settled.
  after.push(...done.filter((sequence) => sequence > lookedTo))
  return { pulled: { cursor: reached, done: after }, open, isFull: events.length === WINDOW, lookedTo }
}

/** Settles what the receiver has, and returns what comes next. */
export async function pollStream(app: App, stream: Document<LivingStream>, { settled, most }: Poll): Promise<Polled> {
  const ref = destinationOf(stream.id)
  const before = await pulledBy(app, ref, await beganAt(app, stream.id))
  const known = new Set((await readWindow(app, stream, before.cursor)).map(({ sequence }) => sequence))
  const now = settled.map((jti) => sequenceOf(stream.id, jti)).filter((one) => one !== undefined && known.has(one))
  let pulled: Pulled = { ...before, done: [...new Set([...before.done, ...(now as number[])])] }
  for (let page = 1; ; page++) {
    const window = await openEvents(app, stream, pulled, most)
    const isDone = window.open.length > 0 || !window.isFull || page === MOST_PAGES
    const hasMoved = window.pulled.cursor !== pulled.cursor
    pulled = window.pulled
    if (!isDone && hasMoved) continue
    const isChanged = pulled.cursor !== before.cursor || pulled.done.length !== before.done.length
    if (isChanged) await savePulled(app, ref, pulled)
    const hasMore = window.open.length > most || (window.isFull && window.open.length === 0)
    return { sets: window.open.slice(0, most), hasMore, lookedTo: window.lookedTo }
  }
}

/** Waits until there may be something for the stream after a sequence, or until the signal. */
export async function waitForEvents(
  app: App,
  stream: Document<LivingStream>,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const { matches, ...filter } = filterOf(app, stream)
  const options = { ...filter, after: { sequence: after, mark: '' }, beatMs: 5_000, signal }
  for await (const { events } of app.store.follow(options)) if (events.some(matches)) return
}
