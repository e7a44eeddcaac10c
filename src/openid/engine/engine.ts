/** The OpenID engine: `oidc-provider` with our configuration. It is loaded at the first request that needs it. */
import { generateKeyPairSync } from 'node:crypto'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { agentKindOf, trialRedirectUri } from '../../features/applications/index.ts'
import {
  approvalIdOf,
  deviceIdOf,
  POLLING_INTERVAL_MS,
  pollApproval,
  pollDevice,
  REQUEST_COOKIE,
  STANDARD_SCOPES,
} from '../../features/authorization-requests/index.ts'
import { grants } from '../../features/grants/index.ts'
import { activePerson } from '../../features/users/index.ts'
import { type App, perApp } from '../../module/app.ts'
import { CLIENT_ALGS } from '../assertions.ts'
import { claimsOf, requestedClaims, USER_CLAIMS } from '../claims.ts'
import { originOf } from '../origin.ts'
import { CIBA, ROUTES } from '../routes.ts'
import { adaptersOf } from './adapter.ts'
import { checkDetails, issuedDetails, shownDetails } from './authorization-details.ts'
import { approvalLifetime, BACKCHANNEL, checkSignedRequest } from './backchannel.ts'
import { APPLICATION_MEMBER, findClient, REDIRECTS_MEMBER, RULES_MEMBER } from './clients.ts'
import { assertionsIn, currentContext, limitClients, limitUsers, progressOf, requestOf, rulesOf } from './context.ts'
import { registerTokenExchange } from './exchange-token.ts'
import { explainRefusal } from './explain-refusal.ts'
import { checkAskedLevel } from './level.ts'
import { answerWhenAuthenticated } from './library/authenticated-client.ts'
import { Provider } from './library/index.ts'
import { replaceModels } from './library/models.ts'
import { DPOP_NONCES, replaceNonces } from './library/nonces.ts'
import { pageFor, promptPolicy } from './policy.ts'
import { reportRefusedClients } from './refused-clients.ts'
import { RESOURCE_INDICATORS } from './resources.ts'

const MINUTE = 60

/** The engine wants a key to start with; ID tokens are signed with our web keys instead (see library/models.ts). */
function placeholderKeys(): NonNullable<Configuration['jwks']> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' } as never] }
}

/** A user as the engine sees them. */
async function findAccount(ctx: KoaContextWithOIDC, id: string) {
  const { app } = requestOf(ctx)
  const person = await activePerson(app.store, id)
  if (person === undefined) return undefined
  return {
    accountId: id,
    async claims(use: string, scope: string) {
      const grant = await app.store.get(grants, ctx.oidc.grant?.jti ?? '')
      if (grant?.state.status !== 'open') return { sub: id }
      const { subject } = grant.state
      const place = use === 'id_token' ? 'id_token' : 'userinfo'
      const source = { user: person.user, subject, scope, requested: requestedClaims(subject.claims, place) }
      return claimsOf(app, source, { hasProfile: true, hasRoles: true })
    },
  }
}

/** Each sign-in opens a grant of its own; it is stored together with its code. */
async function newGrant(provider: Provider, ctx: KoaContextWithOIDC) {
  const { app } = requestOf(ctx)
  const { client, account, params } = ctx.oidc
  const grant = new provider.Grant({ accountId: account?.accountId ?? '', clientId: client?.clientId ?? '' })
  grant.jti = app.newId()
  grant.addOIDCScope(String(params?.scope ?? ''))
  for (const uri of Object.keys(ctx.oidc.resourceServers ?? {}))
    grant.addResourceScope(uri, String(params?.scope ?? ''))
  return grant
}

function lifetimesOf(): NonNullable<Configuration['ttl']> {
  const inSeconds = (milliseconds: number) => Math.max(1, Math.floor(milliseconds / 1000))
  return {
    AuthorizationCode: MINUTE,
    AccessToken: (ctx) => inSeconds(requestOf(ctx).lifetimes.accessTokenMs),
    IdToken: (ctx) => inSeconds(requestOf(ctx).lifetimes.idTokenMs),
    RefreshToken(ctx, token) {
      const { refreshIdleMs, refreshAbsoluteMs } = requestOf(ctx).lifetimes
      const left = refreshAbsoluteMs - token.totalLifetime() * 1000
      return inSeconds(Math.min(refreshIdleMs, left))
    },
    Interaction: 60 * MINUTE,
    DeviceCode: 5 * MINUTE,
    BackchannelAuthenticationRequest: approvalLifetime,
    PushedAuthorizationRequest: MINUTE,
    Session: 60 * MINUTE,
    Grant: 60 * MINUTE,
  }
}

