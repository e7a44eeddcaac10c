/**
 * What callers keep about a user under a key. Stream: `user-metadata`, one per user and key, owned by the user's
 * organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export interface MetadataEntry {
  readonly userId: string
  readonly key: string
  /** In base64: nobody here gives it a meaning. */
  readonly value: string
}

export const metadataEvents = declareEvents({
  'metadata.set.v1': data<MetadataEntry>(),
  /** The key is free again, and may be set anew in the same stream. */
  'metadata.removed.v1': data(),
})

export type MetadataEvent = EventOf<typeof metadataEvents>
