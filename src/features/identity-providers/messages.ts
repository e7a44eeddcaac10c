/** Converts providers to messages, without their secrets. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProviderConfigSchema } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import {
  type IDPLoginPolicyLinkSchema,
  IDPOwnerType,
  type IDPSchema,
  IDPState,
  IDPType,
  type ProviderSchema,
} from '../../../contract/gen/signet/idp/v1/idp_pb.ts'
import { IDPState as IDPStateV2, type IDPSchema as IDPV2Schema } from '../../../contract/gen/signet/idp/v2/idp_pb.ts'
import {
  type IdentityProviderSchema,
  IdentityProviderType,
} from '../../../contract/gen/signet/settings/v2/identity_provider_pb.ts'
import { detailsV1, detailsV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import type { LivingProvider } from './decider.ts'
import { MAPPING_FIELDS, optionsMessage, PROVIDER_TYPES, STYLINGS, tenantMessage } from './enums-v1.ts'
import type { ProviderType } from './events.ts'
import { jwtMessage } from './jwt-connection.ts'
import { ldapMessage } from './ldap-connection.ts'
import { samlMessage } from './saml/connection.ts'

type Provider = Document<LivingProvider>

/** The owner type of a provider. */
export function ownerTypeOf({ owner }: Provider, instanceId: string): IDPOwnerType {
  return owner === instanceId ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG
}

function stateV1({ state }: Provider): IDPState {
  return state.status === 'active' ? IDPState.IDP_STATE_ACTIVE : IDPState.IDP_STATE_INACTIVE
}

/** A provider in the deprecated methods. */
export function idpV1(provider: Provider, instanceId: string): MessageInitShape<typeof IDPSchema> {
  const { name, styling, options, connection } = provider.state
  return {
    id: provider.id,
    details: detailsV1(provider),
    state: stateV1(provider),
    name,
    stylingType: STYLINGS[styling],
    owner: ownerTypeOf(provider, instanceId),
    autoRegister: options.isAutoCreation,
    ...(connection.protocol === 'jwt' && { config: { case: 'jwtConfig', value: jwtMessage(connection) } }),
    ...(connection.protocol === 'oidc' && {
      config: {
        case: 'oidcConfig',
        value: {
          clientId: connection.clientId,
          issuer: connection.issuer,
          scopes: [...connection.scopes],
          displayNameMapping: MAPPING_FIELDS[connection.displayNameMapping],
          usernameMapping: MAPPING_FIELDS[connection.userNameMapping],
        },
      },
    }),
  }
}

/** The oneof of all types, which is the same in the v1 and v2 services. */
function configOf({ type, connection }: LivingProvider) {
  if (connection.protocol === 'ldap') return { case: 'ldap', value: ldapMessage(connection) } as const
  if (connection.protocol === 'jwt') return { case: 'jwt', value: jwtMessage(connection) } as const
  if (connection.protocol === 'saml') return { case: 'saml', value: samlMessage(connection) } as const
  const { clientId } = connection
  const scopes = [...connection.scopes]
  if (connection.protocol === 'oauth') {
    const { authorizationEndpoint, tokenEndpoint, userEndpoint, idAttribute, usesPkce } = connection
    const endpoints = { clientId, authorizationEndpoint, tokenEndpoint, userEndpoint, scopes }
    if (type === 'github') return { case: type, value: { clientId, scopes } } as const
    if (type === 'github_es') return { case: 'githubEs', value: endpoints } as const
    return { case: 'oauth', value: { ...endpoints, idAttribute, usePkce: usesPkce } } as const
  }
  const { issuer, mapsIdToken, usesPkce, entra, apple, zitadel } = connection
  switch (type) {
    case 'google':
    case 'gitlab':
      return { case: type, value: { clientId, scopes } } as const
    case 'gitlab_self_hosted':
      return { case: 'gitlabSelfHosted', value: { issuer, clientId, scopes } } as const
    case 'azure_ad': {
      const tenant = tenantMessage(entra?.tenant ?? 'common')
      return {
        case: 'azureAd',
        value: { clientId, tenant, emailVerified: entra?.trustsEmail ?? false, scopes },
      } as const
    }
    case 'apple':
      return {
        case: type,
        value: { clientId, teamId: apple?.teamId ?? '', keyId: apple?.keyId ?? '', scopes },
      } as const
    case 'zitadel': {
      const instanceRolesInfo = [...(zitadel?.instanceRoles ?? [])]
      return { case: type, value: { issuer, clientId, scopes, instanceRolesInfo } } as const
    }
    default:
      return {
        case: 'oidc',
        value: { issuer, clientId, scopes, isIdTokenMapping: mapsIdToken, usePkce: usesPkce },
      } as const
  }
}

function configMessage(state: LivingProvider): MessageInitShape<typeof ProviderConfigSchema> {
  return {
    options: optionsMessage(state.options),
    config: configOf(state),
  }
}

/** A provider in the v1 services. */
export function providerV1(provider: Provider, instanceId: string): MessageInitShape<typeof ProviderSchema> {
  return {
    id: provider.id,
    details: detailsV1(provider),
    state: stateV1(provider),
    name: provider.state.name,
    owner: ownerTypeOf(provider, instanceId),
    type: PROVIDER_TYPES[provider.state.type],
    config: configMessage(provider.state),
  }
}

/** A provider in the v2 services. */
export function idpV2(provider: Provider): MessageInitShape<typeof IDPV2Schema> {
  return {
    id: provider.id,
    details: detailsV2(provider),
    state: provider.state.status === 'active' ? IDPStateV2.IDP_STATE_ACTIVE : IDPStateV2.IDP_STATE_INACTIVE,
    name: provider.state.name,
    type: PROVIDER_TYPES[provider.state.type],
    config: configMessage(provider.state) as NonNullable<MessageInitShape<typeof IDPV2Schema>['config']>,
  }
}

/** The protocol of a provider in the deprecated methods, which know two. */
export function protocolV1({ connection: { protocol } }: LivingProvider): IDPType {
  if (protocol === 'jwt') return IDPType.IDP_TYPE_JWT
  return protocol === 'oidc' ? IDPType.IDP_TYPE_OIDC : IDPType.IDP_TYPE_UNSPECIFIED
}

/** A provider in a login policy. */
export function policyLinkV1({ id, state }: Provider): MessageInitShape<typeof IDPLoginPolicyLinkSchema> {
  return {
    idpId: id,
    idpName: state.name,
    idpType: protocolV1(state),
  }
}

const OTHER_TYPES: Readonly<Partial<Record<ProviderType, IdentityProviderType>>> = {
  apple: IdentityProviderType.APPLE,
  saml: IdentityProviderType.SAML,
}

/** A provider for a sign-in page. */
export function choiceV2({ id, state }: Provider): MessageInitShape<typeof IdentityProviderSchema> {
  return {
    id,
    name: state.name,
    // Apple and SAML have other numbers here.
    type: OTHER_TYPES[state.type] ?? PROVIDER_TYPES[state.type],
    options: optionsMessage(state.options),
  }
}
