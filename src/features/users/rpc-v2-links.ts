/** Accounts at identity providers that people sign in with, in the v2 service. */
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { detailsV2, listDetailsV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { addIdentityLink, listIdentityLinks, removeIdentityLink } from '../identity-links/index.ts'
import { readHuman } from './changing-humans.ts'
import { userForCaller } from './finding.ts'
import { lineProblem } from './names.ts'
import type { UsersNeeds } from './needs.ts'
import { problem, refuseProblems } from './problems.ts'

function linksRpc({ store, checkCovered, findIdentityProvider }: UsersNeeds): Implementation<typeof UserService> {
  return {
    async addIDPLink({ userId, idpLink }, call) {
      const { owner } = await userForCaller(store, call, userId)
      const { idpId = '', userId: externalUserId = '', userName: externalUserName = '' } = idpLink ?? {}
      refuseProblems([
        ...problem('user.field_invalid', 'idpLink.userId', lineProblem(externalUserId)),
        ...problem('user.field_invalid', 'idpLink.userName', lineProblem(externalUserName)),
      ])
      // Whoever holds the account elsewhere can become this person.
      await checkCovered(call, userId)
      const { value, sequence } = await store.write(call.origin, async (work) => {
        await readHuman(work, userId)
        if (!(await findIdentityProvider(work, idpId, owner))) {
          const description = 'must be the ID of an identity provider'
          refuseProblems(problem('user.identity_provider_not_found', 'idpLink.idpId', description))
        }
        return addIdentityLink(work, { userId, idpId, externalUserId, externalUserName }, owner)
      })
      return { details: detailsV2(value, sequence) }
    },

    async listIDPLinks({ userId, query }, call) {
      await userForCaller(store, call, userId)
      const page = await listIdentityLinks(store, userId, pageOf(query, 'query'))
      return {
        details: listDetailsV2(page, call.at),
        result: page.documents.map(({ state }) => ({
          idpId: state.idpId,
          userId: state.externalUserId,
          userName: state.externalUserName,
        })),
      }
    },

    async removeIDPLink({ userId, idpId, linkedUserId }, call) {
      const { owner } = await userForCaller(store, call, userId)
      const link = { userId, idpId, externalUserId: linkedUserId }
      const { value, sequence } = await store.write(call.origin, (work) => removeIdentityLink(work, link, owner))
      return { details: detailsV2(value, sequence) }
    },
  }
}

/** The v2 methods about links. */
export function linkMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, linksRpc(needs))
}
