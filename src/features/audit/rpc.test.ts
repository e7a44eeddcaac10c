import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { ListEventsRequestSchema } from '../../../contract/gen/signet/admin/v1/event_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { isRefused, NOON, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import type { Actor } from '../../kernel/actor.ts'
import { instant } from '../../kernel/instant.ts'
import { payloadOf } from '../../module/event-payload.ts'
import { kinds } from '../../modules.ts'
import { users } from '../users/index.ts'

const { listEvents, listEventTypes, listAggregateTypes } = AdminService.method
const { addMachineUser, addPersonalAccessToken, deactivateUser, generateMachineSecret } = ManagementService.method

const machine = { type: 'add_machine', description: '', accessTokenType: 'bearer' } as const

suite('what an event says', () => {
  test('has no member named secret, however deep', () => {
    const data = { a: 1, secret: 'x', b: { secret: { hash: 'y' }, c: [{ secret: 1, d: null }, 'secret'] } }
    assert.deepEqual(payloadOf(data), { a: 1, b: { c: [{ d: null }, 'secret'] } })
    // What requests held before their secrets had that name.
    const older = { clientId: 'c', payload: { params: { state: 's' } }, asked: { relayState: 's' }, nonce: 'n' }
    assert.deepEqual(payloadOf(older), { clientId: 'c', asked: {} })
    assert.deepEqual(payloadOf({}), {})
    assert.deepEqual(payloadOf(undefined), {})
  })
})

