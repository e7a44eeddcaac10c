/** Events that were read from the log together, and which of them match a filter: worked out once for all who ask alike. */
import type { EventQuery, StoredEvent } from '../stored-event.ts'
import { type Position, positionOf } from './position.ts'

/** Which events to follow; all of them without a condition. */
export type EventFilter = Pick<EventQuery, 'kinds' | 'types' | 'owner' | 'id'>

/** A filter with a key that equal filters share. */
export interface KeyedFilter extends EventFilter {
  readonly key: string
}

export const NONE: readonly StoredEvent[] = Object.freeze([])

/** What an event takes besides its data, with what is made of it for those who follow. */
const EVENT_BYTES = 500

/** How much is sent to a follower at a time: whoever does not read it costs no more. */
const PORTION_BYTES = 64 * 1024

/** About as many bytes as an event takes in memory and on the wire. */
function sizeOf({ data }: StoredEvent): number {
  return EVENT_BYTES + (JSON.stringify(data) ?? '').length
}

/** How many of these events make one portion, at least one. */
export function fitting(events: readonly StoredEvent[], from = 0): number {
  let [count, bytes] = [0, 0]
  for (let index = from; index < events.length; index++, count++) {
    bytes += sizeOf(events[index] as StoredEvent)
    if (bytes > PORTION_BYTES && count > 0) break
  }
  return count
}

/** Events in batches of one portion each. */
export function* inBatches(events: readonly StoredEvent[]): Generator<Batch> {
  for (let from = 0; from < events.length; ) {
    const count = fitting(events, from)
    yield new Batch(events.slice(from, from + count))
    from += count
  }
}

export function keyed({ kinds, types, owner, id }: EventFilter): KeyedFilter {
  const given = {
    ...(kinds !== undefined && { kinds: [...kinds].sort() }),
    ...(types !== undefined && { types: [...types].sort() }),
    ...(owner !== undefined && { owner }),
    ...(id !== undefined && { id }),
  }
  return { ...given, key: JSON.stringify(given) }
}

function matches({ kinds, types, owner, id }: EventFilter, event: StoredEvent): boolean {
  return (
    (owner === undefined || event.owner === owner) &&
    (id === undefined || event.id === id) &&
    (types === undefined || types.includes(event.type)) &&
    (kinds === undefined || kinds.includes(event.kind))
  )
}

export class Batch {
  /** The log up to here is in this batch and those before it. */
  readonly end: Position
  readonly bytes: number
  readonly #events: readonly StoredEvent[]
  #byOwner: ReadonlyMap<string, readonly StoredEvent[]> | undefined
  /** By the keys of filters that something matches. */
  readonly #matching = new Map<string, readonly StoredEvent[]>()

  /** At least one event. */
  constructor(events: readonly StoredEvent[]) {
    this.#events = events
    this.end = positionOf(events.at(-1) as StoredEvent)
    this.bytes = events.reduce((sum, event) => sum + sizeOf(event), 0)
  }

  /** The events that match; the same array for equal filters, so that what is made of it can be kept with it. */
  matching(filter: KeyedFilter): readonly StoredEvent[] {
    const { owner, key } = filter
    // With many followers of one organization each, nobody looks through the events of the others.
    const events = owner === undefined ? this.#events : this.#ofOwner(owner)
    if (events.length === 0) return NONE
    const kept = this.#matching.get(key)
    if (kept !== undefined) return kept
    const found = events.filter((event) => matches(filter, event))
    if (found.length === 0) return NONE
    const shared = found.length === events.length ? events : found
    this.#matching.set(key, shared)
    return shared
  }

  #ofOwner(owner: string): readonly StoredEvent[] {
    this.#byOwner ??= Map.groupBy(this.#events, (event) => event.owner)
    return this.#byOwner.get(owner) ?? NONE
  }
}
