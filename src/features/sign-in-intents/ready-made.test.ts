import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { openProviderWorld } from '../../../test/support/provider-world.ts'
import { newSigningKey, writeToken } from '../../../test/support/scripted-provider.ts'
import type { GuardedFetch } from '../../outbound/fetch.ts'

const BOSS = { bearer: 'boss' }
const key = newSigningKey('key-1')

/** A provider out in the world, as far as we can tell: it gives a token for every code. */
function playProvider(origin: string, metadata: Record<string, unknown>) {
  const play = { claims: {} as Record<string, unknown>, nonce: '', fields: new URLSearchParams() }
  const reply = (body: unknown) =>
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  const fetch: GuardedFetch = async (url, request) => {
    if (url.endsWith('/.well-known/openid-configuration')) {
      return reply({
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        ...metadata,
      })
    }
    if (url === `${origin}/keys`) return reply({ keys: [key.publicJwk] })
    assert.equal(url, `${origin}/token`)
    play.fields = new URLSearchParams(String(request?.body))
    const iat = Math.floor(Date.now() / 1000)
    const claims = { aud: 'client', sub: 'account', iat, exp: iat + 300, nonce: play.nonce, ...play.claims }
    const idToken = writeToken({ alg: 'RS256', kid: key.kid }, claims, key.privateKey)
    return reply({ access_token: 'a', token_type: 'Bearer', id_token: idToken })
  }
  return { play, fetch }
}

suite('ready-made providers', () => {
  test('Microsoft accepts the tenant that the token names, and no token that only claims one', async (t) => {
    const origin = 'https://login.microsoftonline.com'
    const issuer = `${origin}/{tenantid}/v2.0`
    const { play, fetch } = playProvider(origin, { issuer })
    const world = await openProviderWorld({ fetchOutside: fetch })
    t.after(() => world.dispose())
    const { addAzureADProvider } = ManagementService.method
    const providerOptions = { isCreationAllowed: true, isAutoCreation: true }
    const client = { clientId: 'client', clientSecret: 's', providerOptions }
    const { id } = await world.call(addAzureADProvider, { name: 'Microsoft', ...client }, BOSS)
    const go = async (claims: Record<string, unknown>) => {
      const { authUrl, state, intentId } = await world.start(id)
      play.nonce = new URL(authUrl).searchParams.get('nonce') ?? ''
      play.claims = claims
      const url = await world.finishAt(new URLSearchParams({ code: 'c', state }))
      return { error: url.searchParams.get('error'), last: (await world.eventsOf(intentId)).at(-1)?.data }
    }
    const tid = '9188040d-6c67-4c5b-b112-36a304b66dad'
    assert.equal((await go({ tid, iss: `${origin}/${tid}/v2.0` })).error, null)
    const mismatch = { error: 'sign_in_failed', last: { reason: 'issuer_mismatch' } }
    assert.deepEqual(await go({ tid, iss: `${origin}/00000000-0000-0000-0000-000000000000/v2.0` }), mismatch)
    assert.deepEqual(await go({ tid, iss: issuer }), mismatch)
    assert.deepEqual(await go({ tid, iss: 'https://evil.example/v2.0' }), mismatch)
  })

  test('Apple answers with a form, and gets a secret that we signed', async (t) => {
    const origin = 'https://appleid.apple.com'
    const { play, fetch } = playProvider(origin, { issuer: origin })
    const world = await openProviderWorld({ fetchOutside: fetch })
    t.after(() => world.dispose())
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const { id } = await world.call(
      ManagementService.method.addAppleProvider,
      { name: 'Apple', clientId: 'client', teamId: 'TEAM567890', keyId: 'KEY4567890', privateKey: Buffer.from(pem) },
      BOSS,
    )
    const { authUrl, state } = await world.start(id)
    const sent = new URL(authUrl).searchParams
    assert.equal(sent.get('response_mode'), 'form_post')
    play.nonce = sent.get('nonce') ?? ''
    play.claims = { iss: origin, email: 'a@corp.example', email_verified: 'true' }
    const url = await world.finishAt(new URLSearchParams({ code: 'c', state }))
    assert.equal(url.searchParams.get('error'), null)
    const [header = '', claims = '', signature = ''] = (play.fields.get('client_secret') ?? '').split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    assert.equal(isSigned, true)
    assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub, 'client')
  })
})
