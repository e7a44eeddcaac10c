/** Providers in the v2 services: one of them, and those that people can choose when they sign in. */
import { IdentityProviderService } from '../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import type { GetActiveIdentityProvidersRequest } from '../../../contract/gen/signet/settings/v2/identity_provider_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { listDetailsV2 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import { organizationRefusals, organizationState } from '../organizations/index.ts'
import { findProvider, providersForSignIn } from './documents.ts'
import type { ProviderOptions } from './events.ts'
import { choiceV2, idpV2 } from './messages.ts'
import type { IdentityProvidersNeeds } from './needs.ts'
import { identityProviderRefusals } from './refusals.ts'

/** Whether a provider says what the request asks for; not given: whatever it says. */
function suits(asked: GetActiveIdentityProvidersRequest, options: ProviderOptions): boolean {
  const pairs = [
    [asked.creationAllowed, options.isCreationAllowed],
    [asked.linkingAllowed, options.isLinkingAllowed],
    [asked.autoCreation, options.isAutoCreation],
    [asked.autoLinking, options.autoLinking !== 'none'],
  ]
  return pairs.every(([wanted, is]) => wanted === undefined || wanted === is)
}

/** The v2 methods of this room. */
export function identityProviderMethodsV2({ store, instanceId }: IdentityProvidersNeeds): readonly Method[] {
  return [
    ...methods(IdentityProviderService, {
      async getIDPByID({ id }, call) {
        const provider = await findProvider(store, id)
        if (provider === undefined) throw refused(identityProviderRefusals, 'identity_provider.not_found')
        call.authorize(provider.owner)
        return { idp: idpV2(provider) }
      },
    }),
    ...methods(SettingsService, {
      async getActiveIdentityProviders(request, call) {
        const asked = request.ctx?.resourceOwner
        const owner = asked?.case === 'instance' ? instanceId : asked?.value || call.organizationId
        call.authorize(owner)
        if (owner !== instanceId && (await organizationState(store, owner)) === undefined) {
          throw refused(organizationRefusals, 'organization.not_found')
        }
        const all = await providersForSignIn(store, owner, instanceId)
        const suitable = all.filter(({ state }) => suits(request, state.options))
        const sequence = Math.max(0, ...all.map((provider) => provider.sequence))
        return {
          details: listDetailsV2({ total: suitable.length, sequence }, call.at),
          identityProviders: suitable.map(choiceV2),
        }
      },
    }),
  ]
}
