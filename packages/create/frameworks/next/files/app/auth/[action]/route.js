import * as client from 'openid-client'
import { readSession, writeSession } from '../../../session.js'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL } = process.env

let discovered
function discover() {
  // Plain http is for a server on your own machine only.
  const execute = ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : []
  discovered ??= client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, { execute })
  return discovered
}

async function signIn() {
  const config = await discover()
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  await writeSession({ asked })
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_URL}/auth/callback`,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
}

async function callback(request) {
  const config = await discover()
  const { asked } = await readSession()
  const address = new URL(`/auth/callback${new URL(request.url).search}`, APP_URL)
  const tokens = await client.authorizationCodeGrant(config, address, asked)
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  await writeSession({ user, idToken: tokens.id_token })
  return new URL('/', APP_URL)
}

async function signOut() {
  const config = await discover()
  const { idToken = '' } = await readSession()
  await writeSession({})
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${APP_URL}/` })
}

const actions = { 'sign-in': signIn, callback, 'sign-out': signOut }

export async function GET(request, { params }) {
  const action = actions[(await params).action]
  if (action === undefined) return new Response(null, { status: 404 })
  return Response.redirect(await action(request), 303)
}
