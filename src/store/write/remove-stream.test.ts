/** Removing streams from the log: nothing of them stays, everything else does, and every missing sequence is recorded. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { boxes, by, crates } from '../../../test/support/sample-kind.ts'
import { newId } from '../../kernel/id.ts'
import { Refused } from '../../kernel/refusal.ts'
import { type Removal, recordRemoved, type Store, type StoredEvent, type Work } from '../index.ts'

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

for (const engine of bothEngines) {
  suite(`removing streams on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    before(async () => {
      opened = await openTestStore([boxes, crates], engine)
      store = opened.store
    })
    after(() => opened.dispose())

    const pack = (id: string, label = `label ${id}`, on = store) =>
      on.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label, weight: 1 }, 'org-1'))
    const weigh = (id: string, weights: readonly number[], on = store) =>
      on.write(by('ann'), (work) => work.decide(boxes, id, { type: 'weigh', weights }))
    /** Removes boxes and records the removal in a crate. */
    const removeIn = async (work: Work, ids: readonly string[]): Promise<Removal> => {
      const record = recordRemoved(await Promise.all(ids.map((id) => work.removeStream(boxes, id))))
      const note = JSON.stringify(record)
      await work.decide(crates, newId(), { type: 'pack', label: 'record', note }, 'org-1')
      return record
    }
    const remove = (ids: readonly string[], on = store) => on.write(by('system'), (work) => removeIn(work, ids))
    const lastSequence = async () => (await store.find(boxes, { limit: 0 })).sequence
    const readAll = async (descending: boolean): Promise<readonly StoredEvent[]> => {
      const events: StoredEvent[] = []
      for (;;) {
        const from = events.at(-1)?.sequence
        const page = await store.events({ ...(from === undefined ? {} : { from }), descending, limit: 3 })
        if (page.length === 0) return descending ? events.toReversed() : events
        events.push(...page)
      }
    }

    test('events, document and claims of a stream are removed together, and only they', async () => {
      const [one, other] = [newId(), newId()]
      await pack(one, 'Leaving')
      await pack(other, 'Staying')
      await store.write(by('ann'), (work) => work.decide(crates, one, { type: 'pack', label: 'same id' }, 'org-1'))
      await weigh(one, [2, 3])
      const leaving = await store.events({ kinds: ['box'], id: one, limit: 9 })
      const { total } = await store.find(boxes, { limit: 1 })
      const { value: left } = await store.write(by('system'), async (work) => {
        const removed = await work.removeStream(boxes, one)
        await removeIn(work, [])
        return removed
      })
      assert.deepEqual(left, { events: leaving })
      assert.equal(left.events.length, 3)
      assert.equal(await store.get(boxes, one), undefined)
      assert.equal(await store.findClaimHolder('label', 'leaving'), undefined)
      assert.deepEqual(
        (await store.events({ id: one, limit: 9 })).map(({ kind }) => kind),
        ['crate'],
      )
      assert.ok(await store.get(crates, one))
      assert.ok(await store.get(boxes, other))
      assert.equal(await store.findClaimHolder('label', 'staying'), other)
      assert.equal((await store.find(boxes, { limit: 1 })).total, total - 1)
      await pack(newId(), 'Leaving')
    })

    test('sequences continue, none is used twice, and pages skip the gaps', async () => {
      const ids = Array.from({ length: 8 }, newId)
      for (const id of ids) await pack(id)
      const before = await readAll(false)
      const [first, , third] = ids
      assert.ok(first && third)
      // The last event of the log is among the removed ones.
      const last = await lastSequence()
      const { value: record, sequence } = await remove([first, third, ids.at(-1) ?? ''])
      assert.equal(sequence, last + 1)
      assert.deepEqual(record.ranges, [
        [last - 7, last - 7],
        [last - 5, last - 5],
        [last, last],
      ])
      assert.equal((await pack(newId())).sequence, last + 2)
      const log = await readAll(false)
      assert.deepEqual(await readAll(true), log)
      const numbers = log.map((event) => event.sequence)
      assert.equal(new Set(numbers).size, numbers.length)
      const stayed = before.filter((event) => ![first, third, ids.at(-1)].includes(event.id))
      assert.deepEqual(log.slice(0, -2), stayed)
    })

    test('an older copy of the log proves by the digest what was removed', async () => {
      const ids = [newId(), newId(), newId()]
      for (const id of ids) await pack(id)
      for (const id of ids) await weigh(id, [7])
      const copies = await Promise.all(ids.map((id) => store.events({ id, limit: 9 })))
      const { value: record } = await remove(ids)
      const start = copies[0]?.[0]?.sequence ?? 0
      assert.deepEqual([record.streams, record.events, record.ranges], [3, 6, [[start, start + 5]]])
      const again = recordRemoved(copies.toReversed().map((events) => ({ events })))
      assert.equal(again.digest, record.digest)
      const changed = copies.map((events) => ({
        events: events.map((one) => ({ ...one, actor: { user: 'eve' } })),
      }))
      assert.notEqual(recordRemoved(changed).digest, record.digest)
    })

    test('the stream of a deleted document can be removed', async () => {
      const id = newId()
      await pack(id, 'removed')
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'remove' }))
      await pack(newId(), 'removed')
      const { value } = await remove([id])
      assert.equal(value.events, 2)
      assert.deepEqual(await store.events({ id, limit: 9 }), [])
      assert.ok(await store.findClaimHolder('label', 'removed'), 'the claim of its successor stays')
    })

    test('another node finds nothing of it, even if it had read it before', async () => {
      const another = await opened.another()
      for (let round = 0; round < 10; round++) {
        const id = newId()
        await pack(id)
        const query = { where: { field: 'label', equals: `label ${id}` }, limit: 5 } as const
        assert.equal((await another.get(boxes, id))?.revision, 1)
        assert.equal((await another.find(boxes, query)).total, 1)
        if (round % 2) await weigh(id, [2])
        await remove([id])
        assert.equal(await another.get(boxes, id), undefined)
        assert.equal((await another.find(boxes, query)).total, 0)
        assert.equal(await another.findClaimHolder('label', `label ${id}`), undefined)
        assert.deepEqual(await another.events({ id, limit: 9 }), [])
      }
    })

    test('one write removes five hundred', async () => {
      const ids = Array.from({ length: 500 }, newId)
      await Promise.all(ids.map((id) => pack(id)))
      const { total } = await store.find(boxes, { limit: 0 })
      const start = await lastSequence()
      const { value: record } = await remove(ids)
      assert.deepEqual([record.streams, record.ranges], [500, [[start - 499, start]]])
      assert.equal((await store.find(boxes, { limit: 0 })).total, total - 500)
      assert.equal((await store.events({ from: start - 500, limit: 1000 })).length, 1)
    })

    test('a stream that changed meanwhile is removed with its last event', async () => {
      const id = newId()
      await pack(id)
      let runs = 0
      const { value } = await store.write(by('system'), async (work) => {
        const record = await removeIn(work, [id])
        if (runs++ === 0) await weigh(id, [5], await opened.another())
        return record
      })
      assert.deepEqual([runs, value.events], [2, 2])
      assert.deepEqual(await store.events({ id, limit: 9 }), [])
    })

    test('a change between reading the document and its events is not recorded as removed', async () => {
      const id = newId()
      await pack(id)
      const told: number[] = []
      await store.write(by('system'), async (work) => {
        await work.get(boxes, id)
        if (told.length === 0) await weigh(id, [5, 6])
        told.push((await removeIn(work, [id])).events)
      })
      assert.deepEqual(told, [1, 3])
    })

    test('a write that read a stream decides again when the stream is removed', async () => {
      const [id, follower] = [newId(), newId()]
      await pack(id)
      const seen: boolean[] = []
      await store.write(by('ann'), async (work) => {
        seen.push((await work.get(boxes, id)) !== undefined)
        if (seen.length === 1) await remove([id])
        await work.decide(boxes, follower, { type: 'pack', label: follower }, 'org-1')
      })
      assert.deepEqual(seen, [true, false])
      await assert.rejects(weigh(id, [1]), refusedWith('box.unknown'))
    })

    test('of many that remove the same stream at once on two nodes, one records it', async () => {
      const another = await opened.another()
      for (let round = 0; round < 5; round++) {
        const id = newId()
        await pack(id)
        const { sequence } = await weigh(id, [2])
        const removals = await Promise.all([store, another, store, another].map((node) => remove([id], node)))
        assert.deepEqual(
          removals.flatMap(({ value }) => value.ranges),
          [[sequence - 1, sequence]],
        )
      }
    })

    test('another box can claim a label in the write that removes its holder', async () => {
      const [one, two] = [newId(), newId()]
      await pack(one, 'handed over')
      await store.write(by('system'), async (work) => {
        await work.removeStream(boxes, one)
        await work.decide(boxes, two, { type: 'pack', label: 'Handed over' }, 'org-1')
      })
      assert.equal(await store.findClaimHolder('label', 'handed over'), two)
    })

    test('a write that is refused removes nothing', async () => {
      const [id, holder] = [newId(), newId()]
      await pack(id)
      await pack(holder, 'held')
      const before = await store.events({ limit: 10_000 })
      const taken = store.write(by('system'), async (work) => {
        await removeIn(work, [id])
        await work.decide(boxes, newId(), { type: 'pack', label: 'held' }, 'org-1')
      })
      await assert.rejects(taken, refusedWith('box.label_taken'))
      const thrown = store.write(by('system'), async (work) => {
        await removeIn(work, [id])
        throw new Error('on second thoughts')
      })
      await assert.rejects(thrown, /second thoughts/)
      assert.deepEqual(await store.events({ limit: 10_000 }), before)
      assert.ok(await store.get(boxes, id))
    })

    test('a recorded refusal is committed alone, and nothing is removed', async () => {
      const [id, locked] = [newId(), newId()]
      await pack(id)
      await pack(locked)
      const refused = store.write(by('eve'), async (work) => {
        await removeIn(work, [id])
        await work.decide(boxes, locked, { type: 'open', key: 'wrong' })
      })
      await assert.rejects(refused, refusedWith('box.key_wrong'))
      assert.equal((await store.get(boxes, locked))?.state.wrongKeys, 1)
      assert.ok(await store.get(boxes, id))
      assert.equal((await store.events({ id, limit: 9 })).length, 1)
    })

    test('concurrent writes, in the same batch or not, are not affected', async () => {
      const leaving = Array.from({ length: 30 }, newId)
      const staying = Array.from({ length: 30 }, newId)
      await Promise.all([...leaving, ...staying].map((id) => pack(id)))
      const start = await lastSequence()
      await Promise.all([...leaving.map((id) => remove([id])), ...staying.map((id) => weigh(id, [4, 5]))])
      const after = await store.events({ from: start, limit: 1000 })
      assert.deepEqual(
        after.map(({ sequence }) => sequence),
        Array.from({ length: 90 }, (_, index) => start + 1 + index),
      )
      for (const id of staying) assert.equal((await store.get(boxes, id))?.revision, 3)
      for (const id of leaving) assert.equal(await store.get(boxes, id), undefined)
    })

    test('the same work finds nothing there, and removing an unknown stream yields no events', async () => {
      const id = newId()
      await pack(id)
      await store.write(by('system'), async (work) => {
        const [once, twice, never] = await Promise.all([
          work.removeStream(boxes, id),
          work.removeStream(boxes, id),
          work.removeStream(boxes, 'never packed'),
        ])
        assert.deepEqual([once.events.length, twice.events, never.events], [1, [], []])
        assert.equal(await work.get(boxes, id), undefined)
        await removeIn(work, [])
      })
      await store.write(by('system'), (work) => work.removeStream(boxes, '\0'))
    })

    test('removing without a record, from another kind, or what the work itself changes are errors', async () => {
      const id = newId()
      await pack(id)
      const weighIn = (work: Work) => work.decide(boxes, id, { type: 'weigh', weights: [1] })
      const errors: [RegExp, (work: Work) => Promise<unknown>][] = [
        [/no event records it/, (work) => work.removeStream(boxes, id)],
        [/streams of the kind crate cannot be removed/, (work) => work.removeStream(crates, id)],
        [/removed by this work and cannot be decided on/, (work) => removeIn(work, [id]).then(() => weighIn(work))],
        [/changed by this work and cannot be removed/, (work) => weighIn(work).then(() => removeIn(work, [id]))],
      ]
      for (const [message, build] of errors) await assert.rejects(store.write(by('system'), build), message)
      assert.equal((await store.get(boxes, id))?.revision, 1)
    })
  })
}
