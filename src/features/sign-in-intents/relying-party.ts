/**
 * The only file that is an OpenID Connect and OAuth 2.0 client, with openid-client. The library is loaded with the
 * first sign-in; none of its errors leaves this file.
 */

import type * as OpenId from 'openid-client'
import { PATHS } from '../../kernel/page-paths.ts'
import { type App, perApp } from '../../module/app.ts'
import type { OpenedProvider } from '../identity-providers/index.ts'
import { openBoundedCache } from './bounded-cache.ts'
import type { EntryAttributes } from './ldap/entry.ts'
import {
  type Claims,
  checkedClaims,
  checkedSubject,
  checkIdToken,
  isIssuer,
  mergeClaims,
  restrictedMetadata,
  SKEW_SECONDS,
  withPrimaryEmail,
} from './provider-claims.ts'
import type { AssertedXml } from './saml/account.ts'
import { type Phase, reasonOf, SignInFailed } from './sign-in-failed.ts'

/** The secrets of one sign-in. `verifier` is that of PKCE (RFC 7636). */
export interface Handshake {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The information of a provider about an account after a sign-in. */
export interface ProviderAnswer {
  /** The ID of the account at the provider. Together with the ID of the provider it is the only key. */
  readonly subject: string
  readonly claims: Claims
  readonly accessToken: string
  readonly idToken?: string | undefined
  readonly refreshToken?: string | undefined
  /** The entry of a directory. */
  readonly ldap?: EntryAttributes | undefined
  /** The assertion of a SAML provider. */
  readonly saml?: AssertedXml | undefined
  /** When the access token or the assertion ends, in milliseconds, if the provider says so. */
  readonly endsAt?: number | undefined
  /** Set for a token that signs in once; names it. */
  readonly tokenMark?: string | undefined
}

type Library = typeof OpenId

/** A provider with its metadata: discovered, or configured by its administrator. */
interface Client {
  readonly openid: Library
  readonly config: OpenId.Configuration
  readonly metadata: Claims
}

/** The cached data of a provider, by its issuer. */
interface CachedProvider {
  readonly metadata: string
  /** The keys that were used last. */
  keys?: OpenId.ExportedJWKSCache | undefined
}

/** Timeout for all requests to a provider together. */
const LONGEST_WAIT_MS = 20_000
const MOST_PROVIDERS = 500
/** The maximum size of one response. */
const MOST_BYTES = 1024 * 1024
/** Larger key sets are not cached. */
const MOST_KEY_CHARACTERS = 100_000
const METADATA_MILLISECONDS = 10 * 60 * 1000

const cachedProviders = perApp(({ clock }) =>
  openBoundedCache<CachedProvider>(clock, MOST_PROVIDERS, METADATA_MILLISECONDS),
)

function redirectUriOf({ externalUrl }: App): string {
  return new URL(PATHS.providerCallback, externalUrl).href
}

/** When all requests to a provider together must have ended. */
export function deadlineOf({ config }: App): AbortSignal {
  return AbortSignal.timeout(Math.min(LONGEST_WAIT_MS, config.longestWaitMs))
}

/** Runs a step, and converts all errors of the library to `SignInFailed`. */
async function during<Value>(phase: Phase, step: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    throw error instanceof SignInFailed ? error : new SignInFailed(reasonOf(error, phase), { cause: error })
  }
}

function isInsecure(url: string | undefined): boolean {
  return URL.parse(url ?? '')?.protocol === 'http:'
}

/**
 * The fetch function of the library: guarded, with one deadline; follows redirects only for requests without secrets.
 */
function fetchWithin({ fetchOutside }: App, deadline: AbortSignal): OpenId.CustomFetch {
  return (url, { method, headers, body, signal }) => {
    const content = body === undefined || body === null ? undefined : String(body)
    return fetchOutside(url, {
      method,
      headers: { ...headers, 'user-agent': 'Signet' },
      ...(content !== undefined && { body: content }),
      mostBytes: MOST_BYTES,
      followsRedirects: method === 'GET' && !('authorization' in headers),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    })
  }
}

/**
 * Drops the ID token of a token response. The library checks each one that it sees, but without a configured issuer there
 * is nothing to check it against: the user endpoint alone says who the account is.
 */
function withoutIdToken(fetch: OpenId.CustomFetch, tokenEndpoint: string): OpenId.CustomFetch {
  const { href } = new URL(tokenEndpoint)
  return async (url, options) => {
    const response = await fetch(url, options)
    if (url !== href || response.status !== 200) return response
    const tokens: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (typeof tokens !== 'object' || tokens === null || !('id_token' in tokens)) return response
    const { id_token: _, ...rest } = tokens
    return new Response(JSON.stringify(rest), { headers: response.headers })
  }
}

