/** Groups as a resource. A change of up to a hundred members is one commit; more of them follow in commits of that size. */

import { accessRefusals } from '../../access/refusals.ts'
import type { Permission } from '../../access/role-permissions.ts'
import {
  addProvisionedGroup,
  changeProvisionedGroup,
  groupMemberIds,
  type MembersChange,
  removeGroup,
} from '../../features/groups/index.ts'
import { checkMetadataKeys, type NewMetadata } from '../../features/metadata/index.ts'
import { refused } from '../../kernel/refusal.ts'
import { ScimError } from '../errors.ts'
import { patched } from '../patch.ts'
import {
  type IfMatch,
  preconditionFailed,
  type ResourceType,
  type ScimCall,
  type Shown,
  untilFirst,
} from '../resources.ts'
import { isUnset, type Resource, textIn } from '../values.ts'
import { allows, namesRelated, withRelated } from '../versions.ts'
import { listGroups } from './list.ts'
import { type MemberPlan, partPatch, plannedIn } from './members.ts'
import { GROUP } from './schema.ts'
import { attributesOf, FEW, shownAlone, shownGroup } from './shown.ts'
import { keysOf, requireSameGroup, type StoredGroup, storedGroup } from './stored.ts'

const LONGEST_OTHERS = 16_384
const KNOWN: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', ...GROUP.attributes.map(({ name }) => name)])

/** The entries of metadata that differ from those that are there; an empty one is removed. */
function entriesOf({ settings }: ScimCall, resource: Resource, before?: StoredGroup): readonly NewMetadata[] {
  const others = Object.fromEntries(Object.entries(resource).filter(([name]) => !KNOWN.has(name)))
  const other = isUnset(others) ? '' : JSON.stringify(others)
  if (other.length > LONGEST_OTHERS) throw new ScimError(400, 'other: is too long to be kept', 'invalidValue')
  const [externalIdKey, otherKey] = keysOf(settings)
  const pairs = [
    [externalIdKey, textIn(resource, 'externalId'), before?.externalId ?? ''],
    [otherKey, other, before?.other ?? ''],
  ] as const
  const entries = pairs.flatMap(([key, text, was]) => (text === was ? [] : [{ key, value: Buffer.from(text) }]))
  checkMetadataKeys(entries, 'metadata')
  return entries
}

function nameIn(resource: Resource): string {
  const name = textIn(resource, 'displayName')
  if (name === '') throw new ScimError(400, 'displayName: is required', 'invalidValue')
  return name
}

function requireFor({ call }: ScimCall, ids: ReadonlySet<string>, permission: Permission): void {
  if (ids.size > 0 && !call.may(permission, call.organizationId)) throw refused(accessRefusals, 'access.forbidden')
}

/** Who comes and goes, of those who are in the group now. They are read only if all others leave. */
async function changeOf(
  scim: ScimCall,
  { only, added, removed }: MemberPlan,
  groupId?: string,
): Promise<MembersChange> {
  const now = groupId === undefined || only === undefined ? [] : await groupMemberIds(scim.app, groupId)
  const there = new Set(now)
  const change = {
    added: new Set([...added].filter((id) => !there.has(id))),
    removed: only === undefined ? removed : new Set(now.filter((id) => !only.has(id))),
  }
  requireFor(scim, change.added, 'group.user.write')
  requireFor(scim, change.removed, 'group.user.delete')
  return change
}

async function create(scim: ScimCall, given: Resource): Promise<Shown> {
  const members = await changeOf(scim, plannedIn(given))
  const group = { name: nameIn(given), entries: entriesOf(scim, given), members }
  const id = await addProvisionedGroup(scim.app, scim.call, group)
  return shownGroup(scim, await storedGroup(scim, id))
}

/** The group, if `If-Match` allows a change of it. Members are compared here, because no document stands for all of them. */
async function groupToChange(scim: ScimCall, id: string, ifMatch: IfMatch): Promise<StoredGroup> {
  const stored = await storedGroup(scim, id)
  if (ifMatch === undefined) return stored
  const version = namesRelated(ifMatch)
    ? withRelated(stored.version, await groupMemberIds(scim.app, id))
    : stored.version
  if (!allows(ifMatch, version)) throw preconditionFailed()
  return stored
}

function change(
  scim: ScimCall,
  id: string,
  ifMatch: IfMatch,
  plan: MemberPlan,
  next: (before: Resource) => Resource,
): Promise<StoredGroup> {
  const { app, call, settings } = scim
  return untilFirst(app, id, async () => {
    const before = await groupToChange(scim, id, ifMatch)
    const resource = next(attributesOf(before))
    const group = { name: nameIn(resource), entries: entriesOf(scim, resource, before) }
    const members = await changeOf(scim, plan, id)
    await changeProvisionedGroup(app, call, id, { ...group, members }, (work) =>
      requireSameGroup(work, settings, before),
    )
    return storedGroup(scim, id)
  })
}

/** The answer to a PATCH: a large group is returned only to callers who ask for its members (RFC 7644 §3.5.2). */
async function shownAfterPatch(scim: ScimCall, stored: StoredGroup): Promise<Shown> {
  const mayBeLarge = !scim.hides('members') && !scim.asksFor('members')
  const isLarge = mayBeLarge && (await groupMemberIds(scim.app, stored.group.id, FEW + 1)).length > FEW
  return isLarge ? { ...shownAlone(scim, stored), isPartial: true } : shownGroup(scim, stored)
}

export const groupType: ResourceType = {
  schema: GROUP,
  needs: { read: 'group.read', create: 'group.create', write: 'group.write', remove: 'group.delete' },
  create,
  get: async (scim, id) => shownGroup(scim, await storedGroup(scim, id)),
  list: listGroups,
  replace: async (scim, id, given, ifMatch) =>
    shownGroup(scim, await change(scim, id, ifMatch, plannedIn(given), () => given)),
  async patch(scim, id, operations, ifMatch) {
    const { members, others } = partPatch(operations)
    const changed = await change(scim, id, ifMatch, members, (before) => patched(GROUP, before, others))
    return shownAfterPatch(scim, changed)
  },
  remove: (scim, id, ifMatch) =>
    untilFirst(scim.app, id, async () => {
      const before = await groupToChange(scim, id, ifMatch)
      const check = ifMatch === undefined ? undefined : requireSameGroup
      await removeGroup(scim.app, scim.call, id, async (work) => check?.(work, scim.settings, before))
    }),
}
