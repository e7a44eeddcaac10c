/** `POST /v2/users/import`: order, failures that stay alone, who may, and callers who go away. */
import assert from 'node:assert/strict'
import { request as requestHttp } from 'node:http'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { passwords } from '../../src/features/passwords/index.ts'
import { users } from '../../src/features/users/index.ts'
import { engines } from '../support/engines.ts'
import { BCRYPT, openScene, openUpload, outcome, parseResults, people, person, until } from './import-scene.ts'

const patient = { timeout: 600_000 }

for (const engine of engines) {
  suite(`importing people on ${engine.name}`, () => {
    test('every line has its result, in order, and a bad one spoils no other', patient, async (context) => {
      const scene = await openScene(context, engine)
      const long = JSON.stringify({ username: 'x'.repeat(5 * 1024 * 1024) })
      const lines = [
        person('anna', { hashedPassword: { hash: BCRYPT, changeRequired: true } }),
        '{"username": "bad',
        '',
        person('bert', { profile: { givenName: '', familyName: 'x'.repeat(201) }, email: { email: 'none' } }),
        person('ANNA', { userId: 'other' }),
        person('carl', { organisation: { orgId: 'nowhere' } }),
        person('dora', { hashedPassword: { hash: 'nonsense' } }),
        long,
        person('emil', { password: { password: 'a', changeRequired: false } }),
        person('fred', { password: { password: 'correct horse battery staple' } }),
        JSON.stringify({
          profile: { firstName: 'G', lastName: 'G' },
          email: { email: 'gina@example.com', returnCode: {} },
        }),
        person('anna'),
        '[]',
        `${person('hans')}\r`,
        person('ida', { isVerified: 1, email: { email: 'ida@example.com', isVerified: true, sendCode: {} } }),
      ]
      const { status, results } = await scene.send(lines.join('\n'))
      assert.equal(status, 200)
      assert.deepEqual(results.map(outcome), [
        [1, 'created'],
        [2, 'request.malformed'],
        [4, 'request.invalid'],
        [5, 'user.username_taken'],
        [6, 'user.organization_not_found'],
        [7, 'password.hash_unreadable'],
        [8, 'request.too_large'],
        [9, 'password.against_policy'],
        [10, 'created'],
        [11, 'created'],
        [12, 'exists'],
        [13, 'request.invalid'],
        [14, 'created'],
        [15, 'request.invalid'],
      ])
      const fields = results.map(({ error }) => error?.violations?.map(({ field }) => field))
      assert.deepEqual(fields[2], ['profile.firstName', 'profile.lastName', 'email.email'])
      assert.deepEqual(fields[5], ['hashedPassword.hash'])
      assert.match(results[9]?.emailCode ?? '', /^[0-9A-Z]{6}$/)
      assert.equal(results[0]?.userId, 'id-anna')
      assert.deepEqual(scene.faults, [])

      const { store, defaultOrganizationId } = scene.world
      const { total } = await store.find(users, { where: { field: 'type', equals: 'human' }, limit: 0 })
      assert.equal(total, 4 + 1)
      const anna = await store.get(passwords, 'id-anna')
      assert.equal(anna?.owner, defaultOrganizationId)
      assert.partialDeepStrictEqual(anna?.state, { secret: { hash: BCRYPT }, changeRequired: true })
    })

    test('the same file sent again changes nothing', patient, async (context) => {
      const scene = await openScene(context, engine)
      const body = people(700).join('\n')
      const first = await scene.send(body)
      assert.ok(first.results.every(({ status }) => status === 'created'))
      assert.deepEqual(
        first.results.map(({ line }) => line),
        Array.from({ length: 700 }, (_, index) => index + 1),
      )
      const before = await scene.world.store.events({ descending: true, limit: 1 })
      const again = await scene.send(body, { query: '?skip=100' })
      assert.deepEqual(
        again.results.map(outcome),
        Array.from({ length: 600 }, (_, index) => [index + 101, 'exists']),
      )
      assert.deepEqual(await scene.world.store.events({ descending: true, limit: 1 }), before)
    })

    test('a caller who goes away leaves whole people and nobody twice', patient, async (context) => {
      const scene = await openScene(context, engine)
      const lines = people(2_000)
      const upload = openUpload(scene)
      upload.request.write(`${lines.join('\n')}\n{"userId":"half`)
      await until(() => upload.results().length > 100)
      upload.request.destroy()
      await until(() => scene.finished.length === 1)
      assert.deepEqual(scene.finished[0]?.code, 1)

      const { results } = await scene.send(lines.join('\n'))
      assert.ok(results.every(({ status }) => status === 'created' || status === 'exists'))
      assert.ok(results.slice(0, 100).every(({ status }) => status === 'exists'))
      const { total } = await scene.world.store.find(passwords, { limit: 0 })
      assert.equal(total, 2_000)
      assert.deepEqual(scene.faults, [])
    })
  })
}

