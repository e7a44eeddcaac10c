/**
 * Values that callers store about a user under a key. Stream: `user-metadata`, one per user and key, owned by the user's
 * organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export interface MetadataEntry {
  readonly userId: string
  readonly key: string
  /** In base64; the bytes have no meaning here. */
  readonly value: string
}

export const metadataEvents = declareEvents({
  'metadata.set.v1': data<MetadataEntry>(),
  /** The key may be set again in the same stream. */
  'metadata.removed.v1': data(),
})

export type MetadataEvent = EventOf<typeof metadataEvents>
