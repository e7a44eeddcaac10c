/**
 * Which rules of the standards a configuration breaks. Such an application is stored all the same, and its
 * administrators are told. The keys are those that existing clients know.
 */
import type { OidcConfig } from './events.ts'
import { type Fapi2Note, fapi2Notes } from './high-assurance.ts'
import { type RedirectNote, redirectNotes } from './redirect-uris.ts'

const PREFIX = 'Application.OIDC.V1.'

const SENTENCES = {
  NotCompliant: 'The configuration does not comply with the standards.',
  NoRedirectUris: 'At least one redirect URI is needed.',
  'GrantType.Refresh.NoAuthCode': 'Refresh tokens need the grant type authorization code, device code or CIBA.',
  'Code.RedirectUris.HttpOnlyForWeb': 'Only web applications can have redirect URIs with http.',
  'Code.RedirectUris.CustomOnlyForNative': 'Only native applications can have redirect URIs with a custom scheme.',
  'Implicit.NotOffered': 'The implicit flow is not offered by this server. Use the authorization code with PKCE.',
  'Implicit.RedirectUris.CustomNotAllowed': 'The implicit flow does not allow redirect URIs with a custom scheme.',
  'Implicit.RedirectUris.HttpNotAllowed': 'The implicit flow does not allow redirect URIs with http.',
  'Native.RedirectUris.MustBeHttpLocalhost':
    'Redirect URIs of native applications can use http only for localhost or another loopback address.',
  'Native.AuthMethodType.NotNone': 'Native applications cannot keep a secret: the authentication method must be NONE.',
  'UserAgent.AuthMethodType.NotNone':
    'Applications in a browser cannot keep a secret: the authentication method must be NONE.',
  'Fapi2.AssertionJti': 'FAPI 2.0: require an ID (jti) in assertions, so that each counts once.',
  'Fapi2.GrantTypes': 'FAPI 2.0 has only the grant types authorization code and refresh token.',
  'Fapi2.RedirectUris': 'FAPI 2.0 allows only redirect URIs with https, without wildcards, and no development mode.',
  NotAllCombinationsAreAllowed: 'Not all combinations of response types and grant types can be used together.',
} as const satisfies Readonly<Record<RedirectNote | `Fapi2.${Fapi2Note}`, string>> & Readonly<Record<string, string>>

type Key = keyof typeof SENTENCES

/** A problem with the key that clients know, and a sentence for people. */
export interface ComplianceProblem {
  readonly key: string
  readonly sentence: string
}

export interface Compliance {
  readonly isCompliant: boolean
  readonly problems: readonly ComplianceProblem[]
}

function otherProblems({ grantTypes, applicationType, authMethod }: OidcConfig): readonly Key[] {
  const problems: Key[] = []
  const canRefresh = grantTypes.some((one) => ['authorization_code', 'device_code', 'ciba'].includes(one))
  if (grantTypes.includes('refresh_token') && !canRefresh) problems.push('GrantType.Refresh.NoAuthCode')
  if (authMethod !== 'none' && applicationType === 'native') problems.push('Native.AuthMethodType.NotNone')
  if (authMethod !== 'none' && applicationType === 'user_agent') problems.push('UserAgent.AuthMethodType.NotNone')
  return problems
}

/** Compares a configuration with the standards. */
export function complianceOf(config: OidcConfig): Compliance {
  const fapi2 = fapi2Notes(config).map((note) => `Fapi2.${note}` as const)
  const broken = [...redirectNotes(config), ...otherProblems(config), ...fapi2]
  const isCompliant = broken.length === 0
  const { grantTypes } = config
  const isMixed = grantTypes.includes('implicit') && grantTypes.includes('authorization_code')
  const keys: readonly Key[] = [
    ...(isCompliant ? [] : (['NotCompliant'] as const)),
    ...broken,
    // A note, which breaks no rule by itself.
    ...(isMixed ? (['NotAllCombinationsAreAllowed'] as const) : []),
  ]
  return { isCompliant, problems: keys.map((key) => ({ key: `${PREFIX}${key}`, sentence: SENTENCES[key] })) }
}
