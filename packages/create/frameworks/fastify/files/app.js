import cookie from '@fastify/cookie'
import session from '@fastify/session'
import Fastify from 'fastify'
import * as client from 'openid-client'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, POST_LOGOUT_REDIRECT_URI, SESSION_SECRET } = process.env
const callback = new URL(REDIRECT_URI)
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // Plain http is for a server on your own machine only.
  execute: ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : [],
})

const app = Fastify({ logger: { level: 'warn' } })
await app.register(cookie)
// In memory, for a start: users sign in again after a restart.
await app.register(session, {
  secret: SESSION_SECRET,
  // Browsers send cookies to every port of a host: apps on localhost need names of their own.
  cookieName: `session-${CLIENT_ID}`,
  cookie: { secure: callback.protocol === 'https:', sameSite: 'lax' },
})

app.get('/', async (request, reply) => {
  reply.type('text/html; charset=utf-8')
  const { user } = request.session
  if (user === undefined) return '<h1>Please sign in</h1><a href="/sign-in">Sign in</a>'
  const name = String(user.name).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<h1>Hello ${name}</h1><a href="/sign-out">Sign out</a>`
})

app.get('/sign-in', async (request, reply) => {
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  request.session.asked = asked
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return reply.redirect(url.href, 303)
})

app.get(callback.pathname, async (request, reply) => {
  const tokens = await client.authorizationCodeGrant(config, new URL(request.url, callback), request.session.asked)
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  // A new session gets a new ID: one from before the sign-in is worth nothing after it.
  await request.session.regenerate()
  request.session.user = user
  request.session.idToken = tokens.id_token
  return reply.redirect('/', 303)
})

app.get('/sign-out', async (request, reply) => {
  const url = client.buildEndSessionUrl(config, {
    // Without it, users are asked whether they want to sign out.
    id_token_hint: request.session.idToken ?? '',
    post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
  })
  await request.session.destroy()
  return reply.redirect(url.href, 303)
})

await app.listen({ port: Number(callback.port || 80), host: 'localhost' })
console.log(`Open ${callback.origin}`)
