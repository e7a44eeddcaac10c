/**
 * The metadata of a client that nobody prepared (RFC 7591 §2): from its document, or as it registers itself. What is written
 * there was chosen by a stranger, so only what is needed is read, in bounds, and everything that does not fit is refused.
 * Pure.
 */
import { nameProblem } from '../../../kernel/name.ts'
import type { ClientKeys, OidcApplicationType, OidcConfig } from '../events.ts'
import { isOnDevice, redirectUriProblem, unusedBecause } from '../redirect-uris.ts'
import { readKeys } from './client-keys.ts'

/** A client as it describes itself. */
export interface ClientMetadata {
  /** As users see it: the name that it gave itself, and the host that says so. */
  readonly name: string
  /** The name that it gave itself alone. */
  readonly givenName: string
  readonly redirectUris: readonly string[]
  readonly applicationType: OidcApplicationType
  readonly hasRefreshToken: boolean
  /** What it proves itself with; undefined: it does not. */
  readonly keys?: ClientKeys
}

/** What is wrong with metadata, as RFC 7591 §3.2.2 names it. */
export interface MetadataProblem {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri'
  readonly description: string
}

export const MOST_REDIRECT_URIS = 20
const LONGEST_URI = 500
const LONGEST_NAME = 60

type Json = Readonly<Record<string, unknown>>

function wrong(description: string): MetadataProblem {
  return { error: 'invalid_client_metadata', description }
}

/** Members with which a client would say that it shares a secret with us, or that we should fetch something for it. */
const REFUSED = [
  'client_secret',
  'client_secret_expires_at',
  'sector_identifier_uri',
  'request_uris',
  'software_statement',
  'backchannel_logout_uri',
  'frontchannel_logout_uri',
  'initiate_login_uri',
]

/** The values of a list that are supported; a client that can do more than we offer does without. */
const SUPPORTED: Readonly<Record<string, readonly string[]>> = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

function listProblem(metadata: Json, name: string, needs: string): MetadataProblem | undefined {
  const list = metadata[name]
  if (list === undefined) return undefined
  if (!Array.isArray(list) || list.length > 20 || !list.every((one) => typeof one === 'string')) {
    return wrong(`${name} must be a list of texts`)
  }
  return list.includes(needs) ? undefined : wrong(`${name} must contain ${needs}`)
}

function redirectProblem(uris: unknown): MetadataProblem | undefined {
  const invalid = (description: string): MetadataProblem => ({ error: 'invalid_redirect_uri', description })
  if (!Array.isArray(uris) || uris.length === 0) return invalid('redirect_uris must be a list with at least one URI')
  if (uris.length > MOST_REDIRECT_URIS) return invalid(`redirect_uris has more than ${MOST_REDIRECT_URIS} URIs`)
  const rules = { applicationType: 'native', developmentMode: false } as const
  for (const uri of uris) {
    const isUsable =
      typeof uri === 'string' &&
      uri.length <= LONGEST_URI &&
      redirectUriProblem(uri, false) === undefined &&
      unusedBecause(uri, rules) === undefined &&
      isPlainScheme(uri)
    if (!isUsable)
      return invalid('a redirect URI is none that can be used: https, http on loopback, or a scheme of an app')
  }
  return undefined
}

/** A scheme of an app has the form of a domain (RFC 8252 §7.1): others belong to programs that the client did not write. */
function isPlainScheme(uri: string): boolean {
  return /^(?:https?|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):/.test(uri)
}

const BY_KEY = 'private_key_jwt'

/** The ways to authenticate with a secret. A client that registers itself and asks for one is told that it has none. */
const BY_SECRET: readonly unknown[] = ['client_secret_basic', 'client_secret_post']

function authProblem(metadata: Json, isDocument: boolean): MetadataProblem | undefined {
  const { token_endpoint_auth_method: method = 'none', jwks, jwks_uri: uri } = metadata
  if (method === BY_KEY) return undefined
  if (jwks !== undefined || uri !== undefined) return wrong(`jwks and jwks_uri need ${BY_KEY}`)
  if (method === 'none' || (!isDocument && BY_SECRET.includes(method))) return undefined
  return wrong(`token_endpoint_auth_method must be none or ${BY_KEY}`)
}

