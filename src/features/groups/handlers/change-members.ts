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

/** Writes for users in small commits; answers whether something has changed. */
async function inParts(
  app: App,
  origin: Origin,
  userIds: readonly string[],
  write: (work: Work, some: readonly string[]) => Promise<void>,
): Promise<boolean> {
  let hasChanged = false
  for (let from = 0; from < userIds.length; from += AT_ONCE) {
    const some = userIds.slice(from, from + AT_ONCE)
    const written = await app.store.write(origin, (work) => write(work, some))
    hasChanged ||= written.hasChanged
  }
  return hasChanged
}

/**
 * Adds users to a group, in small commits. Nothing is added when one of them is not a user of the organization. What ends
 * meanwhile is noticed in the commit: they and the group must exist until then. Answers whether somebody was added.
 */
export async function addMembers(
  app: App,
  call: Call,
  { id: groupId, owner }: Document<LivingGroup>,
  userIds: readonly string[],
): Promise<boolean> {
  const { at: addedAt } = call
  const distinct = [...new Set(userIds)]
  await eachAtOnce(distinct, (userId) => requireUserOf(app.store, owner, userId))
  return inParts(app, call.origin, distinct, (work, some) => addMembersIn(work, groupId, some, addedAt))
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
    await work.decide(groupMembers, id, { type: 'remove', removedAt: work.origin.at })
    left.push(userId)
  })
  if (left.length > 0) await app.lifecycle.whenGroupMembersRemoved(app, work, groupId, left)
}

/** Removes users from a group, in small commits. Users who are not in it are ignored. Answers whether somebody was in it. */
export function removeMembers(app: App, origin: Origin, groupId: string, userIds: readonly string[]): Promise<boolean> {
  return inParts(app, origin, [...new Set(userIds)], (work, some) => removeMembersIn(app, work, groupId, some))
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
  await eachAtOnce(ids, (id) => work.decide(groupMembers, id, { type: 'remove', removedAt: work.origin.at }))
}
