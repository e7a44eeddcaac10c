/** Reads configurations from the messages of the v1 and v2 services. */
import type { Duration } from '@bufbuild/protobuf/wkt'
import type { LoginVersion as LoginVersionV1, OIDCConfig } from '../../../contract/gen/signet/app/v1/app_pb.ts'
import type {
  CreateAPIApplicationRequest,
  CreateOIDCApplicationRequest,
  UpdateOIDCApplicationConfigurationRequest,
} from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import type {
  AndroidAppLinkConfig,
  IOSAppLinkConfig,
  LoginVersion as LoginVersionV2,
  OIDCConfiguration,
} from '../../../contract/gen/signet/application/v2/oidc_pb.ts'
import type {
  AddOIDCAppRequest,
  UpdateOIDCAppConfigRequest,
} from '../../../contract/gen/signet/management/v1/app_pb.ts'
import { type Codec, mapped, milliseconds, same, texts } from '../../module/mapped.ts'
import {
  apiAuthMethod,
  applicationType,
  assertionAlgorithm,
  authMethod,
  grantType,
  responseTypeV1,
  responseTypeV2,
  tokenType,
} from './enums.ts'
import type { ApiConfig, AssertionRules, CibaRules, ClientRules, LoginVersion, OidcConfig } from './events.ts'

/** The addresses of a list. Clients for flows without redirects send one that is empty. */
const uris: Codec<readonly string[], string[]> = { ...texts, read: (list) => list.filter((uri) => uri !== '') }

/** A list of words; one that is empty stands for the usual word. */
function usually<Word extends string, Field>(
  list: Codec<readonly Word[], Field, readonly number[]>,
  usual: NoInfer<Word>,
): Codec<readonly Word[], Field, readonly number[]> {
  return { ...list, read: (numbers) => (numbers.length === 0 ? [usual] : list.read(numbers)) }
}

const clockSkew: Codec<number, Duration> = {
  ...milliseconds,
  read: ({ seconds, nanos }) => Number(seconds) * 1000 + Math.floor(nanos / 1_000_000),
}

/** What corresponds to one field, with the same name in both services. */
const SHARED = {
  redirectUris: ['redirectUris', uris],
  postLogoutRedirectUris: ['postLogoutRedirectUris', uris],
  grantTypes: ['grantTypes', usually(grantType.list, 'authorization_code')],
  authMethod: ['authMethodType', authMethod],
  accessTokenType: ['accessTokenType', tokenType],
  accessTokenRoleAssertion: ['accessTokenRoleAssertion', same],
  idTokenRoleAssertion: ['idTokenRoleAssertion', same],
  idTokenUserinfoAssertion: ['idTokenUserinfoAssertion', same],
  clockSkewMs: ['clockSkew', clockSkew],
  additionalOrigins: ['additionalOrigins', texts],
  backChannelLogoutUri: ['backChannelLogoutUri', same],
  skipNativeAppSuccessPage: ['skipNativeAppSuccessPage', same],
} as const

/** What functions tell. */
type ToldMember = 'type' | 'loginVersion' | 'ios' | 'android' | 'ciba' | keyof ClientRules
type ToldField = 'clientId' | 'version' | 'complianceProblems' | 'allowedOrigins' | 'loginVersion' | 'ios' | 'android'

/** The v1 services do not know applications of third parties. */
export const configV1 = mapped<
  Omit<OidcConfig, ToldMember | 'isThirdParty'>,
  OIDCConfig,
  ToldField | 'noneCompliant'
>()({
  ...SHARED,
  responseTypes: ['responseTypes', usually(responseTypeV1.list, 'code')],
  applicationType: ['appType', applicationType],
  developmentMode: ['devMode', same],
})

type ToldV2 =
  | 'nonCompliant'
  | 'fapi2Requirements'
  | 'cibaNotificationUri'
  | 'cibaRequireSignedRequests'
  | keyof ClientRules

