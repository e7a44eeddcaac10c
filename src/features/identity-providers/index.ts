/** The front of this room: all that others may know about identity providers. */
import type { Method } from '../../access/method.ts'
import type { IdentityProvidersNeeds } from './needs.ts'
import { idpMethodsV1 } from './rpc-v1.ts'
import { policyMethodsV1 } from './rpc-v1-policy.ts'
import { providerMethodsV1 } from './rpc-v1-providers.ts'
import { identityProviderMethodsV2 } from './rpc-v2.ts'

export { sweepProviders } from './changes.ts'
export type { IdentityProvider, IdentityProviderCommand, LivingProvider, ProviderSecret } from './decider.ts'
export {
  findProvider,
  findProviderOf,
  identityProviders,
  providerSecrets,
  providersForSignIn,
} from './documents.ts'
export type {
  Connection,
  IdentityProviderEvent,
  MappingField,
  OAuthConnection,
  OidcConnection,
  ProviderOptions,
  ProviderSecretEvent,
  ProviderType,
  Styling,
} from './events.ts'
export { identityProviderJobs, PROVIDER_REMOVED, type WhenProviderRemoved } from './jobs.ts'
export type { IdentityProvidersNeeds } from './needs.ts'
export { type OpenedProvider, openProvider } from './opening.ts'
export { type IdentityProviderRefusal, identityProviderRefusals } from './refusals.ts'
export { identityProviderResealers } from './secrets.ts'

/** The methods of this room. */
export function identityProviderMethods(needs: IdentityProvidersNeeds): readonly Method[] {
  return [
    ...idpMethodsV1(needs),
    ...providerMethodsV1(needs),
    ...policyMethodsV1(needs),
    ...identityProviderMethodsV2(needs),
  ]
}
