/**
 * Values that callers store about a user under a key. Stream: `user-metadata`, one per user and key, owned by the user's
 * organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export interface MetadataEntry {
  readonly userId: string
  readonly key: string
  /** In base64. The server does not interpret the bytes. */
  readonly value: string
}

export const metadataEvents = declareEvents({
  'metadata.set.v1': data<MetadataEntry>(),
  /** The key can be set again in the same stream. */
  'metadata.removed.v1': data(),
})

export type MetadataEvent = EventOf<typeof metadataEvents>
