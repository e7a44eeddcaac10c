import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { openProviderWorld, type ProviderWorld } from '../../../test/support/provider-world.ts'
import {
  intercept,
  newSigningKey,
  openScriptedProvider,
  type Script,
  type ScriptedProvider,
  without,
} from '../../../test/support/scripted-provider.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { FailureReason } from './events.ts'

const otherKey = newSigningKey('key-1')

/** One way of being wrong, and what the log says of it. */
interface Row {
  readonly name: string
  readonly script: (provider: ScriptedProvider) => Script
  readonly reason: FailureReason
}

/** All of these fail before the browser is sent anywhere. */
const AT_THE_START: readonly Row[] = [
  {
    name: 'metadata of another issuer',
    reason: 'issuer_mismatch',
    script: () => ({ metadata: (m) => ({ ...m, issuer: 'https://evil.example' }) }),
  },
  {
    name: 'metadata of the issuer with a slash more',
    reason: 'issuer_mismatch',
    script: () => ({ metadata: (m) => ({ ...m, issuer: `${m.issuer}/` }) }),
  },
  { name: 'metadata without issuer', reason: 'metadata_invalid', script: () => ({ metadata: without('issuer') }) },
  {
    name: 'metadata without an authorization endpoint',
    reason: 'metadata_invalid',
    script: () => ({ metadata: without('authorization_endpoint') }),
  },
  {
    name: 'an authorization endpoint that is a script',
    reason: 'metadata_invalid',
    script: () => ({ metadata: (m) => ({ ...m, authorization_endpoint: 'javascript:alert(1)' }) }),
  },
  { name: 'metadata that are not JSON', reason: 'metadata_invalid', script: () => ({ metadata: () => '<html>' }) },
  { name: 'metadata that are a list', reason: 'metadata_invalid', script: () => ({ metadata: () => [] }) },
  {
    name: 'metadata too large to keep',
    reason: 'too_large',
    script: () => ({ metadata: (m) => ({ ...m, story: 'x'.repeat(2 * 1024 * 1024) }) }),
  },
  {
    name: 'a redirect to a forbidden address',
    reason: 'address_forbidden',
    script: intercept('/.well-known/openid-configuration', (_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end()
      return true
    }),
  },
  {
    name: 'redirects without end',
    reason: 'address_forbidden',
    script: () => ({
      intercept(_, response) {
        response.writeHead(302, { location: '/again' }).end()
        return true
      },
    }),
  },
  {
    name: 'nothing but an error',
    reason: 'provider_error',
    script: intercept('/.well-known/openid-configuration', (_, response) => {
      response.writeHead(503).end()
      return true
    }),
  },
]

suite('a provider that lies about itself', () => {
  let world: ProviderWorld
  before(async () => {
    world = await openProviderWorld({ timeoutMilliseconds: 1000 })
  })
  after(() => world.dispose())

  const isRefusedAtStart = async (idpId: string, reason: FailureReason) => {
    const last = (await world.store.events({ limit: 1, descending: true }))[0]?.sequence ?? 0
    await assert.rejects(
      world.start(idpId),
      (error) => error instanceof Refused && error.code === 'intent.provider_failed',
    )
    const events = await world.store.events({ from: last, limit: 10 })
    assert.deepEqual(
      events.map(({ type, data }) => ({ type, data })),
      [{ type: 'intent.failed.v1', data: { idpId, reason } }],
    )
  }

  for (const { name, script, reason } of AT_THE_START) {
    test(`is refused with ${name}, by one event and one error that says nothing`, async (t) => {
      const provider = await openScriptedProvider(otherKey)
      t.after(() => provider.close())
      provider.script = script(provider)
      await isRefusedAtStart(await world.addProvider(provider.issuer), reason)
    })
  }

  test('is refused when no server listens', async () => {
    const provider = await openScriptedProvider(otherKey)
    await provider.close()
    await isRefusedAtStart(await world.addProvider(provider.issuer), 'unreachable')
  })

  test('is not waited for when it says nothing, or one letter at a time', async (t) => {
    for (const isDripping of [false, true]) {
      const drips = new Set<NodeJS.Timeout>()
      const server = createServer((_, response) => {
        if (!isDripping) return
        response.writeHead(200, { 'content-type': 'application/json' })
        drips.add(setInterval(() => response.write(' '), 20))
      })
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
      t.after(() => {
        for (const drip of drips) clearInterval(drip)
        server.closeAllConnections()
        server.close()
      })
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      await isRefusedAtStart(await world.addProvider(`http://127.0.0.1:${port}`), 'too_slow')
    }
  })

  test('is not waited for when the browser comes back either', async (t) => {
    const provider = await openScriptedProvider(otherKey)
    t.after(() => provider.close())
    const { authUrl, intentId } = await world.start(await world.addProvider(provider.issuer))
    provider.script = { intercept: (request) => request.url === '/token' }
    const url = await world.finishAt(provider.answer(authUrl))
    assert.equal(url.searchParams.get('error'), 'temporarily_unavailable')
    assert.deepEqual((await world.eventsOf(intentId))[2]?.data, { reason: 'too_slow' })
  })
})
