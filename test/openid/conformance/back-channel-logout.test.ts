/** The module of the OpenID Foundation's plan "Back-Channel Logout OP": the application gets a logout token. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { ask, readIdToken, signInFor } from '../../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../../support/openid-world.ts'

const BYE = 'https://app.example/bye'

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

suite('the plan of back-channel logout', () => {
  let world: OpenIdWorld
  let address: string
  const received: { readonly type: string; readonly form: URLSearchParams }[] = []
  const receiver = createServer(async (request, response) => {
    const form = new URLSearchParams(await readText(request))
    received.push({ type: request.headers['content-type'] ?? '', form })
    response.end()
  })

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/logout`
    world = await openOpenIdWorld()
    await world.addPerson('ada')
  })

  after(async () => {
    receiver.close()
    assert.deepEqual(world.faults, [])
    await world.dispose()
  })

  test('oidcc-backchannel-rp-initiated-logout', async () => {
    const { body: discovery } = await ask(`${world.url}/.well-known/openid-configuration`)
    assert.equal(discovery.backchannel_logout_supported, true)
    assert.equal(discovery.backchannel_logout_session_supported, true)
    const application = await world.addApplication({ postLogoutRedirectUris: [BYE], backChannelLogoutUri: address })
    const browser = world.browser()
    const { id_token: hint } = await signInFor(world, application, { nonce: 'n-1' }, { browser })
    const { sub, sid } = await readIdToken(world, application, hint)
    const parameters = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: BYE })
    const stop = await browser.open(`${world.url}/oidc/v1/end_session?${parameters}`)
    assert.equal(stop.url, BYE)
    const runner = world.run()
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    await runner.stop()
    const [notice] = received
    assert.match(notice?.type ?? '', /^application\/x-www-form-urlencoded/)
    const token = notice?.form.get('logout_token') ?? ''
    const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: world.url,
      audience: application.clientId,
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
    })
    assert.notEqual(protectedHeader.alg, 'none')
    assert.equal(payload.sub, sub)
    assert.equal(payload.sid, sid)
    // OpenID Connect Back-Channel Logout §2.4: a logout token never has a nonce.
    assert.equal(payload.nonce, undefined)
    assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} })
    assert.ok((payload.exp ?? 0) - (payload.iat ?? 0) <= 20 * 60)
  })
})
