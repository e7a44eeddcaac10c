import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openCanary } from '../../../test/support/canary.ts'
import { openProviderWorld } from '../../../test/support/provider-world.ts'
import { newSigningKey, SAM, writeToken } from '../../../test/support/scripted-provider.ts'
import { Refused } from '../../kernel/refusal.ts'
import { type GuardedFetch, openGuardedFetch } from '../../outbound/fetch.ts'

suite('addresses that a provider names', () => {
  test('are guarded each: nothing on this machine is reached through any of them', async (t) => {
    const canary = await openCanary()
    const key = newSigningKey('key-1')
    const metadata: Record<string, string> = {}
    let nonce = ''
    let issuer = ''
    const guard = openGuardedFetch({
      allowsPrivate: false,
      resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    // The provider itself is out in the world; whatever else it names is asked for through the guard.
    const fetchOutside: GuardedFetch = async (url, request) => {
      const reply = (body: unknown) =>
        new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
      if (url === `${issuer}/.well-known/openid-configuration`) return reply(metadata)
      if (url === `${issuer}/keys`) return reply({ keys: [key.publicJwk] })
      if (url === `${issuer}/userinfo`) return reply(SAM)
      if (url !== `${issuer}/token`) return guard(url, request)
      const iat = Math.floor(Date.now() / 1000)
      const claims = { iss: issuer, aud: 'signet-client', sub: SAM.sub, iat, exp: iat + 300, nonce }
      const idToken = writeToken({ alg: 'RS256', kid: key.kid }, claims, key.privateKey)
      return reply({ access_token: 'a', token_type: 'bearer', id_token: idToken })
    }
    const world = await openProviderWorld({ fetchOutside })
    t.after(async () => {
      canary.close()
      await world.dispose()
    })
    const spelled = [
      ...[
        '127.0.0.1',
        '2130706433',
        '0177.1',
        '[::ffff:7f00:1]',
        '[::1]',
        'a@127.0.0.1',
        'rebound.example',
        'localhost',
      ],
    ]
    const endpoints = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const
    let providers = 0
    const signIn = async (change: Record<string, string>) => {
      // Another one each time, of which nothing is remembered.
      issuer = `https://provider${++providers}.example`
      Object.assign(metadata, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        ...change,
      })
      const { authUrl, state, intentId } = await world.start(await world.addProvider(issuer))
      nonce = new URL(authUrl).searchParams.get('nonce') ?? ''
      const url = await world.finishAt(new URLSearchParams({ code: 'c', state }))
      return { error: url.searchParams.get('error'), last: (await world.eventsOf(intentId)).at(-1) }
    }
    assert.equal((await signIn({})).error, null)
    for (const endpoint of endpoints) {
      for (const host of spelled) {
        const { error, last } = await signIn({ [endpoint]: `https://${host}:${canary.port}/` })
        assert.equal(error, 'sign_in_failed', `${endpoint} ${host}`)
        assert.deepEqual(last?.data, { reason: 'address_forbidden' }, `${endpoint} ${host}`)
      }
      const { last } = await signIn({ [endpoint]: `http://127.0.0.1:${canary.port}/` })
      assert.deepEqual(last?.data, { reason: 'metadata_invalid' })
    }
    assert.equal(canary.connections(), 0)
  })

  test('are guarded from the first: an issuer on this machine is not asked', async (t) => {
    const canary = await openCanary()
    const world = await openProviderWorld({ fetchOutside: openGuardedFetch({ allowsPrivate: false }) })
    t.after(async () => {
      canary.close()
      await world.dispose()
    })
    for (const local of [
      `http://127.0.0.1:${canary.port}`,
      `https://localhost:${canary.port}`,
      `https://2130706433:${canary.port}`,
    ]) {
      const idpId = await world.addProvider(local)
      await assert.rejects(
        world.start(idpId),
        (error) => error instanceof Refused && error.code === 'intent.provider_failed',
      )
    }
    assert.equal(canary.connections(), 0)
    const events = await world.store.events({ kinds: ['intent'], limit: 10 })
    assert.deepEqual(
      events.map(({ data }) => (data as { reason: string }).reason),
      ['address_forbidden', 'address_forbidden', 'address_forbidden'],
    )
  })
})
