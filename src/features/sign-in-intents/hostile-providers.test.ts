import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openProviderWorld, type ProviderWorld, signIn } from '../../../test/support/provider-world.ts'
import {
  intercept,
  type Json,
  newSigningKey,
  openScriptedProvider,
  SAM,
  type Script,
  type ScriptedProvider,
  without,
  writeToken,
} from '../../../test/support/scripted-provider.ts'
import type { FailureReason } from './events.ts'

const otherKey = newSigningKey('key-1')

/** One way of being wrong, and what the log says of it. */
interface Row {
  readonly name: string
  readonly script: (provider: ScriptedProvider) => Script
  readonly reason: FailureReason
  /** Nothing is known of the provider yet. */
  readonly isNew?: boolean
}

function claims(change: (honest: Json, provider: ScriptedProvider) => Json) {
  return (provider: ScriptedProvider): Script => ({
    claims: (honest) => change(honest, provider),
  })
}

function token(write: (claims: Json, provider: ScriptedProvider) => string) {
  return (provider: ScriptedProvider): Script => ({
    token: (honest) => write(honest, provider),
  })
}

function answer(change: (honest: URLSearchParams) => void) {
  return (): Script => ({
    answer(honest) {
      change(honest)
      return honest
    },
  })
}

function publicPem({ publicJwk }: ScriptedProvider['key']): string {
  return JSON.stringify(publicJwk)
}

function now() {
  return Math.floor(Date.now() / 1000)
}

