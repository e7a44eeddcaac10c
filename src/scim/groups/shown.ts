/** Groups as they are returned, with members where these are asked for. */
import { groupMemberIds, groupMembers, memberOfId } from '../../features/groups/index.ts'
import { baseOf, type ScimCall, type Shown, show } from '../resources.ts'
import { isObject, type Json, newValues, parsed, type Resource } from '../values.ts'
import { withRelated } from '../versions.ts'
import { GROUP } from './schema.ts'
import type { StoredGroup } from './stored.ts'

/** Members of all groups in one answer: as many as one group can have. */
const MOST_SHOWN = 200_000
/** With more of them in one answer, each is its ID alone; the answer to a PATCH then has none. */
export const FEW = 1_000

/** The attributes of a group, without its members and what every resource has. */
export function attributesOf({ group, externalId, other }: StoredGroup): Resource {
  const others = parsed(other)
  const own = newValues({ externalId: externalId || undefined, displayName: group.state.name })
  return newValues({ ...(isObject(others) ? others : {}), ...own })
}

/** The members of groups, by group, in the order of the groups; of fewer groups when the answer would become too long. */
async function memberIds({ app }: ScimCall, groupIds: readonly string[]): Promise<Map<string, readonly string[]>> {
  const where = { field: 'groupId', in: groupIds } as const
  const all = await app.store.findIds(groupMembers, where, MOST_SHOWN + 1)
  if (all.length <= MOST_SHOWN) {
    const byGroup = Map.groupBy(all.map(memberOfId), ({ groupId }) => groupId)
    return new Map(groupIds.map((id) => [id, byGroup.get(id)?.map(({ userId }) => userId) ?? []]))
  }
  const found = new Map<string, readonly string[]>()
  let left = MOST_SHOWN
  for (const id of groupIds) {
    const ids = await groupMemberIds(app, id, MOST_SHOWN + 1)
    if (ids.length > left && found.size > 0) break
    found.set(id, ids)
    left -= ids.length
  }
  return found
}

/** How members are written. Names are left out: who shows them reads the users. */
function writerOf({ app, call }: ScimCall, byGroup: ReadonlyMap<string, readonly string[]>): (userId: string) => Json {
  const count = byGroup.values().reduce((sum, { length }) => sum + length, 0)
  const base = `${baseOf(app, call.organizationId)}/Users/`
  return count > FEW ? (value) => ({ value }) : (value) => ({ value, $ref: `${base}${value}`, type: 'User' })
}

/** One group without its members. */
export function shownAlone(scim: ScimCall, stored: StoredGroup): Shown {
  const { group, version, changedAt } = stored
  return show(scim, GROUP, { id: group.id, createdAt: group.createdAt, changedAt, version }, attributesOf(stored))
}

/** Groups with their members; fewer of them when all would be too long. */
async function shownWithMembers(scim: ScimCall, list: readonly StoredGroup[]): Promise<readonly Shown[]> {
  const byGroup = await memberIds(
    scim,
    list.map(({ group }) => group.id),
  )
  const write = writerOf(scim, byGroup)
  return list.flatMap((stored) => {
    const ids = byGroup.get(stored.group.id)
    if (ids === undefined) return []
    const { group, changedAt } = stored
    const version = withRelated(stored.version, ids)
    const members = ids.length === 0 ? undefined : [...ids].sort().map(write)
    const attributes = newValues({ ...attributesOf(stored), members })
    return [show(scim, GROUP, { id: group.id, createdAt: group.createdAt, changedAt, version }, attributes)]
  })
}

/** Groups as they are returned. Members are read only if they are asked for and the caller may read them. */
export async function shownGroups(
  scim: ScimCall,
  list: readonly StoredGroup[],
  withMembers: boolean,
): Promise<readonly Shown[]> {
  const { call } = scim
  const reads = withMembers && list.length > 0 && call.may('group.user.read', call.organizationId)
  return reads ? shownWithMembers(scim, list) : list.map((stored) => shownAlone(scim, stored))
}

/** One group as it is returned. */
export async function shownGroup(scim: ScimCall, stored: StoredGroup): Promise<Shown> {
  const [shown] = await shownGroups(scim, [stored], !scim.hides('members'))
  return shown ?? shownAlone(scim, stored)
}
