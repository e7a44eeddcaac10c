/** Adds users to groups and removes them. */

import type { Call } from '../../../access/call.ts'
import { eachAtOnce } from '../../../kernel/each-at-once.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work, Written } from '../../../store/index.ts'
import { users } from '../../users/index.ts'
import { findGroup, groupMemberId, groupMembers } from '../documents.ts'
import { groupRefusals } from '../refusals.ts'

/** How many users one commit removes: each may lose roles and tokens in many projects. */
export const REMOVED_AT_ONCE = 100

/** Adds users to a group, all or none. They and the group must exist in the same organization until the commit. */
export function addMembers(
  app: App,
  call: Call,
  groupId: string,
  userIds: readonly string[],
): Promise<Written<undefined>> {
  const { at: addedAt } = call
  return app.store.write(call.origin, async (work) => {
    const found = await findGroup(work, groupId)
    if (found === undefined) throw refused(groupRefusals, 'group.missing')
    await eachAtOnce(new Set(userIds), async (userId) => {
      const user = await work.get(users, userId)
      if (user?.owner !== found.owner) throw refused(groupRefusals, 'group.user_not_found')
      const id = groupMemberId(groupId, userId)
      await work.decide(groupMembers, id, { type: 'add', groupId, userId, addedAt }, found.owner)
    })
    return undefined
  })
}

/** Ends memberships as part of a write, and what the users had by them. */
async function removeIn(app: App, work: Work, groupId: string, userIds: readonly string[]): Promise<void> {
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
  for (let from = 0; from < distinct.length; from += REMOVED_AT_ONCE) {
    const some = distinct.slice(from, from + REMOVED_AT_ONCE)
    await app.store.write(origin, (work) => removeIn(app, work, groupId, some))
  }
}

/** Removes some users from a removed group; answers how many. */
export async function removeSomeMembers(app: App, groupId: string, origin: Origin): Promise<number> {
  const ids = await app.store.findIds(groupMembers, { field: 'groupId', equals: groupId }, REMOVED_AT_ONCE)
  const userIds = ids.map((id) => id.slice(groupMemberId(groupId, '').length))
  await removeMembers(app, origin, groupId, userIds)
  return ids.length
}

/** Ends the memberships of a user in the commit that removes the user. */
export async function removeMembershipsOf(app: App, work: Work, userId: string): Promise<void> {
  const ids = await app.store.findIds(groupMembers, { field: 'userId', equals: userId })
  await eachAtOnce(ids, (id) => work.decide(groupMembers, id, { type: 'remove' }))
}
