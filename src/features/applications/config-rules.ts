/** Which configurations are refused. Those that are only unwise are in `compliance.ts`. Pure. */
import type { Violation } from '../../kernel/refusal.ts'
import { endpointProblem, originProblem } from './addresses.ts'
import type { AndroidApp, ApplicationConfig, IosApp, OidcConfig, SamlConfig } from './events.ts'
import { type RedirectUriProblem, redirectUriProblem } from './redirect-uris.ts'

const MAX_CLOCK_SKEW_MS = 5000

const ADDRESS_SENTENCES: Readonly<Record<RedirectUriProblem, string>> = {
  absolute: 'must be an absolute URI such as https://app.example.com/callback',
  spaces: 'must not contain spaces; each URI is an entry of its own',
  characters:
    'must consist of printable ASCII characters without a backslash; a host in another script is written as xn--…',
  scheme_missing: 'must start with a scheme such as https://',
  scheme: 'must not have this scheme, because browsers open no application with it',
  fragment: 'must not have a fragment',
  host: 'must have a host after the two slashes',
  credentials: 'must not contain a username or password',
  wildcard: 'can have wildcards (*) only in development mode, in subdomains of a domain and in segments of the path',
  wildcard_place:
    'can have wildcards (*) only in subdomains of a domain that somebody registered and in segments of the path',
  origin: 'must be an origin such as https://app.example.com',
  endpoint: 'must be an https URL',
}

/** A rule of addresses with the sentence for its problem. */
function inWords(problemOf: (text: string) => RedirectUriProblem | undefined) {
  return (text: string): string | undefined => {
    const problem = problemOf(text)
    return problem && ADDRESS_SENTENCES[problem]
  }
}

function problemsOf(
  field: string,
  texts: readonly string[],
  problemOf: (text: string) => string | undefined,
): readonly Violation[] {
  return texts.flatMap((text, index) => {
    const description = problemOf(text)
    return description === undefined ? [] : [{ field: `${field}[${index}]`, description }]
  })
}

function grantProblems({ responseTypes, grantTypes }: OidcConfig): readonly Violation[] {
  const problems: Violation[] = []
  const needs = (grant: string, response: string) =>
    problems.push({
      field: 'grantTypes',
      description: `must contain ${grant} because the response type is ${response}`,
    })
  const hasGrant = (...grants: readonly OidcConfig['grantTypes'][number][]) =>
    grants.some((grant) => grantTypes.includes(grant))
  if (responseTypes.includes('code') && !hasGrant('authorization_code', 'device_code', 'ciba')) {
    needs('AUTHORIZATION_CODE', 'CODE')
  }
  if (responseTypes.includes('id_token') && !hasGrant('implicit')) needs('IMPLICIT', 'ID_TOKEN')
  if (responseTypes.includes('id_token_token') && !hasGrant('implicit')) needs('IMPLICIT', 'ID_TOKEN_TOKEN')
  return problems
}

const NEEDS_KEYS = 'needs the authentication method PRIVATE_KEY_JWT, with whose keys requests are signed'

/** Who asks users for approval must prove who it is: the name on the page is all that users know of it. */
function proofProblems({ grantTypes, authMethod, ciba, requireSignedRequestObject }: OidcConfig): readonly Violation[] {
  const problems: Violation[] = []
  const check = (isWrong: boolean, field: string, description: string | undefined) => {
    if (isWrong && description !== undefined) problems.push({ field, description })
  }
  const uri = ciba?.notificationUri
  check(grantTypes.includes('ciba') && authMethod === 'none', 'grantTypes', 'CIBA needs an authentication method')
  const hasNoKeys = authMethod !== 'private_key_jwt'
  check(hasNoKeys && ciba?.requireSignedRequests === true, 'cibaRequireSignedRequests', NEEDS_KEYS)
  check(hasNoKeys && requireSignedRequestObject === true, 'requireSignedRequestObject', NEEDS_KEYS)
  check(uri !== undefined, 'cibaNotificationUri', uri && inWords(endpointProblem)(uri))
  return problems
}

function iosProblems({ teamId, bundleId }: IosApp): readonly Violation[] {
  const problems: Violation[] = []
  if (!/^[A-Z0-9]{10}$/.test(teamId)) {
    problems.push({ field: 'ios.teamId', description: 'must consist of 10 capital letters and digits' })
  }
  if (bundleId === '') problems.push({ field: 'ios.bundleId', description: 'must not be empty' })
  return problems
}

const FINGERPRINT = /^(?:[0-9a-f]{2}:){31}[0-9a-f]{2}$|^[0-9a-f]{64}$/i

function androidProblems({ packageName, fingerprints }: AndroidApp): readonly Violation[] {
  const described = 'must be 32 hexadecimal bytes, with or without colons'
  const problems = problemsOf('android.sha256CertFingerprints', fingerprints, (text) =>
    FINGERPRINT.test(text) ? undefined : described,
  )
  return packageName === ''
    ? [...problems, { field: 'android.packageName', description: 'must not be empty' }]
    : problems
}

function oidcProblems(config: OidcConfig): readonly Violation[] {
  const { redirectUris, postLogoutRedirectUris, additionalOrigins, developmentMode, clockSkewMs } = config
  const { backChannelLogoutUri, ios, android } = config
  const isRedirect = inWords((text) => redirectUriProblem(text, developmentMode))
  const problems = [
    ...problemsOf('redirectUris', redirectUris, isRedirect),
    ...problemsOf('postLogoutRedirectUris', postLogoutRedirectUris, isRedirect),
    ...problemsOf('additionalOrigins', additionalOrigins, inWords(originProblem)),
    ...grantProblems(config),
    ...proofProblems(config),
    ...loginProblems(config),
    ...(ios === undefined ? [] : iosProblems(ios)),
    ...(android === undefined ? [] : androidProblems(android)),
  ]
  const check = (field: string, description: string | undefined) => {
    if (description !== undefined) problems.push({ field, description })
  }
  if (backChannelLogoutUri !== '') check('backChannelLogoutUri', inWords(endpointProblem)(backChannelLogoutUri))
  const isSkewValid = clockSkewMs >= 0 && clockSkewMs <= MAX_CLOCK_SKEW_MS
  check('clockSkew', isSkewValid ? undefined : 'must be between 0 and 5 seconds')
  return problems
}

function loginProblems({ loginVersion }: Pick<OidcConfig | SamlConfig, 'loginVersion'>): readonly Violation[] {
  const baseUri = loginVersion?.type === 'v2' ? loginVersion.baseUri : undefined
  const description = baseUri === undefined ? undefined : inWords(endpointProblem)(baseUri)
  return description === undefined ? [] : [{ field: 'loginVersion.loginV2.baseUri', description }]
}

/** Everything that is wrong with a configuration, by field. */
export function configProblems(config: ApplicationConfig): readonly Violation[] {
  switch (config.type) {
    case 'oidc':
      return oidcProblems(config)
    case 'saml':
      // What the metadata say is read before: see saml/read-config.ts.
      return loginProblems(config)
    case 'api':
      return []
  }
}
