/** The v1 methods for the providers that a login policy offers: in the organization of the call and on the instance. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { IDPOwnerType } from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { reachIn } from '../../access/paths.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { chooseProvider } from '../settings/index.ts'
import { findProviderOf, listOffered } from './documents.ts'
import { requireOwner } from './handlers/change-provider.ts'
import { ownerTypeOf, policyLinkV1 } from './messages.ts'
import { identityProviderRefusals } from './refusals.ts'

/** The methods of one service, for the policy of `ownerOf(call)`. */
function serve(app: App, ownerOf: (call: Call) => string) {
  const { store, instanceId } = app
  const choose = async (
    call: Call,
    type: 'offer_provider' | 'withhold_provider',
    { idpId, ownerType }: { readonly idpId: string; readonly ownerType?: IDPOwnerType },
  ) => {
    const owner = ownerOf(call)
    const written = await store.write(call.origin, async (work) => {
      await requireOwner(app, work, owner)
      const provider = await findProviderOf(app, idpId, [owner, instanceId], work)
      if (provider === undefined) throw refused(identityProviderRefusals, 'identity_provider.not_found')
      if (ownerType !== undefined && ownerType !== ownerTypeOf(provider, instanceId)) {
        const violations = [{ field: 'ownerType', description: 'is required' }]
        throw refused(identityProviderRefusals, 'identity_provider.other_owner', { violations })
      }
      return chooseProvider(app, work, owner, { type, idpId, by: reachIn(owner, call.caller.grants) })
    })
    return { details: writtenV1(written) }
  }

  return {
    async listLoginPolicyIDPs({ query }: { readonly query?: Parameters<typeof pageOf>[0] }, call: Call) {
      const page = { orderBy: 'createdAt', ...pageOf(query, 'query') } as const
      const offered = await listOffered(app, ownerOf(call), page)
      return { details: listDetailsV1(offered, call.at), result: offered.documents.map(policyLinkV1) }
    },
    addIDPToLoginPolicy: (request: { readonly idpId: string; readonly ownerType?: IDPOwnerType }, call: Call) =>
      choose(call, 'offer_provider', request),
    removeIDPFromLoginPolicy: ({ idpId }: { readonly idpId: string }, call: Call) =>
      choose(call, 'withhold_provider', { idpId }),
  }
}

/** The v1 methods for the providers of a login policy. */
export function policyMethodsV1(app: App): readonly Method[] {
  return [
    ...methods(
      ManagementService,
      serve(app, ({ organizationId }) => organizationId),
    ),
    ...methods(
      AdminService,
      serve(app, () => app.instanceId),
    ),
  ]
}
