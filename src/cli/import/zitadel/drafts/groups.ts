/** Groups, and the users in them, as drafts. */
import { groups } from '../folds/groups.ts'
import { folded, type Item, type Reading, removed } from '../reading.ts'

export async function* groupDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { id, owner, isAlive, state, createdAt, changedAt } of folded(reading, groups)) {
    if (!isAlive) yield removed({ kind: 'group', id })
    else if (await reading.world.organization(owner)) {
      const { name, description } = state
      yield { kind: 'group', id, organizationId: owner, createdAt, changedAt, name, description }
    }
  }
}

export async function* groupMemberDrafts(reading: Reading): AsyncGenerator<Item> {
  const { world } = reading
  for await (const { id: groupId, owner, isAlive, state } of folded(reading, groups)) {
    // Whoever was in a removed group leaves with it.
    if (!isAlive || !(await world.organization(owner))) continue
    for (const userId of state.members.gone) {
      yield removed({ kind: 'group-member', id: `${groupId} ${userId}`, groupId, userId })
    }
    for (const [userId, { createdAt, changedAt }] of state.members.living) {
      if (!(await world.hasUser(userId))) continue
      const dates = { createdAt, changedAt, addedAt: createdAt }
      yield { kind: 'group-member', id: `${groupId} ${userId}`, organizationId: owner, ...dates, groupId, userId }
    }
  }
}
