/** Streams that leave the log: nothing of them stays, everything else does, and every missing number is recorded. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { engines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { newId } from '../kernel/id.ts'
import { Refused } from '../kernel/refusal.ts'
import { type ForgottenRecord, recordForgotten, type Store, type StoredEvent, type Work } from './index.ts'

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

for (const engine of engines) {
  suite(`forgetting on ${engine.name}`, () => {
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
    /** Forgets boxes and writes down in a crate what left. */
    const forgetIn = async (work: Work, ids: readonly string[]): Promise<ForgottenRecord> => {
      const record = recordForgotten(await Promise.all(ids.map((id) => work.forget(boxes, id))))
      const note = JSON.stringify(record)
      await work.decide(crates, newId(), { type: 'pack', label: 'record', note }, 'org-1')
      return record
    }
    const forget = (ids: readonly string[], on = store) => on.write(by('sweeper'), (work) => forgetIn(work, ids))
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

    test('events, document and claims of a stream leave together, and only they', async () => {
      const [one, other] = [newId(), newId()]
      await pack(one, 'Leaving')
      await pack(other, 'Staying')
      await store.write(by('ann'), (work) => work.decide(crates, one, { type: 'pack', label: 'same id' }, 'org-1'))
      await weigh(one, [2, 3])
      const leaving = await store.events({ kinds: ['box'], id: one, limit: 9 })
      const { total } = await store.find(boxes, { limit: 1 })
      const { value: left } = await store.write(by('sweeper'), async (work) => {
        const forgotten = await work.forget(boxes, one)
        await forgetIn(work, [])
        return forgotten
      })
      assert.deepEqual(left, { sequences: leaving.map(({ sequence }) => sequence), events: leaving })
      assert.equal(left.sequences.length, 3)
      assert.equal(await store.get(boxes, one), undefined)
      assert.equal(await store.holder('label', 'leaving'), undefined)
      assert.deepEqual(
        (await store.events({ id: one, limit: 9 })).map(({ kind }) => kind),
        ['crate'],
      )
      assert.ok(await store.get(crates, one))
      assert.ok(await store.get(boxes, other))
      assert.equal(await store.holder('label', 'staying'), other)
      assert.equal((await store.find(boxes, { limit: 1 })).total, total - 1)
      await pack(newId(), 'Leaving')
    })

    test('numbers go on, none is given twice, and pages lead over the gaps', async () => {
      const ids = Array.from({ length: 8 }, newId)
      for (const id of ids) await pack(id)
      const before = await readAll(false)
      const [first, , third] = ids
      assert.ok(first && third)
      // The very last event of the log is among those that leave.
      const last = await lastSequence()
      const { value: record, sequence } = await forget([first, third, ids.at(-1) ?? ''])
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

    test('whoever has the log from before can prove by the digest what left', async () => {
      const ids = [newId(), newId(), newId()]
      for (const id of ids) await pack(id)
      for (const id of ids) await weigh(id, [7])
      const copies = await Promise.all(ids.map((id) => store.events({ id, limit: 9 })))
      const { value: record } = await forget(ids)
      const start = copies[0]?.[0]?.sequence ?? 0
      assert.deepEqual([record.streams, record.events, record.ranges], [3, 6, [[start, start + 5]]])
      const again = recordForgotten(copies.toReversed().map((events) => ({ sequences: [], events })))
      assert.equal(again.digest, record.digest)
      const changed = copies.map((events) => ({
        sequences: [],
        events: events.map((one) => ({ ...one, actor: 'eve' })),
      }))
      assert.notEqual(recordForgotten(changed).digest, record.digest)
    })

    test('what is removed can leave, too', async () => {
      const id = newId()
      await pack(id, 'removed')
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'remove' }))
      await pack(newId(), 'removed')
      const { value } = await forget([id])
      assert.equal(value.events, 2)
      assert.deepEqual(await store.events({ id, limit: 9 }), [])
      assert.ok(await store.holder('label', 'removed'), 'the claim of its successor stays')
    })

    test('another node finds nothing of it, whatever it had read before', async () => {
      const another = await opened.another()
      for (let round = 0; round < 10; round++) {
        const id = newId()
        await pack(id)
        const query = { where: { field: 'label', equals: `label ${id}` }, limit: 5 } as const
        assert.equal((await another.get(boxes, id))?.revision, 1)
        assert.equal((await another.find(boxes, query)).total, 1)
        if (round % 2) await weigh(id, [2])
        await forget([id])
        assert.equal(await another.get(boxes, id), undefined)
        assert.equal((await another.find(boxes, query)).total, 0)
        assert.equal(await another.holder('label', `label ${id}`), undefined)
        assert.deepEqual(await another.events({ id, limit: 9 }), [])
      }
    })

    test('five hundred leave in one write', async () => {
      const ids = Array.from({ length: 500 }, newId)
      await Promise.all(ids.map((id) => pack(id)))
      const { total } = await store.find(boxes, { limit: 0 })
      const start = await lastSequence()
      const { value: record } = await forget(ids)
      assert.deepEqual([record.streams, record.ranges], [500, [[start - 499, start]]])
      assert.equal((await store.find(boxes, { limit: 0 })).total, total - 500)
      assert.equal((await store.events({ from: start - 500, limit: 1000 })).length, 1)
    })

    test('a stream that changed meanwhile leaves with its last event', async () => {
      const id = newId()
      await pack(id)
      let runs = 0
      const { value } = await store.write(by('sweeper'), async (work) => {
        const record = await forgetIn(work, [id])
        if (runs++ === 0) await weigh(id, [5], await opened.another())
        return record
      })
      assert.deepEqual([runs, value.events], [2, 2])
      assert.deepEqual(await store.events({ id, limit: 9 }), [])
    })

    test('a change between reading the document and its events is not told as leaving', async () => {
      const id = newId()
      await pack(id)
      const told: number[] = []
      await store.write(by('sweeper'), async (work) => {
        await work.read(boxes, id)
        if (told.length === 0) await weigh(id, [5, 6])
        told.push((await forgetIn(work, [id])).events)
      })
      assert.deepEqual(told, [1, 3])
    })

    test('who read a stream that leaves meanwhile decides again', async () => {
      const [id, follower] = [newId(), newId()]
      await pack(id)
      const seen: boolean[] = []
      await store.write(by('ann'), async (work) => {
        seen.push((await work.read(boxes, id)) !== undefined)
        if (seen.length === 1) await forget([id])
        await work.decide(boxes, follower, { type: 'pack', label: follower }, 'org-1')
      })
      assert.deepEqual(seen, [true, false])
      await assert.rejects(weigh(id, [1]), refusedWith('box.unknown'))
    })

    test('of many who forget the same stream at once on two nodes, one records it', async () => {
      const another = await opened.another()
      for (let round = 0; round < 5; round++) {
        const id = newId()
        await pack(id)
        const { sequence } = await weigh(id, [2])
        const sweeps = await Promise.all([store, another, store, another].map((node) => forget([id], node)))
        assert.deepEqual(
          sweeps.flatMap(({ value }) => value.ranges),
          [[sequence - 1, sequence]],
        )
      }
    })

    test('a label passes to another box in the write that forgets its holder', async () => {
      const [one, two] = [newId(), newId()]
      await pack(one, 'handed over')
      await store.write(by('sweeper'), async (work) => {
        await work.forget(boxes, one)
        await work.decide(boxes, two, { type: 'pack', label: 'Handed over' }, 'org-1')
      })
      assert.equal(await store.holder('label', 'handed over'), two)
    })

    test('a write that is refused forgets nothing', async () => {
      const [id, holder] = [newId(), newId()]
      await pack(id)
      await pack(holder, 'held')
      const before = await store.events({ limit: 10_000 })
      const taken = store.write(by('sweeper'), async (work) => {
        await forgetIn(work, [id])
        await work.decide(boxes, newId(), { type: 'pack', label: 'held' }, 'org-1')
      })
      await assert.rejects(taken, refusedWith('box.label_taken'))
      const thrown = store.write(by('sweeper'), async (work) => {
        await forgetIn(work, [id])
        throw new Error('on second thoughts')
      })
      await assert.rejects(thrown, /second thoughts/)
      assert.deepEqual(await store.events({ limit: 10_000 }), before)
      assert.ok(await store.get(boxes, id))
    })

    test('a refusal that must be remembered is committed alone, and nothing leaves', async () => {
      const [id, locked] = [newId(), newId()]
      await pack(id)
      await pack(locked)
      const refused = store.write(by('eve'), async (work) => {
        await forgetIn(work, [id])
        await work.decide(boxes, locked, { type: 'open', key: 'wrong' })
      })
      await assert.rejects(refused, refusedWith('box.key_wrong'))
      assert.equal((await store.get(boxes, locked))?.state.wrongKeys, 1)
      assert.ok(await store.get(boxes, id))
      assert.equal((await store.events({ id, limit: 9 })).length, 1)
    })

    test('writers beside it, in the same batch or not, do not notice', async () => {
      const leaving = Array.from({ length: 30 }, newId)
      const staying = Array.from({ length: 30 }, newId)
      await Promise.all([...leaving, ...staying].map((id) => pack(id)))
      const start = await lastSequence()
      await Promise.all([...leaving.map((id) => forget([id])), ...staying.map((id) => weigh(id, [4, 5]))])
      const after = await store.events({ from: start, limit: 1000 })
      assert.deepEqual(
        after.map(({ sequence }) => sequence),
        Array.from({ length: 90 }, (_, index) => start + 1 + index),
      )
      for (const id of staying) assert.equal((await store.get(boxes, id))?.revision, 3)
      for (const id of leaving) assert.equal(await store.get(boxes, id), undefined)
    })

    test('the same work reads nothing there, and what is not there leaves nothing', async () => {
      const id = newId()
      await pack(id)
      await store.write(by('sweeper'), async (work) => {
        const [once, twice, never] = await Promise.all([
          work.forget(boxes, id),
          work.forget(boxes, id),
          work.forget(boxes, 'never packed'),
        ])
        assert.deepEqual([once.sequences.length, twice.sequences, never.sequences], [1, [], []])
        assert.equal(await work.read(boxes, id), undefined)
        await forgetIn(work, [])
      })
      await store.write(by('sweeper'), (work) => work.forget(boxes, '\0'))
    })

    test('to forget without a record, another kind, or what the work itself changes are mistakes', async () => {
      const id = newId()
      await pack(id)
      const weighIn = (work: Work) => work.decide(boxes, id, { type: 'weigh', weights: [1] })
      const mistakes: [RegExp, (work: Work) => Promise<unknown>][] = [
        [/no event records it/, (work) => work.forget(boxes, id)],
        [/crate is not a kind whose streams may be forgotten/, (work) => work.forget(crates, id)],
        [/forgotten by this work and cannot be decided on/, (work) => forgetIn(work, [id]).then(() => weighIn(work))],
        [/changed by this work and cannot be forgotten/, (work) => weighIn(work).then(() => forgetIn(work, [id]))],
      ]
      for (const [message, build] of mistakes) await assert.rejects(store.write(by('sweeper'), build), message)
      assert.equal((await store.get(boxes, id))?.revision, 1)
    })
  })
}
