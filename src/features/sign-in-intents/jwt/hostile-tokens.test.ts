/** Tokens that are wrong, and servers of keys that do harm: each is refused by one event and one error that says nothing. */
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { openCanary } from '../../../../test/support/canary.ts'
import { openProviderWorld, type ProviderWorld } from '../../../../test/support/parts/providers.ts'
import {
  intercept,
  type Json,
  newSigningKey,
  openScriptedProvider,
  type Script,
  type ScriptedProvider,
  without,
  writeToken,
} from '../../../../test/support/scripted-provider.ts'
import { openTokenGate, type TokenGate } from '../../../../test/support/token-gate.ts'
import { openGuardedFetch } from '../../../outbound/fetch.ts'
import type { FailureReason } from '../events.ts'

const otherKey = newSigningKey('key-1')
const ed = generateKeyPairSync('ed25519')

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** An honest token, cut into its claims. */
function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

/** What is in the header instead of an honest token. */
type Wrong = (gate: TokenGate) => string | undefined

/** A token with these claims instead of the honest ones. */
function claims(change: Json | (() => Json)): Wrong {
  return ({ token }) => token(typeof change === 'function' ? change() : change)
}

/** A token without a claim. */
function lacks(name: string): Wrong {
  return ({ server, token }) =>
    writeToken({ alg: 'RS256', kid: server.key.kid }, without(name)(claimsOf(token())), server.key.privateKey)
}

/** An honest token with another header, signed with another key. */
function header(more: Json, key: (server: ScriptedProvider) => Parameters<typeof writeToken>[2]): Wrong {
  return ({ server, token }) =>
    writeToken({ alg: 'RS256', kid: server.key.kid, ...more }, claimsOf(token()), key(server))
}

