/** The settings of an application that signs users in, as its form has them, and back. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Application } from '../../../../contract/gen/signet/application/v2/application_pb.ts'
import type { UpdateOIDCApplicationConfigurationRequestSchema } from '../../../../contract/gen/signet/application/v2/application_service_pb.ts'
import {
  ClientAssertionAlgorithm,
  type OIDCConfiguration,
  OIDCTokenType,
} from '../../../../contract/gen/signet/application/v2/oidc_pb.ts'
import type { UpdateOIDCAppConfigRequestSchema } from '../../../../contract/gen/signet/management/v1/app_pb.ts'
import {
  AUTH_METHODS,
  type AuthMethod,
  GRANT_TYPES,
  type GrantType,
  type SignInKind,
  signInKindOf,
  TYPE_OF_KIND,
} from './kinds.ts'

/** The algorithms of assertions, by the name in forms. */
export const ASSERTION_ALGORITHMS = {
  any: ClientAssertionAlgorithm.UNSPECIFIED,
  RS256: ClientAssertionAlgorithm.RS256,
  PS256: ClientAssertionAlgorithm.PS256,
  ES256: ClientAssertionAlgorithm.ES256,
  EdDSA: ClientAssertionAlgorithm.EDDSA,
} as const

export interface OidcValues extends Record<string, unknown> {
  readonly name: string
  readonly kind: SignInKind
  readonly authMethod: AuthMethod
  readonly grantTypes: string[]
  readonly redirectUris: string[]
  readonly postLogoutRedirectUris: string[]
  readonly additionalOrigins: string[]
  readonly developmentMode: boolean
  readonly tokenType: 'bearer' | 'jwt'
  readonly accessTokenRoleAssertion: boolean
  readonly idTokenRoleAssertion: boolean
  readonly idTokenUserinfoAssertion: boolean
  readonly clockSkew: number
  readonly skipNativeAppSuccessPage: boolean
  readonly backChannelLogoutUri: string
  readonly login: 'default' | 'v1' | 'v2'
  readonly loginBaseUri: string
  readonly thirdParty: boolean
  readonly requireAssertionJti: boolean
  readonly requirePushedAuthorizationRequests: boolean
  readonly requireDpop: boolean
  readonly requirePkce: boolean
  readonly requireSignedRequestObject: boolean
  readonly assertionAlgorithm: keyof typeof ASSERTION_ALGORITHMS
  readonly cibaNotificationUri: string
  readonly cibaRequireSignedRequests: boolean
}

/** The rules of an application, which both messages have under the same name. */
const RULES = [
  'requireAssertionJti',
  'requirePushedAuthorizationRequests',
  'requireDpop',
  'requirePkce',
  'requireSignedRequestObject',
] as const

function rulesOf(values: Pick<OidcValues, (typeof RULES)[number]>) {
  const { requireAssertionJti, requirePushedAuthorizationRequests, requireDpop, requirePkce } = values
  const { requireSignedRequestObject } = values
  return {
    ...{ requireAssertionJti, requirePushedAuthorizationRequests, requireDpop, requirePkce },
    requireSignedRequestObject,
  }
}

/** The addresses without empty rows. */
export function filledIn(value: readonly string[]): string[] {
  return value.map((text) => text.trim()).filter((text) => text !== '')
}

function nameOf<Name extends string>(names: Readonly<Record<Name, number>>, value: number): Name | undefined {
  return (Object.keys(names) as Name[]).find((name) => names[name] === value)
}

function loginOf({ loginVersion }: OIDCConfiguration): Pick<OidcValues, 'login' | 'loginBaseUri'> {
  const version = loginVersion?.version
  if (version?.case === 'loginV2') return { login: 'v2', loginBaseUri: version.value.baseUri ?? '' }
  return { login: version?.case === 'loginV1' ? 'v1' : 'default', loginBaseUri: '' }
}

/** The values of an application. */
export function valuesOf(application: Application, config: OIDCConfiguration): OidcValues {
  const skew = config.clockSkew
  return {
    name: application.name,
    kind: signInKindOf(config),
    authMethod: nameOf(AUTH_METHODS, config.authMethodType) ?? 'basic',
    grantTypes: config.grantTypes.flatMap((type) => nameOf(GRANT_TYPES, type) ?? []),
    redirectUris: [...config.redirectUris],
    postLogoutRedirectUris: [...config.postLogoutRedirectUris],
    additionalOrigins: [...config.additionalOrigins],
    developmentMode: config.developmentMode,
    tokenType: config.accessTokenType === OIDCTokenType.OIDC_TOKEN_TYPE_JWT ? 'jwt' : 'bearer',
    accessTokenRoleAssertion: config.accessTokenRoleAssertion,
    idTokenRoleAssertion: config.idTokenRoleAssertion,
    idTokenUserinfoAssertion: config.idTokenUserinfoAssertion,
    clockSkew: Number(skew?.seconds ?? 0n) + (skew?.nanos ?? 0) / 1e9,
    skipNativeAppSuccessPage: config.skipNativeAppSuccessPage,
    backChannelLogoutUri: config.backChannelLogoutUri,
    ...loginOf(config),
    thirdParty: config.thirdParty,
    ...rulesOf(config),
    assertionAlgorithm: nameOf(ASSERTION_ALGORITHMS, config.clientAssertionAlgorithm) ?? 'any',
    cibaNotificationUri: config.cibaNotificationUri,
    cibaRequireSignedRequests: config.cibaRequireSignedRequests,
  }
}

