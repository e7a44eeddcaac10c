/**
 * Groups, the users in them, and their metadata. Streams: `group`; `group-member`, one for each group and user, so that a
 * change of one member touches no other; `group-metadata`, one for each group and key. All are owned by the organization of
 * the group.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Management } from '../../kernel/managed.ts'

/** What administrators write about a group. */
export interface GroupTexts {
  readonly name: string
  readonly description: string
}

export const groupEvents = declareEvents({
  'group.added.v1': data<GroupTexts & { readonly organizationId: string }>(),
  /** Only what has changed. */
  'group.changed.v1': data<Partial<GroupTexts>>(),
  'group.removed.v1': data(),
  /** A directory feeds this group in from now on. */
  'group.managed.v1': data<Management>(),
  /** No directory does so any more. */
  'group.released.v1': data(),
})

export type GroupEvent = EventOf<typeof groupEvents>

/** A user can leave a group and join it again. */
export const groupMemberEvents = declareEvents({
  'group_member.added.v1': data<{ readonly groupId: string; readonly userId: string; readonly addedAt: Instant }>(),
  /** Without a time when it was written by an earlier version. */
  'group_member.removed.v1': data<{ readonly removedAt?: Instant }>(),
})

export type GroupMemberEvent = EventOf<typeof groupMemberEvents>

/** `value` is in base64. */
export const groupMetadataEvents = declareEvents({
  'group_metadata.set.v1': data<{ readonly groupId: string; readonly key: string; readonly value: string }>(),
  /** The key can be set again in the same stream. */
  'group_metadata.removed.v1': data(),
})

export type GroupMetadataEvent = EventOf<typeof groupMetadataEvents>