/** The authentication method at the token endpoint. */
function authenticationOf(openid: Library, { clientSecret: secret, type }: OpenedProvider): OpenId.ClientAuth {
  return (server, client, body, headers) => {
    // Basic is the default (OpenID Connect Core §9), but not all providers decode it as required.
    const offered = server.token_endpoint_auth_methods_supported
    const posts = type === 'oauth' || offered?.includes('client_secret_post') === true
    const authenticate =
      secret === '' ? openid.None() : posts ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret)
    return authenticate(server, client, body, headers)
  }
}

/** The library uses the system clock; the skew adjusts it to that of the app. */
function clientMetadata({ clock }: App, openid: Library) {
  return {
    [openid.clockSkew]: Math.round((clock() - Date.now()) / 1000),
    [openid.clockTolerance]: SKEW_SECONDS,
  }
}

/** The metadata document of a provider: cached or fetched, without the algorithms that we refuse. */
async function metadataOf(app: App, issuer: string, fetch: () => Promise<Response>): Promise<Response> {
  const cached = cachedProviders(app).get(issuer)
  if (cached !== undefined) {
    return new Response(cached.metadata, { headers: { 'content-type': 'application/json' } })
  }
  const response = await fetch()
  if (response.status !== 200) return response
  const metadata = checkedClaims(JSON.parse(await response.text()), 'metadata_invalid')
  return new Response(JSON.stringify(restrictedMetadata(metadata)), response)
}

async function discover(app: App, openid: Library, provider: OpenedProvider, deadline: AbortSignal): Promise<Client> {
  const { issuer = '', clientId } = provider
  const outside = fetchWithin(app, deadline)
  const config = await openid.discovery(
    new URL(issuer),
    clientId,
    clientMetadata(app, openid),
    authenticationOf(openid, provider),
    {
      [openid.customFetch]: (url, init) => metadataOf(app, issuer, () => outside(url, init)),
      execute: isInsecure(issuer) ? [openid.allowInsecureRequests] : [],
    },
  )
  config[openid.customFetch] = outside
  // Without it, the signature of a token that came over TLS is not checked.
  openid.enableNonRepudiationChecks(config)
  const metadata = config.serverMetadata()
  if (!isIssuer(provider, metadata.issuer)) throw new SignInFailed('issuer_mismatch')
  const cached = cachedProviders(app).get(issuer)
  if (cached?.keys !== undefined) openid.setJwksCache(config, cached.keys)
  if (cached === undefined) cachedProviders(app).set(issuer, { metadata: JSON.stringify(metadata) })
  return { openid, config, metadata }
}

/** A provider without discovery, configured by its administrator. */
function describe(app: App, openid: Library, provider: OpenedProvider, deadline: AbortSignal): Client {
  const { authorizationEndpoint = '', tokenEndpoint = '', clientId } = provider
  const metadata = {
    issuer: provider.issuer ?? new URL(tokenEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
  }
  const config = new openid.Configuration(
    metadata,
    clientId,
    clientMetadata(app, openid),
    authenticationOf(openid, provider),
  )
  const outside = fetchWithin(app, deadline)
  config[openid.customFetch] = provider.issuer === undefined ? withoutIdToken(outside, tokenEndpoint) : outside
  if (isInsecure(tokenEndpoint)) openid.allowInsecureRequests(config)
  return { openid, config, metadata }
}

function openClient(app: App, provider: OpenedProvider): Promise<Client> {
  const deadline = deadlineOf(app)
  return during('discovery', async () => {
    const openid = await import('openid-client')
    return provider.type === 'oidc'
      ? discover(app, openid, provider, deadline)
      : describe(app, openid, provider, deadline)
  })
}

/** The response for the library. `iss` cannot be checked for a provider without an issuer. */
function answerUrl(app: App, { type, issuer }: OpenedProvider, answer: URLSearchParams): URL {
  const url = new URL(redirectUriOf(app))
  for (const [name, value] of answer) {
    if (name !== 'iss' || type === 'oidc' || issuer !== undefined) url.searchParams.append(name, value)
  }
  return url
}

/** When a token ends that has just come; undefined when the provider says nothing that can be. */
function endOf(app: App, { expires_in = 0 }: { readonly expires_in?: number | undefined }): number | undefined {
  return expires_in > 0 ? app.clock() + expires_in * 1000 : undefined
}

async function redeemOidc(
  app: App,
  provider: OpenedProvider,
  { openid, config, metadata }: Client,
  handshake: Handshake,
  answer: URLSearchParams,
): Promise<ProviderAnswer> {
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = handshake
  const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true }
  const tokens = await during('token', () =>
    openid.authorizationCodeGrant(config, answerUrl(app, provider, answer), checks),
  )
  const cached = cachedProviders(app).get(provider.issuer ?? '')
  const keys = openid.getJwksCache(config)
  if (cached !== undefined && JSON.stringify(keys ?? {}).length <= MOST_KEY_CHARACTERS) cached.keys = keys
  const { access_token: accessToken, id_token: text = '', refresh_token: refreshToken } = tokens
  const endsAt = endOf(app, tokens)
  const claims: Claims = { ...tokens.claims() }
  const subject = checkedSubject(claims.sub)
  await during('token', () =>
    checkIdToken({ claims, text, accessToken, clientId: provider.clientId, nowInSeconds: app.clock() / 1000 }),
  )
  const information: Claims =
    metadata.userinfo_endpoint === undefined || provider.mapsIdToken === true
      ? {}
      : await during('information', () => openid.fetchUserInfo(config, accessToken, subject))
  return { subject, claims: mergeClaims(claims, information), accessToken, idToken: text, refreshToken, endsAt }
}