function loginVersionOf({ login, loginBaseUri }: OidcValues) {
  if (login === 'default') return {}
  if (login === 'v1') return { loginVersion: { version: { case: 'loginV1', value: {} } } } as const
  const value = loginBaseUri.trim() === '' ? {} : { baseUri: loginBaseUri.trim() }
  return { loginVersion: { version: { case: 'loginV2', value } } } as const
}

/** What both versions of the method have under the same name. */
function sharedOf(values: OidcValues, before: OIDCConfiguration) {
  const seconds = Math.floor(values.clockSkew)
  return {
    redirectUris: filledIn(values.redirectUris),
    postLogoutRedirectUris: filledIn(values.postLogoutRedirectUris),
    additionalOrigins: filledIn(values.additionalOrigins),
    responseTypes: before.responseTypes,
    grantTypes: values.grantTypes.map((name) => GRANT_TYPES[name as GrantType]),
    authMethodType: AUTH_METHODS[values.authMethod],
    accessTokenType:
      values.tokenType === 'jwt' ? OIDCTokenType.OIDC_TOKEN_TYPE_JWT : OIDCTokenType.OIDC_TOKEN_TYPE_BEARER,
    accessTokenRoleAssertion: values.accessTokenRoleAssertion,
    idTokenRoleAssertion: values.idTokenRoleAssertion,
    idTokenUserinfoAssertion: values.idTokenUserinfoAssertion,
    clockSkew: { seconds: BigInt(seconds), nanos: Math.round((values.clockSkew - seconds) * 1e9) },
    skipNativeAppSuccessPage: values.skipNativeAppSuccessPage,
    backChannelLogoutUri: values.backChannelLogoutUri.trim(),
    ...loginVersionOf(values),
  }
}

/** The configuration for UpdateApplication. */
export function configOf(
  values: OidcValues,
  before: OIDCConfiguration,
): MessageInitShape<typeof UpdateOIDCApplicationConfigurationRequestSchema> {
  return {
    ...sharedOf(values, before),
    applicationType: TYPE_OF_KIND[values.kind],
    developmentMode: values.developmentMode,
    thirdParty: values.thirdParty,
    ...rulesOf(values),
    clientAssertionAlgorithm: ASSERTION_ALGORITHMS[values.assertionAlgorithm],
    cibaNotificationUri: values.cibaNotificationUri.trim(),
    cibaRequireSignedRequests: values.cibaRequireSignedRequests,
  }
}

/** The configuration for UpdateOIDCAppConfig, which replaces everything. The numbers of most enums are the same. */
export function replacementOf(
  values: OidcValues,
  before: OIDCConfiguration,
): Omit<MessageInitShape<typeof UpdateOIDCAppConfigRequestSchema>, '$typeName'> {
  const { ios, android } = before
  return {
    ...sharedOf(values, before),
    // Version 1 has no "unspecified" and counts from 0.
    responseTypes: before.responseTypes.map((type) => type - 1),
    appType: TYPE_OF_KIND[values.kind],
    devMode: values.developmentMode,
    ...(ios && { ios: { teamId: ios.teamId, bundleId: ios.bundleId } }),
    ...(android && {
      android: { packageName: android.packageName, sha256CertFingerprints: android.sha256CertFingerprints },
    }),
  } as Omit<MessageInitShape<typeof UpdateOIDCAppConfigRequestSchema>, '$typeName'>
}

/** Whether something changed that UpdateOIDCAppConfig does not know. */
export function changesMore(values: OidcValues, before: OidcValues): boolean {
  const names = [
    'thirdParty',
    'assertionAlgorithm',
    'cibaNotificationUri',
    'cibaRequireSignedRequests',
    ...RULES,
  ] as const
  return values.name.trim() !== before.name || names.some((name) => values[name] !== before[name])
}

/** Whether a list becomes empty. UpdateApplication keeps a list that is empty in the request. */
export function emptiesAList(values: OidcValues, before: OidcValues): boolean {
  const lists = ['redirectUris', 'postLogoutRedirectUris', 'additionalOrigins'] as const
  return lists.some((name) => filledIn(before[name]).length > 0 && filledIn(values[name]).length === 0)
}