export const configV2 = mapped<Omit<OidcConfig, ToldMember>, OIDCConfiguration, ToldField | ToldV2>()({
  ...SHARED,
  responseTypes: ['responseTypes', usually(responseTypeV2.list, 'code')],
  applicationType: ['applicationType', applicationType],
  developmentMode: ['developmentMode', same],
  isThirdParty: ['thirdParty', same],
})

/** The rules that are there only if they apply, with the same names in messages. */
const SWITCHES = [
  'requireAssertionJti',
  'requirePushedAuthorizationRequests',
  'requireDpop',
  'requirePkce',
  'requireSignedRequestObject',
] as const

type Switch = (typeof SWITCHES)[number]

/** A rule that is no switch, and is not told below, does not compile. */
true satisfies Exclude<keyof ClientRules, Switch | 'clientAssertionAlgorithm'> extends never ? true : never

/** Whether assertions must have an ID, as a member that is there only then. */
export function assertionRules(isRequired: boolean | undefined): AssertionRules {
  return isRequired === true ? { requireAssertionJti: true } : {}
}

/** The rules of a message. */
type GivenRules = Pick<UpdateOIDCApplicationConfigurationRequest, Switch | 'clientAssertionAlgorithm'>

function rulesOf(before: ClientRules, given: GivenRules): ClientRules {
  const on = SWITCHES.filter((name) => given[name] ?? before[name] ?? false)
  const number = given.clientAssertionAlgorithm
  const algorithm = number === undefined ? before.clientAssertionAlgorithm : assertionAlgorithm.read(number)
  return {
    ...Object.fromEntries(on.map((name) => [name, true])),
    ...(algorithm !== undefined && algorithm !== 'any' && { clientAssertionAlgorithm: algorithm }),
  }
}

/** The rules in a v2 message. */
export function rulesMessage(config: ClientRules) {
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, config[name] === true]))
  return {
    ...(switches as Record<Switch, boolean>),
    clientAssertionAlgorithm: assertionAlgorithm.show(config.clientAssertionAlgorithm ?? 'any'),
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

/** The configuration of a v2 request that creates an application. */
export function newConfigV2(message: CreateOIDCApplicationRequest): OidcConfig {
  return {
    type: 'oidc',
    ...configV2.read(message),
    ...rulesOf({}, message),
    ...cibaRules(message.cibaNotificationUri, message.cibaRequireSignedRequests),
    ...loginVersionOf(message.loginVersion),
    ...linksOf(message),
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
    type: 'oidc',
    ...configV1.read(message),
    isThirdParty: before?.isThirdParty ?? false,
    ...rulesOf(before ?? {}, {}),
    ...(before?.ciba && { ciba: before.ciba }),
    ...loginVersionOf(message.loginVersion),
    ...linksOf(message),
  }
}

function orBefore(list: readonly string[], before: readonly string[]): readonly string[] {
  return list.length > 0 ? list : before
}

/**
 * The configuration after a v2 update. What is not given stays, except for the response types, the grant types, the clock
 * skew and the login version, which get their defaults.
 */
export function changedConfigV2(before: OidcConfig, message: UpdateOIDCApplicationConfigurationRequest): OidcConfig {
  const isRule = (name: string) => name === 'clientAssertionAlgorithm' || (SWITCHES as readonly string[]).includes(name)
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => !isRule(name)))
  const { loginVersion: _, ciba, ios, android, ...kept } = others as unknown as OidcConfig
  const given = configV2.read(message)
  return {
    ...kept,
    ...given,
    redirectUris: orBefore(given.redirectUris, before.redirectUris),
    postLogoutRedirectUris: orBefore(given.postLogoutRedirectUris, before.postLogoutRedirectUris),
    additionalOrigins: orBefore(given.additionalOrigins, before.additionalOrigins),
    ...rulesOf(before, message),
    ...cibaRules(
      message.cibaNotificationUri ?? ciba?.notificationUri,
      message.cibaRequireSignedRequests ?? ciba?.requireSignedRequests,
    ),
    ...loginVersionOf(message.loginVersion),
    ...linksOf(message, { ...(ios && { ios }), ...(android && { android }) }),
  }
}
