/** Users as they are returned, with the groups that they are in. */
import { groupMembers, groupsById, memberOfId } from '../../features/groups/index.ts'
import { ScimError } from '../errors.ts'
import { baseOf, type ScimCall, type Shown, show } from '../resources.ts'
import { type Json, newValues } from '../values.ts'
import { withRelated } from '../versions.ts'
import { attributesOf } from './mapping.ts'
import { USER } from './schema.ts'
import type { StoredUser } from './stored.ts'

/** Memberships of all users in one answer. */
const MOST_SHOWN = 20_000

/** The groups of users, by user. */
async function groupsOf(
  { app, call }: ScimCall,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Json[]>> {
  const where = { field: 'userId', in: userIds } as const
  const ids = await app.store.findIds(groupMembers, where, MOST_SHOWN + 1)
  if (ids.length > MOST_SHOWN) {
    const why = `The users of the answer are in more than ${MOST_SHOWN} groups.`
    throw new ScimError(400, `${why} Ask for fewer users, or with excludedAttributes=groups.`, 'tooMany')
  }
  const members = ids.map(memberOfId)
  const groups = await groupsById(
    app,
    members.map(({ groupId }) => groupId),
  )
  const base = `${baseOf(app, call.organizationId)}/Groups/`
  // Memberships in a removed group are there until a job has removed them.
  const shownOf = (value: string): readonly Json[] => {
    const display = groups.get(value)?.state.name
    return display === undefined ? [] : [newValues({ value, $ref: `${base}${value}`, display, type: 'direct' })]
  }
  const byUser = Map.groupBy(members, ({ userId }) => userId)
  return new Map([...byUser].map(([userId, list]) => [userId, list.flatMap(({ groupId }) => shownOf(groupId))]))
}

function showUser(scim: ScimCall, stored: StoredUser, groups: readonly Json[] = []): Shown {
  const { user, externalId, extras, changedAt } = stored
  const { id, createdAt, state } = user
  const attributes = attributesOf(state, extras, externalId)
  if (groups.length === 0) return show(scim, USER, { id, createdAt, changedAt, version: stored.version }, attributes)
  const version = withRelated(
    stored.version,
    groups.map((group) => JSON.stringify(group)),
  )
  return show(scim, USER, { id, createdAt, changedAt, version }, newValues({ ...attributes, groups }))
}

/** A user who is in no group yet. */
export function shownNew(scim: ScimCall, stored: StoredUser): Shown {
  return showUser(scim, stored)
}

/** Users as they are returned. Groups are read only if they are asked for and the caller may read them. */
export async function shownUsers(
  scim: ScimCall,
  list: readonly StoredUser[],
  withGroups: boolean,
): Promise<readonly Shown[]> {
  const { call } = scim
  const ids = list.map(({ user }) => user.id)
  const isReading = withGroups && ids.length > 0 && call.may('group.user.read', call.organizationId)
  const groups = isReading ? await groupsOf(scim, ids) : undefined
  return list.map((stored) => showUser(scim, stored, groups?.get(stored.user.id)))
}

/** One user as it is returned. */
export async function shownUser(scim: ScimCall, stored: StoredUser): Promise<Shown> {
  const [shown] = await shownUsers(scim, [stored], !scim.hides('groups'))
  return shown ?? showUser(scim, stored)
}
