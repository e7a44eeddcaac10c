/** A destination gets every event at least once and in order for each object, whatever it answers and whoever dies. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, openScene, REF } from '../../../test/support/deliveries-scene.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { instant } from '../../kernel/instant.ts'
import { organizations } from '../organizations/index.ts'
import { queueStatus, replayEvents, resumeQueue } from './index.ts'
import { longestFailure, worstLags } from './lag.ts'
import { FAILING, HELD, QUEUE, queueId, SLOW } from './names.ts'

for (const engine of bothEngines) {
  suite(`deliveries on ${engine.name}`, () => {
    test('every event arrives, those of one object in order, and the queue rests', async (t) => {
      const { app, receiver, rename, run, look, until, texts, world, lane } = await openScene(t, engine)
      run()
      await look()
      for (let round = 1; round <= 15; round++) {
        await rename('north', `North ${round}`)
        await rename('south', `South ${round}`)
        if (round % 7 === 0) await look()
      }
      await look()
      await receiver.count(30)
      const [head] = await world.store.events({ descending: true, limit: 1 })
      const { failing, record } = await until(({ position }) => position === head?.sequence)
      assert.equal(failing, undefined)
      assert.equal(new Set(texts()).size, 30)
      for (const id of ['north', 'south']) {
        const revisions = texts().flatMap((text) => (text.startsWith(id) ? [Number(text.split(' ')[1])] : []))
        assert.deepEqual(
          revisions,
          [...revisions].sort((one, other) => one - other),
        )
      }
      assert.equal(record.hours[0]?.delivered, 30)
      assert.equal(record.attempts.length, 30)
      while (((await world.store.jobs.read(queueId(REF)))?.dueAt ?? 0) <= app.clock()) await sleep(3)
      assert.equal(await lane(), QUEUE)
    })

    test('a destination that does not work waits with growing pauses and then gets everything', async (t) => {
      const { receiver, rename, run, look, until, texts, lane, pass } = await openScene(t, engine)
      receiver.answer = () => 'hangUp'
      run()
      for (let round = 1; round <= 5; round++) await rename('north', `North ${round}`)
      await look()
      const pauses: number[] = []
      for (let tries = 1; tries <= 10; tries++) {
        const { failing } = await until(({ failing }) => failing?.tries === tries)
        while ((await lane()) !== FAILING) await sleep(3)
        pauses.push((failing?.until ?? 0) - (failing?.since ?? 0))
        // New events do not wake it.
        if (tries === 3) {
          await rename('north', 'Meanwhile')
          await look()
          assert.equal(await lane(), FAILING)
        }
        pass((failing?.until ?? 0) - (failing?.since ?? 0) - (pauses.at(-2) ?? 0))
      }
      assert.equal(pauses[0], 5000)
      assert.ok((pauses.at(-1) ?? 0) - (pauses.at(-2) ?? 0) === 900_000)
      const failed = receiver.received.length
      assert.ok(failed <= 14, `${failed} requests`)
      receiver.answer = () => 200
      await until(({ failing }) => (failing?.tries ?? 11) === 11)
      pass(HOUR)
      await until(({ failing, deferred }) => failing === undefined && deferred.length === 0)
      await until(() => texts().includes('north 7'))
      assert.deepEqual(
        texts().slice(-6),
        [2, 3, 4, 5, 6, 7].map((revision) => `north ${revision}`),
      )
    })

    test('after three days it is parked, nothing is lost, and resuming sends everything', async (t) => {
      const { app, receiver, rename, run, look, until, texts, lane, pass } = await openScene(t, engine)
      receiver.answer = () => 503
      run()
      await rename('north', 'One')
      await look()
      await until(({ failing }) => failing?.tries === 1)
      pass(73 * HOUR)
      while ((await lane()) !== HELD) await sleep(3)
      assert.equal((await queueStatus(app, REF)).isParked, true)
      // Two, or three where the queue was woken during the second.
      const tried = receiver.received.length
      await rename('north', 'Two')
      await look()
      pass(1000 * HOUR)
      assert.equal(receiver.received.length, tried)
      receiver.answer = () => 200
      await resumeQueue(app, REF)
      await until(({ failing, isParked }) => failing === undefined && !isParked)
      await until(() => texts().length === tried + 2)
      assert.deepEqual(texts().slice(tried), ['north 2', 'north 3'])
    })

    test('a refused event holds back its object only, is tried again, and is parked in the end', async (t) => {
      const { app, receiver, rename, run, look, until, texts, pass } = await openScene(t, engine)
      receiver.answer = ({ body }) => (body === 'north 2' ? { status: 422, body: 'no such thing' } : 200)
      run()
      await rename('north', 'One')
      await rename('north', 'Two')
      await rename('south', 'Other')
      await look()
      const { deferred, record } = await until(({ deferred }) => deferred.length === 2)
      await until(() => texts().includes('south 2'))
      assert.deepEqual(
        deferred.map(({ reason }) => reason),
        ['HTTP 422', ''],
      )
      await until(({ record }) => record.attempts.some(({ body }) => body === 'no such thing'))
      assert.ok(record)
      assert.ok(!texts().includes('north 3'))
      pass(5_000)
      await until(({ deferred }) => deferred[0]?.tries === 2)
      pass(73 * HOUR)
      const { parked } = await until(({ parked, deferred }) => parked.length === 1 && deferred.length === 0)
      assert.ok(texts().includes('north 3'))
      // It is listed, and can be sent again.
      receiver.answer = () => 200
      const sequence = parked[0]?.sequence ?? 0
      await replayEvents(app, REF, { after: sequence - 1, until: sequence })
      await until(({ parked }) => parked.length === 0)
      await until(() => texts().filter((text) => text === 'north 2').length === 4)
    })

    test('a range of the log is sent again on request, beside what is new', async (t) => {
      const { app, world, rename, run, look, until, texts } = await openScene(t, engine)
      run()
      for (let round = 1; round <= 60; round++) await rename('north', `North ${round}`)
      await look()
      await until(() => texts().length === 60)
      const all = await world.store.events({ kinds: ['organization'], id: 'north', limit: 100 })
      const [from, to] = [all[10]?.sequence ?? 0, all[12]?.sequence ?? 0]
      await replayEvents(app, REF, { after: from - 1, until: to })
      await until(() => texts().length === 63)
      assert.deepEqual(texts().slice(60), ['north 11', 'north 12', 'north 13'])
      // It ends where the log does, and the queue rests.
      await replayEvents(app, REF, { after: 0, until: Number.MAX_SAFE_INTEGER })
      // With those from before it was there: three organizations, of which one was deactivated.
      await until(() => texts().length === 63 + 64)
      while (((await world.store.jobs.read(queueId(REF)))?.dueAt ?? 0) <= app.clock()) await sleep(3)
      await rename('north', 'New')
      await look()
      await until(() => texts().length === 63 + 64 + 1)
    })

    test('410 parks the queue and switches the destination off; the event is sent when it is on again', async (t) => {
      const { app, receiver, state, rename, run, look, until, texts } = await openScene(t, engine)
      receiver.answer = () => 410
      run()
      await rename('north', 'One')
      await look()
      while (state.switchedOff === 0) await sleep(3)
      const { failing } = await until(({ isParked }) => isParked)
      assert.equal(failing?.reason, 'HTTP 410')
      receiver.answer = () => 200
      state.destination = state.destination && { ...state.destination, isActive: true }
      await resumeQueue(app, REF)
      await until(() => texts().length === 2)
      assert.deepEqual(texts(), ['north 2', 'north 2'])
      assert.equal(state.switchedOff, 1)
    })

    test('the lag is the age of the oldest event that waits, of the destinations that are furthest behind', async (t) => {
      const { app, world, receiver, rename, run, look, until } = await openScene(t, engine)
      assert.deepEqual(await worstLags(app), {})
      receiver.answer = () => 500
      run()
      await rename('north', 'One')
      await look()
      await until(({ failing }) => failing !== undefined)
      world.clock.now = instant(world.clock.now + HOUR)
      await rename('north', 'Two')
      assert.deepEqual(await worstLags(app), { 'test:one': 3600 })
      assert.equal(await longestFailure(app), 3600)
      receiver.answer = () => 200
      await resumeQueue(app, REF)
      await until(({ failing, position }) => failing === undefined && (position ?? 0) > 0)
      while (Object.keys(await worstLags(app)).length > 0) await sleep(3)
    })

    test('Retry-After is honoured', async (t) => {
      const { receiver, rename, run, look, until } = await openScene(t, engine)
      receiver.answer = () => ({ status: 429, headers: { 'retry-after': '600' } })
      run()
      await rename('north', 'One')
      await look()
      const { failing } = await until(({ failing }) => failing !== undefined)
      assert.equal((failing?.until ?? 0) - (failing?.since ?? 0), 600_000)
    })

    test('two nodes send each event once', async (t) => {
      const { app, world, appOf, receiver, rename, run, look, until, texts } = await openScene(t, engine)
      const other = appOf((await world.another()).app)
      // Pause: the receiver answers late, so that both nodes have requests at once.
      receiver.answer = () => sleep(2, 200)
      run(app)
      run(other)
      await Promise.all([look(app), look(other)])
      for (let round = 1; round <= 20; round++) {
        await rename('north', `North ${round}`)
        await rename('south', `South ${round}`)
        if (round % 3 === 0) await Promise.all([look(app), look(other)])
      }
      await Promise.all([look(app), look(other)])
      await until(() => texts().length >= 40)
      // Pause: nothing tells that no more requests come.
      await sleep(50)
      assert.equal(texts().length, 40)
      assert.equal(new Set(texts()).size, 40)
    })

    test('a destination that takes seconds to answer moves among its like, and back when it is quick', async (t) => {
      const { app, receiver, rename, run, look, lane, texts } = await openScene(t, engine)
      // Pause: slow by more than the second that makes an endpoint slow.
      receiver.answer = () => sleep(1_200, 204)
      run()
      await rename('north', 'Slow')
      await look()
      while ((await lane()) !== SLOW) await sleep(3)
      receiver.answer = () => 204
      for (let round = 1; (await lane()) !== QUEUE; round++) {
        await rename('north', `North ${round}`)
        await look()
        while (!texts().includes(`north ${round + 2}`)) await sleep(3)
        while (((await app.store.jobs.read(queueId(REF)))?.dueAt ?? 0) <= app.clock()) await sleep(3)
      }
      const revisions = texts().map((text) => Number(text.split(' ')[1]))
      assert.deepEqual(
        revisions,
        revisions.map((_, at) => at + 2),
      )
    })

    test('a destination that answers slowly gets as many requests at once as its rate needs', async (t) => {
      const { world, receiver, run, look } = await openScene(t, engine, { perSecond: 24 })
      let open = 0
      const six = Promise.withResolvers<void>()
      receiver.answer = async () => {
        if (++open === 6) six.resolve()
        await six.promise
        return 204
      }
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
        await world.store.write(world.origin(), (work) =>
          work.decide(organizations, id, { type: 'add', name: `Slow ${id}` }, id),
        )
      }
      run()
      await look()
      await receiver.count(6)
    })

    test('receivers of one owner that answer late do not hold up those of another', async (t) => {
      const others = Array.from({ length: 50 }, (_, index) => `late-${index}`)
      const { receiver, rename, run, look, pass } = await openScene(t, engine, { others, timeoutMs: 60_000 })
      const arrived = Promise.withResolvers<void>()
      const [late, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let waiting = 0
      receiver.answer = async ({ headers }) => {
        if (headers['x-destination'] === 'one') arrived.resolve()
        // The places that the other owner gets, of those that work and of the slow ones.
        else if (++waiting === 30) late.resolve()
        if (headers['x-destination'] !== 'one') await end.promise
        return 204
      }
      run()
      await rename('north', 'North')
      await look()
      await late.promise
      await arrived.promise
      await rename('north', 'North again')
      await look()
      await receiver.count(2)
      assert.deepEqual(
        receiver.received.map(({ body }) => body),
        ['north 2', 'north 3'],
      )
      assert.ok(waiting <= 32, 'none of the others was given up meanwhile')
      end.resolve()
      while (receiver.received.length < 102) {
        pass(1_000)
        await sleep(20)
      }
    })
  })
}
