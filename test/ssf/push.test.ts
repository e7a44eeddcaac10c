/** Streams that are pushed: signed tokens with the header of the receiver, tried again, and switched off when it is gone. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { queueStatus, resumeQueue, watchOf } from '../../src/features/deliveries/index.ts'
import { engines } from '../support/engines.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { eventOf, openSsfWorld, PUSH, RISC, type SsfWorld, type TestReceiver } from '../support/ssf.ts'

const HEADER = 'Bearer what-the-receiver-knows-us-by'

for (const engine of engines) {
  suite(`signals are pushed on ${engine.name}`, () => {
    let world: SsfWorld
    let endpoint: Receiver
    let machine: TestReceiver
    let stop: () => Promise<void>

    before(async () => {
      world = await openSsfWorld(engine)
      endpoint = await openReceiver()
      machine = await world.addReceiver({ organizationRoles: ['ORG_SIGNAL_RECEIVER'] })
      const runner = world.run()
      stop = () => runner.stop()
    })
    after(async () => {
      await stop()
      await endpoint.close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })
    const delivery = () => ({ method: PUSH, endpoint_url: endpoint.url, authorization_header: HEADER })
    const look = () => watchOf(world.app).look()
    const lock = async (userId: string) => {
      await world.call(UserService.method.lockUser, { userId }, world.owner)
      await look()
    }
    const create = async () => {
      await look()
      endpoint.received.length = 0
      endpoint.answer = () => 202
      const { stream_id } = await machine.create({
        delivery: delivery(),
        events_requested: [`${RISC}account-disabled`],
      })
      return { stream_id, ref: { kind: 'signal-stream', id: stream_id } }
    }
    const remove = (id: string) => machine.send('DELETE', `/ssf/v1/streams?stream_id=${id}`)

    test('as signed tokens, with the header that is never shown', async () => {
      const { stream_id } = await create()
      const userId = await world.addPerson('push-ada')
      await machine.send('POST', '/ssf/v1/verification', { stream_id, state: 'abc' })
      await lock(userId)
      await endpoint.count(2)
      const claims = await Promise.all(endpoint.received.map(({ body }) => world.claimsOf(body)))
      const names = claims.map((one) => eventOf(one)[0])
      assert.deepEqual(names.sort(), ['account-disabled', 'verification'])
      for (const { headers } of endpoint.received) {
        assert.equal(headers['content-type'], 'application/secevent+jwt')
        assert.equal(headers.accept, 'application/json')
        assert.equal(headers.authorization, HEADER)
      }
      const shown = JSON.stringify((await machine.send('GET', '/ssf/v1/streams')).body)
      assert.equal(shown.includes('what-the-receiver'), false)
      const stored = JSON.stringify(await world.store.events({ kinds: ['signal-stream'], limit: 100 }))
      assert.equal(stored.includes('what-the-receiver'), false)
      await remove(stream_id)
    })

    test('again with the same token ID after an error, and to no other address with the header', async () => {
      const { stream_id, ref } = await create()
      const userId = await world.addPerson('again-ada')
      endpoint.answer = () => ({ status: 503 })
      await lock(userId)
      await endpoint.count(1)
      endpoint.answer = () => 202
      await resumeQueue(world.app, ref)
      await endpoint.count(2)
      const [first, second] = await Promise.all(endpoint.received.map(({ body }) => world.claimsOf(body)))
      assert.deepEqual(first, second)

      const moved = { method: PUSH, endpoint_url: `${endpoint.url}/moved` }
      await machine.send('PATCH', '/ssf/v1/streams', { stream_id, description: 'kept', delivery: { ...moved } })
      await lock(await world.addPerson('moved-ada'))
      await endpoint.count(3)
      assert.equal(endpoint.received[2]?.headers.authorization, undefined)
      await remove(stream_id)
    })

    test('not while it is paused, and not after the receiver lost its role', async () => {
      const { stream_id } = await create()
      const status = (value: string) => machine.send('POST', '/ssf/v1/status', { stream_id, status: value })
      await status('paused')
      await lock(await world.addPerson('paused-ada'))
      await status('enabled')
      await look()
      await endpoint.count(1)

      const resource = { resource: { case: 'organizationId', value: world.defaultOrganizationId } } as const
      const { deleteAdministrator, createAdministrator } = InternalPermissionService.method
      await world.call(deleteAdministrator, { userId: machine.userId, resource }, world.owner)
      await lock(await world.addPerson('lost-ada'))
      assert.equal((await machine.send('GET', '/ssf/v1/streams')).status, 403)
      const roles = ['ORG_SIGNAL_RECEIVER']
      await world.call(createAdministrator, { userId: machine.userId, resource, roles }, world.owner)
      await lock(await world.addPerson('back-ada'))
      await endpoint.count(3)
      await remove(stream_id)
    })

    test('no more to an endpoint that is gone', async () => {
      const { stream_id } = await create()
      endpoint.answer = () => 410
      await lock(await world.addPerson('gone-ada'))
      const status = async () => (await machine.send('GET', `/ssf/v1/status?stream_id=${stream_id}`)).body
      while ((await status()).status !== 'disabled') await sleep(5)
      assert.equal((await status()).reason, 'The endpoint answered that it is gone.')
      // Once it is back, the receiver enables the stream, and learns of what happens from then on.
      endpoint.answer = () => 202
      await machine.send('POST', '/ssf/v1/status', { stream_id, status: 'enabled' })
      const before = endpoint.received.length
      await lock(await world.addPerson('back-again-ada'))
      await endpoint.count(before + 1)
      await remove(stream_id)
    })

    test('again to an endpoint that failed, once the receiver says where it is', async () => {
      const { stream_id, ref } = await create()
      endpoint.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } })
      await lock(await world.addPerson('failing-ada'))
      while ((await queueStatus(world.app, ref)).failing === undefined) await sleep(5)
      endpoint.answer = () => 202
      const before = endpoint.received.length
      const moved = { ...delivery(), endpoint_url: `${endpoint.url}/repaired` }
      await machine.send('PATCH', '/ssf/v1/streams', { stream_id, delivery: moved })
      await endpoint.count(before + 1)
      await remove(stream_id)
    })
  })
}