async function redeemOauth(
  app: App,
  provider: OpenedProvider,
  { openid, config }: Client,
  handshake: Handshake,
  answer: URLSearchParams,
): Promise<ProviderAnswer> {
  const checks = { expectedState: handshake.state, pkceCodeVerifier: handshake.verifier }
  const tokens = await during('token', () =>
    openid.authorizationCodeGrant(config, answerUrl(app, provider, answer), checks),
  )
  const { access_token: accessToken, refresh_token: refreshToken } = tokens
  const endsAt = endOf(app, tokens)
  const ask = (url: string) => {
    const headers = new Headers({ accept: 'application/json' })
    return openid.fetchProtectedResource(config, accessToken, new URL(url), 'GET', null, headers)
  }
  const { idAttribute, userEndpoint = '', emailsEndpoint } = provider
  const claims = await during('information', async () => {
    const response = await ask(userEndpoint)
    if (response.status !== 200) throw response
    const information = checkedClaims(JSON.parse(await response.text()))
    if (emailsEndpoint === undefined) return information
    // Without the scope there is no list, and no verified address.
    const list = await ask(emailsEndpoint)
    return withPrimaryEmail(information, list.status === 200 ? JSON.parse(await list.text()) : [])
  })
  const subject = checkedSubject(idAttribute === undefined ? (claims.sub ?? claims.id) : claims[idAttribute])
  return { subject, claims, accessToken, refreshToken, endsAt }
}

/** The URL at the provider for the browser. Throws `SignInFailed`. */
export async function authorizationUrl(
  app: App,
  provider: OpenedProvider,
  { state, nonce, verifier }: Handshake,
  loginHint?: string,
): Promise<string> {
  const { openid, config } = await openClient(app, provider)
  const { type, scopes, responseMode } = provider
  const isOidc = type === 'oidc'
  const scope = [...new Set(isOidc ? ['openid', ...scopes] : scopes)].join(' ')
  return during('discovery', async () => {
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUriOf(app),
      ...(scope !== '' && { scope }),
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isOidc && { nonce }),
      ...(responseMode !== undefined && { response_mode: responseMode }),
      // Without a hint, people who are signed in there with one account can still choose another.
      ...(loginHint !== undefined && loginHint !== '' ? { login_hint: loginHint } : { prompt: 'select_account' }),
    })
    return url.href
  })
}

/** Exchanges the response of the browser for the information about the account. Throws `SignInFailed`. */
export async function redeemAnswer(
  app: App,
  provider: OpenedProvider,
  handshake: Handshake,
  answer: URLSearchParams,
): Promise<ProviderAnswer> {
  const isForCodes = provider.type === 'oidc' || provider.type === 'oauth'
  if (!isForCodes || (!answer.has('code') && !answer.has('error'))) throw new SignInFailed('response_invalid')
  const client = await openClient(app, provider)
  const redeem = provider.type === 'oidc' ? redeemOidc : redeemOauth
  const redeemed = await redeem(app, provider, client, handshake, answer)
  checkedClaims({ ...redeemed })
  return redeemed
}
