/** Documents that are deleted and folded again from the log are the same, byte for byte. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bothEngines, type TestDatabase } from '../../test/support/engines.ts'
import { type Box, type BoxCommand, type BoxEvent, box, boxes, by, crates } from '../../test/support/sample-kind.ts'
import type { Decider } from '../kernel/decider.ts'
import { newId } from '../kernel/id.ts'
import { Refused } from '../kernel/refusal.ts'
import type { Engine } from './engine.ts'
import { kind, openStore, type Store } from './index.ts'

const IDS = ['one', 'two', 'three'] as const
const LABELS = ['a', 'A', 'b', 'ü', '"'] as const

/** Everything that a rebuild writes, as the tables hold it. */
async function contents(engine: Engine, prefix = '') {
  const rows = []
  for (const { name } of [boxes, crates]) {
    for (const id of IDS) {
      const row = await engine.get(name, prefix + id)
      // The parsed state is not in the table.
      rows.push(row && { ...row, parsed: undefined })
    }
  }
  const holders = []
  for (const label of LABELS) holders.push(await engine.findClaimHolder('label', prefix + label.toLowerCase()))
  return { rows, holders }
}

async function write(
  store: Store,
  of: typeof boxes | typeof crates,
  id: string,
  command: BoxCommand | { readonly type: 'remove_stream' },
): Promise<void> {
  try {
    await store.write(by('ann'), async (work) => {
      if (command.type !== 'remove_stream') return work.decide(of, id, command, 'org-1')
      const { events } = await work.removeStream(boxes, id)
      return work.decide(
        crates,
        newId(),
        { type: 'pack', label: `without ${events.map(({ sequence }) => sequence)}` },
        'org-1',
      )
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}

/** Boxes that are folded by other rules. */
function boxesFoldedBy(version: number, evolve: Decider<BoxCommand, Box, BoxEvent, never>['evolve']) {
  return kind({ ...boxes, version, decider: { ...box, evolve } })
}

async function withDatabase(open: () => Promise<TestDatabase>, use: (database: TestDatabase) => Promise<void>) {
  const database = await open()
  try {
    await use(database)
  } finally {
    await database.dispose()
  }
}

for (const { name, open } of bothEngines) {
  suite(`rebuild on ${name}`, () => {
    test('after any history the rebuilt documents and claims are identical', async () => {
      const weights = fc.array(fc.option(fc.integer(), { nil: undefined }), { maxLength: 3 })
      const command: fc.Arbitrary<BoxCommand | { readonly type: 'remove_stream' }> = fc.oneof(
        fc.record(
          {
            type: fc.constant('pack' as const),
            label: fc.constantFrom(...LABELS),
            weight: fc.integer(),
            note: fc.string(),
          },
          { requiredKeys: ['type', 'label'] },
        ),
        fc.record({ type: fc.constant('label' as const), label: fc.constantFrom(...LABELS) }),
        fc.record({ type: fc.constant('weigh' as const), weights }),
        fc.record({ type: fc.constant('open' as const), key: fc.constantFrom('right', 'wrong') }),
        fc.record({ type: fc.constant('remove' as const) }),
        fc.record({ type: fc.constant('remove_stream' as const) }),
      )
      const step = fc.tuple(fc.constantFrom(boxes, crates), fc.constantFrom(...IDS), command)
      await withDatabase(open, async ({ engine }) => {
        const store = await openStore(engine, [boxes, crates])
        let run = 0
        const check = async (steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
          // Each history has ids and labels of its own, so that one database serves them all.
          const prefix = `${++run} `
          for (const [of, id, command] of steps) {
            await write(
              store,
              of,
              prefix + id,
              'label' in command ? { ...command, label: prefix + command.label } : command,
            )
          }
          const live = await contents(engine, prefix)
          await store.rebuild()
          assert.deepEqual(await contents(engine, prefix), live)
        }
        await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), check), { numRuns: 15 })
      })
    })

    test('a kind with a new version is folded again before the store opens', () =>
      withDatabase(open, async ({ engine, reopen }) => {
        const old = await openStore(engine, [boxes, crates])
        await write(old, boxes, 'one', { type: 'pack', label: 'a', weight: 5 })
        await write(old, crates, 'one', { type: 'pack', label: 'a', weight: 5 })
        const doubled = boxesFoldedBy(2, (state, event) =>
          event.type === 'box.packed.v1'
            ? { ...box.evolve(state, event), weight: 2 * (event.data.weight ?? 0), search: { label: 'new claim' } }
            : box.evolve(state, event),
        )
        const store = await openStore(await reopen(), [doubled, crates])
        assert.equal((await store.get(doubled, 'one'))?.state.weight, 10)
        assert.equal((await store.get(crates, 'one'))?.state.weight, 5)
        // In PostgreSQL, nodes of the old version may still run, and the claim is theirs until they are gone (0048).
        assert.equal(await store.findClaimHolder('label', 'a'), name === 'sqlite' ? undefined : 'one')
        assert.equal(await store.findClaimHolder('label', 'new claim'), 'one')
        assert.equal((await store.find(doubled, { where: { field: 'weight', equals: 10 }, limit: 1 })).total, 1)
      }))

    test('tells how many events were folded', () =>
      withDatabase(open, async ({ engine }) => {
        const store = await openStore(engine, [boxes, crates])
        for (const id of IDS) await write(store, boxes, id, { type: 'pack', label: id })
        await write(store, crates, 'one', { type: 'pack', label: 'a' })
        await write(store, boxes, 'one', { type: 'weigh', weights: [1, 2] })
        const told: number[] = []
        await store.rebuild([boxes, crates], (events) => told.push(events))
        assert.deepEqual(told.sort(), [1, 1, 1, 3])
      }))

    test('the claims of another kind with the same ids stay', () =>
      withDatabase(open, async ({ engine }) => {
        const numbered = kind({
          ...crates,
          claims: (state: Box) =>
            state.label === undefined
              ? []
              : [
                  {
                    kind: 'number',
                    within: { instance: 'a test' },
                    value: state.label,
                    taken: 'box.label_taken' as const,
                  },
                ],
        })
        const store = await openStore(engine, [boxes, numbered])
        await store.write(by('ann'), async (work) => {
          await work.decide(boxes, 'one', { type: 'pack', label: 'a' }, 'org-1')
          await work.decide(numbered, 'one', { type: 'pack', label: '7' }, 'org-1')
        })
        await store.rebuild([boxes])
        assert.deepEqual(
          [await store.findClaimHolder('number', '7'), await store.findClaimHolder('label', 'a')],
          ['one', 'one'],
        )
      }))

    test('an event that cannot be folded is named, and the old documents stay', () =>
      withDatabase(open, async ({ engine, reopen }) => {
        const store = await openStore(engine, [boxes, crates])
        await write(store, boxes, 'one', { type: 'pack', label: 'a', weight: 5 })
        await write(store, boxes, 'two', { type: 'pack', label: 'b', weight: 5 })
        await write(store, boxes, 'two', { type: 'weigh', weights: [13] })
        const before = await contents(engine)
        const superstitious = boxesFoldedBy(2, (state, event) => {
          if (event.type === 'box.weighed.v1' && event.data.weight === 13) throw new Error('unlucky')
          return { ...box.evolve(state, event), note: 'folded again' }
        })
        const opening = openStore(await reopen(), [superstitious, crates])
        await assert.rejects(opening, /box two .*event 3 \(box\.weighed\.v1, revision 2\)/)
        assert.deepEqual(await contents(engine), before)
        const again = await openStore(await reopen(), [boxes, crates])
        assert.equal((await again.get(boxes, 'one'))?.state.note, undefined)
      }))

    test('a node ignores what a newer one wrote, and continues with the stream', () =>
      withDatabase(open, async ({ engine, reopen }) => {
        const old = await openStore(engine, [boxes, crates])
        await write(old, boxes, 'one', { type: 'pack', label: 'a', weight: 5 })
        const painting = kind({
          ...boxes,
          decider: {
            ...box,
            decide: () => ({ events: [{ type: 'box.painted.v1', data: { colour: 'red' } } as unknown as BoxEvent] }),
          },
        })
        const newer = await openStore(await reopen(), [painting, crates])
        await newer.write(by('bob'), (work) => work.decide(painting, 'one', { type: 'remove' }))
        await write(old, boxes, 'one', { type: 'weigh', weights: [6] })
        const live = await contents(engine)
        await old.rebuild([boxes])
        assert.deepEqual(await contents(engine), live)
        const found = await old.get(boxes, 'one')
        assert.deepEqual([found?.revision, found?.state.weight, found?.state.label], [3, 6, 'a'])
      }))

    test('two nodes that start at once on an empty or outdated database both open', () =>
      withDatabase(open, async ({ engine, reopen }) => {
        const others = await Promise.all([reopen(), reopen(), reopen()])
        const stores = await Promise.all([engine, ...others].map((one) => openStore(one, [boxes, crates])))
        await write(stores[0] as Store, boxes, 'one', { type: 'pack', label: 'a', weight: 1 })
        const newer = boxesFoldedBy(2, box.evolve)
        const more = await Promise.all([reopen(), reopen()])
        const opened = await Promise.all(more.map((one) => openStore(one, [newer, crates])))
        for (const store of opened) assert.equal((await store.get(newer, 'one'))?.state.weight, 1)
      }))
  })
}
