/**
 * The FAPI 2.0 Security Profile for one application: what its configuration must have, and when the server adds the rest of
 * the profile by itself. See docs/decisions/0081-fapi-2-for-one-application.md. Pure.
 */
import { isLoopbackHost } from '../../kernel/loopback.ts'
import type { AssertionAlgorithm, OidcConfig } from './events.ts'

/** The algorithms that the profile allows (section 5.4). */
const ALGORITHMS: ReadonlySet<AssertionAlgorithm | undefined> = new Set<AssertionAlgorithm>(['PS256', 'ES256', 'EdDSA'])

/** The settings that the profile is about; forms have them too. */
export type AssuranceSettings = Pick<
  OidcConfig,
  | 'authMethod'
  | 'grantTypes'
  | 'redirectUris'
  | 'developmentMode'
  | 'requireAssertionJti'
  | 'requirePushedAuthorizationRequests'
  | 'requireDpop'
  | 'requirePkce'
  | 'clientAssertionAlgorithm'
>

const GRANT_TYPES: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token'])

function isProtected(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
}

/** What makes an application one of the profile: the rest is enforced for whoever has these. */
const DECISIVE = {
  PrivateKeyJwt: ({ authMethod }) => authMethod === 'private_key_jwt',
  AssertionAlgorithm: ({ clientAssertionAlgorithm }) => ALGORITHMS.has(clientAssertionAlgorithm),
  PushedRequests: ({ requirePushedAuthorizationRequests }) => requirePushedAuthorizationRequests === true,
  Dpop: ({ requireDpop }) => requireDpop === true,
  Pkce: ({ requirePkce }) => requirePkce === true,
} as const satisfies Readonly<Record<string, (config: AssuranceSettings) => boolean>>

/** What is left to those who configure it. */
const OTHERS = {
  AssertionJti: ({ requireAssertionJti }) => requireAssertionJti === true,
  GrantTypes: ({ grantTypes }) => grantTypes.every((type) => GRANT_TYPES.has(type)),
  RedirectUris: ({ redirectUris, developmentMode }) => !developmentMode && redirectUris.every(isProtected),
} as const satisfies Readonly<Record<string, (config: AssuranceSettings) => boolean>>

/** A requirement that is left to those who configure an application. */
export type Fapi2Note = keyof typeof OTHERS

export interface Fapi2Requirement {
  readonly key: keyof typeof DECISIVE | Fapi2Note
  readonly isMet: boolean
}

function checked<Key extends string>(
  rules: Readonly<Record<Key, (config: AssuranceSettings) => boolean>>,
  config: AssuranceSettings,
) {
  return (Object.keys(rules) as Key[]).map((key) => ({ key, isMet: rules[key](config) }))
}

/** The requirements of the profile, and which of them a configuration meets. */
export function fapi2Requirements(config: AssuranceSettings): readonly Fapi2Requirement[] {
  return [...checked(DECISIVE, config), ...checked(OTHERS, config)]
}

/** Whether the server treats an application by the profile, whatever a request says. */
export function isHighAssurance(config: AssuranceSettings): boolean {
  return checked(DECISIVE, config).every(({ isMet }) => isMet)
}

/** What is missing in an application that is treated by the profile. */
export function fapi2Notes(config: AssuranceSettings): readonly Fapi2Note[] {
  if (!isHighAssurance(config)) return []
  return checked(OTHERS, config).flatMap(({ key, isMet }) => (isMet ? [] : [key]))
}
