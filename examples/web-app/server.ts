/**
 * A web app that is rendered on the server. Users sign in with Signet; the app keeps their tokens and gives the browser a
 * cookie of its own. The page of the app is shown to signed-in users only.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as client from 'openid-client'
import { setting } from '../settings.ts'

const home = setting('WEB_APP')
const issuer = new URL(setting('ISSUER'))
const redirectUri = `${home}/callback`
const config = await client.discovery(
  issuer,
  setting('WEB_APP_CLIENT_ID'),
  setting('WEB_APP_CLIENT_SECRET'),
  undefined,
  {
    // Only for a Signet on this machine; leave it out when the issuer is https.
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  },
)

interface Session {
  /** What was sent to Signet, to check the answer. */
  readonly asked?: { readonly verifier: string; readonly state: string; readonly nonce: string }
  readonly user?: client.UserInfoResponse
  readonly idToken?: string
}

/** In memory: users sign in again after a restart. */
const sessions = new Map<string, Session>()

function sessionId(request: IncomingMessage): string {
  return /(?:^|; )app_session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
}

/** A new session, with a new id: an id that was known before the sign-in is worth nothing after it. */
function startSession(response: ServerResponse, session: Session): void {
  const id = randomBytes(24).toString('base64url')
  sessions.set(id, session)
  const secure = home.startsWith('https:') ? '; Secure' : ''
  response.setHeader('set-cookie', `app_session=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`)
}

function redirect(response: ServerResponse, url: string | URL): void {
  response.writeHead(303, { location: String(url) }).end()
}

async function signIn(response: ServerResponse): Promise<void> {
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
  startSession(response, { asked: { verifier, state, nonce } })
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }
  redirect(response, client.buildAuthorizationUrl(config, parameters))
}

async function finishSignIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { asked } = sessions.get(sessionId(request)) ?? {}
  sessions.delete(sessionId(request))
  if (asked === undefined) return redirect(response, '/')
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url ?? '', home), {
    pkceCodeVerifier: asked.verifier,
    expectedState: asked.state,
    expectedNonce: asked.nonce,
  })
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
  startSession(response, { user, idToken: tokens.id_token ?? '' })
  redirect(response, '/')
}

function signOut(request: IncomingMessage, response: ServerResponse): void {
  const { idToken = '' } = sessions.get(sessionId(request)) ?? {}
  sessions.delete(sessionId(request))
  const parameters = { id_token_hint: idToken, post_logout_redirect_uri: `${home}/` }
  redirect(response, idToken === '' ? '/' : client.buildEndSessionUrl(config, parameters))
}

function show(response: ServerResponse, user: client.UserInfoResponse | undefined): void {
  const text = (value: unknown) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (user === undefined) response.end('<h1>Please sign in</h1><a href="/sign-in">Sign in</a>')
  else response.end(`<h1>Hello ${text(user.name)}</h1><p>${text(user.email)}</p><a href="/sign-out">Sign out</a>`)
}

const server = createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url ?? '', home)
    if (pathname === '/sign-in') await signIn(response)
    else if (pathname === '/callback') await finishSignIn(request, response)
    else if (pathname === '/sign-out') signOut(request, response)
    else show(response, sessions.get(sessionId(request))?.user)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end('Sign-in failed. Please try again.')
  }
})
server.listen(Number(new URL(home).port), () => console.log(`web app: ${home}`))
