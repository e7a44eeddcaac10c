/** The jobs of one kind: listed, counted, rewritten, and unparked only with their own kind. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterwards } from '../../../test/support/afterwards.ts'
import { bothEngines, openTestStore } from '../../../test/support/engines.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import { GivenUp } from './run-jobs.ts'

const at = instant(1000)
const later = instant(5000)

for (const engine of bothEngines) {
  suite(`jobs of one kind on ${engine.name}`, () => {
    test('are listed by creation, both ways, from a given id, parked or not', async (t) => {
      const { store, dispose } = await openTestStore([], engine)
      afterwards(t, dispose)
      const ids = Array.from({ length: 5 }, () => newId()).sort()
      await store.write({ actor: { user: 'a' }, at }, async (work) => {
        for (const [number, id] of ids.entries()) work.enqueue({ id, kind: 'mine', data: { number } })
        work.enqueue({ kind: 'other', data: {} })
      })
      const runner = store.jobs.run(
        {
          mine: async ({ data }) => {
            if ((data as { number: number }).number % 2 === 0) throw new GivenUp('no')
            throw new Error('later')
          },
        },
        { clock: () => later, pauseAfter: () => 1_000_000 },
      )
      afterwards(t, () => runner.stop())
      while ((await store.jobs.list({ kind: 'mine', limit: 9 })).some(({ error }) => error === '')) await sleep(2)

      const list = async (query: object) => {
        const jobs = await store.jobs.list({ kind: 'mine', limit: 9, ...query })
        return jobs.map(({ data }) => (data as { number: number }).number)
      }
      assert.deepEqual(await list({}), [0, 1, 2, 3, 4])
      assert.deepEqual(await list({ descending: true, limit: 2 }), [4, 3])
      assert.deepEqual(await list({ parked: true }), [0, 2, 4])
      assert.deepEqual(await list({ parked: false }), [1, 3])
      assert.deepEqual(await list({ from: ids[1] }), [2, 3, 4])
      assert.deepEqual(await list({ from: ids[2], descending: true, parked: true }), [0])
      assert.deepEqual(await store.jobs.count('mine'), { waiting: 2, parked: 3 })
      assert.deepEqual(await store.jobs.count('other'), { waiting: 1, parked: 0 })
      const [first] = await store.jobs.list({ kind: 'mine', limit: 1 })
      assert.deepEqual(first, { id: ids[0], data: { number: 0 }, attempts: 1, parked: true, error: 'no', dueAt: later })

      await store.jobs.rewrite(ids[0] ?? '', { number: 7 })
      await store.jobs.rewrite('gone', {})
      assert.deepEqual(await list({ limit: 1 }), [7])
      await runner.stop()
      assert.equal(await store.jobs.unpark(ids[0] ?? '', later, 'other'), false)
      assert.equal(await store.jobs.unpark(ids[0] ?? '', later, 'mine'), true)
      assert.deepEqual(await store.jobs.count('mine'), { waiting: 3, parked: 2 })
    })
  })
}
