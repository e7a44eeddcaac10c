/**
 * Identity providers that users sign in with: OpenID Connect, OAuth 2.0, LDAP and signed tokens (JWT), of the instance or of an
 * organization, with their secrets, and the selection that a login policy offers.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { carriedChoices, carriedProviders } from './carried.ts'
import { providerSecrets } from './documents.ts'
import { removeProvidersOf } from './handlers/remove-provider.ts'
import { identityProviderJobs } from './jobs.ts'
import { identityProviderRefusals } from './refusals.ts'
import { idpMethodsV1 } from './rpc-v1.ts'
import { policyMethodsV1 } from './rpc-v1-policy.ts'
import { providerMethodsV1 } from './rpc-v1-providers.ts'
import { identityProviderMethodsV2 } from './rpc-v2.ts'

export const identityProvidersModule = module({
  name: 'identity-providers',
  kinds: [carriedProviders, ...within('identity-provider', providerSecrets), carriedChoices],
  refusals: identityProviderRefusals,
  methods: (app) => [
    ...idpMethodsV1(app),
    ...providerMethodsV1(app),
    ...policyMethodsV1(app),
    ...identityProviderMethodsV2(app),
  ],
  jobs: (app) => [identityProviderJobs(app)],
  whenOrganizationRemoved: removeProvidersOf,
})

export type { IdentityProviderDraft, ProviderValues } from './carried.ts'
export { oidcConnection } from './connections.ts'
export type { IdentityProviderCommand, LivingProvider } from './decider.ts'
export { findProvider, findProviderOf, identityProviders, providerSecrets, providersForSignIn } from './documents.ts'
export type {
  Connection,
  JwtConnection,
  LdapConnection,
  LdapField,
  MappingField,
  ProviderOptions,
  SamlConnection,
  SamlDescription,
} from './events.ts'
export { protocolV1 } from './messages.ts'
export { type OpenedProvider, openProvider } from './open-provider.ts'
export { hostOfType, type ProviderType } from './provider-types.ts'
