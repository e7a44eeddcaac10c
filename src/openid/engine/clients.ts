/** The clients of the OpenID engine: applications. Machines are served without it, see machine-tokens.ts. */
import { createPublicKey, randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import type { AdapterPayload, ClientMetadata } from 'oidc-provider'
import {
  type AgentClient,
  activeApplicationOfClient,
  agentKindOf,
  findAgent,
  isHighAssurance,
  type LivingApplication,
  newestKeysOfApplication,
  type OidcConfig,
  type RedirectRules,
  readApplicationKey,
} from '../../features/applications/index.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { OAuthError } from '../answers.ts'
import { CIBA } from '../routes.ts'

/** The engine validates registered addresses by rules of its own; `isRedirectAllowed` asks ours instead. */
const PLACEHOLDER = 'https://client.invalid/'

/** The members of a client that name its application, and the addresses that it may receive answers at. */
export const APPLICATION_MEMBER = 'signet_application'
export const REDIRECTS_MEMBER = 'signet_redirects'
/** The member of a client that says what the engine has no metadata for. */
export const RULES_MEMBER = 'signet_rules'

export interface EngineRules {
  readonly requiresPkce: boolean
  /** Whether the FAPI 2.0 Security Profile applies. */
  readonly isHighAssurance: boolean
}

export type Redirects = RedirectRules & Pick<OidcConfig, 'redirectUris'>

function redirectsOf({ redirectUris, applicationType, developmentMode }: OidcConfig): Redirects {
  return { redirectUris, applicationType, developmentMode }
}

const GRANT_TYPES: Readonly<Record<OidcConfig['grantTypes'][number], string | undefined>> = {
  authorization_code: 'authorization_code',
  // Not offered, see docs/decisions.
  implicit: undefined,
  refresh_token: 'refresh_token',
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  ciba: CIBA,
}

const AUTH_METHODS = {
  basic: 'client_secret_basic',
  post: 'client_secret_post',
  none: 'none',
  private_key_jwt: 'private_key_jwt',
} as const

/** An assertion that does not name its key (`kid`) is verified with this many of the newest ones. */
const MOST_UNNAMED_KEYS = 10

/** The ID of the key that signed an assertion, as the assertion says; undefined when it does not. */
function keyIdOf(assertion: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(assertion)
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

/** A key with the algorithm that it is for: RSA keys have two, and sign with RS256 where the application names none. */
function jwkOf(publicKey: string, config: LivingApplication['config']) {
  const key = createPublicKey(publicKey)
  const alg = config.type === 'oidc' && config.clientAssertionAlgorithm === 'PS256' ? 'PS256' : 'RS256'
  return { ...key.export({ format: 'jwk' }), ...(key.asymmetricKeyType === 'rsa' && { alg }) }
}

/**
 * The public keys of an application that the assertions of a request may have been signed with, as JSON Web Keys. Parsing
 * one takes time, and anybody can name an application with hundreds of them.
 */
async function jwksOf(
  app: App,
  { id: applicationId, state: { config } }: Document<LivingApplication>,
  assertions: readonly string[],
): Promise<NonNullable<ClientMetadata['jwks']>> {
  const ids = assertions.map(keyIdOf)
  const named = await Promise.all(ids.map((id) => (id === undefined ? undefined : readApplicationKey(app, id))))
  const newest = ids.includes(undefined) ? await newestKeysOfApplication(app, applicationId, MOST_UNNAMED_KEYS) : []
  const own = [...newest, ...named].flatMap((key) => (key?.state.applicationId === applicationId ? [key] : []))
  const keys = [...new Map(own.map((key) => [key.id, key])).values()]
  const now = app.clock()
  return {
    keys: keys
      .filter(({ state }) => state.expiresAt > now)
      .map(({ id, state }) => ({ ...jwkOf(state.publicKey, config), kid: id, use: 'sig' })) as NonNullable<
      ClientMetadata['jwks']
    >['keys'],
  }
}

/** What a request contains that says how its client authenticates. */
interface Asked {
  readonly assertions: readonly string[]
  /** Whether the client was proven before; it shows a secret that stands for that. */
  readonly isProven: boolean
  /** Whether it is a trial that ends at the console: nobody can push that, and its code gives no token. */
  readonly isTrial: boolean
  /** Whether it is an authorization request of a browser, pushed or not. */
  readonly isAuthorization: boolean
  /** Counts a document that is fetched for the request; false: there were too many from the same source. */
  mayFetch(): boolean
}

/** What an application must do besides what all must, as the engine knows it. */
function rulesOf(config: OidcConfig, { isTrial, isAuthorization }: Asked) {
  const { clientAssertionAlgorithm: algorithm } = config
  const rules: EngineRules = {
    requiresPkce: config.requirePkce === true,
    isHighAssurance: isHighAssurance(config),
  }
  return {
    require_pushed_authorization_requests: config.requirePushedAuthorizationRequests === true && !isTrial,
    require_signed_request_object: config.requireSignedRequestObject === true && isAuthorization && !isTrial,
    dpop_bound_access_tokens: config.requireDpop === true,
    // Ed25519 has two names; which keys there are decides then.
    ...(algorithm !== undefined && algorithm !== 'EdDSA' && { request_object_signing_alg: algorithm }),
    [RULES_MEMBER]: rules,
  }
}

/** How the application asks on the back channel. We tell it of a decision ourselves: the engine need not know where. */
function backchannelOf({ ciba, clientAssertionAlgorithm: algorithm }: OidcConfig) {
  const isFixed = ciba?.requireSignedRequests === true && algorithm !== undefined && algorithm !== 'EdDSA'
  return {
    backchannel_token_delivery_mode: ciba?.notificationUri === undefined ? 'poll' : 'ping',
    ...(ciba?.notificationUri !== undefined && { backchannel_client_notification_endpoint: PLACEHOLDER }),
    ...(isFixed && { backchannel_authentication_request_signing_alg: algorithm }),
  }
}

async function clientOfApplication(
  app: App,
  application: Document<LivingApplication>,
  asked: Asked,
): Promise<AdapterPayload | undefined> {
  const { id, state } = application
  const { assertions, isProven } = asked
  const { config, clientId, name } = state
  // A service provider of SAML is no client here.
  if (config.type === 'saml') return undefined
  const method = isProven ? AUTH_METHODS.post : AUTH_METHODS[config.authMethod]
  const isOidc = config.type === 'oidc'
  const grantTypes = isOidc ? config.grantTypes.flatMap((type) => GRANT_TYPES[type] ?? []) : []
  const hasCode = isOidc && config.responseTypes.includes('code') && grantTypes.includes('authorization_code')
  return {
    client_id: clientId,
    client_name: name,
    // The engine wants one to be there; the hash of the real one is compared by `compareClientSecret`. Random, so that
    // nothing can be signed with it.
    ...(method.startsWith('client_secret') && { client_secret: randomBytes(32).toString('hex') }),
    token_endpoint_auth_method: method,
    redirect_uris: hasCode ? [PLACEHOLDER] : [],
    response_types: hasCode ? ['code'] : [],
    grant_types: grantTypes,
    application_type: isOidc && config.applicationType === 'native' ? 'native' : 'web',
    ...(isOidc && grantTypes.includes(CIBA) && backchannelOf(config)),
    ...(config.authMethod === 'private_key_jwt' && { jwks: await jwksOf(app, application, assertions) }),
    [APPLICATION_MEMBER]: id,
    ...(isOidc && { [REDIRECTS_MEMBER]: redirectsOf(config), ...rulesOf(config, asked) }),
  } as AdapterPayload
}

/** A client that nobody prepared. Which application it is depends on the resource that it asks for. */
function clientOfAgent({ clientId, name, config }: AgentClient, { isProven }: Asked): AdapterPayload {
  const method = isProven ? AUTH_METHODS.post : AUTH_METHODS[config.authMethod]
  return {
    client_id: clientId,
    client_name: name,
    // As for applications: the engine wants a secret to be there, and the proof is checked before it is asked.
    ...(isProven && { client_secret: randomBytes(32).toString('hex') }),
    ...(config.authMethod === 'private_key_jwt' && { jwks: { keys: [] } }),
    token_endpoint_auth_method: method,
    redirect_uris: [PLACEHOLDER],
    response_types: ['code'],
    grant_types: config.grantTypes.flatMap((type) => GRANT_TYPES[type] ?? []),
    application_type: config.applicationType === 'native' ? 'native' : 'web',
    [REDIRECTS_MEMBER]: redirectsOf(config),
  } as AdapterPayload
}

/** The client with this ID, if it is an application that can be used; with the keys that the assertions name. */
export async function findClient(app: App, clientId: string, asked: Asked): Promise<AdapterPayload | undefined> {
  if (agentKindOf(clientId) !== undefined) {
    const agent = await findAgent(app, clientId, asked.mayFetch)
    if (typeof agent === 'string') throw new OAuthError('invalid_client', `The client cannot be used: ${agent}.`, 401)
    return agent && clientOfAgent(agent, asked)
  }
  const found = await activeApplicationOfClient(app, clientId)
  return found && clientOfApplication(app, found.application, asked)
}