/** All of these begin, and come to nothing when the browser comes back. */
const AT_THE_CALLBACK: readonly Row[] = [
  {
    name: 'a token of another issuer',
    reason: 'issuer_mismatch',
    script: claims((c) => ({ ...c, iss: 'https://evil.example' })),
  },
  {
    name: 'a token of the issuer with a slash more',
    reason: 'issuer_mismatch',
    script: claims((c) => ({ ...c, iss: `${c.iss}/` })),
  },
  { name: 'a token without issuer', reason: 'issuer_mismatch', script: claims(without('iss')) },
  {
    name: 'a token for another client',
    reason: 'audience_mismatch',
    script: claims((c) => ({ ...c, aud: 'another-client' })),
  },
  { name: 'a token without an audience', reason: 'token_invalid', script: claims(without('aud')) },
  {
    name: 'a token for several clients without azp',
    reason: 'audience_mismatch',
    script: claims((c, { clientId }) => ({ ...c, aud: [clientId, 'other'] })),
  },
  {
    name: 'a token for several clients, authorized for another one',
    reason: 'audience_mismatch',
    script: claims((c, { clientId }) => ({ ...c, aud: [clientId, 'other'], azp: 'other' })),
  },
  {
    name: 'a token authorized for another client',
    reason: 'audience_mismatch',
    script: claims((c) => ({ ...c, azp: 'other' })),
  },
  { name: 'a token that has expired', reason: 'time_invalid', script: claims((c) => ({ ...c, exp: now() - 61 })) },
  { name: 'a token without end', reason: 'token_invalid', script: claims(without('exp')) },
  { name: 'a token whose end is a word', reason: 'token_invalid', script: claims((c) => ({ ...c, exp: 'never' })) },
  {
    name: 'a token that was not issued yet',
    reason: 'time_invalid',
    script: claims((c) => ({ ...c, iat: now() + 120 })),
  },
  { name: 'a token without time of issue', reason: 'token_invalid', script: claims(without('iat')) },
  {
    name: 'a token that does not count yet',
    reason: 'time_invalid',
    script: claims((c) => ({ ...c, nbf: now() + 120 })),
  },
  { name: 'a token without nonce', reason: 'token_invalid', script: claims(without('nonce')) },
  {
    name: 'a token with the nonce of another sign-in',
    reason: 'nonce_mismatch',
    script: claims((c) => ({ ...c, nonce: 'other' })),
  },
  { name: 'a token without subject', reason: 'token_invalid', script: claims(without('sub')) },
  { name: 'a token with an empty subject', reason: 'information_invalid', script: claims((c) => ({ ...c, sub: ' ' })) },
  {
    name: 'a token with a line break in the subject',
    reason: 'information_invalid',
    script: claims((c) => ({ ...c, sub: 'a\nb' })),
  },
  {
    name: 'a token that belongs to another access token',
    reason: 'token_invalid',
    script: claims((c) => ({ ...c, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })),
  },
  {
    name: 'a token signed with nothing',
    reason: 'algorithm_refused',
    script: token((c) => writeToken({ alg: 'none' }, c, '')),
  },
  {
    name: 'a token signed with the public key as a shared secret',
    reason: 'algorithm_refused',
    script: token((c, { key }) => writeToken({ alg: 'HS256', kid: key.kid }, c, publicPem(key))),
  },
  {
    name: 'a token signed with our client secret',
    reason: 'algorithm_refused',
    script: token((c) => writeToken({ alg: 'HS256' }, c, 'a secret: 1+1=2')),
  },
  {
    name: 'a token signed with an algorithm that the provider does not offer',
    reason: 'algorithm_refused',
    script: token((c, { key }) => writeToken({ alg: 'RS512', kid: key.kid }, c, key.privateKey)),
  },
  {
    name: 'a token signed with another key under the right name',
    reason: 'signature_invalid',
    script: token((c) => writeToken({ alg: 'RS256', kid: 'key-1' }, c, otherKey.privateKey)),
  },
  {
    name: 'a token that brings its own key',
    reason: 'signature_invalid',
    script: token((c) => writeToken({ alg: 'RS256', kid: 'key-1', jwk: otherKey.publicJwk }, c, otherKey.privateKey)),
  },
  {
    name: 'a token signed with a key that is not published',
    reason: 'signature_invalid',
    script: token((c) => writeToken({ alg: 'RS256', kid: 'key-9' }, c, otherKey.privateKey)),
  },
  {
    name: 'a token with an unknown critical header',
    reason: 'token_invalid',
    script: token((c, { key }) => writeToken({ alg: 'RS256', kid: key.kid, crit: ['b64'] }, c, key.privateKey)),
  },
  {
    name: 'a token that was changed after it was signed',
    reason: 'signature_invalid',
    script: token((c, { key }) => {
      const [header, , signature] = writeToken({ alg: 'RS256', kid: key.kid }, c, key.privateKey).split('.')
      return `${header}.${Buffer.from(JSON.stringify({ ...c, sub: 'admin' })).toString('base64url')}.${signature}`
    }),
  },
  { name: 'a token that is none', reason: 'token_invalid', script: token(() => 'a.b') },
  { name: 'no token at all', reason: 'token_invalid', script: () => ({ tokenReply: without('id_token') }) },
  { name: 'no access token', reason: 'token_invalid', script: () => ({ tokenReply: without('access_token') }) },
  { name: 'an answer that is not JSON', reason: 'token_invalid', script: () => ({ tokenReply: () => '<html>' }) },
  {
    name: 'keys that are too many to choose from',
    isNew: true,
    reason: 'signature_invalid',
    script: ({ key }) => ({
      keys: ({ keys }) => ({ keys: [...keys, otherKey.publicJwk] }),
      token: (c) => writeToken({ alg: 'RS256' }, c, key.privateKey),
    }),
  },
  {
    name: 'keys that are none',
    isNew: true,
    reason: 'token_invalid',
    script: () => ({ keys: () => ({ keys: 'none' }) }),
  },
  {
    name: 'information about another account',
    reason: 'subject_mismatch',
    script: () => ({ userInfo: (u) => ({ ...u, sub: 'admin' }) }),
  },
  { name: 'information about no account', reason: 'information_invalid', script: () => ({ userInfo: without('sub') }) },
  { name: 'information that is a list', reason: 'information_invalid', script: () => ({ userInfo: () => [] }) },
  {
    name: 'information that never ends',
    reason: 'too_large',
    script: () => ({ userInfo: (u) => ({ ...u, story: 'x'.repeat(2 * 1024 * 1024) }) }),
  },
  {
    name: 'information that is nested too deep',
    reason: 'too_large',
    script: () => ({ userInfo: (u) => ({ ...u, a: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) }) }),
  },
  {
    name: 'information that unpacks to a thousand times its size',
    reason: 'too_large',
    script: intercept('/userinfo', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(Buffer.alloc(10_000_000)))
      return true
    }),
  },
  {
    name: 'an answer of another issuer',
    reason: 'issuer_mismatch',
    script: answer((p) => p.set('iss', 'https://evil.example')),
  },
  { name: 'two codes', reason: 'token_invalid', script: answer((p) => p.append('code', 'another')) },
  { name: 'no code', reason: 'response_invalid', script: answer((p) => p.delete('code')) },
  { name: 'a code that was never given', reason: 'code_refused', script: answer((p) => p.set('code', 'injected')) },
  { name: 'a token in the answer', reason: 'token_invalid', script: answer((p) => p.set('id_token', 'a.b.c')) },
  { name: 'an error in the answer', reason: 'provider_error', script: answer((p) => p.set('error', '<script>')) },
  {
    name: 'a token endpoint that redirects the code to another server',
    reason: 'token_invalid',
    script: intercept('/token', (_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
      return true
    }),
  },
]

