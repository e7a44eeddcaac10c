/** The keys on real databases: first start, several nodes, signatures, rotation, encryption at rest. */
import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { jwtVerify } from 'jose'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ECDSACurve, RSABits, RSAHasher, State } from '../../../contract/gen/signet/webkey/v2/key_pb.ts'
import { WebKeyService } from '../../../contract/gen/signet/webkey/v2/webkey_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { jobsOf, openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import type { AppConfig } from '../../module/app.ts'
import { kinds, modules } from '../../modules.ts'
import { rotateDataKey } from '../instances/index.ts'
import { webKeys } from './documents.ts'
import { publicKeys, requestRotation, signingKey, signJwt, verifyOwnJwt, webKeysModule } from './index.ts'

const api = WebKeyService.method
const DAY = 86_400_000
const HOUR = 3_600_000
const STATES: Readonly<Record<number, string>> = {
  [State.INITIAL]: 'INITIAL',
  [State.ACTIVE]: 'ACTIVE',
  [State.INACTIVE]: 'INACTIVE',
}

function toPublicKey(jwk: object) {
  return createPublicKey({ key: jwk, format: 'jwk' } as JsonWebKeyInput)
}

for (const engine of bothEngines) {
  suite(`web keys on ${engine.name}`, () => {
    const open = async (t: TestContext, config: Partial<AppConfig> = {}) => {
      const world = await openWorld({ engine, config })
      afterwards(t, () => world.dispose())
      return world
    }

    const states = async ({ call, owner }: World) =>
      (await call(api.listWebKeys, {}, owner)).webKeys.map(({ state }) => STATES[state] ?? '')

    const runRotation = async ({ app }: World) => {
      const job = { id: '', data: {}, attempts: 0, signal: AbortSignal.timeout(60_000) }
      await jobsOf(app)['web-key-rotation']?.({ ...job, save: async () => {} })
    }

    test('the first start creates two keys, also when two nodes start at once', async (t) => {
      const world = await open(t)
      const other = await world.another()
      await Promise.all([world.app, other.app, world.app].map((app) => webKeysModule.prepare?.(app)))
      assert.deepEqual(await states(world), ['ACTIVE', 'INITIAL'])
      const { webKeys: listed } = await world.call(api.listWebKeys, {}, world.owner)
      const rsa = { bits: RSABits.RSA_BITS_2048, hasher: RSAHasher.RSA_HASHER_SHA256 }
      for (const { key } of listed) {
        assert.equal(key.case, 'rsa')
        assert.partialDeepStrictEqual(key.value, rsa)
      }
      assert.equal((await signingKey(other.app)).kid, listed[0]?.id)
      assert.deepEqual(await publicKeys(other.app), await publicKeys(world.app))
    })

    test('what is signed verifies with the published keys of any type', async (t) => {
      const world = await open(t)
      const rsa = { bits: RSABits.RSA_BITS_3072, hasher: RSAHasher.RSA_HASHER_SHA512 }
      const types = [
        ['RS256', undefined],
        ['RS512', { case: 'rsa', value: rsa }],
        ['ES256', { case: 'ecdsa', value: { curve: ECDSACurve.ECDSA_CURVE_P256 } }],
        ['ES384', { case: 'ecdsa', value: { curve: ECDSACurve.ECDSA_CURVE_P384 } }],
        ['ES512', { case: 'ecdsa', value: { curve: ECDSACurve.ECDSA_CURVE_P512 } }],
        ['EdDSA', { case: 'ed25519', value: {} }],
      ] as const
      for (const [alg, key] of types) {
        const { id } = await world.call(api.createWebKey, key === undefined ? {} : { key }, world.owner)
        await world.call(api.activateWebKey, { id }, world.owner)
        const token = await signJwt(world.app, (used) => ({ sub: 'ada', used }), { typ: 'at+jwt' })
        const published = (await publicKeys(world.app)).find(({ kid }) => kid === id) ?? assert.fail(id)
        const { payload, protectedHeader } = await jwtVerify(token, toPublicKey(published), { algorithms: [alg] })
        assert.deepEqual(payload, { sub: 'ada', used: alg })
        assert.deepEqual(protectedHeader, { alg, kid: id, typ: 'at+jwt' })
        assert.deepEqual(await verifyOwnJwt(world.app, token), payload)
        assert.deepEqual([published.alg, published.use], [alg, 'sig'])
        assert.equal('d' in published, false)
      }
    })

    test('a token that is not ours does not verify', async (t) => {
      const { app } = await open(t)
      const token = await signJwt(app, { sub: 'ada' })
      const [head = '', body = '', signature = ''] = token.split('.')
      const { kid } = await signingKey(app)
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const wrong = [
        '',
        'garbage',
        `${head}.${body}.`,
        `${head}.${encode({ sub: 'eve' })}.${signature}`,
        `${head}.${body}.${signature.slice(0, -4)}AAAA`,
        `${head}.${body}.${signature}=`,
        `${encode({ alg: 'none', kid })}.${body}.`,
        `${encode({ alg: 'none', kid })}.${body}.${signature}`,
        `${encode({ alg: 'HS256', kid })}.${body}.${signature}`,
        `${encode({ alg: 'RS512', kid })}.${body}.${signature}`,
        `${encode({ alg: 'RS256' })}.${body}.${signature}`,
        `${encode({ alg: 'RS256', kid: 'unknown' })}.${body}.${signature}`,
      ]
      for (const one of wrong) assert.equal(await verifyOwnJwt(app, one), undefined, one)
      assert.deepEqual(await verifyOwnJwt(app, token), { sub: 'ada' })
    })

    test('no node signs with a key that another one has replaced, or publishes one that was deleted', async (t) => {
      const world = await open(t)
      const other = await world.another()
      const before = await signingKey(other.app)
      const token = await signJwt(other.app, { sub: 'ada' })
      const { id } = await world.call(api.createWebKey, {}, world.owner)
      assert.ok((await publicKeys(other.app)).some(({ kid }) => kid === id))
      await world.call(api.activateWebKey, { id }, world.owner)
      assert.equal((await signingKey(other.app)).kid, id)
      assert.ok(await verifyOwnJwt(other.app, token))
      await world.call(api.deleteWebKey, { id: before.kid }, world.owner)
      assert.equal(await verifyOwnJwt(other.app, token), undefined)
    })

    test('the private keys are encrypted at rest, and again when the data key is replaced', async (t) => {
      const world = await open(t)
      const token = await signJwt(world.app, { sub: 'ada' })
      const stored = JSON.stringify([
        await world.store.get(webKeys, world.instanceId),
        await world.store.events({ limit: 1000 }),
      ])
      assert.doesNotMatch(stored, /PRIVATE KEY/)
      const sealed = (await world.store.get(webKeys, world.instanceId))?.state.keys.map(
        ({ secret }) => secret?.privateKey,
      )
      const sealedJobs = modules.flatMap((module) => module.sealedJobs ?? [])
      await rotateDataKey({ ...world.app, masterKeys: world.masterKeys, kinds, sealedJobs })
      const after = (await world.store.get(webKeys, world.instanceId))?.state.keys.map(
        ({ secret }) => secret?.privateKey,
      )
      assert.equal(after?.length, 2)
      assert.ok(after.every((text) => !sealed?.includes(text)))
      const other = await world.another()
      assert.deepEqual(await verifyOwnJwt(other.app, token), { sub: 'ada' })
      assert.ok(await verifyOwnJwt(world.app, await signJwt(other.app, { sub: 'ada' })))
    })

    test('the active key is not deleted, an unknown one is not activated, and deleting it is no error', async (t) => {
      const world = await open(t)
      const { kid } = await signingKey(world.app)
      await isRefused(world.call(api.deleteWebKey, { id: kid }, world.owner), 'web_key.active')
      await isRefused(world.call(api.activateWebKey, { id: 'x' }, world.owner), 'web_key.not_found')
      assert.equal((await world.call(api.deleteWebKey, { id: 'x' }, world.owner)).deletionDate, undefined)
      const { changeDate } = await world.call(api.activateWebKey, { id: kid }, world.owner)
      assert.equal(Number(changeDate?.seconds), world.clock.now / 1000)
    })

    test('the job rotates, keeps the old key until its tokens have expired, and removes it', async (t) => {
      const world = await open(t)
      const first = await signingKey(world.app)
      await runRotation(world)
      assert.deepEqual(await states(world), ['ACTIVE', 'INITIAL'])
      world.clock.now = instant(world.clock.now + 90 * DAY)
      const token = await signJwt(world.app, { sub: 'ada' })
      await runRotation(world)
      assert.deepEqual(await states(world), ['INACTIVE', 'ACTIVE'])
      world.clock.now = instant(world.clock.now + 12 * HOUR)
      await runRotation(world)
      assert.ok(await verifyOwnJwt(world.app, token))
      world.clock.now = instant(world.clock.now + 2 * HOUR)
      await runRotation(world)
      assert.equal(await verifyOwnJwt(world.app, token), undefined)
      assert.deepEqual(await states(world), ['ACTIVE'])
      assert.notEqual((await signingKey(world.app)).kid, first.kid)
    })

    test('a lifetime that was longer while the key signed keeps it published for as long', async (t) => {
      const world = await open(t)
      await signingKey(world.app)
      const set = (hours: number) => {
        const lifetime = { seconds: BigInt(hours * 3600) }
        const all = { refreshTokenIdleExpiration: lifetime, refreshTokenExpiration: lifetime }
        const message = { accessTokenLifetime: lifetime, idTokenLifetime: lifetime, ...all }
        return world.call(AdminService.method.updateOIDCSettings, message, world.owner)
      }
      world.clock.now = instant(world.clock.now + DAY)
      await set(48)
      world.clock.now = instant(world.clock.now + DAY)
      await set(1)
      await requestRotation(world.app)
      assert.deepEqual(await states(world), ['INACTIVE', 'ACTIVE'])
      world.clock.now = instant(world.clock.now + 48 * HOUR)
      await runRotation(world)
      assert.deepEqual(await states(world), ['INACTIVE', 'ACTIVE'])
      world.clock.now = instant(world.clock.now + 2 * HOUR)
      await runRotation(world)
      assert.deepEqual(await states(world), ['ACTIVE'])
    })

    test('on request, with the rotation off, the next key is created first and used 10 minutes later', async (t) => {
      const world = await open(t, { webKeyRotationMs: 0 })
      const { kid } = await signingKey(world.app)
      const [, next] = await publicKeys(world.app)
      await world.call(api.deleteWebKey, { id: next?.kid ?? '' }, world.owner)
      assert.deepEqual(await requestRotation(world.app), { isActivated: false })
      assert.equal((await signingKey(world.app)).kid, kid)
      const other = await world.another()
      const nodes = [world, { ...world, ...other }]
      world.clock.now = instant(world.clock.now + 599_000)
      await Promise.all(nodes.map(runRotation))
      assert.deepEqual(await states(world), ['ACTIVE', 'INITIAL'])
      world.clock.now = instant(world.clock.now + 1000)
      await Promise.all(nodes.map(runRotation))
      assert.deepEqual(await states(world), ['INACTIVE', 'ACTIVE'])
    })
  })
}
