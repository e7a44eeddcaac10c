import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, POST_LOGOUT_REDIRECT_URI } = process.env
const callback = new URL(REDIRECT_URI)
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http is for a server on your own machine only.
  execute: ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : [],
})

/** Browsers send cookies to every port of a host: apps on localhost need names of their own. */
const COOKIE = `session-${CLIENT_ID}`

/** In memory, for a start: users sign in again after a restart. */
const sessions = new Map()

function sessionOf(request) {
  const cookies = (request.headers.cookie ?? '').split('; ')
  return sessions.get(cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1))
}

/** A new session gets a new ID: one from before the sign-in is worth nothing after it. */
function startSession(response, session) {
  const id = randomUUID()
  sessions.set(id, session)
  const secure = callback.protocol === 'https:' ? '; Secure' : ''
  response.setHeader('set-cookie', `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`)
}

async function signIn(_, response) {
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  startSession(response, { asked })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  response.writeHead(303, { location: url.href }).end()
}

async function finishSignIn(request, response) {
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, callback), sessionOf(request)?.asked)
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  startSession(response, { user, idToken: tokens.id_token })
  response.writeHead(303, { location: '/' }).end()
}

function signOut(request, response) {
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: sessionOf(request)?.idToken ?? '',
    post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
  })
  startSession(response, {})
  response.writeHead(303, { location: url.href }).end()
}

function home(request, response) {
  const { user } = sessionOf(request) ?? {}
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (user === undefined) return response.end('<h1>Please sign in</h1><a href="/sign-in">Sign in</a>')
  const name = String(user.name).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return response.end(`<h1>Hello ${name}</h1><a href="/sign-out">Sign out</a>`)
}

const pages = { '/': home, '/sign-in': signIn, '/sign-out': signOut, [callback.pathname]: finishSignIn }

createServer(async (request, response) => {
  const page = pages[new URL(request.url, callback).pathname]
  if (page === undefined) return response.writeHead(404).end()
  try {
    await page(request, response)
  } catch (error) {
    console.error(error)
    response.writeHead(500).end('The sign-in failed. Please try again.')
  }
}).listen(callback.port || 80, () => console.log(`Open ${callback.origin}`))
