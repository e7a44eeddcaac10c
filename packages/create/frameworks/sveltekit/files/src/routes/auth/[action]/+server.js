import { error, redirect } from '@sveltejs/kit'
import * as client from 'openid-client'
import { APP_URL, CLIENT_ID, CLIENT_SECRET, ISSUER } from '$env/static/private'
import { readSession, writeSession } from '$lib/server/session.js'

let discovered
function discover() {
  // Plain http is for a server on your own machine only.
  const execute = ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : []
  discovered ??= client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, { execute })
  return discovered
}

async function signIn({ cookies }) {
  const config = await discover()
  const asked = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() }
  await writeSession(cookies, { asked })
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_URL}/auth/callback`,
    scope: 'openid profile email',
    state: asked.expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(asked.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
}

async function callback({ cookies, url }) {
  const config = await discover()
  const { asked } = await readSession(cookies)
  const tokens = await client.authorizationCodeGrant(config, new URL(`/auth/callback${url.search}`, APP_URL), asked)
  const { sub, name } = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  // The cookie holds the session, and browsers keep 4,096 bytes of it: no tokens but this one, and two claims.
  await writeSession(cookies, { user: { sub, name }, idToken: tokens.id_token })
  return '/'
}

async function signOut({ cookies }) {
  const config = await discover()
  const { idToken = '' } = await readSession(cookies)
  await writeSession(cookies, {})
  // Without the token, users are asked whether they want to sign out.
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${APP_URL}/` })
}

const actions = { 'sign-in': signIn, callback, 'sign-out': signOut }

export async function GET(event) {
  const action = actions[event.params.action]
  if (action === undefined) error(404)
  redirect(303, await action(event))
}
