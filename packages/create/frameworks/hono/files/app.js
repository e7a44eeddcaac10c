import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
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

/** A new session gets a new ID: one from before the sign-in is worth nothing after it. */
function startSession(context, session) {
  const id = randomUUID()
  sessions.delete(getCookie(context, COOKIE))
  sessions.set(id, session)
  setCookie(context, COOKIE, id, { httpOnly: true, sameSite: 'Lax', secure: callback.protocol === 'https:' })
}

const app = new Hono()

app.use(async (context, next) => {
  context.set('session', sessions.get(getCookie(context, COOKIE)) ?? {})
  await next()
})

app.get('/', (context) => {
  const { user } = context.get('session')
  if (user === undefined) return context.html(html`<h1>Please sign in</h1><a href="/sign-in">Sign in</a>`)
  return context.html(html`<h1>Hello ${user.name}</h1><a href="/sign-out">Sign out</a>`)
})

app.get('/sign-in', async (context) => {
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  startSession(context, { asked })
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return context.redirect(url.href, 303)
})

app.get(callback.pathname, async (context) => {
  const address = new URL(callback.pathname + new URL(context.req.url).search, callback)
  const tokens = await client.authorizationCodeGrant(config, address, context.get('session').asked)
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  startSession(context, { user, idToken: tokens.id_token })
  return context.redirect('/', 303)
})

app.get('/sign-out', (context) => {
  const url = client.buildEndSessionUrl(config, {
    // Without it, users are asked whether they want to sign out.
    id_token_hint: context.get('session').idToken ?? '',
    post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
  })
  startSession(context, {})
  return context.redirect(url.href, 303)
})

serve({ fetch: app.fetch, port: Number(callback.port || 80), hostname: 'localhost' }, () => {
  console.log(`Open ${callback.origin}`)
})
