/** What the store guarantees, on each engine. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines, openTestStore, type TestStore } from '../../test/support/engines.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { newId } from '../kernel/id.ts'
import { Refused } from '../kernel/refusal.ts'
import type { Store } from './index.ts'

function refusedWith(code: string) {
  return (error: unknown) => error instanceof Refused && error.code === code
}

for (const engine of bothEngines) {
  suite(`store on ${engine.name}`, () => {
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

    test('a write is read back with everything that is known about it', async () => {
      const id = newId()
      const { value, sequence, at } = await pack(id, 'Tools')
      const found = await store.get(boxes, id)
      assert.deepEqual(found, {
        id,
        owner: 'org-1',
        state: { status: 'packed', label: 'Tools', weight: 1, search: { label: 'tools' } },
        revision: 1,
        sequence,
        createdAt: at,
        changedAt: at,
      })
      assert.deepEqual({ ...value, sequence }, found)
      assert.equal(await store.findClaimHolder('label', 'tools'), id)
      assert.deepEqual(await store.events({ id, limit: 10 }), [
        {
          sequence,
          kind: 'box',
          id,
          revision: 1,
          type: 'box.packed.v1',
          data: { label: 'Tools', weight: 1 },
          actor: { user: 'ann' },
          owner: 'org-1',
          at,
        },
      ])
    })

    test('a work of a thousand streams knows the sequence of each, and lets others run meanwhile', async (t) => {
      const ids = Array.from({ length: 1_000 }, () => newId())
      let turns = 0
      const counting = setInterval(() => turns++, 0)
      t.after(() => clearInterval(counting))
      const { value, sequence } = await store.write(by('ann'), async (work) => {
        const documents = []
        for (const id of ids) {
          await work.decide(boxes, id, { type: 'pack', label: id }, 'org-1')
          documents.push(await work.decide(boxes, id, { type: 'weigh', weights: [1, 2] }))
        }
        assert.ok(turns >= 2, `${turns}`)
        return documents
      })
      assert.deepEqual(
        value.map((document) => document.sequence),
        ids.map((_, index) => sequence - 3 * (ids.length - 1 - index)),
      )
      const { documents } = await store.find(boxes, { where: { field: 'id', in: ids }, limit: 1_000 })
      assert.deepEqual(
        new Map(documents.map((document) => [document.id, document.sequence])),
        new Map(value.map((document) => [document.id, document.sequence])),
      )
    })

    test('owner and creation stay, revision, sequence and change date move on', async () => {
      const id = newId()
      const first = await pack(id)
      const later = await store.write(by('bob', first.at + 5), (work) =>
        work.decide(boxes, id, { type: 'weigh', weights: [2, 3] }, 'org-2'),
      )
      assert.equal(later.sequence, first.sequence + 2)
      const found = await store.get(boxes, id)
      assert.deepEqual(
        [found?.owner, found?.revision, found?.sequence, found?.createdAt, found?.changedAt, found?.state.weight],
        ['org-1', 3, later.sequence, first.at, first.at + 5, 3],
      )
    })

    test('a claim that another stream holds is refused with the code of the kind and nothing is written', async () => {
      const [one, two] = [newId(), newId()]
      await pack(one, 'Unique')
      const before = await lastSequence()
      await assert.rejects(pack(two, 'UNIQUE'), refusedWith('box.label_taken'))
      assert.equal(await store.get(boxes, two), undefined)
      assert.equal(await lastSequence(), before)
      assert.equal(await store.findClaimHolder('label', 'unique'), one)
    })

    test('a claim is free again when its holder gives it up or is removed', async () => {
      const [one, two, three] = [newId(), newId(), newId()]
      await pack(one, 'Wanted')
      await store.write(by('ann'), (work) => work.decide(boxes, one, { type: 'label', label: 'Other' }))
      await pack(two, 'Wanted')
      await store.write(by('ann'), (work) => work.decide(boxes, two, { type: 'remove' }))
      await pack(three, 'Wanted')
      assert.equal(await store.findClaimHolder('label', 'wanted'), three)
    })

    test('two streams swap their claims in one write', async () => {
      const [one, two] = [newId(), newId()]
      await pack(one, 'left')
      await pack(two, 'right')
      await store.write(by('ann'), async (work) => {
        await work.decide(boxes, one, { type: 'label', label: 'right' })
        await work.decide(boxes, two, { type: 'label', label: 'left' })
      })
      assert.deepEqual(
        [await store.findClaimHolder('label', 'left'), await store.findClaimHolder('label', 'right')],
        [two, one],
      )
    })

    test('what a write gives up and takes again stays its own', async () => {
      const id = newId()
      await pack(id, 'mine')
      await store.write(by('ann'), async (work) => {
        await work.decide(boxes, id, { type: 'label', label: 'not mine' })
        await work.decide(boxes, id, { type: 'label', label: 'MINE' })
      })
      assert.equal(await store.findClaimHolder('label', 'mine'), id)
      assert.equal(await store.findClaimHolder('label', 'not mine'), undefined)
    })

    test('a write over several streams is all or nothing', async () => {
      const [one, two] = [newId(), newId()]
      await pack(newId(), 'in the way')
      const both = (label: string) =>
        store.write(by('ann'), async (work) => {
          await work.decide(crates, one, { type: 'pack', label: 'any' }, 'org-1')
          await work.decide(boxes, two, { type: 'pack', label }, 'org-1')
          work.enqueue({ kind: 'never', data: {} })
        })
      const jobs = await store.jobs.count()
      await assert.rejects(both('in the way'), refusedWith('box.label_taken'))
      assert.equal(await store.get(crates, one), undefined)
      assert.deepEqual(await store.jobs.count(), jobs)
      const { sequence } = await both('out of the way')
      assert.equal((await store.get(crates, one))?.sequence, sequence - 1)
      assert.equal((await store.get(boxes, two))?.sequence, sequence)
    })

    test('the decision sees what was decided earlier in the same write', async () => {
      const id = newId()
      const { value } = await store.write(by('ann'), async (work) => {
        assert.equal(await work.get(boxes, id), undefined)
        await work.decide(boxes, id, { type: 'pack', label: id }, 'org-1')
        await work.decide(boxes, id, { type: 'weigh', weights: [7] })
        return work.get(boxes, id)
      })
      assert.equal(value?.revision, 2)
      assert.equal(value?.state.weight, 7)
    })

    test('decisions made at the same time in one write are all kept', async () => {
      const [id, other] = [newId(), newId()]
      await pack(id)
      const { value } = await store.write(by('ann'), (work) =>
        Promise.all([
          work.decide(boxes, id, { type: 'weigh', weights: [2] }),
          work.decide(boxes, other, { type: 'pack', label: other }, 'org-1'),
          work.decide(boxes, id, { type: 'weigh', weights: [3] }),
        ]),
      )
      assert.deepEqual(
        value.map(({ revision }) => revision),
        [2, 1, 3],
      )
      assert.equal((await store.events({ id, limit: 9 })).length, 3)
    })

    test('a write that decides nothing answers with the last sequence of the instance', async () => {
      const { sequence } = await pack(newId())
      const nothing = await store.write(by('ann'), async () => 'nothing')
      assert.deepEqual([nothing.value, nothing.sequence], ['nothing', sequence])
    })

    test('a write that waits for the disk and decides nothing appends nothing', async () => {
      const before = await lastSequence()
      const { sequence } = await store.write(by('ann'), async (work) => work.waitForDisk())
      assert.equal(sequence, before)
      assert.equal(await lastSequence(), before)
    })

    test('an ID that we make is drawn again until nobody has it, also when its holder makes the work refuse', async () => {
      const taken = ['drawn 1', 'drawn 2', 'drawn 3']
      for (const id of taken) await pack(id)
      for (const refusesFirst of [false, true]) {
        let last = 0
        let runs = 0
        const { value } = await store.write(by('ann'), async (work) => {
          const id = await work.unusedId(boxes, () => `drawn ${++last}`)
          if (refusesFirst && ++runs === 1) throw new Refused('somebody.else', 'conflict', 'What the holder has.')
          return work.decide(boxes, id, { type: 'pack', label: id, weight: 1 }, 'org-1')
        })
        taken.push(`drawn ${taken.length + 1}`)
        assert.equal(value.id, taken.at(-1))
      }
    })

    test('a new stream begins without a read; if it exists, nothing is written', async () => {
      const [id, other] = [newId(), newId()]
      const begin = (label: string) =>
        store.write(by('ann'), async (work) => {
          await work.decide(crates, other, { type: 'pack', label }, 'org-1')
          return work.begin(boxes, id, { type: 'pack', label }, 'org-1')
        })
      const { value } = await begin('begun')
      assert.equal(value.revision, 1)
      assert.equal((await store.get(boxes, id))?.state.label, 'begun')
      await store.write(by('ann'), (work) => work.decide(crates, other, { type: 'remove' }))
      const another = store.write(by('ann'), (work) =>
        work.begin(boxes, id, { type: 'pack', label: 'begun again' }, 'org-1'),
      )
      await assert.rejects(another, refusedWith('store.conflict'))
      assert.equal((await store.get(boxes, id))?.state.label, 'begun')
      await assert.rejects(
        store.write(by('ann'), async (work) => {
          await work.get(boxes, id)
          await work.begin(boxes, id, { type: 'pack', label: 'known' }, 'org-1')
        }),
        /cannot begin/,
      )
    })

    test('a refusal throws its code and drops the whole write', async () => {
      const [one, two] = [newId(), newId()]
      const work = store.write(by('ann'), async (work) => {
        await work.decide(boxes, one, { type: 'pack', label: one }, 'org-1')
        await work.decide(boxes, two, { type: 'weigh', weights: [1] })
      })
      await assert.rejects(work, refusedWith('box.unknown'))
      assert.equal(await store.get(boxes, one), undefined)
    })

    test('a refusal with events is thrown after the events are committed alone', async () => {
      const [id, dropped] = [newId(), newId()]
      await pack(id)
      const wrong = () =>
        store.write(by('eve'), async (work) => {
          await work.decide(boxes, dropped, { type: 'pack', label: dropped }, 'org-1')
          await work.decide(boxes, id, { type: 'weigh', weights: [9] })
          work.enqueue({ kind: 'never', data: {} })
          await work.decide(boxes, id, { type: 'open', key: 'wrong' })
        })
      await assert.rejects(wrong(), refusedWith('box.key_wrong'))
      await assert.rejects(wrong(), refusedWith('box.key_wrong'))
      const found = await store.get(boxes, id)
      assert.deepEqual([found?.state.wrongKeys, found?.state.weight, found?.revision], [2, 1, 3])
      assert.equal(await store.get(boxes, dropped), undefined)
      assert.equal((await store.events({ actor: { user: 'eve' }, id, limit: 9 })).length, 2)
    })

    test('the caller cannot suppress a refusal with events', async () => {
      const id = newId()
      await pack(id)
      const swallowed = store.write(by('eve'), async (work) => {
        await work.decide(boxes, id, { type: 'open', key: 'wrong' }).catch(() => {})
      })
      await assert.rejects(swallowed, refusedWith('box.key_wrong'))
      assert.equal((await store.get(boxes, id))?.state.wrongKeys, 1)
    })

    test('concurrent wrong keys are all recorded', async () => {
      const id = newId()
      await pack(id)
      const tries = await Promise.allSettled(
        Array.from({ length: 3 }, () =>
          store.write(by('eve'), (work) => work.decide(boxes, id, { type: 'open', key: 'wrong' })),
        ),
      )
      assert.ok(tries.every((tried) => tried.status === 'rejected' && refusedWith('box.key_wrong')(tried.reason)))
      assert.equal((await store.get(boxes, id))?.state.wrongKeys, 3)
    })

    test('texts of every language come back unchanged, and what no database can store is refused', async () => {
      const note = 'Grüße, "日本語" \\u0000 😀 \u2028 \\ \b'
      const { value } = await store.write(by('ann'), (work) =>
        work.decide(boxes, newId(), { type: 'pack', label: newId(), note }, 'org-1'),
      )
      assert.equal((await store.get(boxes, value.id))?.state.note, note)
      for (const bad of ['\0', 'x\u0000y', '\ud800', 'a\udfffb', '\\\0']) {
        const write = store.write(by('ann'), (work) =>
          work.decide(boxes, newId(), { type: 'pack', label: newId(), note: bad }, 'org-1'),
        )
        await assert.rejects(write, refusedWith('store.text_invalid'))
      }
    })

    test('an id that no database can store is unknown, and cannot be used', async () => {
      for (const bad of ['\0', '\ud800']) {
        assert.equal(await store.get(boxes, bad), undefined)
        assert.equal(await store.findClaimHolder('label', bad), undefined)
        assert.deepEqual(await store.events({ id: bad, limit: 1 }), [])
        assert.equal((await store.write(by('ann'), (work) => work.get(boxes, bad))).value, undefined)
        await assert.rejects(pack(bad, 'fine'), refusedWith('store.text_invalid'))
        await assert.rejects(pack(newId(), bad), refusedWith('store.text_invalid'))
      }
    })

    test('a new stream without an owner and an unknown kind are faults, not refusals', async () => {
      const ownerless = store.write(by('ann'), (work) => work.decide(boxes, newId(), { type: 'pack', label: 'x' }))
      await assert.rejects(ownerless, /was given no owner/)
      const unknown = { ...crates, name: 'barrel' }
      await assert.rejects(store.get(unknown, 'x'), /not opened with the kind barrel/)
    })

    test('it answers to ping', async () => {
      await store.ping()
    })
  })
}
