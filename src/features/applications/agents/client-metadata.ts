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
  /** The name that it gave itself, also if that is not shown. */
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

const MOST_REDIRECT_URIS = 20
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
    redirectProblem(metadata.redirect_uris) ??
    givenNameProblem(metadata.client_name)
  )
}

/** The host of an address; of one on the device of the user, what stands for the app there. */
export function shownHost(uri: string): string {
  const url = URL.parse(uri)
  if (url === null) return uri
  return isOnDevice(uri) ? (url.host === '' ? url.protocol.slice(0, -1) : url.hostname) : url.host
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** Letters, numbers, spaces and what is within names of products: nothing that looks like a dot, a slash or a bracket. */
const PLAIN = /^[\p{L}\p{M}\p{N} '’&+,_-]+$/u
/** Letters that look like dots, slashes or brackets, and names of hosts without a dot. */
const LIKE_A_HOST = /[\p{Script=Lisu}ꞏǀǁǃ]|^localhost$|xn--/iu

/**
 * The name that a client gave itself, as users see it; undefined: it is left out. The only host that users see is the one that
 * the code is sent to, so a name must not read as another one. Letters of several scripts in one word look like others.
 */
function shownName(given: string): string | undefined {
  const name = given.normalize('NFKC').trim()
  if (!PLAIN.test(name) || LIKE_A_HOST.test(name) || nameProblem(name) !== undefined) return undefined
  const isMixed = name.split(/\s/u).some((word) => {
    const letters = word.match(/\p{L}/gu) ?? []
    return SCRIPTS.some(
      (script) => letters.some((one) => script.test(one)) && !letters.every((one) => script.test(one)),
    )
  })
  return isMixed ? undefined : name.slice(0, LONGEST_NAME)
}

/**
 * What a client is called in lists: its name, and the host that it is known by, which is that of its document, or the one that
 * all of its addresses have.
 */
export function nameOf({ givenName, redirectUris }: ClientMetadata, clientId: string): string {
  const [host, ...others] = new Set((isDocument(clientId) ? [clientId] : redirectUris).map(shownHost))
  const name = shownName(givenName)
  if (host === undefined || others.length > 0) return name ?? clientId
  return name === undefined ? host : `${name} (${host})`
}

/** What such a client is called where users decide: the name without a host; undefined when it has none. */
export function nameWithoutHost(name: string): string | undefined {
  return shownName(name.replace(/ \([^()]*\)$/, ''))
}

function isDocument(clientId: string): boolean {
  return clientId.startsWith('https://')
}

function givenNameProblem(given: unknown): MetadataProblem | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'string') return wrong('client_name must be a text')
  if (given.trim() === '' || nameProblem(given.trim()) === undefined) return undefined
  return wrong('client_name contains characters that cannot be shown')
}

/** Reads metadata; `documentUrl` is where they are published, undefined for a client that registers itself. */
export function readMetadata(given: unknown, documentUrl?: string): ClientMetadata | MetadataProblem {
  if (!isObject(given)) return wrong('the metadata must be an object')
  const problem = problemOf(given, documentUrl !== undefined)
  if (problem !== undefined) return problem
  const redirectUris = given.redirect_uris as readonly string[]
  const keys = given.token_endpoint_auth_method === BY_KEY ? readKeys(given) : undefined
  if (typeof keys === 'string') return wrong(keys)
  const { grant_types: grantTypes = documentUrl === undefined ? [] : SUPPORTED.grant_types } = given
  return {
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
