/** The v1 methods for linked accounts at identity providers: those of a human user, and those of oneself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { IDPType } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { accountOfLink, listStatedLinks } from '../identity-links/index.ts'
import { findProvider, protocolV1 } from '../identity-providers/index.ts'
import { userForCaller, userOfOrganization, userOfOrganizationToChange } from '../users/index.ts'
import { removeLinkFor } from './rpc-v2-links.ts'

async function listLinks(app: App, call: Call, userId: string, query: ListQuery | undefined) {
  const page = await listStatedLinks(app, userId, pageOf(query, 'query'))
  const result = page.documents.map(async ({ state }) => {
    const provider = await findProvider(app, state.idpId)
    const { idpId, externalUserId, externalUserName } = accountOfLink(state)
    return {
      userId,
      idpId,
      idpName: provider?.state.name ?? '',
      providedUserId: externalUserId,
      providedUserName: externalUserName,
      idpType: provider === undefined ? IDPType.IDP_TYPE_UNSPECIFIED : protocolV1(provider.state),
    }
  })
  return { details: listDetailsV1(page, call.at), result: await Promise.all(result) }
}

/** The v1 methods for linked accounts. */
export function linkMethodsV1(app: App): readonly Method[] {
  return [
    ...methods(AuthService, {
      async listMyLinkedIDPs({ query }, call) {
        const { id } = await userForCaller(app, call, call.caller.userId)
        return listLinks(app, call, id, query)
      },
      removeMyLinkedIDP: ({ idpId, linkedUserId }, call) =>
        removeLinkFor(app, call, { userId: call.caller.userId, idpId, externalUserId: linkedUserId }),
    }),
    ...methods(ManagementService, {
      async listHumanLinkedIDPs({ userId, query }, call) {
        await userOfOrganization(app, call, userId)
        return listLinks(app, call, userId, query)
      },
      async removeHumanLinkedIDP({ userId, idpId, linkedUserId }, call) {
        await userOfOrganizationToChange(app, call, userId)
        return removeLinkFor(app, call, { userId, idpId, externalUserId: linkedUserId })
      },
    }),
  ]
}
