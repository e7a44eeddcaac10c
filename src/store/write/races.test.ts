/** What the store guarantees when several writers want the same at once, on each engine. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { newId } from '../../kernel/id.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { Store } from '../index.ts'

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

for (const engine of bothEngines) {
  suite(`concurrent writers on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      store = opened.store
    })
    after(() => opened.dispose())

    const pack = (id: string, label = `label ${id}`, on = store) =>
      on.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label, weight: 1 }, 'org-1'))
    const lastSequence = async () => (await store.find(boxes, { limit: 0 })).sequence

    test('a stream that changed meanwhile is decided on again', async () => {
      const id = newId()
      await pack(id)
      let runs = 0
      await store.write(by('ann'), async (work) => {
        const found = await work.get(boxes, id)
        if (runs++ < 2)
          await store.write(by('bob'), (other) => other.decide(boxes, id, { type: 'weigh', weights: [runs] }))
        await work.decide(boxes, id, { type: 'weigh', weights: [(found?.state.weight ?? 0) + 100] })
      })
      assert.equal(runs, 3)
      assert.equal((await store.get(boxes, id))?.state.weight, 102)
    })

    test('a document that was only read guards the write', async () => {
      const [guard, id] = [newId(), newId()]
      let runs = 0
      const { value } = await store.write(by('ann'), async (work) => {
        const found = await work.get(boxes, guard)
        if (runs++ === 0) await pack(guard)
        await work.decide(boxes, id, { type: 'pack', label: id }, 'org-1')
        return found?.id
      })
      assert.deepEqual([runs, value], [2, guard])
    })

    test('after ten retries the write is refused with a conflict', async () => {
      const id = newId()
      await pack(id)
      let runs = 0
      const losing = store.write(by('ann'), async (work) => {
        runs++
        await work.decide(boxes, id, { type: 'weigh', weights: [0] })
        await store.write(by('bob'), (other) => other.decide(boxes, id, { type: 'weigh', weights: [runs] }))
      })
      await assert.rejects(losing, refusedWith('store.conflict'))
      assert.equal(runs, 11)
    })

    test('of many writers at once at one document every one succeeds, also when they change others with it', async () => {
      const [id, other] = [newId(), newId()]
      await Promise.all([pack(id), pack(other)])
      const add = (ids: readonly string[]) =>
        store.write(by('ann'), async (work) => {
          for (const one of ids) {
            const found = await work.get(boxes, one)
            await work.decide(boxes, one, { type: 'weigh', weights: [(found?.state.weight ?? 0) + 1] })
          }
        })
      await Promise.all(Array.from({ length: 60 }, (_, index) => add(index % 3 === 0 ? [other, id] : [id, other])))
      for (const one of [id, other]) assert.equal((await store.get(boxes, one))?.state.weight, 61)
    })

    test('none is refused that guards a document which others change all the time', async () => {
      const guard = newId()
      await pack(guard)
      const change = (weight: number) =>
        store.write(by('ann'), (work) => work.decide(boxes, guard, { type: 'weigh', weights: [weight] }))
      const guarded = (id: string) =>
        store.write(by('ann'), async (work) => {
          await work.get(boxes, guard)
          await work.decide(boxes, id, { type: 'pack', label: `label ${id}` }, 'org-1')
        })
      await Promise.all(Array.from({ length: 90 }, (_, index) => (index % 3 ? guarded(newId()) : change(index + 2))))
    })

    test('a deleted document is not found, and its id is never used again', async () => {
      const id = newId()
      await pack(id, 'short life')
      assert.equal(await store.getRemoved(boxes, id), undefined)
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'remove' }))
      assert.equal(await store.get(boxes, id), undefined)
      assert.equal((await store.getRemoved(boxes, id))?.revision, 2)
      assert.equal(await store.getRemoved(boxes, newId()), undefined)
      const byLabel = await store.find(boxes, { where: { field: 'id', equals: id }, limit: 1 })
      assert.equal(byLabel.total, 0)
      await assert.rejects(pack(id, 'again'), refusedWith('box.exists'))
      const seen = await store.write(by('ann'), (work) => work.get(boxes, id))
      assert.equal(seen.value, undefined)
      assert.deepEqual(
        (await store.events({ id, limit: 9 })).map(({ revision }) => revision),
        [1, 2],
      )
    })

    test('many writers at once leave one sequence without gaps, and each stream in order', async () => {
      const ids = Array.from({ length: 40 }, newId)
      const start = await lastSequence()
      await Promise.all(ids.map((id) => pack(id)))
      await Promise.allSettled(
        ids.flatMap((id) =>
          [1, 2, 3].map((weight) =>
            store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'weigh', weights: [weight, weight] })),
          ),
        ),
      )
      const events = await store.events({ from: start, limit: 10_000 })
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        events.map((_, index) => start + index + 1),
      )
      assert.equal(events.length, (await lastSequence()) - start)
      for (const id of ids) {
        const revisions = events.filter((event) => event.id === id).map(({ revision }) => revision)
        assert.deepEqual(revisions, [1, 2, 3, 4, 5, 6, 7])
      }
    })

    test('of many that want the same label at once exactly one gets it', async () => {
      const another = await opened.another()
      for (let round = 0; round < 10; round++) {
        const label = `race ${round}`
        const ids = Array.from({ length: 8 }, newId)
        const tries = await Promise.allSettled(ids.map((id, index) => pack(id, label, index % 2 ? store : another)))
        const won = tries.filter(({ status }) => status === 'fulfilled')
        const lost = tries.filter(
          (tried) => tried.status === 'rejected' && refusedWith('box.label_taken')(tried.reason),
        )
        assert.deepEqual([won.length, lost.length], [1, 7])
      }
    })

    test('what one node acknowledged, another one reads at once', async () => {
      const another = await opened.another()
      for (let round = 0; round < 50; round++) {
        const id = newId()
        const { sequence } = await pack(id, id, round % 2 ? store : another)
        const found = await (round % 2 ? another : store).get(boxes, id)
        assert.equal(found?.sequence, sequence)
      }
    })

    test('two nodes write to one stream and no change is lost', async () => {
      const another = await opened.another()
      const id = newId()
      await pack(id)
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? store : another).write(by('ann'), async (work) => {
            const found = await work.get(boxes, id)
            await work.decide(boxes, id, { type: 'weigh', weights: [(found?.state.weight ?? 0) + 1] })
          }),
        ),
      )
      const done = results.filter(({ status }) => status === 'fulfilled').length
      assert.ok(results.every((one) => one.status === 'fulfilled' || refusedWith('store.conflict')(one.reason)))
      assert.equal((await store.get(boxes, id))?.state.weight, 1 + done)
    })
  })
}
