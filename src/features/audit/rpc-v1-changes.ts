/**
 * What was changed about one object: the events under its ID, without what they say. Callers who may read the object see
 * them; who made a change is named to those who may read that user.
 */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import type { ChangeQuery, ChangeSchema } from '../../../contract/gen/signet/change/v1/change_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { actingUser, actorName } from '../../kernel/actor.ts'
import type { App } from '../../module/app.ts'
import { limitOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import { applicationForCaller } from '../applications/index.ts'
import { requireOrganization } from '../organizations/index.ts'
import { grantForCaller, projectForCaller } from '../projects/index.ts'
import { namesOf, readableUsers, userForCaller, userOfOrganization } from '../users/index.ts'
import { eventType } from './messages.ts'
import { usersOf } from './rpc.ts'

/**
 * The kinds of streams under the ID of an object. They are named, because IDs can be chosen: another thing may have the same
 * one.
 */
const KINDS = {
  user: ['user', 'password', 'one-time-codes', 'attempts', 'machine-secret'],
  organization: ['organization', 'settings'],
  project: ['project'],
  application: ['application', 'application-secret'],
  grant: ['project-grant'],
} as const

async function changesOf(
  app: App,
  call: Call,
  { id }: Pick<Document<unknown>, 'id'>,
  kinds: readonly string[],
  query: ChangeQuery | undefined,
): Promise<{ result: MessageInitShape<typeof ChangeSchema>[] }> {
  const { sequence = 0n, limit = 0, asc = false } = query ?? {}
  const events = await app.store.events({
    id,
    kinds,
    descending: !asc,
    limit: limitOf(limit, 'query.limit'),
    ...(sequence > 0n && { from: Math.min(Number(sequence), Number.MAX_SAFE_INTEGER) }),
  })
  const editors = await readableUsers(app, call, usersOf(events))
  const result = events.map((event) => {
    const editor = editors.get(actingUser(event.actor) ?? '')
    const names = editor && namesOf(app, editor)
    return {
      changeDate: timestampFromMs(event.at),
      eventType: eventType(event.type).localized,
      sequence: BigInt(event.sequence),
      editorId: actorName(event.actor),
      resourceOwnerId: event.owner,
      ...(names && {
        editorDisplayName: names.displayName,
        editorPreferredLoginName: names.preferredLoginName,
        editorAvatarUrl: names.avatarUrl,
      }),
    }
  })
  return { result }
}

/** The lists of changes. */
export function changeMethods(app: App): readonly Method[] {
  return [
    ...methods(ManagementService, {
      async listUserChanges({ userId, query }, call) {
        return changesOf(app, call, await userOfOrganization(app, call, userId), KINDS.user, query)
      },
      async listOrgChanges({ query }, call) {
        return changesOf(app, call, await requireOrganization(app, call.organizationId), KINDS.organization, query)
      },
      async listProjectChanges({ projectId, query }, call) {
        return changesOf(app, call, await projectForCaller(app, call, projectId), KINDS.project, query)
      },
      async listAppChanges({ projectId, appId, query }, call) {
        const application = await applicationForCaller(app, call, appId, projectId)
        return changesOf(app, call, application, KINDS.application, query)
      },
      async listProjectGrantChanges({ projectId, grantId, query }, call) {
        return changesOf(app, call, await grantForCaller(app, call, projectId, grantId), KINDS.grant, query)
      },
    }),
    ...methods(AuthService, {
      async listMyUserChanges({ query }, call) {
        return changesOf(app, call, await userForCaller(app, call, call.caller.userId), KINDS.user, query)
      },
    }),
  ]
}
