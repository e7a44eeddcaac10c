/** Reads configurations from the messages of the v1 and v2 services. */
import type { Duration } from '@bufbuild/protobuf/wkt'
import type { LoginVersion as LoginVersionV1 } from '../../../contract/gen/signet/app/v1/app_pb.ts'
import type {
  CreateAPIApplicationRequest,
  CreateOIDCApplicationRequest,
  UpdateOIDCApplicationConfigurationRequest,
} from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type {
  AndroidAppLinkConfig,
  IOSAppLinkConfig,
  LoginVersion as LoginVersionV2,
} from '../../../contract/gen/signet/application/v2/oidc_pb.ts'
import type {
  AddOIDCAppRequest,
  UpdateOIDCAppConfigRequest,
} from '../../../contract/gen/signet/management/v1/app_pb.ts'
import {
  apiAuthMethod,
  applicationType,
  assertionAlgorithm,
  authMethod,
  grantType,
  readAll,
  responseTypeV1,
  responseTypeV2,
  tokenType,
} from './enums.ts'
import type { ApiConfig, AssertionRules, CibaRules, ClientRules, LoginVersion, OidcConfig } from './events.ts'

function millisecondsOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1000 + Math.floor(duration.nanos / 1_000_000)
}

/** Whether assertions must have an ID, as a member that is there only then. */
export function assertionRules(isRequired: boolean | undefined): AssertionRules {
  return isRequired === true ? { requireAssertionJti: true } : {}
}

/** The rules of a message. */
type GivenRules = Pick<
  UpdateOIDCApplicationConfigurationRequest,
  | 'requireAssertionJti'
  | 'requirePushedAuthorizationRequests'
  | 'requireDpop'
  | 'requirePkce'
  | 'clientAssertionAlgorithm'
  | 'requireSignedRequestObject'
>

function rulesOf(before: ClientRules, given: GivenRules): ClientRules {
  const isOn = (name: Exclude<keyof ClientRules, 'clientAssertionAlgorithm'>) => given[name] ?? before[name] ?? false
  const number = given.clientAssertionAlgorithm
  const algorithm = number === undefined ? before.clientAssertionAlgorithm : assertionAlgorithm.read(number)
  return {
    ...assertionRules(isOn('requireAssertionJti')),
    ...(isOn('requirePushedAuthorizationRequests') && { requirePushedAuthorizationRequests: true as const }),
    ...(isOn('requireDpop') && { requireDpop: true as const }),
    ...(isOn('requirePkce') && { requirePkce: true as const }),
    ...(algorithm !== undefined && algorithm !== 'any' && { clientAssertionAlgorithm: algorithm }),
    ...(isOn('requireSignedRequestObject') && { requireSignedRequestObject: true as const }),
  }
}

/** How an application asks on the back channel, as a member that is there only if something of it is set. */
function cibaRules(
  notificationUri: string | undefined,
  requiresSigned: boolean | undefined,
): { readonly ciba?: CibaRules } {
  if (!notificationUri && requiresSigned !== true) return {}
  return {
    ciba: {
      ...(notificationUri && { notificationUri }),
      ...(requiresSigned === true && { requireSignedRequests: true }),
    },
  }
}

/** The messages of both services have the same members. */
interface AppLinks {
  readonly loginVersion?: Pick<LoginVersionV1 | LoginVersionV2, 'version'> | undefined
  readonly ios?: Pick<IOSAppLinkConfig, 'teamId' | 'bundleId'> | undefined
  readonly android?: Pick<AndroidAppLinkConfig, 'packageName' | 'sha256CertFingerprints'> | undefined
}

export function loginVersionOf(message: AppLinks['loginVersion']): { readonly loginVersion?: LoginVersion } {
  switch (message?.version.case) {
    case 'loginV1':
      return { loginVersion: { type: 'v1' } }
    case 'loginV2': {
      const { baseUri } = message.version.value
      return { loginVersion: baseUri ? { type: 'v2', baseUri } : { type: 'v2' } }
    }
    default:
      return {}
  }
}

/** Where users sign in, as a member that is there only if it was chosen. */
export function loginVersionMessage({ loginVersion }: Pick<OidcConfig, 'loginVersion'>) {
  if (loginVersion === undefined) return {}
  if (loginVersion.type === 'v1') return { loginVersion: { version: { case: 'loginV1', value: {} } } } as const
  const { baseUri } = loginVersion
  const value = baseUri === undefined ? {} : { baseUri }
  return { loginVersion: { version: { case: 'loginV2', value } } } as const
}

/** The apps that open links; an empty message means none. */
function linksOf({ ios, android }: AppLinks, before: Pick<OidcConfig, 'ios' | 'android'> = {}) {
  const hasIos = ios !== undefined && (ios.teamId !== '' || ios.bundleId !== '')
  const hasAndroid = android !== undefined && (android.packageName !== '' || android.sha256CertFingerprints.length > 0)
  return {
    ...(ios === undefined && before.ios !== undefined && { ios: before.ios }),
    ...(hasIos && { ios: { teamId: ios.teamId, bundleId: ios.bundleId } }),
    ...(android === undefined && before.android !== undefined && { android: before.android }),
    ...(hasAndroid && {
      android: { packageName: android.packageName, fingerprints: [...android.sha256CertFingerprints] },
    }),
  } satisfies Pick<OidcConfig, 'ios' | 'android'>
}

/** The addresses of a list. Clients for flows without redirects send one that is empty. */
function given(uris: readonly string[]): readonly string[] {
  return uris.filter((uri) => uri !== '')
}

/** What is named alike in all requests that give a whole configuration. */
type WholeConfig = CreateOIDCApplicationRequest | AddOIDCAppRequest | UpdateOIDCAppConfigRequest

