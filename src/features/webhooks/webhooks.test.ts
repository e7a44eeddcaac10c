/** Webhooks: signed by Standard Webhooks, each organization for itself, tested, rotated, paused and replayed. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'
import { Webhook as Verifier } from 'standardwebhooks'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import {
  WebhookDeliveryOutcome,
  WebhookQueueState,
  WebhookState,
} from '../../../contract/gen/signet/webhook/v1/webhook_pb.ts'
import { WebhookService } from '../../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines, type TestEngine } from '../../../test/support/engines.ts'
import { openReceiver, type Received } from '../../../test/support/receiver.ts'
import { isRefused, openSmallWorld } from '../../../test/support/small-world.ts'
import { instant } from '../../kernel/instant.ts'
import { kinds } from '../../modules.ts'
import { watchOf } from '../deliveries/index.ts'
import { organizations } from '../organizations/index.ts'
import { findWebhook } from './documents.ts'
import { includedDocument } from './included-document.ts'
import { eventSchema } from './payload.ts'

const api = WebhookService.method
const HOUR = 3_600_000
const BOSS = { bearer: 'boss' }

async function openScene(t: TestContext, engine: TestEngine) {
  // Receivers check how old a request is.
  const world = await openSmallWorld(engine)
  world.clock.now = instant(Date.now())
  const receiver = await openReceiver()
  const runner = world.run()
  afterwards(t, async () => {
    await runner.stop()
    await receiver.close()
    await world.dispose()
  })
  const add = async (organizationId: string, more: object = {}, bearer = 'boss') =>
    world.call(api.createWebhook, { organizationId, name: 'A hook', endpoint: receiver.url, ...more }, { bearer })
  const look = () => watchOf(world.app).look()
  const get = async (webhookId: string) => {
    const { webhook } = await world.call(api.getWebhook, { webhookId }, BOSS)
    assert.ok(webhook?.queue)
    return { ...webhook, queue: webhook.queue }
  }
  const rename = async (id: string, name: string) => {
    await world.store.write(world.origin(), (work) => work.decide(organizations, id, { type: 'rename', name }))
    await look()
  }
  const pass = (milliseconds: number) => {
    world.clock.now = instant(world.clock.now + milliseconds)
  }
  return { world, receiver, add, look, get, rename, pass }
}

function verify(secret: string, { body, headers }: Received): unknown {
  return new Verifier(secret).verify(body, headers as Record<string, string>)
}

for (const engine of engines) {
  suite(`webhooks on ${engine.name}`, () => {
    test('get the events of their organization, signed, in words and ids, without secrets', async (t) => {
      const { world, receiver, add, look } = await openScene(t, engine)
      const { webhookId, secret } = await add('north', {}, 'north')
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const north = { bearer: 'north' }
      const { addMachineUser, addPersonalAccessToken } = ManagementService.method
      await world.call(addMachineUser, { userName: 'robot', name: 'Robot', userId: 'robot' }, north)
      await world.call(addPersonalAccessToken, { userId: 'robot' }, north)
      await world.call(addMachineUser, { userName: 'other', name: 'Other' }, { bearer: 'south' })
      await look()
      await receiver.count(2)
      const events = receiver.received.map((one) => verify(secret, one) as { type: string; data: { sequence: number } })
      const added = events.find(({ type }) => type === 'user.machine_added.v1')
      assert.deepEqual(added?.data, {
        instanceId: 'instance',
        organizationId: 'north',
        sequence: added?.data.sequence,
        object: { type: 'user', id: 'robot', revision: 1 },
        actor: { type: 'user', id: 'north-owner' },
        event: { userName: 'robot', name: 'Robot', description: '', accessTokenType: 'bearer' },
      })
      assert.ok(events.every(({ data }) => JSON.stringify(data).includes('"organizationId":"north"')))
      assert.ok(receiver.received.every(({ body }) => !body.includes('secret')))
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      assert.equal(new Set(ids).size, ids.length)
      const list = () => world.call(api.listWebhookDeliveries, { webhookId }, north)
      while ((await list()).deliveries.length < 2) await sleep(3)
      const { deliveries, hours } = await list()
      assert.ok(
        deliveries.every(({ outcome, status }) => outcome === WebhookDeliveryOutcome.DELIVERED && status === 204),
      )
      assert.equal(hours.length <= 2, true)
      const sequence = deliveries[0]?.sequence ?? 0n
      const { body } = await world.call(api.getWebhookDelivery, { webhookId, sequence }, north)
      assert.ok(receiver.received.some((one) => one.body === JSON.stringify(body)))
      await isRefused(
        world.call(api.getWebhookDelivery, { webhookId, sequence: 2n }, north),
        'webhook.delivery_not_found',
      )
    })

    test('contain the object as it is now, if they shall, without secrets and not that of others', async (t) => {
      const { world, receiver, add, look } = await openScene(t, engine)
      const { secret, webhookId } = await add('north', { includeDocument: true, eventTypes: ['user.*'] }, 'north')
      const { addMachineUser, updateMachine, removeUser } = ManagementService.method
      const north = { bearer: 'north' }
      await world.call(addMachineUser, { userName: 'robot', name: 'Robot', userId: 'robot' }, north)
      await world.call(updateMachine, { userId: 'robot', name: 'Marvin' }, north)
      await look()
      await receiver.count(2)
      type Body = { type: string; data: { document?: Record<string, unknown> | null } }
      const bodies = () => receiver.received.map((one) => verify(secret, one) as Body)
      const [first] = bodies()
      assert.equal(first?.type, 'user.machine_added.v1')
      const { id, revision, name, userName, createdAt } = first?.data.document ?? {}
      assert.deepEqual([id, revision, name, userName], ['robot', 2, 'Marvin', 'robot'])
      assert.ok(!Number.isNaN(Date.parse(String(createdAt))))
      assert.ok(receiver.received.every(({ body }) => !/"(secret|search)"/.test(body)))
      await world.call(removeUser, { id: 'robot' }, north)
      await look()
      while (!bodies().some(({ type }) => type === 'user.removed.v1')) await sleep(3)
      assert.equal(bodies().at(-1)?.data.document, null)
      await world.call(api.updateWebhook, { webhookId, includeDocument: false }, BOSS)
      await world.call(addMachineUser, { userName: 'other', name: 'Other' }, north)
      await look()
      while (bodies().at(-1)?.type === 'user.removed.v1') await sleep(3)
      assert.ok(!('document' in (bodies().at(-1)?.data ?? {})))
    })

    test('do not contain an object that belongs to another organization now', async (t) => {
      const { world, add } = await openScene(t, engine)
      const { webhookId } = await add('north', { includeDocument: true })
      const webhook = await findWebhook(world.app, webhookId)
      const [event] = await world.store.events({ kinds: ['organization'], id: 'south', limit: 1 })
      assert.ok(webhook && event)
      assert.equal(await includedDocument(world.app, webhook, event), null)
      const { webhookId: ofInstance } = await add('', { includeDocument: true })
      const other = await findWebhook(world.app, ofInstance)
      assert.ok(other)
      assert.equal((await includedDocument(world.app, other, event))?.id, 'south')
    })

    test('are for those who administer their organization, and nobody else learns of them', async (t) => {
      const { world, add } = await openScene(t, engine)
      const { webhookId } = await add('north', {}, 'north')
      const { webhookId: ofInstance } = await add('', {})
      await isRefused(add('south', {}, 'north'), 'access.forbidden')
      await isRefused(add('', {}, 'north'), 'access.forbidden')
      await isRefused(add('north', {}, 'viewer'), 'access.forbidden')
      await isRefused(add('nowhere', {}), 'organization.not_found')
      for (const bearer of ['south', 'nobody', 'login']) {
        await isRefused(world.call(api.getWebhook, { webhookId }, { bearer }), 'access.forbidden')
        await isRefused(world.call(api.testWebhook, { webhookId }, { bearer }), 'access.forbidden')
        await isRefused(world.call(api.rotateWebhookSecret, { webhookId }, { bearer }), 'access.forbidden')
        await isRefused(world.call(api.listWebhookDeliveries, { webhookId }, { bearer }), 'access.forbidden')
      }
      await isRefused(world.call(api.getWebhook, { webhookId: ofInstance }, { bearer: 'north' }), 'access.forbidden')
      await isRefused(world.call(api.getWebhook, { webhookId: 'none' }, BOSS), 'webhook.not_found')
      const list = async (bearer: string) =>
        (await world.call(api.listWebhooks, {}, { bearer })).webhooks.map(({ id }) => id).sort()
      assert.deepEqual(await list('boss'), [webhookId, ofInstance].sort())
      assert.deepEqual(await list('viewer'), [webhookId])
      assert.deepEqual(await list('south'), [])
    })

    test('refuse addresses and filters that cannot be', async (t) => {
      const { add } = await openScene(t, engine)
      for (const endpoint of ['ftp://a.example/', 'https://u:p@a.example/', 'nothing', 'http://169.254.169.254/']) {
        await isRefused(add('north', { endpoint }), 'webhook.url_invalid', 'endpoint')
      }
      const wrong = { eventTypes: ['user.*', 'user.flown.v1'], objectTypes: ['dragon'] }
      await isRefused(add('north', wrong), 'webhook.filter_unknown', 'eventTypes', 'objectTypes')
    })

    test('get only what their filter names', async (t) => {
      const { world, receiver, add, rename } = await openScene(t, engine)
      const { secret } = await add('', { eventTypes: ['organization.*'], objectTypes: ['organization'] })
      await world.call(
        ManagementService.method.addMachineUser,
        { userName: 'robot', name: 'Robot' },
        { bearer: 'north' },
      )
      await rename('south', 'Another')
      await rename('north', 'Another one')
      await receiver.count(2)
      const types = receiver.received.map((one) => (verify(secret, one) as { type: string }).type)
      assert.deepEqual(types, ['organization.renamed.v1', 'organization.renamed.v1'])
    })

    test('are signed with both secrets until the former one ends', async (t) => {
      const { world, receiver, add, rename, pass, get } = await openScene(t, engine)
      const { webhookId, secret } = await add('north')
      const { secret: next } = await world.call(api.rotateWebhookSecret, { webhookId }, BOSS)
      assert.notEqual(next, secret)
      assert.ok((await get(webhookId)).formerSecretExpirationDate)
      await rename('north', 'One')
      await receiver.count(2)
      const both = receiver.received.at(-1)
      assert.ok(both)
      verify(secret, both)
      verify(next, both)
      const overlap = create(DurationSchema, { seconds: 0n })
      const { secret: last } = await world.call(api.rotateWebhookSecret, { webhookId, overlap }, BOSS)
      await world.call(api.testWebhook, { webhookId }, BOSS)
      const only = receiver.received.at(-1)
      assert.ok(only)
      verify(last, only)
      assert.throws(() => verify(next, only))
      await world.call(api.rotateWebhookSecret, { webhookId }, BOSS)
      pass(25 * HOUR)
      await world.call(api.testWebhook, { webhookId }, BOSS)
      assert.equal(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length, 1)
    })

    test('are tested at once, and the answer is shown', async (t) => {
      const { world, receiver, add } = await openScene(t, engine)
      const { webhookId, secret } = await add('north')
      receiver.answer = () => ({ status: 500, body: 'no database\u0007' })
      const { delivery } = await world.call(api.testWebhook, { webhookId }, BOSS)
      assert.equal(delivery?.outcome, WebhookDeliveryOutcome.FAILED)
      assert.deepEqual([delivery?.status, delivery?.reason, delivery?.answer], [500, 'HTTP 500', 'no database\ufffd'])
      const [test] = receiver.received
      assert.ok(test)
      assert.equal((verify(secret, test) as { type: string }).type, 'webhook.test')
    })

    test('paused ones get later what happened meanwhile, failing ones after resuming', async (t) => {
      const { world, receiver, add, rename, get } = await openScene(t, engine)
      const { webhookId } = await add('north', { eventTypes: ['organization.*'] })
      await world.call(api.pauseWebhook, { webhookId }, BOSS)
      await isRefused(world.call(api.pauseWebhook, { webhookId }, BOSS), 'webhook.paused_already')
      await isRefused(world.call(api.replayWebhook, { webhookId, after: 0n }, BOSS), 'webhook.inactive')
      await rename('north', 'Meanwhile')
      assert.equal((await get(webhookId)).state, WebhookState.PAUSED)
      receiver.answer = () => 503
      await world.call(api.resumeWebhook, { webhookId }, BOSS)
      while ((await get(webhookId)).queue.state !== WebhookQueueState.FAILING) await sleep(3)
      const { queue } = await get(webhookId)
      assert.equal(queue.reason, 'HTTP 503')
      assert.ok(queue.behind > 0n && queue.nextAttemptDate)
      receiver.answer = () => 200
      await world.call(api.resumeWebhook, { webhookId }, BOSS)
      while ((await get(webhookId)).queue.behind > 0n) await sleep(3)
      assert.equal((await get(webhookId)).queue.state, WebhookQueueState.WORKING)
      const sequence = (JSON.parse(receiver.received.at(-1)?.body ?? '') as { data: { sequence: number } }).data
        .sequence
      const before = receiver.received.length
      await world.call(api.replayWebhook, { webhookId, after: BigInt(sequence - 1), until: BigInt(sequence) }, BOSS)
      await receiver.count(before + 1)
      const [once, again] = receiver.received.slice(-2)
      assert.equal(once?.headers['webhook-id'], again?.headers['webhook-id'])
      const backwards = { webhookId, after: 5n, until: 5n }
      await isRefused(world.call(api.replayWebhook, backwards, BOSS), 'webhook.range_invalid', 'until')
    })

    test('410 switches them off, deleting one leaves no queue, and deleting twice is the same', async (t) => {
      const { world, receiver, add, look, rename, get } = await openScene(t, engine)
      const { webhookId } = await add('north', { eventTypes: ['organization.*'] })
      receiver.answer = () => 410
      await rename('north', 'Gone')
      while ((await get(webhookId)).state !== WebhookState.SWITCHED_OFF) await sleep(3)
      await world.call(api.deleteWebhook, { webhookId }, BOSS)
      await look()
      while ((await world.store.jobs.read(`delivery:webhook:${webhookId}`)) !== undefined) await sleep(3)
      const { deletionDate } = await world.call(api.deleteWebhook, { webhookId }, BOSS)
      assert.ok(deletionDate)
      assert.equal((await world.call(api.deleteWebhook, { webhookId: 'none' }, BOSS)).deletionDate, undefined)
    })

    test('are limited in number', async (t) => {
      const { add } = await openScene(t, engine)
      for (let number = 0; number < 50; number++) await add('north')
      await isRefused(add('north'), 'store.limit_reached')
      await add('south')
    })
  })
}

test('the schema names every type of event with the kind of its object', () => {
  const schema = eventSchema({ kinds, externalUrl: 'https://id.example' })
  assert.equal(schema.$id, 'https://id.example/v2/events/schema')
  assert.ok(schema.properties.type.enum.includes('webhook.added.v1'))
  const types = kinds.flatMap(({ events }) => Object.keys(events))
  assert.deepEqual(
    types.filter((type) => !schema.properties.type.enum.includes(type)),
    [],
  )
})
