/** The v1 methods for login policies and the providers that they offer: in the organization of the call and on the instance. */
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
import type { Work } from '../../store/index.ts'
import { addLoginPolicyV1, chooseProvider, loginPolicyV1, MOST_WITHHELD } from '../settings/index.ts'
import { findProviderOf, listOffered } from './documents.ts'
import { requireOwner } from './handlers/change-provider.ts'
import { ownerTypeOf, policyLinkV1 } from './messages.ts'
import { identityProviderRefusals } from './refusals.ts'

interface NamedProvider {
  readonly idpId: string
  readonly ownerType?: IDPOwnerType
}

/** Adds a provider to the policy of an owner, or removes it, as part of a write. `path` is where the request names it. */
async function chooseIn(
  app: App,
  call: Call,
  work: Work,
  {
    owner,
    type,
    named: { idpId, ownerType },
    path = '',
  }: {
    readonly owner: string
    readonly type: 'offer_provider' | 'withhold_provider'
    readonly named: NamedProvider
    readonly path?: string
  },
) {
  const provider = await findProviderOf(app, idpId, [owner, app.instanceId], work)
  if (provider === undefined) {
    const violations = path === '' ? [] : [{ field: `${path}idpId`, description: 'does not exist' }]
    throw refused(identityProviderRefusals, 'identity_provider.not_found', { violations })
  }
  if (ownerType !== undefined && ownerType !== ownerTypeOf(provider, app.instanceId)) {
    const violations = [{ field: `${path}ownerType`, description: 'is required' }]
    throw refused(identityProviderRefusals, 'identity_provider.other_owner', { violations })
  }
  return chooseProvider(app, work, owner, { type, idpId, by: reachIn(owner, call.caller.grants) })
}

/** Offers these providers in the policy of an owner, and none of the others that there are now. */
async function offerOnly(app: App, call: Call, work: Work, owner: string, idps: readonly NamedProvider[]) {
  const named = new Set(idps.map(({ idpId }) => idpId))
  const { documents } = await listOffered(app, owner, { limit: MOST_WITHHELD + named.size + 1 })
  for (const [index, one] of idps.entries()) {
    await chooseIn(app, call, work, { owner, type: 'offer_provider', named: one, path: `idps[${index}].` })
  }
  for (const { id: idpId } of documents.filter(({ id }) => !named.has(id))) {
    await chooseIn(app, call, work, { owner, type: 'withhold_provider', named: { idpId } })
  }
}

/** The policy of an owner with the providers that it offers. */
async function policyOf(app: App, owner: string) {
  const page = { orderBy: 'createdAt', limit: MOST_WITHHELD } as const
  const { documents } = await listOffered(app, owner, page)
  return loginPolicyV1(app, owner, documents.map(policyLinkV1))
}

/** The methods of one service, for the policy of `ownerOf(call)`. */
function serve(app: App, ownerOf: (call: Call) => string) {
  const choose = async (call: Call, type: 'offer_provider' | 'withhold_provider', named: NamedProvider) => {
    const owner = ownerOf(call)
    const written = await app.store.write(call.origin, async (work) => {
      await requireOwner(app, work, owner)
      return chooseIn(app, call, work, { owner, type, named })
    })
    return { details: writtenV1(written) }
  }

  return {
    async listLoginPolicyIDPs({ query }: { readonly query?: Parameters<typeof pageOf>[0] }, call: Call) {
      const page = { orderBy: 'createdAt', ...pageOf(query, 'query') } as const
      const offered = await listOffered(app, ownerOf(call), page)
      return { details: listDetailsV1(offered, call.at), result: offered.documents.map(policyLinkV1) }
    },
    addIDPToLoginPolicy: (request: NamedProvider, call: Call) => choose(call, 'offer_provider', request),
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
    ...methods(ManagementService, {
      async getLoginPolicy(_, { organizationId }) {
        const policy = await policyOf(app, organizationId)
        return { policy, isDefault: policy.isDefault === true }
      },
      async getDefaultLoginPolicy() {
        return { policy: await policyOf(app, app.instanceId) }
      },
      addCustomLoginPolicy: ({ idps, ...message }, call) =>
        addLoginPolicyV1(app, call, message, async (work) => {
          if (idps.length > 0) await offerOnly(app, call, work, call.organizationId, idps)
        }),
    }),
    ...methods(AdminService, {
      async getLoginPolicy() {
        return { policy: await policyOf(app, app.instanceId) }
      },
    }),
    ...methods(
      AdminService,
      serve(app, () => app.instanceId),
    ),
  ]
}
