/**
 * The one file that speaks OpenID Connect and OAuth 2.0 as a client, through openid-client. The library is loaded when
 * the first person signs in through a provider; none of its errors leaves this file.
 */
import type * as OpenId from 'openid-client'
import type { GuardedFetch } from '../../access/outbound-fetch.ts'
import type { Clock } from '../../kernel/instant.ts'
import { openBoundedCache } from './metadata-cache.ts'
import type { Provider } from './needs.ts'
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
import { type Phase, reasonOf, SignInFailed } from './sign-in-failed.ts'

/** Secrets of one sign-in, made when it begins. `verifier` is that of PKCE (RFC 7636). */
export interface Handshake {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What came of a sign-in at a provider. */
export interface ProviderAnswer {
  /** The account's id there: with the provider's own id, the only key that counts. */
  readonly subject: string
  readonly claims: Claims
  readonly accessToken: string
  readonly idToken?: string | undefined
  readonly refreshToken?: string | undefined
}

export interface RelyingParty {
  /** Where the browser must go. Throws `SignInFailed`. */
  authorizationUrl(provider: Provider, handshake: Handshake, loginHint?: string): Promise<string>
  /** Turns what the browser brought back into an identity. Throws `SignInFailed`. */
  redeem(provider: Provider, handshake: Handshake, answer: URLSearchParams): Promise<ProviderAnswer>
}

export interface RelyingPartyOptions {
  readonly fetch: GuardedFetch
  readonly clock: Clock
  /** Where providers send browsers back to. */
  readonly redirectUri: string
  /** For all that one request of ours asks of a provider. */
  readonly timeoutMilliseconds?: number
}

type Library = typeof OpenId

/** A provider that has said what it is, or was described by whoever set it up. */
interface Opened {
  readonly openid: Library
  readonly config: OpenId.Configuration
  readonly metadata: Claims
}

/** What is remembered of a provider, by its issuer. */
interface Remembered {
  readonly metadata: string
  /** Those that were used last. */
  keys?: OpenId.ExportedJWKSCache | undefined
}

const MOST_PROVIDERS = 500
/** Of one answer of a provider. */
const MOST_BYTES = 1024 * 1024
/** More keys than that are fetched again each time. */
const MOST_KEY_CHARACTERS = 100_000
const METADATA_MILLISECONDS = 10 * 60 * 1000

/** Does a step; whatever the library throws becomes ours. */
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

/** Opens the relying party of one process. */
export function openRelyingParty(options: RelyingPartyOptions): RelyingParty {
  const { fetch, clock, redirectUri, timeoutMilliseconds = 20_000 } = options
  const remembered = openBoundedCache<Remembered>(clock, MOST_PROVIDERS, METADATA_MILLISECONDS)

  /** The library's fetch: guarded, within one deadline; only what carries no secret is ever sent on. */
  const fetchWithin =
    (deadline: AbortSignal): OpenId.CustomFetch =>
    (url, { method, headers, body, signal }) => {
      const content = body === undefined || body === null ? undefined : String(body)
      return fetch(url, {
        method,
        headers: { ...headers, 'user-agent': 'Signet' },
        ...(content !== undefined && { body: content }),
        mostBytes: MOST_BYTES,
        followsRedirects: method === 'GET' && !('authorization' in headers),
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      })
    }

  /** How we prove who we are. */
  const authenticationOf =
    (openid: Library, { clientSecret: secret, type }: Provider): OpenId.ClientAuth =>
    (server, client, body, headers) => {
      // Basic is the default (OpenID Connect Core §9), but not every provider undoes the encoding that it asks for.
      const offered = server.token_endpoint_auth_methods_supported
      const posts = type === 'oauth' || offered?.includes('client_secret_post') === true
      const authenticate =
        secret === '' ? openid.None() : posts ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret)
      return authenticate(server, client, body, headers)
    }

  /** The library looks at the system's clock; what counts is ours. */
  const clientOf = (openid: Library) => ({
    [openid.clockSkew]: Math.round((clock() - Date.now()) / 1000),
    [openid.clockTolerance]: SKEW_SECONDS,
  })

  /** The document in which the provider says what it is: from memory, or from outside with what we refuse left out. */
  const metadataOf = async (issuer: string, ask: () => Promise<Response>): Promise<Response> => {
    const known = remembered.get(issuer)
    if (known !== undefined) {
      return new Response(known.metadata, { headers: { 'content-type': 'application/json' } })
    }
    const response = await ask()
    if (response.status !== 200) return response
    const metadata = checkedClaims(JSON.parse(await response.text()), 'metadata_invalid')
    return new Response(JSON.stringify(restrictedMetadata(metadata)), response)
  }

