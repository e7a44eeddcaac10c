/** The modules of the OpenID Foundation's basic plan for relying parties, by their names, against a provider of ours. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { openProviderWorld, type ProviderWorld } from '../../../test/support/provider-world.ts'
import {
  type Json,
  newSigningKey,
  openScriptedProvider,
  SAM,
  type Script,
  type ScriptedProvider,
  writeToken,
} from '../../../test/support/scripted-provider.ts'

function omit(name: string, { [name]: _, ...rest }: Json): Json {
  return rest
}

suite('the basic plan for relying parties', () => {
  let world: ProviderWorld
  let provider: ScriptedProvider
  const otherKey = newSigningKey('key-2')
  before(async () => {
    world = await openProviderWorld()
  })
  // A new provider each time: nothing is remembered from the module before.
  const keyOfPlan = newSigningKey('key-1')
  beforeEach(async (t) => {
    provider = await openScriptedProvider(keyOfPlan)
    const { close } = provider
    if ('after' in t) t.after(() => close())
  })
  after(() => world.dispose())

  const run = async (script: Script = {}) => {
    provider.script = script
    const { authUrl, intentId } = await world.start(await world.addProvider(provider.issuer))
    const url = await world.finishAt(provider.answer(authUrl))
    return { authUrl: new URL(authUrl), url, intentId, token: url.searchParams.get('token') ?? '' }
  }
  const isAccepted = async (script?: Script) => {
    const ran = await run(script)
    assert.equal(ran.url.searchParams.get('error'), null)
    return ran
  }
  const isRejected = async (script: Script, reason: string) => {
    const { url, intentId } = await run(script)
    assert.equal(url.searchParams.get('error'), 'sign_in_failed')
    assert.deepEqual((await world.eventsOf(intentId)).at(-1)?.data, { reason })
  }

  test('oidcc-client-test', async () => {
    const { authUrl } = await isAccepted()
    const { searchParams: sent } = authUrl
    assert.equal(sent.get('response_type'), 'code')
    assert.equal(sent.get('code_challenge_method'), 'S256')
    assert.equal(sent.get('redirect_uri'), 'https://id.example/idps/callback')
    assert.deepEqual(sent.get('scope')?.split(' '), ['openid', 'profile', 'email'])
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((sent.get(name)?.length ?? 0) >= 43, name)
    assert.deepEqual(provider.asked.toSorted(), ['/.well-known/openid-configuration', '/keys', '/token', '/userinfo'])
  })
  test('oidcc-client-test-invalid-iss', () =>
    isRejected({ claims: (c) => ({ ...c, iss: `${c.iss}1` }) }, 'issuer_mismatch'))
  test('oidcc-client-test-missing-sub', () => isRejected({ claims: (c) => omit('sub', c) }, 'token_invalid'))
  test('oidcc-client-test-invalid-aud', () =>
    isRejected({ claims: (c) => ({ ...c, aud: `${c.aud}1` }) }, 'audience_mismatch'))
  test('oidcc-client-test-missing-iat', () => isRejected({ claims: (c) => omit('iat', c) }, 'token_invalid'))
  test('oidcc-client-test-kid-absent-single-jwks', async () => {
    await isAccepted({
      keys: ({ keys }) => ({ keys: keys.map((key) => omit('kid', key)) }),
      token: (c, { privateKey }) => writeToken({ alg: 'RS256' }, c, privateKey),
    })
  })
  // The plan lets a relying party try all keys or refuse; guessing is not for us.
  test('oidcc-client-test-kid-absent-multiple-jwks', () =>
    isRejected(
      {
        keys: ({ keys }) => ({ keys: [...keys, otherKey.publicJwk].map((key) => omit('kid', key)) }),
        token: (c, { privateKey }) => writeToken({ alg: 'RS256' }, c, privateKey),
      },
      'signature_invalid',
    ))
  test('oidcc-client-test-idtoken-sig-rs256', async () => {
    await isAccepted({ token: (c, { kid, privateKey }) => writeToken({ alg: 'RS256', kid }, c, privateKey) })
  })
  // The plan lets a relying party refuse what it never asked for.
  test('oidcc-client-test-idtoken-sig-none', () =>
    isRejected(
      {
        metadata: (m) => ({ ...m, id_token_signing_alg_values_supported: ['none', 'RS256'] }),
        token: (c) => writeToken({ alg: 'none' }, c, ''),
      },
      'algorithm_refused',
    ))
  test('oidcc-client-test-invalid-sig-rs256', () =>
    isRejected(
      { token: (c, { kid }) => writeToken({ alg: 'RS256', kid }, c, otherKey.privateKey) },
      'signature_invalid',
    ))
  test('oidcc-client-test-userinfo-invalid-sub', () =>
    isRejected({ userInfo: (u) => ({ ...u, sub: `${u.sub}1` }) }, 'subject_mismatch'))
  test('oidcc-client-test-nonce-invalid', () =>
    isRejected({ claims: (c) => ({ ...c, nonce: `${c.nonce}1` }) }, 'nonce_mismatch'))
  test('oidcc-client-test-scope-userinfo-claims', async () => {
    const { intentId, token } = await isAccepted()
    const { idpInformation } = await world.retrieve(intentId, token)
    assert.equal(idpInformation?.userId, SAM.sub)
    assert.equal(idpInformation?.rawInformation?.email, SAM.email)
    assert.equal(idpInformation?.rawInformation?.given_name, SAM.given_name)
  })
  test('oidcc-client-test-client-secret-basic', async () => {
    await isAccepted()
    const { authorization, fields } = provider.tokenRequests[0] ?? assert.fail('no token was asked for')
    const [, encoded = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? []
    // RFC 6749 §2.3.1: both parts are encoded as in a form first.
    const parts = Buffer.from(encoded, 'base64').toString().split(':')
    const decoded = parts.map((part) => [...new URLSearchParams(part).keys()][0])
    assert.deepEqual(decoded, [provider.clientId, 'a secret: 1+1=2'])
    assert.equal(fields.get('client_secret'), null)
  })

  test('a secret goes into the body where the provider takes it there', async () => {
    await isAccepted({
      metadata: (m) => ({ ...m, token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'] }),
    })
    const { authorization, fields } = provider.tokenRequests[0] ?? assert.fail('no token was asked for')
    assert.equal(authorization, undefined)
    assert.equal(fields.get('client_secret'), 'a secret: 1+1=2')
  })

  test('an issuer that promises to name itself must', async () => {
    const metadata: Script['metadata'] = (m) => ({ ...m, authorization_response_iss_parameter_supported: true })
    await isRejected({ metadata }, 'issuer_mismatch')
    const { issuer } = provider
    provider.script = {}
    const withIssuer: Script = {
      metadata,
      answer(honest) {
        honest.set('iss', issuer)
        return honest
      },
    }
    await isAccepted(withIssuer)
  })

  test('clocks may differ by a minute and no more', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    await isAccepted({ claims: (c) => ({ ...c, iat: now() + 50, nbf: now() + 50 }) })
    await isAccepted({ claims: (c) => ({ ...c, exp: now() - 50 }) })
    await isRejected({ claims: (c) => ({ ...c, exp: now() - 65 }) }, 'time_invalid')
  })
})