function typeProblem({ application_type: type }: Json): MetadataProblem | undefined {
  return type === undefined || type === 'web' || type === 'native' ? undefined : wrong('application_type is unknown')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function problemOf(metadata: Json, isDocument: boolean): MetadataProblem | undefined {
  const refused = REFUSED.find((name) => metadata[name] !== undefined)
  if (refused !== undefined) return wrong(`${refused} is not supported`)
  return (
    authProblem(metadata, isDocument) ??
    typeProblem(metadata) ??
    listProblem(metadata, 'grant_types', 'authorization_code') ??
    listProblem(metadata, 'response_types', 'code') ??
    redirectProblem(metadata.redirect_uris)
  )
}

/** The host that users can judge a client by: where its document is, or else where users are sent back to. */
function hostOf(uri: string): string {
  const url = URL.parse(uri)
  if (url === null) return uri
  return isOnDevice(uri) ? (url.host === '' ? url.protocol.slice(0, -1) : url.hostname) : url.host
}

/**
 * The name that users see. The host is always there: the name itself could be anybody's. Invisible characters and those that
 * change the direction of writing are refused (`nameProblem`); letters of several scripts in one word look like others, so
 * such a name is left out.
 */
function shownName(given: unknown, host: string): string | MetadataProblem {
  if (given !== undefined && typeof given !== 'string') return wrong('client_name must be a text')
  const name = (given ?? '').trim()
  if (name === '') return host
  if (nameProblem(name) !== undefined) return wrong('client_name contains characters that cannot be shown')
  const isMixed = name.split(/\s/u).some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1)
  return isMixed ? host : `${name.slice(0, LONGEST_NAME)} (${host})`
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** Reads metadata; `documentUrl` is where they are published, undefined for a client that registers itself. */
export function readMetadata(given: unknown, documentUrl?: string): ClientMetadata | MetadataProblem {
  if (!isObject(given)) return wrong('the metadata must be an object')
  const problem = problemOf(given, documentUrl !== undefined)
  if (problem !== undefined) return problem
  const redirectUris = given.redirect_uris as readonly string[]
  const name = shownName(given.client_name, hostOf(documentUrl ?? redirectUris[0] ?? ''))
  if (typeof name !== 'string') return name
  const keys = given.token_endpoint_auth_method === BY_KEY ? readKeys(given) : undefined
  if (typeof keys === 'string') return wrong(keys)
  const { grant_types: grantTypes = documentUrl === undefined ? [] : SUPPORTED.grant_types } = given
  return {
    name,
    givenName: String(given.client_name ?? '').slice(0, LONGEST_NAME),
    redirectUris: [...new Set(redirectUris)],
    applicationType: redirectUris.some(isOnDevice) || given.application_type === 'native' ? 'native' : 'web',
    hasRefreshToken: (grantTypes as readonly string[]).includes('refresh_token'),
    ...(keys !== undefined && { keys }),
  }
}

export function isProblem(read: ClientMetadata | MetadataProblem): read is MetadataProblem {
  return 'error' in read
}

/** How an application behaves that such a client is: users are always asked. */
export function configOfClient({ redirectUris, applicationType, hasRefreshToken, keys }: ClientMetadata): OidcConfig {
  return {
    type: 'oidc',
    redirectUris,
    postLogoutRedirectUris: [],
    responseTypes: ['code'],
    grantTypes: hasRefreshToken ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    applicationType,
    authMethod: keys === undefined ? 'none' : BY_KEY,
    developmentMode: false,
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: false,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: false,
    clockSkewMs: 0,
    additionalOrigins: [],
    backChannelLogoutUri: '',
    skipNativeAppSuccessPage: false,
    isThirdParty: true,
  }
}