type SharedConfig = Omit<
  OidcConfig,
  'responseTypes' | 'applicationType' | 'developmentMode' | 'isThirdParty' | 'ciba' | keyof ClientRules
>

function sharedOf(message: WholeConfig): SharedConfig {
  return {
    type: 'oidc',
    redirectUris: given(message.redirectUris),
    postLogoutRedirectUris: given(message.postLogoutRedirectUris),
    grantTypes: readAll(message.grantTypes, grantType, 'authorization_code'),
    authMethod: authMethod.read(message.authMethodType),
    accessTokenType: tokenType.read(message.accessTokenType),
    accessTokenRoleAssertion: message.accessTokenRoleAssertion,
    idTokenRoleAssertion: message.idTokenRoleAssertion,
    idTokenUserinfoAssertion: message.idTokenUserinfoAssertion,
    clockSkewMs: millisecondsOf(message.clockSkew),
    additionalOrigins: [...message.additionalOrigins],
    backChannelLogoutUri: message.backChannelLogoutUri,
    skipNativeAppSuccessPage: message.skipNativeAppSuccessPage,
    ...loginVersionOf(message.loginVersion),
    ...linksOf(message),
  }
}

/** The configuration of a v2 request that creates an application. */
export function newConfigV2(message: CreateOIDCApplicationRequest): OidcConfig {
  return {
    ...sharedOf(message),
    responseTypes: readAll(message.responseTypes, responseTypeV2, 'code'),
    applicationType: applicationType.read(message.applicationType),
    developmentMode: message.developmentMode,
    isThirdParty: message.thirdParty,
    ...rulesOf({}, message),
    ...cibaRules(message.cibaNotificationUri, message.cibaRequireSignedRequests),
  }
}

/** The configuration of a v2 request that creates an API. */
export function apiConfigV2({
  authMethodType = 0,
  requireAssertionJti,
}: Partial<Pick<CreateAPIApplicationRequest, 'authMethodType' | 'requireAssertionJti'>>): ApiConfig {
  return { type: 'api', authMethod: apiAuthMethod.read(authMethodType), ...assertionRules(requireAssertionJti) }
}

/** The configuration of a v1 request, which is always a whole one; what v1 does not know stays as before. */
export function wholeConfigV1(
  message: AddOIDCAppRequest | UpdateOIDCAppConfigRequest,
  before?: OidcConfig,
): OidcConfig {
  return {
    ...sharedOf(message),
    responseTypes: readAll(message.responseTypes, responseTypeV1, 'code'),
    applicationType: applicationType.read(message.appType),
    developmentMode: message.devMode,
    isThirdParty: before?.isThirdParty ?? false,
    ...rulesOf(before ?? {}, {}),
    ...(before?.ciba && { ciba: before.ciba }),
  }
}

function orBefore(list: readonly string[], before: readonly string[]): readonly string[] {
  return list.length > 0 ? [...list] : before
}

function mapped<Value>(number: number | undefined, { read }: { read(number: number): Value }, before: Value): Value {
  return number === undefined ? before : read(number)
}

function withoutRules(config: OidcConfig): Omit<OidcConfig, keyof ClientRules> {
  const { requireAssertionJti, requirePushedAuthorizationRequests, requireDpop, requirePkce, ...more } = config
  const { clientAssertionAlgorithm, requireSignedRequestObject, ...rest } = more
  return rest
}

/**
 * The configuration after a v2 update. What is not given stays, except for the response types, the grant types, the clock
 * skew and the login version, which get their defaults.
 */
export function changedConfigV2(before: OidcConfig, message: UpdateOIDCApplicationConfigurationRequest): OidcConfig {
  const { loginVersion: _, ciba, ios, android, ...kept } = withoutRules(before)
  return {
    ...kept,
    redirectUris: orBefore(given(message.redirectUris), before.redirectUris),
    postLogoutRedirectUris: orBefore(given(message.postLogoutRedirectUris), before.postLogoutRedirectUris),
    additionalOrigins: orBefore(message.additionalOrigins, before.additionalOrigins),
    responseTypes: readAll(message.responseTypes, responseTypeV2, 'code'),
    grantTypes: readAll(message.grantTypes, grantType, 'authorization_code'),
    applicationType: mapped(message.applicationType, applicationType, before.applicationType),
    authMethod: mapped(message.authMethodType, authMethod, before.authMethod),
    accessTokenType: mapped(message.accessTokenType, tokenType, before.accessTokenType),
    developmentMode: message.developmentMode ?? before.developmentMode,
    accessTokenRoleAssertion: message.accessTokenRoleAssertion ?? before.accessTokenRoleAssertion,
    idTokenRoleAssertion: message.idTokenRoleAssertion ?? before.idTokenRoleAssertion,
    idTokenUserinfoAssertion: message.idTokenUserinfoAssertion ?? before.idTokenUserinfoAssertion,
    clockSkewMs: millisecondsOf(message.clockSkew),
    backChannelLogoutUri: message.backChannelLogoutUri ?? before.backChannelLogoutUri,
    skipNativeAppSuccessPage: message.skipNativeAppSuccessPage ?? before.skipNativeAppSuccessPage,
    isThirdParty: message.thirdParty ?? before.isThirdParty,
    ...rulesOf(before, message),
    ...cibaRules(
      message.cibaNotificationUri ?? ciba?.notificationUri,
      message.cibaRequireSignedRequests ?? ciba?.requireSignedRequests,
    ),
    ...loginVersionOf(message.loginVersion),
    ...linksOf(message, { ...(ios && { ios }), ...(android && { android }) }),
  }
}
