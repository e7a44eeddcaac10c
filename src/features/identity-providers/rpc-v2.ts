/** The v2 methods for providers: a single one, and those that are offered at sign-in. */
import { IdentityProviderService } from '../../../contract/gen/signet/idp/v2/idp_service_pb.ts'
import type { GetActiveIdentityProvidersRequest } from '../../../contract/gen/signet/settings/v2/identity_provider_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV2 } from '../../module/details.ts'
import { requireOrganization } from '../organizations/index.ts'
import { findProvider, providersForSignIn } from './documents.ts'
import type { ProviderOptions } from './events.ts'
import { choiceV2, idpV2 } from './messages.ts'
import { identityProviderRefusals } from './refusals.ts'

/** Whether sign-in pages that ask for these options show a provider. Filters that are not set match all that are shown. */
function suits(asked: GetActiveIdentityProvidersRequest, options: ProviderOptions): boolean {
  if (options.isHidden === true) return false
  const pairs = [
    [asked.creationAllowed, options.isCreationAllowed],
    [asked.linkingAllowed, options.isLinkingAllowed],
    [asked.autoCreation, options.isAutoCreation],
    [asked.autoLinking, options.autoLinking !== 'none'],
  ]
  return pairs.every(([wanted, is]) => wanted === undefined || wanted === is)
}

/** The v2 methods of this module. */
export function identityProviderMethodsV2(app: App): readonly Method[] {
  const { instanceId } = app
  return [
    ...methods(IdentityProviderService, {
      async getIDPByID({ id }, call) {
        const provider = await findProvider(app, id)
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
        if (owner !== instanceId) await requireOrganization(app, owner)
        const all = await providersForSignIn(app, owner)
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
