/** Brings groups of an export or of another product with their members and metadata, as part of a write. */

import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { Work } from '../../../store/index.ts'
import { checkMetadataKeys } from '../../metadata/index.ts'
import { users } from '../../users/index.ts'
import { findGroup, groupMemberId, groupMembers, groups } from '../documents.ts'
import type { GroupTexts } from '../events.ts'
import { groupRefusals } from '../refusals.ts'
import { checkTexts } from './change-group.ts'
import { setGroupEntries } from './set-metadata.ts'

/** Adds a user to a group of the same organization. */
export async function importGroupMember(
  work: Work,
  { groupId, userId, addedAt }: { readonly groupId: string; readonly userId: string; readonly addedAt: Instant },
): Promise<void> {
  const found = await findGroup(work, groupId)
  if (found === undefined) throw refused(groupRefusals, 'group.missing')
  const user = await work.get(users, userId)
  if (user?.owner !== found.owner) throw refused(groupRefusals, 'group.user_not_found')
  const command = { type: 'add', groupId, userId, addedAt } as const
  await work.decide(groupMembers, groupMemberId(groupId, userId), command, found.owner)
}

/** Changes a group to what another product has now. */
export async function followGroup(work: Work, { id, ...texts }: GroupTexts & { readonly id: string }): Promise<void> {
  checkTexts(texts)
  await work.decide(groups, id, { type: 'change', texts })
}

/** Sets an entry of a group. */
export async function importGroupMetadata(
  work: Work,
  { groupId, key, value }: { readonly groupId: string; readonly key: string; readonly value: Uint8Array },
): Promise<void> {
  checkMetadataKeys([{ key }], 'metadata')
  await setGroupEntries(work, groupId, [{ key, value }])
}
