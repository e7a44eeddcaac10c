/** What is given to a queue beside events, calls, and what is left when its destination is removed: nothing. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, openScene, REF } from '../../../test/support/deliveries-scene.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import type { App } from '../../module/app.ts'
import { deliveryCounts } from './counts.ts'
import { callLater, replayEvents } from './index.ts'
import { ORDER, queueId } from './names.ts'
import type { CallOrder } from './orders.ts'

for (const engine of bothEngines) {
  suite(`calls and removed destinations on ${engine.name}`, () => {
    test('calls are made once, tried again, parked and replayed', async (t) => {
      const { app, receiver, run, until, texts, pass } = await openScene(t, engine)
      receiver.answer = ({ body }) => (body === 'call bad' ? 400 : 200)
      run()
      await callLater(app, REF, 'good')
      await callLater(app, REF, 'bad')
      await callLater(app, REF, 'good too')
      await until(() => texts().includes('call good too') && texts().includes('call bad'))
      pass(5_000)
      await until(() => texts().filter((text) => text === 'call bad').length === 2)
      pass(73 * HOUR)
      const parked = async () =>
        (await app.store.jobs.list({ kind: ORDER, limit: 9 })).map(({ data }) => data as Partial<CallOrder>)
      while ((await parked())[0]?.parkedAt === undefined) await sleep(3)
      assert.deepEqual(
        (await parked()).map(({ reason }) => reason),
        ['HTTP 400'],
      )
      receiver.answer = () => 200
      const [head] = await app.store.events({ descending: true, limit: 1 })
      await replayEvents(app, REF, { after: (head?.sequence ?? 1) - 1, until: head?.sequence ?? 1 })
      while ((await parked()).length > 0) await sleep(3)
      assert.equal(texts().filter((text) => text === 'call good').length, 1)
    })

    test('what waits for a destination is bounded in bytes', async (t) => {
      const { app } = await openScene(t, engine)
      const large = 'x'.repeat(25 * 1024 * 1024)
      for (let time = 0; time < 3; time++) await callLater(app, REF, large)
      assert.equal(deliveryCounts(app).overflowed, 1)
      assert.equal((await app.store.jobs.count(ORDER)).waiting, 2)
    })

    test('of many calls a few are read at a time', async (t) => {
      const { app, appOf, run, texts } = await openScene(t, engine)
      const { store } = app
      let most = 0
      const list: typeof store.jobs.list = async (query) => {
        const rows = await store.jobs.list(query)
        if (query.kind === ORDER) most = Math.max(most, rows.length)
        return rows
      }
      for (const number of Array.from({ length: 25 }).keys()) await callLater(app, REF, number)
      run(appOf({ ...app, store: { ...store, jobs: { ...store.jobs, list } } }))
      while (texts().length < 25) await sleep(3)
      assert.ok(most > 0 && most <= 10, `${most} at once`)
    })

    test('a call is made although its process ended before it told the queue', async (t) => {
      const { app, run, until, texts } = await openScene(t, engine, { wants: undefined })
      const { store } = app
      const ending: App['store']['write'] = async (...given) => {
        await store.write(...given)
        throw new Error('the process ends here')
      }
      await assert.rejects(callLater({ ...app, store: { ...store, write: ending } }, REF, 'last words'))
      run()
      await until(() => texts().includes('call last words'))
    })

    test('a call that is given while the queue of a removed destination ends leaves nothing', async (t) => {
      const { app, appOf, state, run, world } = await openScene(t, engine)
      const { store } = app
      state.destination = undefined
      let isGiven = false
      const finish: typeof store.jobs.finish = async (ids) => {
        // The queue has read its orders, and is not gone yet.
        if (!isGiven) await callLater(app, REF, 'nobody')
        isGiven = true
        await store.jobs.finish(ids)
      }
      await callLater(app, REF, 'nobody')
      run(appOf({ ...app, store: { ...store, jobs: { ...store.jobs, finish } } }))
      while (!isGiven || (await world.store.jobs.count()).waiting > 0) await sleep(3)
    })

    test('the queue of a removed destination does not stay because it is parked', async (t) => {
      const { appOf, world, receiver, state, rename, run, look, until } = await openScene(t, engine)
      receiver.answer = () => 410
      run()
      await rename('north', 'One')
      await look()
      await until(({ isParked }) => isParked)
      state.destination = undefined
      // A process that was not there when it was removed.
      await look(appOf(world.app))
      while ((await world.store.jobs.count()).waiting > 0) await sleep(3)
    })

    test('the queue of a removed destination is removed with its orders and its record', async (t) => {
      const { app, world, state, rename, run, look, until, texts } = await openScene(t, engine)
      run()
      await rename('north', 'One')
      await look()
      await until(({ record }) => texts().length === 1 && record.attempts.length === 1)
      // It rests; otherwise it could be removed before the order comes.
      while (((await world.store.jobs.read(queueId(REF)))?.dueAt ?? 0) <= app.clock()) await sleep(3)
      state.destination = undefined
      await callLater(app, REF, 'nobody')
      while ((await world.store.jobs.count()).waiting > 0) await sleep(3)
    })
  })
}
