/** The way to Signet and back: sign-in, callback and sign-out. Addresses come from the settings, never from a request. */
import type { JWTPayload } from 'jose'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { sealedCookie } from './cookies.ts'
import type { Incoming } from './incoming.ts'
import type { Issuer } from './issuer.ts'
import { rolesIn } from './people.ts'
import { keptTokens, type Sessions } from './session.ts'
import type { Settings } from './settings.ts'

const SIGN_IN_SECONDS = 600

/** What pages show; the rest stays at Signet, because a cookie is small. */
const KEPT_CLAIMS =
  /^(sub|name|given_name|family_name|preferred_username|email|email_verified|picture|locale|urn:zitadel:iam:user:resourceowner:id)$/

interface Asked extends JWTPayload {
  readonly state?: string
  readonly nonce?: string
  readonly verifier?: string
  readonly returnTo?: string
}

export function textAnswer(status: number, text: string, headers: [string, string][] = []): Response {
  const all = new Headers(headers)
  all.set('content-type', 'text/plain; charset=utf-8')
  all.set('x-content-type-options', 'nosniff')
  all.set('cache-control', 'no-store')
  return new Response(text, { status, headers: all })
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** A path of the app; undefined for everything that a browser could read as another host. */
export function ownPath(returnTo: string, appUrl: URL): string | undefined {
  // Browsers read a backslash as a slash, and leave out tabs and line breaks.
  if (!/^\/[^\\\p{Cc}]*$/u.test(returnTo) || !URL.canParse(returnTo, appUrl)) return undefined
  const url = new URL(returnTo, appUrl)
  return url.origin === appUrl.origin ? url.pathname + url.search + url.hash : undefined
}

export function signInOf(settings: Settings, appUrl: URL, issuer: Issuer, sessions: Sessions) {
  const { path, resource, scope } = settings
  const redirectUri = new URL(`${path}/callback`, appUrl).href
  const asking = sealedCookie(settings, 'sign-in')
  const forApi = resource === undefined ? {} : { resource }

  const start = async ({ path: address, header }: Incoming): Promise<Response> => {
    const query = new URL(address, appUrl).searchParams
    const returnTo = ownPath(query.get('returnTo') ?? '/', appUrl)
    if (returnTo === undefined) return textAnswer(400, 'returnTo must be a path of this app.')
    const asked = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), returnTo }
    const wishes = ['max_age', 'acr_values', 'login_hint', 'prompt', 'ui_locales'].flatMap((name) => {
      const value = query.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const url = buildAuthorizationUrl(await issuer.configuration(), {
      ...Object.fromEntries(wishes),
      ...forApi,
      redirect_uri: redirectUri,
      scope,
      state: asked.state,
      nonce: asked.nonce,
      code_challenge: await calculatePKCECodeChallenge(asked.verifier),
      code_challenge_method: 'S256',
    })
    return redirect(url.href, await asking.write(asked, SIGN_IN_SECONDS, header('cookie')))
  }

  /** Exchanges the code; throws when anything differs from what this browser asked for. */
  const finish = async (search: string, { state, nonce, verifier }: Asked, cookies: string) => {
    const config = await issuer.configuration()
    const checks = {
      expectedState: state as string,
      expectedNonce: nonce as string,
      pkceCodeVerifier: verifier as string,
      idTokenExpected: true,
    }
    const tokens = await authorizationCodeGrant(config, new URL(redirectUri + search), checks, forApi)
    const claims = tokens.claims() ?? ({} as never)
    // A token for an API is none for userinfo.
    const told = resource === undefined ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims
    const kept = Object.entries({ ...claims, ...told }).filter(([name]) => KEPT_CLAIMS.test(name))
    const session = {
      ...Object.fromEntries(kept),
      roles: rolesIn({ ...claims, ...told }),
      sid: claims.sid,
      acr: claims.acr,
      auth_time: claims.auth_time,
      scope: tokens.scope ?? scope,
      ...keptTokens(tokens, settings),
    }
    return sessions.start({ ...session, idToken: tokens.id_token ?? '' }, cookies)
  }

  const callback = async ({ path: address, header }: Incoming): Promise<Response> => {
    const cookies = header('cookie')
    const asked: Asked | undefined = await asking.read(cookies)
    // Used up by the first answer, whatever that is.
    const cleared = asking.clear(cookies).map((cookie): [string, string] => ['set-cookie', cookie])
    if (asked?.state === undefined)
      return textAnswer(400, 'This sign-in was not started in this browser, or is over. Please start again.')
    try {
      const started = await finish(new URL(address, appUrl).search, asked, cookies)
      return redirect(new URL(asked.returnTo ?? '/', appUrl).href, [...started, ...cleared.map(([, value]) => value)])
    } catch (error) {
      if (error instanceof AuthorizationResponseError) {
        const code = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'unknown'
        return textAnswer(400, `The sign-in failed: ${code}. Please start again.`, cleared)
      }
      console.error('Signet: a sign-in failed.', error instanceof Error ? error.message : '')
      if (error instanceof Error && error.message.startsWith('The session needs'))
        return textAnswer(500, error.message, cleared)
      return textAnswer(400, 'The sign-in failed. Please start again.', cleared)
    }
  }

  const signOut = async ({ header }: Incoming): Promise<Response> => {
    if (header('sec-fetch-site') === 'cross-site') return textAnswer(403, 'Another site cannot sign you out.')
    const cookies = header('cookie')
    const idToken = await sessions.idToken(cookies)
    const home = new URL('/', appUrl).href
    if (idToken === undefined) return redirect(home, sessions.cookie.clear(cookies))
    const query = { id_token_hint: idToken, post_logout_redirect_uri: home }
    return redirect(buildEndSessionUrl(await issuer.configuration(), query).href, sessions.cookie.clear(cookies))
  }

  return { start, callback, signOut }
}