  const discover = async (openid: Library, provider: Provider, deadline: AbortSignal): Promise<Opened> => {
    const { issuer = '', clientId } = provider
    const outside = fetchWithin(deadline)
    const config = await openid.discovery(
      new URL(issuer),
      clientId,
      clientOf(openid),
      authenticationOf(openid, provider),
      {
        [openid.customFetch]: (url, init) => metadataOf(issuer, () => outside(url, init)),
        execute: isInsecure(issuer) ? [openid.allowInsecureRequests] : [],
      },
    )
    config[openid.customFetch] = outside
    // Without it, a token that came over TLS is believed without a look at its signature.
    openid.enableNonRepudiationChecks(config)
    const metadata = config.serverMetadata()
    if (!isIssuer(provider, metadata.issuer)) throw new SignInFailed('issuer_mismatch')
    const known = remembered.get(issuer)
    if (known?.keys !== undefined) openid.setJwksCache(config, known.keys)
    if (known === undefined) remembered.set(issuer, { metadata: JSON.stringify(metadata) })
    return { openid, config, metadata }
  }

  /** A provider that nobody can discover: it is what whoever set it up says it is. */
  const describe = (openid: Library, provider: Provider, deadline: AbortSignal): Opened => {
    const { authorizationEndpoint = '', tokenEndpoint = '', clientId } = provider
    const metadata = {
      issuer: provider.issuer ?? new URL(tokenEndpoint).origin,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
    }
    const config = new openid.Configuration(metadata, clientId, clientOf(openid), authenticationOf(openid, provider))
    config[openid.customFetch] = fetchWithin(deadline)
    if (isInsecure(tokenEndpoint)) openid.allowInsecureRequests(config)
    return { openid, config, metadata }
  }

  const open = (provider: Provider, deadline: AbortSignal): Promise<Opened> =>
    during('discovery', async () => {
      const openid = await import('openid-client')
      return provider.type === 'oidc' ? discover(openid, provider, deadline) : describe(openid, provider, deadline)
    })

  /** The answer as the library reads it; of a provider without an issuer, nothing can be said about who answers. */
  const answerUrl = ({ type, issuer }: Provider, answer: URLSearchParams): URL => {
    const url = new URL(redirectUri)
    for (const [name, value] of answer) {
      if (name !== 'iss' || type === 'oidc' || issuer !== undefined) url.searchParams.append(name, value)
    }
    return url
  }

  const redeemOidc = async (provider: Provider, opened: Opened, handshake: Handshake, answer: URLSearchParams) => {
    const { openid, config, metadata } = opened
    const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = handshake
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true }
    const tokens = await during('token', () =>
      openid.authorizationCodeGrant(config, answerUrl(provider, answer), checks),
    )
    const known = remembered.get(provider.issuer ?? '')
    const keys = openid.getJwksCache(config)
    if (known !== undefined && JSON.stringify(keys ?? {}).length <= MOST_KEY_CHARACTERS) known.keys = keys
    const { access_token: accessToken, id_token: text = '', refresh_token: refreshToken } = tokens
    const claims: Claims = { ...tokens.claims() }
    const subject = checkedSubject(claims.sub)
    await during('token', () =>
      checkIdToken({ claims, text, accessToken, clientId: provider.clientId, nowInSeconds: clock() / 1000 }),
    )
    const information: Claims =
      metadata.userinfo_endpoint === undefined || provider.mapsIdToken === true
        ? {}
        : await during('information', () => openid.fetchUserInfo(config, accessToken, subject))
    return { subject, claims: mergeClaims(claims, information), accessToken, idToken: text, refreshToken }
  }

  const redeemOauth = async (provider: Provider, opened: Opened, handshake: Handshake, answer: URLSearchParams) => {
    const { openid, config } = opened
    const checks = { expectedState: handshake.state, pkceCodeVerifier: handshake.verifier }
    const tokens = await during('token', () =>
      openid.authorizationCodeGrant(config, answerUrl(provider, answer), checks),
    )
    const { access_token: accessToken, refresh_token: refreshToken } = tokens
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
      // Without the scope for it there is no list, and no address that anybody vouches for.
      const list = await ask(emailsEndpoint)
      return withPrimaryEmail(information, list.status === 200 ? JSON.parse(await list.text()) : [])
    })
    const subject = checkedSubject(idAttribute === undefined ? (claims.sub ?? claims.id) : claims[idAttribute])
    return { subject, claims, accessToken, refreshToken }
  }

  return {
    async authorizationUrl(provider, { state, nonce, verifier }, loginHint) {
      const { openid, config } = await open(provider, AbortSignal.timeout(timeoutMilliseconds))
      const { type, scopes, responseMode } = provider
      const isOidc = type === 'oidc'
      const scope = [...new Set(isOidc ? ['openid', ...scopes] : scopes)].join(' ')
      return during('discovery', async () => {
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          ...(scope !== '' && { scope }),
          state,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(isOidc && { nonce }),
          ...(responseMode !== undefined && { response_mode: responseMode }),
          ...(loginHint !== undefined && loginHint !== '' && { login_hint: loginHint }),
        })
        return url.href
      })
    },

    async redeem(provider, handshake, answer) {
      if (!answer.has('code') && !answer.has('error')) throw new SignInFailed('response_invalid')
      const opened = await open(provider, AbortSignal.timeout(timeoutMilliseconds))
      const redeemed =
        provider.type === 'oidc'
          ? await redeemOidc(provider, opened, handshake, answer)
          : await redeemOauth(provider, opened, handshake, answer)
      checkedClaims({ ...redeemed })
      return redeemed
    },
  }
}