suite('a provider that lies', () => {
  let world: ProviderWorld
  let provider: ScriptedProvider
  let idpId = ''
  before(async () => {
    world = await openProviderWorld()
    provider = await openScriptedProvider()
    idpId = await world.addProvider(provider.issuer, { isAutoCreation: true })
  })
  beforeEach(() => provider.forget())
  after(async () => {
    await provider.close()
    await world.dispose()
  })

  test('lets people in as long as it is honest', async () => {
    const { url, user } = await signIn(world, provider.answer, idpId)
    assert.equal(url.searchParams.get('error'), null)
    assert.ok(user)
  })

  for (const { name, script, reason, isNew } of AT_THE_CALLBACK) {
    test(`is refused with ${name}, by one event and one error that says nothing`, async (t) => {
      const liar = isNew ? await openScriptedProvider(provider.key) : provider
      if (isNew) t.after(() => liar.close())
      const { authUrl, intentId } = await world.start(isNew ? await world.addProvider(liar.issuer) : idpId)
      liar.script = script(liar)
      const people = (await world.store.events({ kinds: ['user', 'identity-link'], limit: 1000 })).length
      const url = await world.finishAt(liar.answer(authUrl))
      assert.equal(url.origin + url.pathname, 'https://app.example/no')
      assert.deepEqual([...url.searchParams.keys()].sort(), ['error', 'error_description', 'id'])
      const isOutage = reason === 'provider_error'
      assert.equal(url.searchParams.get('error'), isOutage ? 'temporarily_unavailable' : 'sign_in_failed')
      const events = await world.eventsOf(intentId)
      assert.deepEqual(
        events.map(({ type }) => type),
        ['intent.started.v1', 'intent.answered.v1', 'intent.failed.v1'],
      )
      assert.deepEqual(events[2]?.data, { reason })
      assert.equal((await world.store.events({ kinds: ['user', 'identity-link'], limit: 1000 })).length, people)
    })
  }

  test('is refused with an error of the standard, which the client is told', async () => {
    const { authUrl, intentId } = await world.start(idpId)
    provider.script = answer((p) => {
      p.delete('code')
      p.set('error', 'access_denied')
      p.set('error_description', '<b>for the log?</b>')
    })()
    const url = await world.finishAt(provider.answer(authUrl))
    assert.equal(url.searchParams.get('error'), 'access_denied')
    assert.doesNotMatch(url.href, /log/)
    assert.deepEqual((await world.eventsOf(intentId))[2]?.data, { reason: 'denied' })
  })

  test('does not vouch for an address in one place and name it in another', async () => {
    provider.account = { ...SAM, sub: 'mixed', preferred_username: 'mixed', email: 'mixed@corp.example' }
    provider.script = {
      claims: (honest) => ({ ...honest, email: 'other@corp.example', email_verified: true }),
      userInfo: without('email_verified'),
    }
    const { token, intentId } = await signIn(world, provider.answer, idpId)
    const { idpInformation } = await world.retrieve(intentId, token)
    assert.equal(idpInformation?.rawInformation?.email, 'mixed@corp.example')
    assert.equal(idpInformation?.rawInformation?.email_verified, undefined)
  })
})
