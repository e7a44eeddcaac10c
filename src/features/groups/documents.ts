/** The kinds `group`, `group-member` and `group-metadata`: their search fields, unique names and limits. */

import { eachAtOnce } from '../../kernel/each-at-once.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader } from '../../store/index.ts'
import { METADATA_LIMIT } from '../metadata/index.ts'
import { activeOrganization } from '../organizations/index.ts'
import { group, groupMember, groupMetadataEntry, type LivingGroup, turnPrefix } from './decider.ts'
import { groupEvents, groupMemberEvents, groupMetadataEvents } from './events.ts'
import { groupRefusals } from './refusals.ts'

/** The claim that makes a name unique in its organization; its value is the organization and the name's key. */
const GROUP_NAME_CLAIM = 'group-name'

/** Tokens name them and every check of roles reads them, so a user has few groups. */
const MOST_GROUPS_OF_USER = 1_000

export const groups = kind({
  name: 'group',
  ids: 'chosen',
  waits: false,
  path: false,
  version: 2,
  events: groupEvents,
  decider: group,
  refusals: groupRefusals,
  sortsByChange: true,
  fields: {
    name: { path: ['search', 'name'], type: 'text', beside: ['typedName'] },
    typedName: { path: ['name'], type: 'text', indexed: false },
    directory: { path: ['managedBy', 'directoryId'], type: 'text', sparse: true },
  },
  claims: (state) =>
    state.status === 'existing'
      ? [
          {
            kind: GROUP_NAME_CLAIM,
            within: 'parent',
            value: `${state.organizationId} ${state.search.nameKey}`,
            taken: 'group.name_taken' as const,
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'groups', holder: 'an organization', by: ['owner'], number: 10_000 }],
})

/** One document for each member: a group of 100,000 changes by one of them at a time. */
export const groupMembers = kind({
  name: 'group-member',
  ids: { joined: ['group', 'user'] },
  waits: false,
  path: false,
  version: 2,
  personal: { by: 'userId' },
  events: groupMemberEvents,
  decider: groupMember,
  refusals: {},
  fields: {
    groupId: { path: ['groupId'], type: 'text', beside: ['createdAt'] },
    userId: { path: ['userId'], type: 'text', beside: ['groupId'] },
    turn: { path: ['turn', 'key'], type: 'text' },
    turnAt: { path: ['turn', 'at'], type: 'number', beside: ['turnGroup'] },
    turnGroup: { path: ['turn', 'groupId'], type: 'text', indexed: false },
  },
  limits: [
    { things: 'members', holder: 'a group', by: ['groupId'], number: 200_000 },
    { things: 'groups', holder: 'a user', by: ['userId'], number: MOST_GROUPS_OF_USER },
  ],
})

export const groupMetadata = kind({
  name: 'group-metadata',
  ids: { joined: ['group', 'key'] },
  waits: false,
  path: false,
  version: 2,
  events: groupMetadataEvents,
  decider: groupMetadataEntry,
  refusals: {},
  fields: {
    groupId: { path: ['groupId'], type: 'text', beside: ['size'] },
    key: { path: ['search', 'key'], type: 'text', indexed: false },
    value: { path: ['search', 'value'], type: 'text' },
    typedKey: { path: ['key'], type: 'text', indexed: false },
    size: { path: ['size'], type: 'number', indexed: false },
  },
  limits: [{ ...METADATA_LIMIT, holder: 'a group', by: ['groupId'] }],
})

/** A name by which groups can be filtered or sorted. */
export type GroupField = keyof typeof groups.fields & string
/** A name by which memberships can be filtered or sorted. */
export type GroupMemberField = keyof typeof groupMembers.fields & string

/** The ID of a membership is derived from group and user, so that a write can also guard its absence. No group ID has a space. */
export function groupMemberId(groupId: string, userId: string): string {
  return `${groupId} ${userId}`
}

/** The group and the user of a membership with this ID. */
export function memberOfId(id: string): { readonly groupId: string; readonly userId: string } {
  const space = id.indexOf(' ')
  return { groupId: id.slice(0, space), userId: id.slice(space + 1) }
}

/** When somebody last joined or left each of these groups; without those for which nobody did. */
export async function lastTurns(app: App, groupIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const turns = new Map<string, Instant>()
  await eachAtOnce(groupIds, async (groupId) => {
    const prefix = turnPrefix(groupId)
    const key = await app.store.findGreatest(groupMembers, { field: 'turn', startsWith: prefix }, 'turn')
    if (typeof key === 'string') turns.set(groupId, instant(Number.parseInt(key.slice(prefix.length), 36)))
  })
  return turns
}

/** The group with this ID; undefined when there is none. Inside a work it is guarded until the commit. */
export async function findGroup(reader: Reader, id: string): Promise<Document<LivingGroup> | undefined> {
  const document = await reader.get(groups, id)
  return document?.state.status === 'existing' ? (document as Document<LivingGroup>) : undefined
}

/** The organization of a group; undefined when there is no such group. */
export async function organizationOfGroup(app: App, id: string): Promise<string | undefined> {
  return (await findGroup(app.store, id))?.owner
}

/**
 * Whether a user gets what a group has: they are in it, and neither the group nor its organization has ended. Memberships
 * in a removed group are there until a job has removed them, and count for nothing. Inside a work it is guarded.
 */
export async function isInGroup(reader: Reader, groupId: string, userId: string): Promise<boolean> {
  const member = await reader.get(groupMembers, groupMemberId(groupId, userId))
  if (member?.state.status !== 'member') return false
  const found = await findGroup(reader, groupId)
  return found !== undefined && (await activeOrganization(reader, found.owner)) !== undefined
}

/** The groups that a user is in, by name; none when their organization is not active. */
export async function groupsOfUser(app: App, userId: string): Promise<readonly Document<LivingGroup>[]> {
  const own = { field: 'userId', equals: userId } as const
  const where = { field: 'id', among: { kind: groupMembers, field: 'groupId', where: own, few: true } } as const
  const { documents } = await app.store.find(groups, { where, orderBy: 'name', limit: MOST_GROUPS_OF_USER })
  const living = documents as readonly Document<LivingGroup>[]
  // All are groups of the organization that the user belongs to.
  const [first] = living
  return first === undefined || (await activeOrganization(app.store, first.owner)) === undefined ? [] : living
}

/** How many groups of several users a list compares with. */
const MOST_COMPARED = 10_000

/** The groups that these users are in, of organizations whose members somebody may read; of themself always. */
export function groupIdsWith(
  app: App,
  userIds: readonly string[],
  { owners, self }: { readonly owners: 'all' | readonly string[]; readonly self: string },
): Promise<readonly string[]> {
  const named = { field: 'userId', in: userIds } as const
  const readable = {
    any: [{ field: 'owner', in: owners === 'all' ? [] : owners } as const, { field: 'userId', equals: self } as const],
  }
  const where = owners === 'all' ? named : { all: [named, readable] }
  const among = { kind: groupMembers, field: 'groupId', where, few: true }
  return app.store.findIds(groups, { field: 'id', among }, MOST_COMPARED)
}

/** The groups with these IDs. */
export async function groupsById(app: App, ids: Iterable<string>): Promise<ReadonlyMap<string, Document<LivingGroup>>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  const where = { field: 'id', in: distinct } as const
  const { documents } = await app.store.find(groups, { where, orderBy: 'id', limit: distinct.length })
  return new Map(documents.map((document) => [document.id, document as Document<LivingGroup>]))
}
