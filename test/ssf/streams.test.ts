/** Streams of signals: set up by receivers, polled and acknowledged, and about the users of one organization only. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../support/engines.ts'
import { CAEP, eventOf, openSsfWorld, POLL, PUSH, RISC, type SsfWorld, type TestReceiver } from '../support/ssf.ts'

const STREAMS = '/ssf/v1/streams'

for (const engine of bothEngines) {
  suite(`streams of signals on ${engine.name}`, () => {
    let world: SsfWorld
    let receiver: TestReceiver

    before(async () => {
      world = await openSsfWorld(engine)
      receiver = await world.addReceiver({ organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const subjectOf = (userId: string) => ({ format: 'iss_sub', iss: world.url, sub: userId })
    const removeAll = async (one = receiver) => {
      for (const { stream_id: id } of (await one.send('GET', STREAMS)).body) {
        await one.send('DELETE', `${STREAMS}?stream_id=${id}`)
      }
    }

    test('metadata says where everything is', async () => {
      const response = await fetch(`${world.url}/.well-known/ssf-configuration`)
      assert.equal(response.headers.get('content-type'), 'application/json')
      const { url } = world
      assert.deepEqual(await response.json(), {
        spec_version: '1_0',
        issuer: url,
        jwks_uri: `${url}/oauth/v2/keys`,
        delivery_methods_supported: [PUSH, POLL],
        configuration_endpoint: `${url}/ssf/v1/streams`,
        status_endpoint: `${url}/ssf/v1/status`,
        add_subject_endpoint: `${url}/ssf/v1/subjects:add`,
        remove_subject_endpoint: `${url}/ssf/v1/subjects:remove`,
        verification_endpoint: `${url}/ssf/v1/verification`,
        critical_subject_members: ['user'],
        authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:6750' }],
        default_subjects: 'ALL',
      })
    })

    test('are created, read, changed, replaced and deleted', async () => {
      const { send, create } = receiver
      assert.deepEqual((await send('GET', STREAMS)).body, [])
      const requested = [`${CAEP}session-revoked`, 'urn:example:unknown']
      const made = await create({ events_requested: requested, description: 'SIEM' })
      assert.deepEqual(made, {
        stream_id: made.stream_id,
        iss: world.url,
        aud: receiver.userId,
        events_supported: [
          `${CAEP}session-revoked`,
          `${CAEP}assurance-level-change`,
          `${CAEP}credential-change`,
          `${RISC}account-disabled`,
          `${RISC}account-enabled`,
          `${RISC}account-purged`,
        ],
        events_requested: requested,
        events_delivered: [`${CAEP}session-revoked`],
        delivery: { method: POLL, endpoint_url: `${world.url}/ssf/v1/poll/${made.stream_id}` },
        min_verification_interval: 60,
        description: 'SIEM',
      })
      const { stream_id } = made
      assert.deepEqual((await send('GET', `${STREAMS}?stream_id=${stream_id}`)).body, made)
      assert.deepEqual((await send('GET', STREAMS)).body, [made])

      const delivery = {
        method: PUSH,
        endpoint_url: 'http://127.0.0.1:1/',
        authorization_header: 'Bearer secret-of-it',
      }
      const patched = await send('PATCH', STREAMS, { stream_id, delivery, events_delivered: made.events_delivered })
      const { authorization_header: _, ...shown } = delivery
      assert.deepEqual([patched.status, patched.body], [200, { ...made, delivery: shown }])

      const put = await send('PUT', STREAMS, { ...patched.body, events_requested: undefined, description: undefined })
      assert.equal(put.status, 200)
      assert.deepEqual(put.body.events_delivered, made.events_supported)
      assert.equal('description' in put.body, false)
      assert.deepEqual(put.body.delivery, shown)

      assert.equal((await send('DELETE', `${STREAMS}?stream_id=${stream_id}`)).status, 204)
      assert.equal((await send('GET', `${STREAMS}?stream_id=${stream_id}`)).status, 404)
      assert.equal((await send('DELETE', `${STREAMS}?stream_id=${stream_id}`)).status, 404)
    })

    test('what is wrong with a request is said', async () => {
      const { stream_id } = await receiver.create()
      const push = (more: object) => ({ delivery: { method: PUSH, endpoint_url: 'http://127.0.0.1:1/', ...more } })
      const wrong: [string, string, unknown, number][] = [
        ['POST', STREAMS, push({ endpoint_url: 'ftp://receiver.example/' }), 400],
        ['POST', STREAMS, push({ endpoint_url: undefined }), 400],
        ['POST', STREAMS, push({ method: 'urn:example' }), 400],
        ['POST', STREAMS, push({ authorization_header: 'a\r\nb: c' }), 400],
        ['POST', STREAMS, { delivery: { method: POLL, endpoint_url: 'https://elsewhere.example/' } }, 400],
        ['POST', STREAMS, { events_requested: 'all' }, 400],
        ['POST', STREAMS, { events_requested: Array.from({ length: 51 }, (_, at) => `urn:${at}`) }, 400],
        ['POST', STREAMS, [], 400],
        ['PATCH', STREAMS, {}, 400],
        ['PATCH', STREAMS, { stream_id, iss: 'https://elsewhere.example' }, 400],
        ['PUT', STREAMS, { stream_id, aud: 'somebody' }, 400],
        ['PATCH', STREAMS, { stream_id: 'none' }, 404],
        ['DELETE', STREAMS, undefined, 400],
        ['POST', '/ssf/v1/status', { stream_id, status: 'on' }, 400],
        ['POST', '/ssf/v1/status', { stream_id: 'none', status: 'paused' }, 404],
        ['GET', '/ssf/v1/status', undefined, 400],
        ['POST', '/ssf/v1/verification', { stream_id: 'none' }, 404],
        ['POST', '/ssf/v1/verification', { stream_id, state: 7 }, 400],
        ['POST', '/ssf/v1/subjects:add', { stream_id, subject: { format: 'email', email: 'a@example.com' } }, 400],
        ['POST', '/ssf/v1/subjects:add', { stream_id }, 400],
        ['POST', '/ssf/v1/poll/none', {}, 404],
        ['POST', `/ssf/v1/poll/${stream_id}`, { maxEvents: -1 }, 400],
        ['POST', `/ssf/v1/poll/${stream_id}`, { ack: 'all' }, 400],
        ['GET', `/ssf/v1/poll/${stream_id}`, undefined, 405],
      ]
      for (const [method, path, body, status] of wrong) {
        const reply = await receiver.send(method, path, body)
        assert.equal(reply.status, status, `${method} ${path} ${JSON.stringify(body)} ${JSON.stringify(reply.body)}`)
        assert.equal(typeof reply.body.err, 'string')
      }
      await removeAll()
    })

    test('are for machine users with the role, and for the one who created them', async () => {
      const { stream_id } = await receiver.create()
      const nobody = await world.addReceiver({})
      const other = await world.addReceiver({ organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      const elsewhere = await world.addOrganization('Elsewhere')
      const guest = await world.addReceiver({ organizationId: elsewhere, organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      assert.equal((await fetch(`${world.url}${STREAMS}`)).status, 401)
      assert.equal((await nobody.send('GET', STREAMS)).status, 403)
      assert.equal((await nobody.send('POST', STREAMS, {})).status, 403)
      for (const stranger of [other, guest]) {
        assert.deepEqual((await stranger.send('GET', STREAMS)).body, [])
        const asks: [string, string, unknown][] = [
          ['GET', `${STREAMS}?stream_id=${stream_id}`, undefined],
          ['PATCH', STREAMS, { stream_id, description: 'mine' }],
          ['PUT', STREAMS, { stream_id }],
          ['DELETE', `${STREAMS}?stream_id=${stream_id}`, undefined],
          ['GET', `/ssf/v1/status?stream_id=${stream_id}`, undefined],
          ['POST', '/ssf/v1/status', { stream_id, status: 'disabled' }],
          ['POST', '/ssf/v1/verification', { stream_id }],
          ['POST', '/ssf/v1/subjects:remove', { stream_id, subject: subjectOf('x') }],
          ['POST', `/ssf/v1/poll/${stream_id}`, { returnImmediately: true }],
        ]
        for (const [method, path, body] of asks) {
          assert.equal((await stranger.send(method, path, body)).status, 404, `${method} ${path}`)
        }
      }
      await removeAll()
    })

    test('are polled: each event until it is acknowledged, in order, and nothing of other organizations', async () => {
      const { stream_id } = await receiver.create()
      const elsewhere = await world.addOrganization('Foreign')
      const guest = await world.addReceiver({ organizationId: elsewhere, organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      const foreign = await guest.create()
      const all = await world.addReceiver({ instanceRoles: ['IAM_SIGNAL_RECEIVER'] })
      const everything = await all.create()

      const userId = await world.addPerson('poll-ada')
      const sessionId = await world.addSession(userId)
      await world.endSession(sessionId)
      await world.call(UserService.method.deactivateUser, { userId }, world.owner)
      await world.call(UserService.method.reactivateUser, { userId }, world.owner)
      await world.call(UserService.method.deleteUser, { userId }, world.owner)

      const got = await receiver.poll(stream_id)
      const names = got.map((claims) => eventOf(claims)[0])
      assert.deepEqual(names, [
        ...['credential-change', 'session-revoked', 'account-disabled', 'account-enabled', 'account-purged'],
      ])
      const [password, revoked, disabled] = got
      assert.deepEqual(eventOf(password)[1], {
        event_timestamp: password.iat,
        initiating_entity: 'admin',
        credential_type: 'password',
        change_type: 'create',
      })
      assert.deepEqual(revoked.sub_id, {
        format: 'complex',
        user: subjectOf(userId),
        session: { format: 'opaque', id: sessionId },
      })
      assert.deepEqual(disabled.sub_id, subjectOf(userId))
      assert.equal(disabled.aud, receiver.userId)
      for (const claims of got) assert.equal('sub' in claims || 'exp' in claims, false)
      assert.equal(JSON.stringify(got).includes('poll-ada'), false)

      // Not acknowledged, so they come again; with a limit only some, and the server says that there are more.
      assert.deepEqual(await receiver.poll(stream_id), got)
      const two = await receiver.send('POST', `/ssf/v1/poll/${stream_id}`, { maxEvents: 2, returnImmediately: true })
      assert.deepEqual([Object.keys(two.body.sets).length, two.body.moreAvailable], [2, true])
      // Out of order, with an error, and with IDs of nobody.
      const ids = got.map(({ jti }) => jti)
      const left = await receiver.poll(stream_id, {
        ack: [ids[1], ids[4], `${foreign.stream_id}.1`, `${stream_id}.999999`, ''],
        setErrs: { [ids[2]]: { err: 'invalid_key', description: 'Unknown key.' } },
      })
      assert.deepEqual(
        left.map(({ jti }) => jti),
        [ids[0], ids[3]],
      )
      const only = await receiver.send('POST', `/ssf/v1/poll/${stream_id}`, { ack: [ids[0]], maxEvents: 0 })
      assert.deepEqual(only.body, { sets: {}, moreAvailable: true })
      assert.deepEqual(await receiver.poll(stream_id, { ack: [ids[3]] }), [])

      assert.deepEqual(await guest.poll(foreign.stream_id), [])
      const heard = await all.poll(everything.stream_id)
      assert.deepEqual(
        heard.map((claims) => eventOf(claims)[0]),
        names,
      )
      await removeAll()
    })

    test('a poll waits for the next event', async () => {
      const { stream_id } = await receiver.create({ events_requested: [`${RISC}account-disabled`] })
      const userId = await world.addPerson('wait-ada')
      const waiting = receiver.poll(stream_id, { returnImmediately: false })
      await world.call(UserService.method.lockUser, { userId }, world.owner)
      const [claims] = await waiting
      assert.equal(eventOf(claims)[0], 'account-disabled')
      await removeAll()
    })

    test('a poll that waits ends with the role of its receiver, whichever node takes it away', async () => {
      const { url } = await world.serveAnother()
      const machine = await world.addReceiver({ organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      const { stream_id } = await machine.create({ events_requested: [`${RISC}account-disabled`] })
      const userId = await world.addPerson('role-ada')
      const waiting = machine.send('POST', `/ssf/v1/poll/${stream_id}`, {}, url)
      // Pause: nothing tells that the request waits. Too short a pause lets the test pass, never fail.
      await sleep(200)
      const resource = { resource: { case: 'organizationId', value: world.defaultOrganizationId } } as const
      const { deleteAdministrator } = InternalPermissionService.method
      await world.call(deleteAdministrator, { userId: machine.userId, resource }, world.owner)
      await world.call(UserService.method.lockUser, { userId }, world.owner)
      assert.equal((await waiting).status, 403)
    })

    test('a verification comes back with its state, and not more often than once a minute', async () => {
      const { stream_id } = await receiver.create()
      const other = await receiver.create()
      const verify = () => receiver.send('POST', '/ssf/v1/verification', { stream_id, state: 'VGhpcyBp' })
      assert.equal((await verify()).status, 204)
      const again = await verify()
      assert.deepEqual([again.status, again.body.err], [429, 'too_many_requests'])
      const [claims] = await receiver.poll(stream_id)
      assert.deepEqual(eventOf(claims), ['verification', { state: 'VGhpcyBp' }])
      assert.deepEqual(claims.sub_id, { format: 'opaque', id: stream_id })
      assert.deepEqual(await receiver.poll(other.stream_id), [])
      await removeAll()
    })

    test('a paused stream keeps what happens, a disabled one does not', async () => {
      const { stream_id } = await receiver.create({ events_requested: [`${RISC}account-disabled`] })
      const status = (value: string, reason?: string) =>
        receiver.send('POST', '/ssf/v1/status', { stream_id, status: value, reason })
      const userId = await world.addPerson('status-ada')
      const { lockUser, unlockUser } = UserService.method
      const lock = async () => {
        await world.call(lockUser, { userId }, world.owner)
        await world.call(unlockUser, { userId }, world.owner)
      }
      assert.deepEqual((await status('paused', 'Maintenance')).body, {
        stream_id,
        status: 'paused',
        reason: 'Maintenance',
      })
      for (let time = 0; time < 3; time++) await lock()
      // What waits is a position in the log: the document and the queue are the same with any number of events.
      const before = await world.store.jobs.read(`delivery:signal-stream:${stream_id}`)
      assert.equal(before?.data, undefined)
      assert.deepEqual(await receiver.poll(stream_id), [])
      assert.deepEqual((await status('enabled')).body, { stream_id, status: 'enabled' })
      const held = await receiver.poll(stream_id)
      assert.equal(held.length, 3)
      assert.deepEqual(await receiver.poll(stream_id, { ack: held.map(({ jti }) => jti) }), [])

      await status('disabled')
      await lock()
      await status('enabled')
      assert.deepEqual(await receiver.poll(stream_id), [])
      await lock()
      assert.equal((await receiver.poll(stream_id)).length, 1)
      assert.deepEqual((await receiver.send('GET', `/ssf/v1/status?stream_id=${stream_id}`)).body, {
        stream_id,
        status: 'enabled',
      })
      await removeAll()
    })

    test('a receiver can do without a user, and learns of nobody by asking', async () => {
      const { stream_id } = await receiver.create({ events_requested: [`${RISC}account-disabled`] })
      const [one, other] = [await world.addPerson('left-ada'), await world.addPerson('kept-ada')]
      const change = (verb: 'add' | 'remove', userId: string) =>
        receiver.send('POST', `/ssf/v1/subjects:${verb}`, { stream_id, subject: subjectOf(userId) })
      assert.equal((await change('remove', one)).status, 204)
      assert.equal((await change('remove', 'nobody')).status, 204)
      assert.equal((await change('add', 'nobody')).status, 200)
      for (const userId of [one, other]) await world.call(UserService.method.lockUser, { userId }, world.owner)
      const [claims, ...more] = await receiver.poll(stream_id)
      assert.deepEqual([claims.sub_id, more], [subjectOf(other), []])
      assert.equal((await change('add', one)).status, 200)
      await world.call(UserService.method.unlockUser, { userId: one }, world.owner)
      await world.call(UserService.method.lockUser, { userId: one }, world.owner)
      const both = await receiver.poll(stream_id)
      assert.deepEqual(
        both.map(({ sub_id }) => sub_id),
        [subjectOf(other), subjectOf(one)],
      )
      await removeAll()
    })

    test('end with the role, the machine user and the organization', async () => {
      const organizationId = await world.addOrganization('Short')
      const short = await world.addReceiver({ organizationId, organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      const { stream_id } = await short.create()
      const { poll } = { poll: () => short.send('POST', `/ssf/v1/poll/${stream_id}`, { returnImmediately: true }) }
      assert.equal((await poll()).status, 200)
      await world.call(UserService.method.deactivateUser, { userId: short.userId }, world.owner)
      assert.equal((await poll()).status, 401)
      await world.call(UserService.method.deleteUser, { userId: short.userId }, world.owner)
      const types = ['signal_stream.removed.v1']
      assert.equal((await world.store.events({ kinds: ['signal-stream'], id: stream_id, types, limit: 1 })).length, 1)
    })

    test('a receiver has ten streams at most', async () => {
      for (let count = 0; count < 10; count++) await receiver.create()
      const reply = await receiver.send('POST', STREAMS, {})
      assert.deepEqual([reply.status, reply.body.err], [409, 'conflict'])
      await removeAll()
    })
  })
}
