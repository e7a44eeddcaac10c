/** Targets, their keys and executions over the API: the rules of the peer, and ours. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { suite, type TestContext, test } from 'node:test'
import { compactDecrypt, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { openActionWorld } from '../../../test/support/action-world.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import type { Owners } from '../../kernel/share.ts'
import { Gates, MOST_AT_ONCE, MOST_FAILURES, PAUSE_MS } from './gate.ts'
import { TargetFailed } from './index.ts'

const GET_TARGET = '/zitadel.action.v2.ActionService/GetTarget'

function pemOf(key: KeyObject): Buffer {
  return Buffer.from(key.export({ type: 'spki', format: 'pem' }))
}

for (const engine of engines) {
  suite(`targets on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openActionWorld(engine)
      afterwards(t, () => world.dispose())
      return world
    }
    const target = { name: 'one', endpoint: 'https://example.com/', timeout: '10s', restWebhook: {} }

    test('are created with limits, changed in parts, and removed from all executions', async (t) => {
      const { rest, setExecution } = await open(t)
      const created = await rest('POST', '/v2/actions/targets', target)
      const id = String(created.body.id)
      const create = async (more: object) => (await rest('POST', '/v2/actions/targets', { ...target, ...more })).status
      assert.equal(await create({}), 409)
      assert.equal(await create({ name: 'two', timeout: '0s' }), 400)
      assert.equal(await create({ name: 'two', timeout: '271s' }), 400)
      for (const endpoint of [
        '',
        'nonsense',
        'ftp://a.example/',
        'https://user:secret@a.example/',
        'file:///etc/passwd',
        'http://169.254.169.254/',
      ])
        assert.equal(await create({ name: 'two', endpoint }), 400, endpoint)
      const { restWebhook: _, ...untyped } = target
      assert.equal((await rest('POST', '/v2/actions/targets', { ...untyped, name: 'two' })).status, 400)
      await setExecution({ request: { all: true } }, [id])
      const path = `/v2/actions/targets/${id}`
      const unchanged = await rest('POST', path, { name: 'one' })
      assert.equal(unchanged.body.changeDate, created.body.creationDate)
      assert.equal(unchanged.body.signingKey, undefined)
      const key = await rest('POST', path, { expirationSigningKey: '0s', restCall: { interruptOnError: true } })
      assert.notEqual(key.body.signingKey, created.body.signingKey)
      assert.equal((await rest('POST', path, { expirationSigningKey: '1s' })).status, 400)
      const standard = await rest('POST', path, { signatureType: 'SIGNATURE_TYPE_STANDARD_WEBHOOKS' })
      assert.match(String(standard.body.signingKey), /^whsec_[A-Za-z0-9+/]{43}=$/)
      await rest('POST', path, { restAsync: {} })
      await setExecution({ request: { all: true } }, [])
      const got = (await rest('GET', path)).body.target as Record<string, unknown>
      assert.deepEqual([got.restAsync, got.signingKey, got.timeout], [{}, standard.body.signingKey, '10s'])
      const removed = await rest('DELETE', path)
      assert.deepEqual((await rest('DELETE', path)).body, removed.body)
      assert.deepEqual((await rest('DELETE', '/v2/actions/targets/none')).body, {})
      assert.equal((await rest('GET', path)).status, 404)
      assert.equal((await rest('POST', path, { name: 'three' })).status, 404)
    })

    test('are listed by filters and columns, with their keys only for those who may change them', async (t) => {
      const { rest, addTarget, addMachine } = await open(t)
      const ids = []
      for (const [name, timeout] of [
        ['b', '3s'],
        ['a', '1s'],
        ['Ab', '2s'],
      ]) {
        ids.push(await addTarget('https://example.com/', { name: name ?? '', timeout: timeout ?? '' }))
      }
      const names = async (body: object) =>
        ((await rest('POST', '/v2/actions/targets/search', body as never)).body.targets as { name: string }[]).map(
          ({ name }) => name,
        )
      assert.deepEqual(await names({}), ['Ab', 'a', 'b'])
      assert.deepEqual(await names({ pagination: { asc: true }, sortingColumn: 'TARGET_FIELD_NAME_TIMEOUT' }), [
        'a',
        'Ab',
        'b',
      ])
      const starts = { targetNameFilter: { targetName: 'A', method: 'TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE' } }
      assert.deepEqual(await names({ pagination: { asc: true }, filters: [starts] }), ['a', 'Ab'])
      assert.deepEqual(await names({ filters: [{ inTargetIdsFilter: { targetIds: [ids[0]] } }] }), ['b'])
      const viewer = await addMachine({ instanceRoles: ['IAM_OWNER_VIEWER'] })
      const seen = await rest('POST', '/v2/actions/targets/search', {}, viewer.request.bearer)
      assert.equal((seen.body.targets as object[]).length, 3)
      assert.ok(!JSON.stringify(seen.body).includes('signingKey'))
      const organization = await addMachine({ organizationRoles: ['ORG_OWNER'] })
      assert.equal((await rest('POST', '/v2/actions/targets/search', {}, organization.request.bearer)).status, 403)
      const functions = await rest('GET', '/v2/actions/executions/functions', undefined, organization.request.bearer)
      assert.deepEqual(functions.body.functions, ['preuserinfo', 'preaccesstoken', 'presamlresponse'])
    })

    test('get payloads as tokens, encrypted for their active public key', async (t) => {
      const world = await open(t)
      const { rest, receiver } = world
      const id = await world.addTarget(`${receiver.url}/jwt`, { payloadType: 'PAYLOAD_TYPE_JWT' })
      const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
      const call = async () => {
        receiver.calls.length = 0
        const { status } = await rest('GET', `/v2/actions/targets/${id}`)
        return { status, body: receiver.calls[0]?.body ?? '', type: receiver.calls[0]?.headers['content-type'] }
      }
      await world.setExecution({ request: { method: GET_TARGET } }, [id])
      const signed = await call()
      const { payload, protectedHeader } = await jwtVerify(signed.body, keys)
      assert.equal(payload.fullMethod, GET_TARGET)
      assert.deepEqual([protectedHeader.typ, signed.type, payload.iss], ['JWT', 'application/json', undefined])

      await rest('POST', `/v2/actions/targets/${id}`, { payloadType: 'PAYLOAD_TYPE_JWE' })
      assert.equal((await call()).status, 400)
      const path = `/v2/actions/targets/${id}/publickeys`
      const types = [
        ['RSA-OAEP-256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
        ['ECDH-ES+A256KW', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
      ] as const
      for (const [alg, { publicKey, privateKey }] of types) {
        const added = await rest('POST', path, { publicKey: pemOf(publicKey).toString('base64') })
        const keyId = String(added.body.keyId)
        for (let time = 0; time < 2; time++)
          assert.equal((await rest('POST', `${path}/${keyId}/activate`, {})).status, 200)
        const { body } = await call()
        const { kid, typ, cty, enc, alg: used } = decodeProtectedHeader(body)
        assert.deepEqual([kid, typ, cty, enc, used], [keyId, 'JWT', 'JWT', 'A256GCM', alg])
        const { plaintext } = await compactDecrypt(body, privateKey)
        assert.equal((await jwtVerify(Buffer.from(plaintext).toString(), keys)).payload.fullMethod, GET_TARGET)
      }
    })

    test('have public keys that are checked, and at most one is active', async (t) => {
      const { rest, addTarget } = await open(t)
      const id = await addTarget('https://example.com/')
      const path = `/v2/actions/targets/${id}/publickeys`
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const pem = pemOf(publicKey).toString('base64')
      const weak = pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)
      const edwards = pemOf(generateKeyPairSync('ed25519').publicKey)
      const secret = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
      for (const bad of [weak, edwards, secret, Buffer.from('nonsense')])
        assert.equal((await rest('POST', path, { publicKey: bad.toString('base64') })).status, 400)
      assert.equal((await rest('POST', path, { publicKey: pem, expirationDate: '2020-01-01T00:00:00Z' })).status, 400)
      const unknown = await rest('POST', '/v2/actions/targets/none/publickeys', { publicKey: pem })
      assert.deepEqual([unknown.status, unknown.body.code], [400, 9])
      // The second has the label that Go programs write above the same content.
      const labelled = Buffer.from(String(pemOf(publicKey)).replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY')).toString(
        'base64',
      )
      const ids: string[] = []
      for (const one of [pem, labelled]) ids.push(String((await rest('POST', path, { publicKey: one })).body.keyId))
      const list = async (body = {}) =>
        (await rest('POST', `${path}/search`, body)).body.publicKeys as {
          keyId: string
          active?: boolean
          fingerprint: string
        }[]
      assert.deepEqual(
        (await list()).map(({ active }) => active ?? false),
        [false, false],
      )
      await rest('POST', `${path}/${ids[0]}/activate`, {})
      await rest('POST', `${path}/${ids[1]}/activate`, {})
      assert.deepEqual(
        (await list({ filters: [{ activeFilter: true }] })).map(({ keyId }) => keyId),
        [ids[1]],
      )
      const der = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
        type: 'spki',
        format: 'der',
      })
      const print = createHash('sha256').update(der).digest('base64').replace(/=+$/, '')
      assert.equal((await list())[0]?.fingerprint, `SHA256:${print}`)
      assert.equal((await rest('DELETE', `${path}/${ids[1]}`)).body.code, 9)
      assert.equal((await rest('POST', `${path}/none/activate`, {})).body.code, 9)
      await rest('POST', `${path}/${ids[1]}/deactivate`, {})
      for (const _ of [1, 2]) assert.equal((await rest('DELETE', `${path}/${ids[1]}`)).status, 200)
      assert.equal((await list()).length, 1)
    })

    test('are named by executions, whose conditions name what there is', async (t) => {
      const { rest, addTarget, setExecution } = await open(t)
      const [one, two] = [await addTarget('https://example.com/1'), await addTarget('https://example.com/2')]
      const set = async (condition: object, targets = [one]) => (await setExecution(condition as never, targets)).status
      for (const method of [
        GET_TARGET,
        '/zitadel.user.v2beta.UserService/AddHumanUser',
        '/signet.user.v2.UserService/CreateUser',
      ])
        assert.equal(await set({ request: { method } }), 200, method)
      for (const event of ['user.human.added', 'session.created.v1'])
        assert.equal(await set({ event: { event } }), 200, event)
      for (const group of ['user.human', 'user.human.*', 'org'])
        assert.equal(await set({ event: { group } }), 200, group)
      const missing = [
        { request: { method: 'zitadel.user.v2.UserService/AddHumanUser' } },
        { request: { method: '/zitadel.user.v2.UserService/Nothing' } },
        { response: { service: 'zitadel.nothing.v2.NothingService' } },
        { function: { name: 'presleep' } },
        { event: { event: 'user.slept' } },
        { event: { group: 'use' } },
      ]
      for (const condition of missing) assert.equal(await set(condition), 404, JSON.stringify(condition))
      for (const condition of [{}, { request: {} }, { request: { all: false } }, { event: {} }, { function: {} }])
        assert.equal(await set(condition), 400, JSON.stringify(condition))
      assert.equal(await set({ request: { all: true } }, [one, one]), 404)
      assert.equal(await set({ request: { all: true } }, [one, 'none']), 404)
      const first = await setExecution({ function: { name: 'preuserinfo' } }, [one, two])
      assert.deepEqual((await setExecution({ function: { name: 'preuserinfo' } }, [one, two])).body, first.body)
      const list = async (filter: object) =>
        ((await rest('POST', '/v2/actions/executions/search', { filters: [filter] } as never)).body.executions ??
          []) as {
          condition: object
          targets: string[]
        }[]
      assert.deepEqual(
        (await list({ inConditionsFilter: { conditions: [{ event: { group: 'user.human' } }] } })).map(
          ({ condition }) => condition,
        ),
        [{ event: { group: 'user.human' } }],
      )
      assert.deepEqual(
        (await list({ targetFilter: { targetId: two } })).map(({ targets }) => targets),
        [[one, two]],
      )
      assert.equal((await list({ executionTypeFilter: { executionType: 'EXECUTION_TYPE_EVENT' } })).length, 4)
      await rest('DELETE', `/v2/actions/targets/${one}`)
      assert.deepEqual(
        (await list({ targetFilter: { targetId: two } })).map(({ targets }) => targets),
        [[two]],
      )
      assert.equal((await list({ executionTypeFilter: { executionType: 'EXECUTION_TYPE_EVENT' } })).length, 0)
      const methods = (await rest('GET', '/v2/actions/executions/methods')).body.methods as string[]
      assert.ok(methods.includes(GET_TARGET) && methods.every((name) => name.startsWith('/zitadel.')))
      assert.deepEqual(methods, methods.toSorted())
    })
  })
}

suite('the gate before a target', () => {
  test('leaves a target alone that fails, and tries it again with one call', async () => {
    let now = 0
    const gates = new Gates(() => now)
    let calls = 0
    const fail = () => {
      calls += 1
      return Promise.reject(new TargetFailed('unknown', 'did not answer in time', { isUnreachable: true }))
    }
    for (let time = 0; time < MOST_FAILURES + 5; time++) await assert.rejects(gates.pass('dead', ['one'], fail))
    assert.equal(calls, MOST_FAILURES)
    assert.equal(await gates.pass('other', ['one'], async () => 'answered'), 'answered')
    now += PAUSE_MS
    await Promise.allSettled([gates.pass('dead', ['one'], fail), gates.pass('dead', ['one'], fail)])
    assert.equal(calls, MOST_FAILURES + 1)
    now += 2 * PAUSE_MS
    assert.equal(await gates.pass('dead', ['one'], async () => 'back'), 'back')
    assert.equal(gates.size, 0)
  })

  test('lets no queue form before a slow target', async () => {
    const gates = new Gates()
    const { promise, resolve } = Promise.withResolvers<void>()
    const call = (...owners: Owners) => gates.pass('slow', owners, () => promise)
    const waiting = Array.from({ length: MOST_AT_ONCE / 4 }, () => call('north', 'loud'))
    await assert.rejects(call('north', 'loud'), /busy/)
    // Nobody else has less because of that.
    const others: readonly Owners[] = [['north', 'ada'], ['south', 'bob'], ['']]
    for (const owners of others) waiting.push(call(...owners))
    assert.equal(await gates.pass('other', ['one'], async () => 1), 1)
    resolve()
    await Promise.all(waiting)
    assert.equal(gates.size, 0)
  })
})
