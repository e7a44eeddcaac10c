/** Names of streams, and events that are read stream by stream. */
import type { StoredEvent } from './types.ts'

/** A stream, and its document. */
export interface StreamName {
  readonly kind: string
  readonly id: string
}

/** A text that is different for each stream. No name of a kind contains a space. */
export function streamKey({ kind, id }: StreamName): string {
  return `${kind} ${id}`
}

/** How many rows are read or written at once by work that goes through whole tables. */
export const ROWS_AT_ONCE = 2_000

/** The streams of events that come sorted by stream. */
export function* groupStreams(events: Iterable<StoredEvent>): Generator<StoredEvent[]> {
  let stream: StoredEvent[] = []
  for (const event of events) {
    if (stream.length > 0 && stream[0]?.id !== event.id) {
      yield stream
      stream = []
    }
    stream.push(event)
  }
  if (stream.length > 0) yield stream
}