function featuresOf(): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    ciba: BACKCHANNEL,
    claimsParameter: { enabled: true, assertClaimsParameter: checkAskedLevel },
    clientCredentials: { enabled: false },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    dPoP: { enabled: true, ...DPOP_NONCES },
    introspection: { enabled: true },
    revocation: { enabled: true, allowedPolicy: async (_, client, token) => client.clientId === token.clientId },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: true, assertJwtClaimsAndHeader: checkSignedRequest },
    resourceIndicators: RESOURCE_INDICATORS,
    // Our own page ends sessions, see end-session.ts.
    rpInitiatedLogout: { enabled: false },
    backchannelLogout: { enabled: false },
    userinfo: { enabled: true },
  }
}

function askedIn(ctx: KoaContextWithOIDC, clientId: string) {
  const { app, proven, mayStart, trial } = requestOf(ctx)
  const isTrial = trial?.clientId === clientId && ctx.query.redirect_uri === trialRedirectUri(app)
  const isAuthorization = ctx.oidc.route === 'authorization' || ctx.oidc.route === 'pushed_authorization_request'
  const isProven = proven?.clientId === clientId
  return { assertions: assertionsIn(ctx), isProven, isTrial, isAuthorization, mayFetch: mayStart }
}

/** Of a refresh token that stays the same, this part of its lifetime passes before a new one takes its place. */
const RENEWAL = 0.7

/**
 * Refresh tokens are used once, except where the FAPI 2.0 Security Profile applies, which wants them to stay the same
 * (section 5.3.2.1): the client proves who it is with each. A new one then only makes its lifetime longer.
 */
function isRotated(ctx: KoaContextWithOIDC): boolean {
  if (!rulesOf(ctx.oidc.client).isHighAssurance) return true
  return (ctx.oidc.entities.RefreshToken?.ttlPercentagePassed() ?? 0) >= RENEWAL * 100
}

function configurationOf(app: App): Configuration {
  return {
    routes: ROUTES,
    scopes: [...STANDARD_SCOPES],
    claims: { openid: ['sub'], profile: [...USER_CLAIMS] },
    jwks: placeholderKeys(),
    adapter: adaptersOf(app, (id) => findClient(app, id, askedIn(currentContext(), id)), {
      loginClientId: () => requestOf(currentContext()).loginClientId,
      limitUsers: () => limitUsers(currentContext()),
      limitClients: () => limitClients(currentContext()),
      tokens: () => progressOf(currentContext()).tokens,
      isPublic: () => currentContext().oidc.client?.tokenEndpointAuthMethod === 'none',
      requiresDpop: () => currentContext().oidc.client?.dpopBoundAccessTokens === true,
      details: () => shownDetails(currentContext()),
    }),
    ttl: lifetimesOf(),
    features: featuresOf(),
    findAccount,
    interactions: { policy: promptPolicy(), url: pageFor },
    pkce: {
      required: (_, client) =>
        client.tokenEndpointAuthMethod === 'none' ||
        agentKindOf(client.clientId) !== undefined ||
        rulesOf(client).requiresPkce,
    },
    rotateRefreshToken: isRotated,
    // The adapters revoke grants themselves, see `revokeReused`.
    revokeGrantPolicy: () => false,
    issueRefreshToken: async (_, client, source) =>
      client.grantTypeAllowed('refresh_token') && source.scopes.has('offline_access'),
    expiresWithSession: async () => false,
    conformIdTokenClaims: false,
    // The engine's own feature wants to know the types at its start.
    extraParams: { authorization_details: checkDetails },
    enabledJWA: {
      // Also keeps out HMAC: a secret is known to us by its hash only, so no signature with it can be verified.
      clientAuthSigningAlgValues: [...CLIENT_ALGS],
      requestObjectSigningAlgValues: [...CLIENT_ALGS],
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: [APPLICATION_MEMBER, REDIRECTS_MEMBER, RULES_MEMBER], validator: () => {} },
    // Tokens are not sent by browsers on their own, so any origin may use the endpoints.
    clientBasedCORS: () => true,
    cookies: {
      // The value is 126 random bits and leads to a stored request: there is nothing to sign.
      short: { signed: false, httpOnly: true, sameSite: 'lax' },
      long: { signed: false, httpOnly: true, sameSite: 'lax' },
      names: { session: UNUSED_COOKIE, interaction: REQUEST_COOKIE, resume: 'signet_resume' },
    },
    // An error that must not be sent to the application is shown to the user.
    async renderError(ctx, { error, error_description: description }, fault) {
      const page = requestOf(ctx).errorPage(error, description, await explainRefusal(ctx, fault))
      ctx.type = page.contentType
      for (const [name, value] of Object.entries(page.headers ?? {})) ctx.set(name, [...[value].flat()])
      ctx.body = page.body
    },
    acceptQueryParamAccessTokens: false,
    // Nothing that a client registered is fetched.
    fetch: () => Promise.reject(new Error('clients have no addresses to fetch')),
  }
}

