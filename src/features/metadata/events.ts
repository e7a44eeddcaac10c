/**
 * What callers keep about a user under a key. Stream: `user-metadata`, one per user and key, owned by the user's
 * organization. Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'

export interface MetadataEntry {
  readonly userId: string
  readonly key: string
  /** In base64: nobody here gives it a meaning. */
  readonly value: string
}

export type MetadataEvent =
  | Fact<'metadata.set.v1', MetadataEntry>
  /** The key is free again, and may be set anew in the same stream. */
  | Fact<'metadata.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const metadataEventTypes: readonly string[] = Object.keys({
  'metadata.set.v1': true,
  'metadata.removed.v1': true,
} satisfies Record<MetadataEvent['type'], true>)
