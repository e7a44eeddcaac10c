/** The v2 methods for linked accounts at identity providers. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { detailsV2, listDetailsV2 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import {
  accountOfLink,
  assertIdentityLink,
  listStatedLinks,
  type NewLink,
  removeIdentityLink,
} from '../identity-links/index.ts'
import { lineProblem, problem, refuseProblems, requireUser, userForCaller, userToChange } from '../users/index.ts'
import { linkSpeaker, requireProvider } from './handlers/add-human.ts'

/** Removes the link between a user and an account for a caller. */
export async function removeLinkFor(app: App, call: Call, link: Omit<NewLink, 'externalUserName'>) {
  const { owner } = await userToChange(app, call, link.userId)
  const { value } = await app.store.write(call.origin, (work) => removeIdentityLink(app, work, link, owner))
  return { details: detailsV2(value) }
}

function linksRpc(app: App): Implementation<typeof UserService> {
  return {
    async addIDPLink({ userId, idpLink }, call) {
      // The owner of the account at the provider can become this user.
      const { owner } = await userToChange(app, call, userId)
      const { idpId = '', userId: externalUserId = '', userName: externalUserName = '' } = idpLink ?? {}
      refuseProblems([
        ...problem('user.field_invalid', 'idpLink.userId', lineProblem(externalUserId)),
        ...problem('user.field_invalid', 'idpLink.userName', lineProblem(externalUserName)),
      ])
      const { value } = await app.store.write(call.origin, async (work) => {
        await requireUser(work, userId)
        await requireProvider(app, work, { idpId, organizationId: owner, field: 'idpLink.idpId' })
        const link = { userId, idpId, externalUserId, externalUserName }
        return assertIdentityLink(app, work, link, owner, linkSpeaker(app, call))
      })
      return { details: detailsV2(value) }
    },

    async listIDPLinks({ userId, query }, call) {
      await userForCaller(app, call, userId)
      const page = await listStatedLinks(app, userId, pageOf(query, 'query'))
      return {
        details: listDetailsV2(page, call.at),
        result: page.documents.map(({ state }) => {
          const { idpId, externalUserId, externalUserName } = accountOfLink(state)
          return { idpId, userId: externalUserId, userName: externalUserName }
        }),
      }
    },

    removeIDPLink: ({ userId, idpId, linkedUserId }, call) =>
      removeLinkFor(app, call, { userId, idpId, externalUserId: linkedUserId }),
  }
}

/** The methods for linked accounts. */
export function linkMethods(app: App): readonly Method[] {
  return methods(UserService, linksRpc(app))
}