/** The engine sets a cookie for a session of its own, which is never stored; the bridge drops it. */
export const UNUSED_COOKIE = 'signet_unused'

/** For the page that posts an answer to the application; the engine adds the hash of its script. */
const FORM_POST_POLICY = "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'"

function asksTooEarly(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { app } = requestOf(ctx)
  const { grant_type: type, device_code: deviceCode, auth_req_id: requestId } = ctx.oidc.params ?? {}
  return type === CIBA
    ? pollApproval(app, originOf(app), approvalIdOf(String(requestId)))
    : pollDevice(app, originOf(app), deviceIdOf(String(deviceCode)))
}

/** The engine asks clients to authenticate at these endpoints; what the token is, is found out without it. */
answerWhenAuthenticated((ctx, clientId) => requestOf(ctx).onClient?.(clientId))

/** The grant types that endpoints of their own belong to. */
const GRANT_TYPE_OF: Readonly<Record<string, string>> = {
  device_authorization: 'urn:ietf:params:oauth:grant-type:device_code',
  backchannel_authentication: CIBA,
}

/** Whether the client of a request exists and may not use the grant type that the request is about. */
function hasForbiddenGrantType({ oidc: { route, client, params } }: KoaContextWithOIDC): boolean {
  const named = route === 'token' ? params?.grant_type : undefined
  const type = GRANT_TYPE_OF[route] ?? named
  return client !== undefined && typeof type === 'string' && !client.grantTypeAllowed(type)
}

/** Adds to the engine's answers what it leaves out. */
async function completeAnswer(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.path.startsWith(ROUTES.authorization)) {
    ctx.set({ 'content-security-policy': FORM_POST_POLICY, 'referrer-policy': 'no-referrer' })
  }
  await next()
  const { route } = ctx.oidc ?? {}
  const body = ctx.body as Readonly<Record<string, unknown>> | undefined
  if (Object.hasOwn(GRANT_TYPE_OF, route) && ctx.status === 200) {
    ctx.body = { ...body, interval: POLLING_INTERVAL_MS / 1000 }
  }
  if (body?.error === 'authorization_pending' && (await asksTooEarly(ctx))) {
    ctx.body = { error: 'slow_down', error_description: 'wait longer between two requests' }
  }
  if (route === 'token' && ctx.status === 200) ctx.body = { ...body, ...(await issuedDetails(ctx)) }
  // RFC 6749 §5.2 has an error of its own for it.
  if (body?.error === 'invalid_request' && hasForbiddenGrantType(ctx)) {
    ctx.body = { ...body, error: 'unauthorized_client' }
  }
}

/** The engine of an app. */
export const engineOf = perApp((app): Provider => {
  const provider = new Provider(app.externalUrl, {
    ...configurationOf(app),
    loadExistingGrant: (ctx) => newGrant(provider, ctx),
  })
  provider.use(completeAnswer)
  replaceModels(app, provider)
  replaceNonces(provider)
  registerTokenExchange(app, provider)
  reportRefusedClients(app, provider)
  provider.on('server_error', (ctx, error) => requestOf(ctx).onError(error))
  return provider
})
