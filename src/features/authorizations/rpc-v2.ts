/** The AuthorizationService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AuthorizationService } from '../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { isLivingAuthorization } from './decider.ts'
import { authorizations, placeOfAuthorization } from './documents.ts'
import { authorizationForCaller, authorizationIfAny } from './find-authorization.ts'
import { addAuthorization, authorizeAdding } from './handlers/add-authorization.ts'
import {
  changeAuthorization,
  deactivateAuthorization,
  reactivateAuthorization,
  removeAuthorization,
} from './handlers/change-authorization.ts'
import { authorizationsV2 } from './messages.ts'
import { filterV2, onlyUserOf, readableAuthorizations, sortingOf } from './queries.ts'

/** The methods of the AuthorizationService. */
export function authorizationMethodsV2(app: App): readonly Method[] {
  return methods(AuthorizationService, {
    async listAuthorizations({ pagination, sortingColumn, filters }, call) {
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const conditions = await Promise.all(filters.map((filter) => filterV2(app, call, filter)))
      const page = await app.store.find(authorizations, {
        where: { all: [await readableAuthorizations(app, call), ...conditions] },
        orderBy: sortingOf(sortingColumn),
        offset,
        limit,
        descending,
      })
      const list = page.documents.flatMap(({ state, ...rest }) =>
        isLivingAuthorization(state) ? [{ ...rest, state }] : [],
      )
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        authorizations: await authorizationsV2(app, call, list, onlyUserOf(filters.map(({ filter }) => filter))),
      }
    },
    async createAuthorization({ userId, groupId, projectId, organizationId, roleKeys }, call) {
      const added = { userId, groupId, projectId, organizationId, roleKeys }
      await authorizeAdding(app, call, added)
      const { value, at } = await addAuthorization(app, call, added)
      return { id: value.id, creationDate: timestampFromMs(at) }
    },
    async updateAuthorization({ id, roleKeys }, call) {
      await authorizationForCaller(app, call, id)
      const { value } = await changeAuthorization(app, call, id, roleKeys, false)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteAuthorization({ id }, call) {
      if ((await authorizationIfAny(app, call, id)) === undefined) {
        const removed = await app.store.getRemoved(authorizations, id)
        if (removed?.state.status !== 'removed') return {}
        // Nobody learns of removals elsewhere.
        const isKnown = call.reaches(await placeOfAuthorization(app, removed.state.of))
        return isKnown ? { deletionDate: timestampFromMs(removed.changedAt) } : {}
      }
      const { at } = await removeAuthorization(app, call, id)
      return { deletionDate: timestampFromMs(at) }
    },
    async activateAuthorization({ id }, call) {
      await authorizationForCaller(app, call, id)
      const { value } = await reactivateAuthorization(app, call, id)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deactivateAuthorization({ id }, call) {
      await authorizationForCaller(app, call, id)
      const { value } = await deactivateAuthorization(app, call, id)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
  })
}
