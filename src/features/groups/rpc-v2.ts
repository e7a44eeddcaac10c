/** The GroupService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { GroupService } from '../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import type { LivingGroup } from './decider.ts'
import { groupMembers, groups, lastTurns } from './documents.ts'
import { groupForCaller, groupIfAny, groupToFill } from './find-group.ts'
import { addGroup, changeGroup, removeGroup } from './handlers/change-group.ts'
import { addMembers, removeMembers } from './handlers/change-members.ts'
import { groupUsersV2, groupV2 } from './messages.ts'
import {
  groupFilter,
  groupSorting,
  inLivingGroups,
  inOrderOfCalls,
  memberFilter,
  memberSorting,
  readableGroups,
  readableMembers,
} from './queries.ts'

/** When the group last changed, or who is in it. */
async function lastChangeOf(app: App, { id, changedAt }: Document<LivingGroup>): Promise<number> {
  return Math.max(changedAt, (await lastTurns(app, [id])).get(id) ?? 0)
}

/** The methods about groups and their users. */
export function groupMethods(app: App): readonly Method[] {
  return methods(GroupService, {
    async createGroup({ organizationId, name, description, id }, call) {
      call.authorize(organizationId)
      const { value, at } = await addGroup(app, call, { organizationId, name, description, id })
      return { id: value.id, creationDate: timestampFromMs(at) }
    },
    async getGroup({ id }, call) {
      return { group: groupV2(await groupForCaller(app, call, id)) }
    },
    async listGroups({ filters, pagination, sortingColumn }, call) {
      const page = pageOf(pagination, 'pagination')
      const where = { all: [readableGroups(call), ...filters.map(groupFilter)] }
      const found = await app.store.find(groups, { where, orderBy: groupSorting(sortingColumn), ...page })
      return {
        pagination: { totalResult: BigInt(found.total), appliedLimit: BigInt(page.limit) },
        groups: found.documents.map((document) => groupV2(document as Document<LivingGroup>)),
      }
    },
    async updateGroup({ id, name, description }, call) {
      await groupForCaller(app, call, id)
      const texts = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
      const { value } = await changeGroup(app, call, id, texts)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteGroup({ id }, call) {
      if ((await groupIfAny(app, call, id)) === undefined) {
        const removed = await app.store.getRemoved(groups, id)
        const isTheirs = removed !== undefined && call.may('group.delete', removed.owner)
        return { deletionDate: timestampFromMs(isTheirs ? removed.changedAt : call.at) }
      }
      const { value } = await removeGroup(app, call, id)
      return { deletionDate: timestampFromMs(value.changedAt) }
    },
    async addUsersToGroup({ id, userIds }, call) {
      const group = await groupToFill(app, call, id)
      const hasChanged = await addMembers(app, call, group, userIds)
      return { changeDate: timestampFromMs(hasChanged ? call.at : await lastChangeOf(app, group)) }
    },
    async removeUsersFromGroup({ id, userIds }, call) {
      const group = await groupToFill(app, call, id)
      const hasChanged = await removeMembers(app, call.origin, id, userIds)
      return { changeDate: timestampFromMs(hasChanged ? call.at : await lastChangeOf(app, group)) }
    },
    async listGroupUsers({ filters, pagination, sortingColumn }, call) {
      const page = pageOf(pagination, 'pagination')
      const where = { all: [readableMembers(call), await inLivingGroups(app, filters), ...filters.map(memberFilter)] }
      const orderBy = memberSorting(sortingColumn)
      const { documents, total } = await app.store.find(groupMembers, { where, orderBy, ...page })
      const members = orderBy === 'createdAt' ? inOrderOfCalls(documents, page.descending) : documents
      return {
        pagination: { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) },
        groupUsers: await groupUsersV2(app, call, members),
      }
    },
  })
}
