/** How groups are carried, with their members and metadata. */
import { refused } from '../../kernel/refusal.ts'
import { type DraftOf, declare, nothingElse } from '../../module/carried.ts'
import { checkMetadataKeys } from '../metadata/index.ts'
import { users } from '../users/index.ts'
import { findGroup, groupMemberId, groupMembers, groupMetadata, groups } from './documents.ts'
import { addGroupIn, checkTexts, removeGroupIn } from './handlers/change-group.ts'
import { removeMembersIn } from './handlers/change-members.ts'
import { setGroupEntries } from './handlers/set-metadata.ts'
import { groupRefusals } from './refusals.ts'

export const carriedGroups = declare(groups, {
  as: 'group',
  after: ['organization', 'human', 'machine'],
  lives: ['existing'],
  // The directory that feeds it in takes it over again.
  describe: ({ status: _, organizationId: __, search: ___, managedBy: ____, ...texts }) => texts,
  async put({ app, work, id, organizationId, draft: { name, description, ...rest } }, before) {
    nothingElse(rest)
    const texts = { name, description }
    if (before === undefined) await addGroupIn(app, work, { id, organizationId, ...texts })
    else {
      checkTexts(texts)
      await work.decide(groups, id, { type: 'change', texts })
    }
  },
  remove: ({ work, id }) => removeGroupIn(work, id),
  removalContinues: true,
})

export const carriedMembers = declare(groupMembers, {
  as: 'group-member',
  after: ['group'],
  lives: ['member'],
  describe: ({ status: _, turn: __, ...member }) => member,
  async put({ work, draft: { groupId, userId, addedAt, ...rest } }, before) {
    nothingElse(rest)
    if (before !== undefined) return
    const found = await findGroup(work, groupId)
    if (found === undefined) throw refused(groupRefusals, 'group.missing')
    const user = await work.get(users, userId)
    if (user?.owner !== found.owner) throw refused(groupRefusals, 'group.user_not_found')
    const command = { type: 'add', groupId, userId, addedAt } as const
    await work.decide(groupMembers, groupMemberId(groupId, userId), command, found.owner)
  },
  remove: ({ app, work, draft: { groupId, userId } }) => removeMembersIn(app, work, groupId, [userId]),
})

export const carriedMetadata = declare(groupMetadata, {
  as: 'group-metadata',
  after: ['group'],
  lives: ['set'],
  describe: ({ status: _, size: __, search: ___, ...entry }) => entry,
  async put({ work, draft: { groupId, key, value, ...rest } }, before) {
    nothingElse(rest)
    if (before?.value === value) return
    checkMetadataKeys([{ key }], 'metadata')
    await setGroupEntries(work, groupId, [{ key, value: Buffer.from(value, 'base64') }])
  },
  remove: 'with its holder',
})

export type GroupDraft = DraftOf<typeof carriedGroups>
export type GroupMemberDraft = DraftOf<typeof carriedMembers>
export type GroupMetadataDraft = DraftOf<typeof carriedMetadata>
