/** The v1 methods for authorizations, which they call user grants. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { removeOnce } from '../../module/remove-once.ts'
import { isLivingAuthorization } from './decider.ts'
import { authorizations } from './documents.ts'
import { authorizationForCaller, authorizationIfAny } from './find-authorization.ts'
import { addAuthorization, authorizeAdding } from './handlers/add-authorization.ts'
import {
  changeAuthorization,
  deactivateAuthorization,
  reactivateAuthorization,
  removeAuthorization,
  removeAuthorizations,
} from './handlers/change-authorization.ts'
import { userGrantsV1 } from './messages.ts'
import { filterV1, onlyUserOf, readableAuthorizations } from './queries.ts'

/** The v1 methods of this module. */
export function authorizationMethodsV1(app: App): readonly Method[] {
  return methods(ManagementService, {
    async getUserGrantByID({ userId, grantId }, call) {
      const [userGrant] = await userGrantsV1(app, call, [await authorizationForCaller(app, call, grantId, userId)])
      return userGrant === undefined ? {} : { userGrant }
    },
    async listUserGrants({ query, queries }, call) {
      const own = { field: 'owner', equals: call.organizationId } as const
      const conditions = await Promise.all(queries.map((one) => filterV1(app, call, one)))
      const page = await app.store.find(authorizations, {
        where: { all: [own, await readableAuthorizations(app, call), ...conditions] },
        orderBy: 'createdAt',
        ...pageOf(query, 'query'),
      })
      const list = page.documents.flatMap(({ state, ...rest }) =>
        isLivingAuthorization(state) ? [{ ...rest, state }] : [],
      )
      const userId = onlyUserOf(queries.map(({ query: one }) => one))
      return { details: listDetailsV1(page, call.at), result: await userGrantsV1(app, call, list, userId) }
    },
    async addUserGrant({ userId, projectId, projectGrantId, roleKeys }, call) {
      const { organizationId } = call
      const added = { organizationId, userId, projectId, roleKeys, grantId: projectGrantId || undefined }
      await authorizeAdding(app, call, added)
      const { value } = await addAuthorization(app, call, added)
      return { userGrantId: value.id, details: detailsV1(value) }
    },
    async updateUserGrant({ userId, grantId, roleKeys }, call) {
      await authorizationForCaller(app, call, grantId, userId)
      return { details: writtenV1(await changeAuthorization(app, call, grantId, roleKeys, true)) }
    },
    async deactivateUserGrant({ userId, grantId }, call) {
      await authorizationForCaller(app, call, grantId, userId)
      return { details: writtenV1(await deactivateAuthorization(app, call, grantId)) }
    },
    async reactivateUserGrant({ userId, grantId }, call) {
      await authorizationForCaller(app, call, grantId, userId)
      return { details: writtenV1(await reactivateAuthorization(app, call, grantId)) }
    },
    async removeUserGrant({ userId, grantId }, call) {
      const findRemoved = async () => {
        const before = await app.store.getRemoved(authorizations, grantId)
        if (before !== undefined) call.authorize(before.owner)
        return before
      }
      const removed = await removeOnce(findRemoved, async () => {
        await authorizationForCaller(app, call, grantId, userId)
        return (await removeAuthorization(app, call, grantId)).value
      })
      return { details: detailsV1(removed) }
    },
    async bulkRemoveUserGrant({ grantId }, call) {
      // Without IDs there is nothing to hold the permission on.
      call.visibleOwners()
      const found = await Promise.all(grantId.map((id) => authorizationIfAny(app, call, id)))
      const ids = found.flatMap((document) => document?.id ?? [])
      if (ids.length > 0) await removeAuthorizations(app, call, ids)
      return {}
    },
  })
}
