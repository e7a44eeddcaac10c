/** Event conditions and asynchronous targets, through the durable queue, with a real receiver. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openActionWorld } from '../../../test/support/action-world.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { kinds } from '../../modules.ts'
import { queueStatus, watchOf } from '../deliveries/index.ts'
import { queueOf } from '../targets/index.ts'
import { shownEventName } from './event-names.ts'
import { PEER_EVENT_NAMES } from './peer-event-names.ts'

for (const engine of engines) {
  suite(`actions after events on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openActionWorld(engine)
      const runner = world.run()
      afterwards(t, async () => {
        await runner.stop()
        await world.dispose()
      })
      return { world, look: () => watchOf(world.app).look() }
    }

    test('a target gets the events of a condition, byte for byte, and only the most exact condition counts', async (t) => {
      const { world, look } = await open(t)
      const { receiver, rest, defaultOrganizationId } = world
      const exact = await world.addTarget(`${receiver.url}/exact`, { restAsync: {} })
      const group = await world.addTarget(`${receiver.url}/group`, { restWebhook: {} })
      const all = await world.addTarget(`${receiver.url}/all`)
      await world.setExecution({ event: { event: 'user.human.added' } }, [exact])
      await world.setExecution({ event: { group: 'user.human' } }, [group])
      await world.setExecution({ event: { all: true } }, [all])
      const added = await rest('POST', '/v2/users/human', {
        username: 'ada',
        organization: { orgId: defaultOrganizationId },
        profile: { givenName: 'Ada', familyName: '<Lovelace>' },
        email: { email: 'ada@example.com', isVerified: true },
        password: { password: 'Correct horse 7 battery' },
      })
      const userId = String(added.body.userId)
      await rest('PUT', `/v2/users/human/${userId}`, { profile: { givenName: 'Ada', familyName: 'King' } })
      await rest('POST', `/v2/users/${userId}/lock`, {})
      await look()
      const bodies = (path: string) =>
        receiver.calls
          .filter((call) => call.path === path)
          .map(({ body }) => JSON.parse(body) as Record<string, string>)
      const isComplete = () =>
        bodies('/exact').length === 1 &&
        bodies('/group').length === 2 &&
        bodies('/all').some(({ event_type }) => event_type === 'user.locked')
      while (!isComplete()) await sleep(5)
      assert.deepEqual(
        bodies('/exact').map(({ event_type }) => event_type),
        ['user.human.added'],
      )
      assert.deepEqual(
        bodies('/group')
          .map(({ event_type }) => event_type)
          .sort(),
        ['user.human.password.changed', 'user.human.profile.changed'],
      )
      const [first] = bodies('/exact')
      const text = receiver.calls.find(({ path }) => path === '/exact')?.body ?? ''
      assert.match(
        text,
        new RegExp(
          `^\\{"aggregateID":"${userId}","aggregateType":"user","resourceOwner":"${defaultOrganizationId}",` +
            `"instanceID":"${world.instanceId}","version":"v1","sequence":${first?.sequence},` +
            `"event_type":"user.human.added","created_at":"20[^"]+Z","userID":"${world.machineAdministratorId}",` +
            '"event_payload":\\{"userName":"ada","profile":\\{"firstName":"Ada","lastName":"\\\\u003cLovelace\\\\u003e"',
        ),
      )
      const [changed] = bodies('/group').filter(({ event_type }) => event_type === 'user.human.password.changed')
      assert.deepEqual(changed?.heldBack, ['event_payload.secret'])
      assert.ok(receiver.calls.every(({ body }) => !/argon2|secret":\{/.test(body)))
    })

    test('events from before the condition are not sent, unless somebody asks for them', async (t) => {
      const { world, look } = await open(t)
      const { receiver } = world
      await world.addPerson('before')
      const target = await world.addTarget(`${receiver.url}/hook`, {
        restAsync: {},
        signatureType: 'SIGNATURE_TYPE_STANDARD_WEBHOOKS',
      })
      await world.setExecution({ event: { event: 'user.human_added.v1' } }, [target])
      await world.addPerson('after')
      await look()
      await receiver.received(1)
      const names = () =>
        receiver.calls.map(
          ({ body }) => (JSON.parse(body) as { event_payload: { userName: string } }).event_payload.userName,
        )
      assert.deepEqual(names(), ['after'])
      assert.match(String(receiver.calls[0]?.headers['webhook-id']), /^evt_\d+$/)
      const replayed = await world.rest('POST', `/v2/actions/targets/${target}/replay`, { after: '0' })
      assert.equal(replayed.status, 200, JSON.stringify(replayed.body))
      while (!names().includes('before')) await sleep(5)
      assert.equal((await world.rest('POST', '/v2/actions/targets/none/replay', { after: '0' })).status, 404)
    })

    test('a target that says that it is gone gets nothing more until it is changed or replayed', async (t) => {
      const { world, look } = await open(t)
      const { receiver, rest } = world
      let status = 410
      const endpoint = receiver.on('/gone', (_, response) => response.writeHead(status).end())
      const target = await world.addTarget(endpoint, { restAsync: {} })
      await world.setExecution({ event: { event: 'project.added' } }, [target])
      await rest('POST', '/management/v1/projects', { name: 'One' })
      await look()
      const isHeld = async () => (await queueStatus(world.app, queueOf(target))).isParked
      while (!(await isHeld())) await sleep(5)
      await rest('POST', '/management/v1/projects', { name: 'Two' })
      await look()
      assert.equal(receiver.calls.length, 1)
      status = 200
      await rest('POST', `/v2/actions/targets/${target}`, { name: 'moved' })
      const names = () =>
        receiver.calls.map(({ body }) => (JSON.parse(body) as { event_payload: { name: string } }).event_payload.name)
      while (receiver.calls.length < 3) await sleep(5)
      assert.deepEqual(names(), ['One', 'One', 'Two'])
      assert.equal(await isHeld(), false)
    })

    test('an asynchronous target is called later and interrupts nothing', async (t) => {
      const { world } = await open(t)
      const { receiver } = world
      const dead = await world.addTarget('http://127.0.0.1:1/', { restAsync: {} })
      const target = await world.addTarget(
        receiver.on('/later', (_, response) => (receiver.calls.length < 2 ? response.writeHead(503).end() : undefined)),
        { restAsync: {} },
      )
      const method = '/zitadel.action.v2.ActionService/GetTarget'
      await world.setExecution({ request: { method } }, [dead, target])
      assert.equal((await world.rest('GET', `/v2/actions/targets/${target}`)).status, 200)
      const [call] = await receiver.received(1)
      assert.match(call?.body ?? '', /^\{"fullMethod":"\/zitadel\.action\.v2\.ActionService\/GetTarget"/)
    })
  })
}

suite('the names of events', () => {
  const types = kinds.flatMap(({ events }) => Object.keys(events))

  test('of the peer are those of events that there are', () => {
    const known = new Set(types.map((type) => type.replace(/\.v\d+$/, '')))
    assert.deepEqual(
      Object.keys(PEER_EVENT_NAMES).filter((name) => !known.has(name)),
      [],
    )
  })

  test('of the peer are one for each event', () => {
    const names = Object.values(PEER_EVENT_NAMES)
    assert.equal(new Set(names).size, names.length)
  })

  test('are ours where there is none of theirs', () => {
    assert.equal(shownEventName('session.created.v1'), 'session.added')
    assert.equal(shownEventName('consent.given.v1'), 'consent.given.v1')
  })
})
