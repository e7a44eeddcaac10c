/**
 * Where an object came from that another product had before. The last event of the write that brings it says so, in the
 * stream of whatever kind. It changes no state; it sets the dates of the document to those that the object had there.
 */
import type { AnyEvent } from '../kernel/event.ts'
import type { Instant } from '../kernel/instant.ts'

/** The type of this event. It is the store's own: every kind can have it, and no decider sees it. */
export const OBJECT_IMPORTED = 'object.imported.v1'

/** When an object was created and last changed. */
export interface Dates {
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** What the event carries: the dates that the document has after it. */
export interface Imported extends Dates {
  /** The product: `zitadel`. */
  readonly source: string
}

/** A write that brings objects from elsewhere. It causes no jobs: nobody is told of what happened long ago. */
export interface Arrival {
  readonly source: string
  /** The dates that the stream of this kind and ID had there. */
  datesOf(kind: string, id: string): Dates
}

/** The event at the end of a stream, and the dates of its document. An object that was here before keeps its creation. */
export function arrive(
  { source, datesOf }: Arrival,
  { kind, id }: { readonly kind: string; readonly id: string },
  before: Dates | undefined,
): Imported {
  const given = datesOf(kind, id)
  const createdAt = before?.createdAt ?? given.createdAt
  return { source, createdAt, changedAt: given.changedAt > createdAt ? given.changedAt : createdAt }
}

/** Whether an event only says where an object came from. */
export function isArrival({ type }: Pick<AnyEvent, 'type'>): boolean {
  return type === OBJECT_IMPORTED
}

/** The dates of a document, from the events of its stream; undefined when there are none. */
export function datesOfStream(
  events: readonly (AnyEvent & { readonly at: Instant })[],
): { readonly createdAt: Instant; readonly changedAt: Instant } | undefined {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const arrival = events.findLast(isArrival)?.data as Imported | undefined
  return {
    createdAt: arrival?.createdAt ?? first.at,
    changedAt: isArrival(last) && arrival !== undefined ? arrival.changedAt : last.at,
  }
}
