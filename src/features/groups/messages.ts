/** Converts groups and memberships to messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { GroupSchema, GroupUserSchema } from '../../../contract/gen/signet/group/v2/group_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { namesOf, readableUsers } from '../users/index.ts'
import type { GroupMember, LivingGroup } from './decider.ts'

/** A group in the v2 service. */
export function groupV2({
  id,
  owner,
  state,
  createdAt,
  changedAt,
}: Document<LivingGroup>): MessageInitShape<typeof GroupSchema> {
  return {
    id,
    name: state.name,
    description: state.description,
    organizationId: owner,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    ...(state.managedBy && {
      managedBy: { directoryId: state.managedBy.directoryId, since: timestampFromMs(state.managedBy.since) },
    }),
  }
}

/** Memberships in the v2 service, with the names of those users whom the caller may read. */
export async function groupUsersV2(
  app: App,
  call: Call,
  list: readonly Document<GroupMember>[],
): Promise<MessageInitShape<typeof GroupUserSchema>[]> {
  const members = list.flatMap(({ owner, state }) => (state.status === 'member' ? [{ owner, ...state }] : []))
  const found = await readableUsers(app, call, [...new Set(members.map(({ userId }) => userId))])
  return members.map(({ owner, groupId, userId, addedAt }) => {
    const user = found.get(userId)
    return {
      groupId,
      organizationId: owner,
      user: { id: userId, organizationId: owner, ...(user && namesOf(app, user)) },
      creationDate: timestampFromMs(addedAt),
    }
  })
}