const own = ({ key }: ScriptedProvider) => key.privateKey
const pem = ({ key }: ScriptedProvider) =>
  createPublicKey({ key: key.publicJwk as never, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString()
const now = () => Math.floor(Date.now() / 1000)

const TOKENS: Readonly<Record<string, readonly [FailureReason, Wrong]>> = {
  'no header': ['response_invalid', () => undefined],
  'an empty header': ['response_invalid', () => 'Bearer '],
  'a word': ['token_invalid', () => 'Basic YTpi'],
  'two tokens': ['token_invalid', ({ token }) => `${token()}, ${token()}`],
  dots: ['token_invalid', () => '..'],
  'five parts, as if it were encrypted': ['token_invalid', ({ token }) => `${token()}.a.b`],
  'a header that is no JSON': ['token_invalid', () => `${part('{')}.${part({})}.AA`],
  'claims that are a list': [
    'token_invalid',
    ({ server }) => {
      const text = `${part({ alg: 'RS256', kid: 'key-1' })}.${part([])}`
      return `${text}.${sign('sha256', Buffer.from(text), server.key.privateKey).toString('base64url')}`
    },
  ],
  'a token that is too long': ['too_large', ({ token }) => token({ story: 'x'.repeat(20_000) })],
  'claims that are nested too deep': [
    'too_large',
    ({ token }) => token({ a: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }),
  ],
  'no signature': ['algorithm_refused', header({ alg: 'none' }, () => '')],
  'no signature, in other letters': [
    'algorithm_refused',
    ({ token }) => `${part({ alg: 'NoNe' })}.${part(claimsOf(token()))}.`,
  ],
  'the public key as a shared secret': ['algorithm_refused', header({ alg: 'HS256' }, pem)],
  'the published key as a shared secret': [
    'algorithm_refused',
    header({ alg: 'HS256' }, ({ key }) => JSON.stringify(key.publicJwk)),
  ],
  'an empty shared secret': [
    'algorithm_refused',
    ({ token }) => {
      const text = `${part({ alg: 'HS512' })}.${part(claimsOf(token()))}`
      return `${text}.${createHmac('sha512', '').update(text).digest('base64url')}`
    },
  ],
  'SHA-1': ['algorithm_refused', header({ alg: 'RS1' }, own)],
  'an algorithm that the key is not for': ['signature_invalid', header({ alg: 'RS512' }, own)],
  'another key under the right name': ['signature_invalid', header({}, () => otherKey.privateKey)],
  'a key that is not published': ['signature_invalid', header({ kid: 'key-9' }, () => otherKey.privateKey)],
  'a key of its own': ['signature_invalid', header({ jwk: otherKey.publicJwk }, () => otherKey.privateKey)],
  'an address of keys of its own': [
    'signature_invalid',
    header({ jku: 'https://evil.example/keys', x5u: 'https://evil.example/pem' }, () => otherKey.privateKey),
  ],
  'an unknown critical header': ['token_invalid', header({ crit: ['b64'], b64: false }, own)],
  'another signature': ['signature_invalid', ({ token }) => `${token().split('.').slice(0, 2).join('.')}.${part('x')}`],
  'other claims under the signature': [
    'signature_invalid',
    ({ token }) => {
      const [head, , tail] = token().split('.')
      return `${head}.${part({ ...claimsOf(token()), sub: 'admin' })}.${tail}`
    },
  ],
  'no issuer': ['issuer_mismatch', lacks('iss')],
  'another issuer': ['issuer_mismatch', claims({ iss: 'https://evil.example' })],
  'the issuer with a slash more': ['issuer_mismatch', ({ server, token }) => token({ iss: `${server.issuer}/` })],
  'a list of issuers': ['issuer_mismatch', ({ server, token }) => token({ iss: [server.issuer] })],
  'no audience': ['audience_mismatch', lacks('aud')],
  'another audience': ['audience_mismatch', claims({ aud: 'signet2' })],
  'other audiences': ['audience_mismatch', claims({ aud: ['a', 'b'] })],
  'an audience that is an object': ['audience_mismatch', claims({ aud: { signet: true } })],
  'an end in the past': ['time_invalid', claims(() => ({ exp: now() - 61 }))],
  'no end': ['time_invalid', lacks('exp')],
  'an end that is a word': ['time_invalid', claims({ exp: 'never' })],
  'no time of issue': ['time_invalid', lacks('iat')],
  'a time of issue that is a word': ['time_invalid', claims({ iat: 'now' })],
  'a time of issue to come': ['time_invalid', claims(() => ({ iat: now() + 120 }))],
  'a time of issue more than an hour ago': [
    'time_invalid',
    claims(() => ({ iat: now() - 3_700, exp: now() + 86_400 })),
  ],
  'a beginning to come': ['time_invalid', claims(() => ({ nbf: now() + 120 }))],
  'no subject': ['token_invalid', lacks('sub')],
  'an empty subject': ['information_invalid', claims({ sub: ' ' })],
  'a subject that is a list': ['information_invalid', claims({ sub: ['sam'] })],
  'a subject with a line break': ['information_invalid', claims({ sub: 'sam\nadmin' })],
  'a subject that is too long': ['information_invalid', claims({ sub: 's'.repeat(256) })],
  'a name that is a number': ['token_invalid', claims({ jti: 7 })],
  'an empty name': ['token_invalid', claims({ jti: '' })],
}

const bigKey = { kty: 'RSA', n: part('x'.repeat(2048)), e: 'AQAB', kid: 'key-1' }

const KEYS: Readonly<Record<string, readonly [FailureReason, (server: ScriptedProvider) => Script]>> = {
  'are not JSON': ['metadata_invalid', () => ({ keys: () => '<html>' })],
  'are nothing': ['metadata_invalid', () => ({ keys: () => 'null' })],
  'are no list': ['metadata_invalid', () => ({ keys: () => ({ keys: 'none' }) })],
  'are none': ['signature_invalid', () => ({ keys: () => ({ keys: [] }) })],
  'are no objects': ['metadata_invalid', () => ({ keys: () => ({ keys: [null, 7, 'key', ['key']] }) })],
  'have members that are none': [
    'token_invalid',
    () => ({ keys: () => ({ keys: [{ kty: 'RSA', kid: 'key-1', n: {}, e: [] }] }) }),
  ],
  'are secrets': [
    'signature_invalid',
    () => ({ keys: () => ({ keys: [{ kty: 'oct', k: part('secret'), kid: 'key-1', alg: 'HS256' }] }) }),
  ],
  'are for encryption': [
    'signature_invalid',
    ({ key }) => ({ keys: () => ({ keys: [{ ...key.publicJwk, use: 'enc' }] }) }),
  ],
  'are too large to be checked quickly': ['signature_invalid', () => ({ keys: () => ({ keys: [bigKey] }) })],
  'have an exponent that takes long': [
    'signature_invalid',
    ({ key }) => ({ keys: () => ({ keys: [{ ...key.publicJwk, e: key.publicJwk.n }] }) }),
  ],
  'are of another type': [
    'signature_invalid',
    () => ({ keys: () => ({ keys: [{ ...ed.publicKey.export({ format: 'jwk' }), kid: 'key-1' }] }) }),
  ],
  'are too many to choose from': [
    'signature_invalid',
    ({ key }) => ({ keys: () => ({ keys: [key.publicJwk, { ...otherKey.publicJwk }] }) }),
  ],
  'never end': ['too_large', ({ key }) => ({ keys: () => ({ keys: [key.publicJwk], story: 'x'.repeat(2_000_000) }) })],
  'are not there': ['metadata_invalid', answer(404)],
  'are answered with a fault': ['provider_error', answer(503)],
  'are elsewhere': ['metadata_invalid', answer(302, { location: 'http://127.0.0.1:9/keys' })],
  'are at the same place under another name': ['metadata_invalid', answer(307, { location: '/keys?again' })],
  'are packed': ['too_large', answer(200, { 'content-encoding': 'gzip' })],
  'are cut off': [
    'unreachable',
    intercept('/keys', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{')
      response.destroy()
      return true
    }),
  ],
}

function answer(status: number, headers: Record<string, string> = {}) {
  return intercept('/keys', (_, response) => {
    response.writeHead(status, headers).end('{}')
    return true
  })
}

suite('a provider with signed tokens', () => {
  let world: ProviderWorld
  let gate: TokenGate
  let idpId = ''
  before(async () => {
    world = await openProviderWorld()
    gate = await openTokenGate(world)
    idpId = await gate.add({ providerOptions: { isCreationAllowed: true, isAutoCreation: true } })
  })
  after(async () => {
    await gate.server.close()
    await world.dispose()
  })

  const people = async () => (await world.store.events({ kinds: ['user', 'identity-link'], limit: 1000 })).length

  /** A sign-in comes to nothing: one event with the reason, and one error without it. */
  const isRefusedFor = async (reason: FailureReason, at: TokenGate, provider: string, value: string | undefined) => {
    const before = await people()
    const { parameters, intentId } = await at.start(provider)
    const finished = await at.finish(parameters, value)
    assert.ok(finished.type === 'redirect')
    const url = new URL(finished.url)
    assert.equal(url.origin + url.pathname, 'https://app.example/no')
    assert.deepEqual([...url.searchParams.keys()].sort(), ['error', 'error_description', 'id'])
    const isOutage = ['unreachable', 'too_slow', 'provider_error'].includes(reason)
    const events = await world.eventsOf(intentId)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['intent.started.v1', 'intent.answered.v1', 'intent.failed.v1'],
    )
    assert.deepEqual(events[2]?.data, { reason })
    assert.equal(url.searchParams.get('error'), isOutage ? 'temporarily_unavailable' : 'sign_in_failed')
    assert.equal(await people(), before)
  }

  test('lets people in with an honest token, whoever writes the name of the scheme how', async () => {
    for (const prefix of ['', 'Bearer ', 'bearer  ', ' ']) {
      const { url } = await gate.signIn(idpId, `${prefix}${gate.token()}`)
      assert.ok(url.searchParams.get('user'), prefix)
    }
    assert.ok((await gate.signIn(idpId, gate.token({ aud: ['a', 'signet'] }))).url.searchParams.get('user'))
  })

  for (const [name, [reason, wrong]] of Object.entries(TOKENS)) {
    test(`refuses ${name}`, () => isRefusedFor(reason, gate, idpId, wrong(gate)))
  }

  for (const [name, [reason, script]] of Object.entries(KEYS)) {
    test(`refuses everybody while its keys ${name}`, async (t) => {
      const liar = await openTokenGate(world)
      t.after(() => liar.server.close())
      const provider = await liar.add()
      liar.server.script = script(liar.server)
      await isRefusedFor(reason, liar, provider, liar.token())
      assert.ok(!liar.server.asked.includes('/keys?again'))
      liar.server.script = {}
      const asked = liar.server.asked.length
      // Keys that were read are kept for a while; what could not be read is asked for again.
      if (!['signature_invalid', 'token_invalid'].includes(reason)) {
        assert.equal((await liar.signIn(provider, liar.token())).url.searchParams.get('error'), null)
        assert.equal(liar.server.asked.length, asked + 1)
      }
    })
  }

  test('takes no token of another provider, wherever that belongs, and not the sign-in of another', async (t) => {
    const other = await openTokenGate(world)
    t.after(() => other.server.close())
    const otherId = await other.add()
    await isRefusedFor('signature_invalid', gate, idpId, other.token())
    await isRefusedFor('signature_invalid', other, otherId, gate.token())
    await isRefusedFor('signature_invalid', gate, idpId, other.token({ iss: gate.server.issuer }))
    // The half of one sign-in with the half of another belongs to none.
    const [one, two] = [await gate.start(idpId), await other.start(otherId)]
    const mixed = new URLSearchParams({ authRequestID: one.intentId })
    mixed.set('userAgentID', two.parameters.get('userAgentID') ?? '')
    for (const value of [gate.token(), other.token()]) assert.equal((await gate.finish(mixed, value)).type, 'unknown')
  })

  test('waits for its keys no longer than for any provider', async (t) => {
    const hurried = await openProviderWorld({ timeoutMilliseconds: 300 })
    const silent = await openTokenGate(hurried)
    t.after(async () => {
      await silent.server.close()
      await hurried.dispose()
    })
    const provider = await silent.add()
    silent.server.script = intercept('/keys', () => true)()
    const { parameters, intentId } = await silent.start(provider)
    const finished = await silent.finish(parameters, silent.token())
    assert.ok(finished.type === 'redirect' && finished.url.includes('temporarily_unavailable'))
    assert.deepEqual((await hurried.eventsOf(intentId))[2]?.data, { reason: 'too_slow' })
  })

  test('has keys at public addresses only, unless the operator allows the private network', async (t) => {
    const canary = await openCanary()
    t.after(() => canary.close())
    const guard = openGuardedFetch({
      allowsPrivate: false,
      resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    const guarded = await openProviderWorld({ fetchOutside: guard })
    t.after(() => guarded.dispose())
    const server = await openScriptedProvider()
    t.after(() => server.close())
    const inside = await openTokenGate(guarded, server)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', 'rebound.example']) {
      for (const scheme of ['http', 'https']) {
        if (scheme === 'http' && host === 'rebound.example') continue
        const keysEndpoint = `${scheme}://${host}:${canary.port}/keys`
        const { parameters, intentId } = await inside.start(await inside.add({ name: keysEndpoint, keysEndpoint }))
        const finished = await inside.finish(parameters, inside.token())
        assert.ok(finished.type === 'redirect' && finished.url.includes('sign_in_failed'), keysEndpoint)
        assert.deepEqual((await guarded.eventsOf(intentId))[2]?.data, { reason: 'address_forbidden' }, keysEndpoint)
      }
    }
    assert.equal(canary.connections(), 0)
  })
})
