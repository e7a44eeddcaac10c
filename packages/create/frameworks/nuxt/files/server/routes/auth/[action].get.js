import { createError, defineEventHandler, getRequestURL, getRouterParam, sendRedirect } from 'h3'
import * as client from 'openid-client'
import { sessionOf } from '../../utils/session.js'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL } = process.env

let discovered
function discover() {
  // Plain http is for a server on your own machine only.
  const execute = ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : []
  discovered ??= client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, { execute })
  return discovered
}

async function signIn(config, session) {
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  await session.clear()
  await session.update({ asked })
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_URL}/auth/callback`,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
}

async function callback(config, session, { search }) {
  const { asked } = session.data
  const tokens = await client.authorizationCodeGrant(config, new URL(`/auth/callback${search}`, APP_URL), asked)
  const { sub, name } = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  // The cookie holds the session, and browsers keep 4,096 bytes of it: no tokens but this one, and two claims.
  await session.clear()
  await session.update({ user: { sub, name }, idToken: tokens.id_token })
  return new URL('/', APP_URL)
}

async function signOut(config, session) {
  const { idToken = '' } = session.data
  await session.clear()
  // Without the token, users are asked whether they want to sign out.
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${APP_URL}/` })
}

const actions = { 'sign-in': signIn, callback, 'sign-out': signOut }

// biome-ignore lint/style/noDefaultExport: Nuxt reads the default export.
export default defineEventHandler(async (event) => {
  const action = actions[getRouterParam(event, 'action')]
  if (action === undefined) throw createError({ statusCode: 404 })
  const url = await action(await discover(), await sessionOf(event), getRequestURL(event))
  return sendRedirect(event, url.href, 303)
})
