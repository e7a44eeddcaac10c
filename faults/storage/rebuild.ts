/** Documents that are folded again from the log are the documents that were there, and folding is fast. */
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../src/kernel/id.ts'
import type { Store } from '../../src/store/index.ts'
import { engines, openTestStore, type TestEngine } from '../../test/support/engines.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'
import { grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'

const WRITERS = 32

/** Packs, labels, weighs and removes, until the log has enough events. */
async function fill(store: Store, events: number): Promise<readonly string[]> {
  const ids: string[] = []
  let left = Math.ceil(events / 5)
  const write = async () => {
    while (left-- > 0) {
      const id = newId()
      ids.push(id)
      const weights = [1, undefined, Math.floor(Math.random() * 1000)]
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'pack', label: id, weight: 1 }, 'org-1'))
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'weigh', weights }))
      const last =
        Math.random() < 0.1 ? ({ type: 'remove' } as const) : ({ type: 'label', label: `new ${id}` } as const)
      await store.write(by('ann'), (work) => work.decide(boxes, id, last))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return ids
}

interface Row {
  readonly document: string
  readonly holder: string | undefined
}

async function readAll(store: Store, ids: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const id of ids) {
    const [document, holder] = await Promise.all([store.get(boxes, id), store.findClaimHolder('label', `new ${id}`)])
    rows.push({ document: JSON.stringify(document ?? null), holder })
  }
  return rows
}

interface Seen {
  readonly events: number
  readonly different: number
  readonly perSecond: number
}

/** A defect changes one document between the two readings. */
async function rebuildAndCompare(engine: TestEngine, events: number, isChanged: boolean): Promise<Seen> {
  const { store, dispose } = await openTestStore([boxes, crates], engine)
  try {
    const ids = await fill(store, events)
    const before = await readAll(store, ids)
    if (isChanged) {
      const id = ids.find((_, index) => before[index]?.document !== 'null') ?? ''
      await store.write(by('ann'), (work) => work.decide(boxes, id, { type: 'label', label: `other ${id}` }))
      await sleep(1)
    }
    const began = performance.now()
    await store.rebuild([boxes])
    const seconds = (performance.now() - began) / 1000
    const after = await readAll(store, ids)
    const written = (await store.find(boxes, { limit: 0 })).sequence
    const different = after.filter(
      ({ document, holder }, index) => document !== before[index]?.document || holder !== before[index]?.holder,
    ).length
    return { events: written, different, perSecond: written / seconds }
  } finally {
    await dispose()
  }
}

async function measure(run: Run): Promise<Measured> {
  const events = roundsOf(run, 2_000, 100_000)
  const seen: (Seen & { readonly name: string })[] = []
  for (const engine of engines) seen.push({ name: engine.name, ...(await rebuildAndCompare(engine, events, false)) })
  const different = seen.reduce((sum, one) => sum + one.different, 0)
  const written = seen.reduce((sum, one) => sum + one.events, 0)
  const slowest = Math.min(...seen.map(({ perSecond }) => perSecond))
  const speeds = seen.map(({ name, perSecond }) => `${grouped(perSecond)} events/s on ${name}`).join(', ')
  return {
    done: `documents of ${grouped(written)} events folded again on ${seen.map(({ name }) => name).join(' and ')}`,
    figure: `${different} documents or claims differ; ${speeds}`,
    figures: { events: written, different, slowest: Math.round(slowest) },
    isMet: different === 0 && written >= events && (run.isShort || slowest >= 10_000),
  }
}

export const rebuild: Scenario = {
  name: 'rebuild',
  title: 'documents that are folded again are the same',
  required: '0 differ, at least 10 000 events/s',
  measure,
  control: {
    what: 'one document changed between the two readings',
    async run() {
      const [engine] = engines
      const { different } = await rebuildAndCompare(engine as TestEngine, 200, true)
      return { figure: `${different} differ`, isCaught: different > 0 }
    },
  },
}
