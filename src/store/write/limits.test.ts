/** Limits of collections hold for every write, also for those that arrive at the same time. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bothEngines, openTestStore, type TestStore } from '../../../test/support/engines.ts'
import { type BoxCommand, box, boxEvents, boxRefusals, by } from '../../../test/support/sample-kind.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { newId } from '../../kernel/id.ts'
import { kind, openStore, type Store, type Work } from '../index.ts'

/** At most five parcels with the same note, which weigh at most 100, in each shelf. */
const parcels = kind({
  name: 'parcel',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: boxEvents,
  decider: box,
  refusals: boxRefusals,
  fields: {
    note: { path: ['note'], type: 'text' },
    weight: { path: ['weight'], type: 'number' },
  },
  isGone: (state) => state.status === 'removed',
  removable: true,
  limits: [
    { things: 'parcels', holder: 'a shelf', by: ['owner', 'note'], number: 5, bytes: { field: 'weight', most: 100 } },
    { things: 'letters', holder: 'a label', inside: ({ label = '' }) => label.length, number: 30 },
  ],
  largest: 1000,
})

for (const engine of bothEngines) {
  suite(`limits on ${engine.name}`, () => {
    let opened: TestStore
    let store: Store
    before(async () => {
      opened = await openTestStore([parcels], engine)
      store = opened.store
    })
    after(() => opened.dispose())

    const put = (work: Work, note: string, { weight = 1, owner = 'shelf', label = 'x' } = {}) =>
      work.decide(parcels, newId(), { type: 'pack', label, weight, note }, owner)
    const add = (note: string, options: { weight?: number; owner?: string; label?: string } = {}) =>
      store.write(by('ann'), (work) => put(work, note, options))
    const count = async (note: string) =>
      (await store.find(parcels, { where: { field: 'note', equals: note }, limit: 0 })).total

    test('of a number refuse one more, and only for the same holder', async () => {
      for (let done = 0; done < 5; done++) await add('number')
      await isRefused(add('number'), 'store.limit_reached')
      await add('number', { owner: 'other shelf' })
      await add('other note')
      assert.equal(await count('number'), 6)
    })

    test('say which one it is', async () => {
      for (let done = 0; done < 5; done++) await add('words')
      await assert.rejects(add('words'), { message: 'A shelf can have at most 5 parcels.', kind: 'precondition' })
      await assert.rejects(add('heavy', { weight: 101 }), {
        message: 'The parcels of a shelf can have at most 100 bytes together.',
      })
    })

    test('count what one write adds together, and what it takes away', async () => {
      const many = (number: number) =>
        store.write(by('ann'), async (work) => {
          for (let done = 0; done < number; done++) await put(work, 'together')
        })
      await isRefused(many(6), 'store.limit_reached')
      assert.equal(await count('together'), 0, 'all or nothing')
      await many(5)
      const [first = ''] = await store.findIds(parcels, { field: 'note', equals: 'together' })
      await store.write(by('ann'), async (work) => {
        await put(work, 'together')
        await work.decide(parcels, first, { type: 'remove' })
      })
      assert.equal(await count('together'), 5)
    })

    test('of bytes count what changes', async () => {
      const { value } = await add('bytes', { weight: 60 })
      const weigh = (weight: number) =>
        store.write(by('ann'), (work) => work.decide(parcels, value.id, { type: 'weigh', weights: [weight] }))
      await isRefused(add('bytes', { weight: 41 }), 'store.limit_reached')
      await add('bytes', { weight: 40 })
      await isRefused(weigh(61), 'store.limit_reached')
      await weigh(20)
      await weigh(60)
    })

    test('let what is above them get smaller', async (context) => {
      const unlimited = { ...parcels, limits: [] }
      const database = await engine.open()
      context.after(() => database.dispose())
      const loose = await openStore(database.engine, [unlimited])
      const command = { type: 'pack', label: 'x', note: 'above', weight: 30 } as const
      await loose.write(by('ann'), async (work) => {
        for (const id of '12345678') await work.decide(unlimited, id, command, 'shelf')
      })
      const strict = await openStore(await database.reopen(), [parcels])
      const change = (id: string, command: BoxCommand) =>
        strict.write(by('ann'), (work) => work.decide(parcels, id, command, 'shelf'))
      await change('1', { type: 'weigh', weights: [10] })
      await isRefused(change('1', { type: 'weigh', weights: [11] }), 'store.limit_reached')
      await isRefused(change('9', command), 'store.limit_reached')
      await change('1', { type: 'remove' })
    })

    test('hold when many write at once', async () => {
      const tries = await Promise.allSettled(Array.from({ length: 40 }, () => add('at once', { weight: 3 })))
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 5)
      assert.equal(await count('at once'), 5)
      const heavy = await Promise.allSettled(Array.from({ length: 40 }, () => add('heavy at once', { weight: 45 })))
      assert.equal(heavy.filter(({ status }) => status === 'fulfilled').length, 2)
    })

    test('count what another process has added since a request began', async (context) => {
      const database = await engine.open()
      context.after(() => database.dispose())
      const [own, other] = [
        await openStore(database.engine, [parcels]),
        await openStore(await database.reopen(), [parcels]),
      ]
      const command = { type: 'pack', label: 'x', note: 'elsewhere', weight: 1 } as const
      const addTo = (one: Store) => one.write(by('ann'), (work) => work.begin(parcels, newId(), command, 'shelf'))
      await own.asOneRequest(async () => {
        // The request may continue with what it has read: that there are none.
        await own.get(parcels, 'none')
        await own.find(parcels, {
          where: {
            all: [
              { field: 'owner', equals: 'shelf' },
              { field: 'note', equals: 'elsewhere' },
            ],
          },
          limit: 0,
        })
        await Promise.all(Array.from({ length: 5 }, () => other.asOneRequest(() => addTo(other))))
        await isRefused(addTo(own), 'store.limit_reached')
      })
    })

    test('of a list and of a document refuse what makes it longer', async () => {
      const { value } = await add('list', { label: 'x'.repeat(30) })
      await isRefused(add('list', { label: 'x'.repeat(31) }), 'store.limit_reached')
      await isRefused(
        store.write(by('ann'), (work) => work.decide(parcels, value.id, { type: 'label', label: 'y'.repeat(31) })),
        'store.limit_reached',
      )
      await isRefused(add('n'.repeat(2000)), 'store.document_too_large')
    })
  })
}