suite('the door of an import', () => {
  test('only who may add people there comes in; each line is asked for its own organization', async (context) => {
    const scene = await openScene(context)
    const { world } = scene
    const { id: elsewhere } = await world.call(ManagementService.method.addOrg, { name: 'Elsewhere' }, world.owner)
    const viewer = await world.addMachine({ organizationRoles: ['ORG_OWNER_VIEWER'] })
    const manager = await world.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
    assert.equal((await scene.send(person('a'), { bearer: 'nonsense' })).status, 401)
    assert.equal((await scene.send(person('a'), { bearer: viewer.request.bearer })).status, 403)
    const body = [
      person('a'),
      person('b', { organisation: { orgId: elsewhere } }),
      person('c', { organization: { orgId: world.defaultOrganizationId } }),
    ]
    const mine = await scene.send(body.join('\n'), { bearer: manager.request.bearer })
    assert.deepEqual(mine.results.map(outcome), [
      [1, 'created'],
      [2, 'access.forbidden'],
      [3, 'created'],
    ])
    const theirs = await scene.send(person('d'), { headers: { 'x-service-orgid': elsewhere } })
    assert.deepEqual(theirs.results.map(outcome), [[1, 'created']])
    assert.equal((await world.store.get(users, 'id-d'))?.owner, elsewhere)
    // Who is there in an organization of others is not told to those who may not look.
    const curious = await scene.send(person('d'), { bearer: manager.request.bearer })
    assert.deepEqual(curious.results.map(outcome), [[1, 'user.id_taken']])
  })

  test('other content types, compressions and questions are refused with the ones that are served', async (context) => {
    const scene = await openScene(context)
    const json = await scene.send(person('a'), { headers: { 'content-type': 'application/json' } })
    assert.equal(json.status, 415)
    assert.match(json.text, /request\.content_type_unsupported.*application\/x-ndjson|application\/x-ndjson/)
    const latin = await scene.send('', { headers: { 'content-type': 'application/x-ndjson; charset=latin1' } })
    assert.equal(latin.status, 415)
    const zipped = await scene.send(person('a'), { headers: { 'content-encoding': 'gzip' } })
    assert.equal(zipped.status, 415)
    assert.equal((await scene.send(person('a'), { query: '?skip=-1' })).status, 400)
    assert.deepEqual((await scene.send('')).results, [])
    assert.deepEqual((await scene.send('\n \n')).results, [])
  })

  test('a user may be called import', async (context) => {
    const scene = await openScene(context)
    const { world, port } = scene
    await scene.send(person('x', { userId: 'import' }))
    const headers = { authorization: `Bearer ${world.owner.bearer}` }
    const answer = await fetch(`http://127.0.0.1:${port}/v2/users/import`, { headers })
    assert.equal(((await answer.json()) as { user: { userId: string } }).user.userId, 'import')
  })

  test('a token that is withdrawn in the middle ends the import', patient, async (context) => {
    const scene = await openScene(context)
    const { world } = scene
    const manager = await world.addMachine({ organizationRoles: ['ORG_USER_MANAGER'] })
    const headers = {
      authorization: `Bearer ${manager.request.bearer}`,
      'content-type': 'application/x-ndjson',
    }
    const request = requestHttp({ port: scene.port, method: 'POST', path: '/v2/users/import', headers })
    request.on('error', () => {})
    let text = ''
    const ended = new Promise<void>((resolve) => {
      request.on('response', (answer) =>
        answer
          .setEncoding('utf8')
          .on('data', (piece: string) => (text += piece))
          .on('end', resolve),
      )
    })
    request.write(`${person('a')}\n`)
    await until(() => text.includes('\n'))
    await world.call(UserService.method.deleteUser, { userId: manager.userId }, world.owner)
    // Pause: permissions are asked again after a second.
    await sleep(1_100)
    request.write(`${person('b')}\n`)
    await until(() => text.includes('"line":2'))
    request.end(`${person('c')}\n`)
    await ended
    const results = parseResults(text)
    assert.deepEqual(results.slice(0, 2).map(outcome), [
      [1, 'created'],
      [2, 'access.unauthenticated'],
    ])
    assert.equal(await world.store.get(users, 'id-c'), undefined)
  })

  test(
    'more imports of an organization than it has places are told to wait, those of another are not',
    patient,
    async (context) => {
      const scene = await openScene(context)
      const { call, owner, addMachine } = scene.world
      const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'North' }, owner)
      const { request: north } = await addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const uploads = Array.from({ length: 2 }, () => openUpload(scene))
      for (const { request } of uploads) request.write('\n')
      await Promise.all(uploads.map(({ response }) => response))
      assert.equal((await scene.send(person('a'))).status, 429)
      assert.equal((await scene.send(person('b'), { bearer: north.bearer })).status, 200)
      for (const { request } of uploads) request.end()
      await until(() => uploads.every(({ state }) => state.hasEnded))
      assert.equal((await scene.send(person('a'))).status, 200)
    },
  )
})