for (const engine of bothEngines) {
  suite(`the log on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
      const at = (offset: number) => {
        world.clock.now = instant(NOON + offset)
      }
      at(1000)
      await world.call(
        addMachineUser,
        { userName: 'north-owner', name: 'The owner', userId: 'north-owner' },
        { bearer: 'boss' },
      )
      at(2000)
      await world.call(addMachineUser, { userName: 'robot', name: 'Robot', userId: 'robot' }, { bearer: 'north' })
      at(3000)
      await world.call(addPersonalAccessToken, { userId: 'robot' }, { bearer: 'north' })
      await world.call(generateMachineSecret, { userId: 'robot' }, { bearer: 'north' })
      at(4000)
      await world.call(deactivateUser, { id: 'robot' }, { bearer: 'north' })
      at(5000)
      await world.call(addMachineUser, { userName: 'other', name: 'Other', userId: 'other' }, { bearer: 'south' })
    })
    after(() => world.dispose())

    const list = async (message: MessageInitShape<typeof ListEventsRequestSchema> = {}, bearer = 'boss') =>
      (await world.call(listEvents, message, { bearer })).events
    const types = async (message: MessageInitShape<typeof ListEventsRequestSchema>) =>
      (await list({ asc: true, ...message })).map(({ type }) => type?.type.split('.').slice(0, 2).join('.'))

    test('is given newest first, or oldest first', async () => {
      const newest = await list()
      const oldest = await list({ asc: true })
      assert.deepEqual(
        newest.map(({ sequence }) => sequence).reverse(),
        oldest.map(({ sequence }) => sequence),
      )
      assert.equal(oldest[0]?.sequence, 1n)
      assert.deepEqual(
        oldest.map(({ sequence }) => sequence),
        oldest.map((_, index) => BigInt(index + 1)),
      )
      assert.equal(newest[0]?.aggregate?.id, 'other')
    })

    test('tells who did what to what, when', async () => {
      const [event] = await list({ eventTypes: ['user.machine_added.v1'], aggregateId: 'robot' })
      assert.deepEqual(event?.editor?.userId, 'north-owner')
      assert.equal(event.editor.displayName, 'The owner')
      assert.equal(event.aggregate?.type?.type, 'user')
      assert.equal(event.aggregate.resourceOwner, 'north')
      assert.deepEqual(event.creationDate, timestampFromMs(NOON + 2000))
      assert.equal(event.type?.type, 'user.machine_added.v1')
      assert.equal(event.type.localized?.localizedMessage, 'User machine added')
      assert.deepEqual(event.payload, { userName: 'robot', name: 'Robot', description: '', accessTokenType: 'bearer' })
    })

    test('shows no secret', async () => {
      const [added] = await list({ eventTypes: ['personal_access_token.added.v1'] })
      assert.deepEqual(Object.keys(added?.payload ?? {}).sort(), ['expiresAt', 'userId'])
      const [set] = await list({ eventTypes: ['machine_secret.set.v1'] })
      assert.deepEqual(set?.payload, {})
    })

    test('is filtered by type, thing, kind, editor and owner', async () => {
      assert.deepEqual(await types({ eventTypes: ['user.deactivated.v1', 'machine_secret.set.v1'] }), [
        'machine_secret.set',
        'user.deactivated',
      ])
      assert.deepEqual(await types({ aggregateId: 'robot', aggregateTypes: ['machine-secret'] }), [
        'machine_secret.set',
      ])
      assert.deepEqual(await types({ editorUserId: 'south-owner' }), ['user.machine_added'])
      assert.deepEqual(await types({ resourceOwner: 'south', aggregateTypes: ['user'] }), ['user.machine_added'])
      assert.deepEqual(await types({ aggregateId: 'who' }), [])
    })

    test('is filtered by time', async () => {
      const time = (offset: number) => timestampFromMs(NOON + offset)
      const range = (since?: number, until?: number) =>
        types({
          aggregateTypes: ['user'],
          creationDateFilter: {
            case: 'range',
            value: { ...(since && { since: time(since) }), ...(until && { until: time(until) }) },
          },
        })
      assert.deepEqual(await range(4000), ['user.deactivated', 'user.machine_added'])
      assert.deepEqual(await range(4000, 5000), ['user.deactivated'])
      assert.equal((await range(undefined, 1001)).at(-1), 'user.machine_added')
      const from = { case: 'from', value: time(4000) } as const
      assert.deepEqual(await types({ aggregateTypes: ['user'], creationDateFilter: from }), [
        'user.deactivated',
        'user.machine_added',
      ])
      const backwards = await list({ asc: false, aggregateTypes: ['user'], creationDateFilter: from })
      assert.equal(backwards[0]?.type?.type, 'user.deactivated.v1')
      const far = { case: 'from', value: { seconds: 2n ** 62n, nanos: 0 } } as const
      assert.deepEqual(await types({ creationDateFilter: far }), [])
    })

    test('is read on from a sequence, either way', async () => {
      const all = (await list({ asc: true })).map(({ sequence }) => sequence)
      assert.deepEqual(
        (await list({ asc: true, sequence: 3n, limit: 2 })).map(({ sequence }) => sequence),
        [4n, 5n],
      )
      assert.deepEqual(
        (await list({ sequence: 3n })).map(({ sequence }) => sequence),
        [2n, 1n],
      )
      assert.deepEqual(await list({ asc: true, sequence: BigInt(all.length) }), [])
      assert.deepEqual(await list({ asc: true, sequence: 2n ** 64n - 1n }), [])
    })

    test('comes at most a thousand at once', async () => {
      await list({ limit: 1000 })
      await isRefused(list({ limit: 1001 }), 'list.limit_too_large', 'limit')
    })

    test('refuses text that no event can have', () =>
      isRefused(
        list({ aggregateId: 'a\u0000', eventTypes: ['\u0000'] }),
        'audit.filter_invalid',
        'aggregateId',
        'eventTypes',
      ))

    test('is for those who may see the whole instance', async () => {
      await isRefused(list({}, 'north'), 'access.forbidden')
      await isRefused(list({}, 'nobody'), 'access.forbidden')
    })

    test('names all types of events and of things, each once', async () => {
      const { eventTypes } = await world.call(listEventTypes, {}, { bearer: 'boss' })
      const named = eventTypes.map(({ type }) => type)
      assert.ok(named.includes('user.machine_added.v1') && named.includes('machine_key.added.v1'))
      assert.deepEqual(named, [...new Set(named)].sort())
      const { aggregateTypes } = await world.call(listAggregateTypes, {}, { bearer: 'boss' })
      assert.deepEqual(
        aggregateTypes.map(({ type }) => type),
        kinds.map(({ name }) => name).sort(),
      )
    })

    test('tells a user from the server and from visitors, also one who has such a word as ID', async () => {
      const add = (actor: Actor, id: string) =>
        world.store.write({ actor, at: instant(NOON + 9000) }, (work) =>
          work.decide(users, id, { ...machine, name: id, userName: id }, 'north'),
        )
      await add('server', 'by-server')
      await add('visitor', 'by-visitor')
      await add({ user: 'system' }, 'by-user')
      const editorOf = async (aggregateId: string) => {
        const [event] = await list({ aggregateId })
        return [event?.editor?.userId, event?.editor?.service]
      }
      assert.deepEqual(await editorOf('by-server'), ['system', 'server'])
      assert.deepEqual(await editorOf('by-visitor'), ['visitor', 'visitor'])
      assert.deepEqual(await editorOf('by-user'), ['system', ''])
    })
  })
}
