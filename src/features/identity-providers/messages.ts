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
import { mappings, numberOf, optionsMessage, stylings, tenantMessage } from './enums-v1.ts'
import type { Connection, OAuthConnection, OidcConnection } from './events.ts'
import { jwtMessage } from './jwt-connection.ts'
import { ldapMessage } from './ldap-connection.ts'
import type { ProviderType } from './provider-types.ts'
import { samlMessage } from './saml/connection.ts'

type Provider = Document<LivingProvider>
type Config = NonNullable<MessageInitShape<typeof ProviderConfigSchema>['config']>

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
    stylingType: stylings.show(styling),
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
          displayNameMapping: mappings.show(connection.displayNameMapping),
          usernameMapping: mappings.show(connection.userNameMapping),
        },
      },
    }),
  }
}

/** All that the messages of the types with clients have; each takes what it knows. */
function clientMessage(connection: OidcConnection | OAuthConnection) {
  const { protocol, scopes, usesPkce: usePkce, ...named } = connection
  const shared = { ...named, scopes: [...scopes], usePkce }
  if (connection.protocol === 'oauth') return shared
  const { mapsIdToken, entra, apple, zitadel } = connection
  return {
    ...shared,
    isIdTokenMapping: mapsIdToken,
    ...(entra && { tenant: tenantMessage(entra.tenant), emailVerified: entra.trustsEmail }),
    ...apple,
    instanceRolesInfo: [...(zitadel?.instanceRoles ?? [])],
  }
}

function messageOf(connection: Connection) {
  switch (connection.protocol) {
    case 'ldap':
      return ldapMessage(connection)
    case 'jwt':
      return jwtMessage(connection)
    case 'saml':
      return samlMessage(connection)
    default:
      return clientMessage(connection)
  }
}

/** The oneof of all types, which is the same in the v1 and v2 services, and has their words: `githubEs`. */
function configOf({ type, connection }: LivingProvider) {
  const name = type.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return { case: name, value: messageOf(connection) } as Config
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
    type: numberOf(provider.state.type),
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
    type: numberOf(provider.state.type),
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
    type: OTHER_TYPES[state.type] ?? numberOf(state.type),
    options: optionsMessage(state.options),
  }
}
