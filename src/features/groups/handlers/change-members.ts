/** Adds users to groups and removes them. */

import type { Call } from '../../../access/call.ts'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Reader, Work } from '../../../store/index.ts'
import { users } from '../../users/index.ts'
import type { LivingGroup } from '../decider.ts'
import { findGroup, groupMemberId, groupMembers, memberOfId } from '../documents.ts'
import { groupRefusals } from '../refusals.ts'
import { requireOwnMembers } from './managed.ts'

/** How many users one commit adds or removes. With 1,000 of them, other requests would wait ten times as long. */
export const AT_ONCE = 100

/** Throws unless the user belongs to the organization of the group; in a work, guards that until the commit. */
async function requireUserOf(reader: Reader, organizationId: string, userId: string): Promise<void> {
  const user = await reader.get(users, userId)
  if (user?.owner !== organizationId) throw refused(groupRefusals, 'group.user_not_found')
}

/**
 * Adds users to a group, in small commits. Nothing is added when one of them is not a user of the organization. What ends
 * meanwhile is noticed in the commit: they and the group must exist until then.
 */
export async function addMembers(
  app: App,
  call: Call,
  { id: groupId, owner }: Document<LivingGroup>,
  userIds: readonly string[],
): Promise<void> {
  const { at: addedAt } = call
  const distinct = [...new Set(userIds)]
  await eachAtOnce(distinct, (userId) => requireUserOf(app.store, owner, userId))
  for (let from = 0; from < distinct.length; from += AT_ONCE) {
    const some = distinct.slice(from, from + AT_ONCE)
    await app.store.write(call.origin, (work) => addMembersIn(work, groupId, some, addedAt))
  }
}

/** Adds users to a group as part of a write. They and the group must exist until the commit. */
export async function addMembersIn(
  work: Work,
  groupId: string,
  userIds: readonly string[],
  addedAt: Instant,
): Promise<void> {
  if (userIds.length === 0) return
  const found = await findGroup(work, groupId)
  if (found === undefined) throw refused(groupRefusals, 'group.missing')
  await requireOwnMembers(work, groupId)
  await eachAtOnce(userIds, async (userId) => {
    await requireUserOf(work, found.owner, userId)
    const id = groupMemberId(groupId, userId)
    await work.decide(groupMembers, id, { type: 'add', groupId, userId, addedAt }, found.owner)
  })
}

/** Ends memberships as part of a write, and what the users had by them. */
export async function removeMembersIn(
  app: App,
  work: Work,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  await requireOwnMembers(work, groupId)
  const left: string[] = []
  await eachAtOnce(userIds, async (userId) => {
    const id = groupMemberId(groupId, userId)
    if ((await work.get(groupMembers, id))?.state.status !== 'member') return
    await work.decide(groupMembers, id, { type: 'remove' })
    left.push(userId)
  })
  if (left.length > 0) await app.lifecycle.whenGroupMembersRemoved(app, work, groupId, left)
}

/** Removes users from a group, in small commits. Users who are not in it are ignored. */
export async function removeMembers(
  app: App,
  origin: Origin,
  groupId: string,
  userIds: readonly string[],
): Promise<void> {
  const distinct = [...new Set(userIds)]
  for (let from = 0; from < distinct.length; from += AT_ONCE) {
    const some = distinct.slice(from, from + AT_ONCE)
    await app.store.write(origin, (work) => removeMembersIn(app, work, groupId, some))
  }
}

/** Removes some users from a removed group; answers how many. */
export async function removeSomeMembers(app: App, groupId: string, origin: Origin): Promise<number> {
  const ids = await app.store.findIds(groupMembers, { field: 'groupId', equals: groupId }, AT_ONCE)
  const userIds = ids.map((id) => memberOfId(id).userId)
  await removeMembers(app, origin, groupId, userIds)
  return ids.length
}

/** Ends the memberships of a user in the commit that removes the user. */
export async function removeMembershipsOf(app: App, work: Work, userId: string): Promise<void> {
  const ids = await app.store.findIds(groupMembers, { field: 'userId', equals: userId })
  await eachAtOnce(ids, (id) => work.decide(groupMembers, id, { type: 'remove' }))
}
