/** Applications sign users in with the authorization code flow, with a third-party client. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import * as client from 'openid-client'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

for (const engine of engines) {
  suite(`the code flow on ${engine.name}`, () => {
    let world: OpenIdWorld

    before(async () => {
      world = await openOpenIdWorld({ engine })
      await world.addPerson('ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('gives an application tokens for the user who signed in', async () => {
      const application = await world.addApplication({ grantTypes: [0, 2] })
      const config = await client.discovery(
        new URL(world.url),
        application.clientId,
        application.clientSecret,
        undefined,
        { execute: [client.allowInsecureRequests] },
      )
      const verifier = client.randomPKCECodeVerifier()
      const nonce = client.randomNonce()
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT_URI,
        scope: 'openid profile email offline_access',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        state: 'the state',
      })
      const browser = world.browser()
      const page = await browser.open(url.href)
      const stop = await world.signIn(browser, page, 'ada')
      assert.ok(stop.url.startsWith(REDIRECT_URI), `${stop.url} ${stop.text}`)
      const tokens = await client.authorizationCodeGrant(config, new URL(stop.url), {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: 'the state',
      })
      const claims = tokens.claims() ?? assert.fail('no ID token')
      const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      assert.equal(info.email, 'ada@example.com')
      assert.equal(info.preferred_username, 'ada')
      const introspected = await client.tokenIntrospection(config, tokens.access_token)
      assert.equal(introspected.active, true)
      const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
      assert.notEqual(refreshed.access_token, tokens.access_token)
    })
  })
}
