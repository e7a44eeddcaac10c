import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bothEngines, openTestStore } from '../../test/support/engines.ts'
import { accept, type Decider } from '../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../kernel/event.ts'
import { instant } from '../kernel/instant.ts'
import type { LastText } from './engine.ts'
import { kind } from './index.ts'
import { columnOf } from './query/columns.ts'
import { compileQuery } from './query/index.ts'

interface Letter {
  readonly to?: string
  readonly from?: string
  readonly status: 'sent' | 'burnt'
}

const events = declareEvents({ 'letter.written.v1': data<Letter>() })
const decider: Decider<Letter, Letter, EventOf<typeof events>, never> = {
  initial: { status: 'sent' },
  evolve: (_, { data }) => data,
  decide: (letter) => accept({ type: 'letter.written.v1', data: letter }),
}
const letters = kind({
  name: 'letter',
  version: 1,
  ...{ events, decider, refusals: {} },
  fields: { to: { path: ['to'], type: 'text' }, from: { path: ['from'], type: 'text', indexed: false } },
  isGone: ({ status }) => status === 'burnt',
})

for (const engine of bothEngines) {
  test(`texts are read part by part, each once, however many are equal, on ${engine.name}`, async (t) => {
    const { store, dispose, ...opened } = await openTestStore([letters], engine)
    t.after(dispose)
    const reading = await opened.engine()
    await reading.prepare([letters])
    const names = ['ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'Zoë', '']
    await store.write({ actor: 'test', at: instant(1) }, async (work) => {
      for (const [index, name] of names.entries()) {
        await work.decide(letters, `letter ${index}`, { to: name, from: name, status: 'sent' }, 'org')
      }
      await work.decide(letters, 'without', { status: 'sent' }, 'org')
      await work.decide(letters, 'burnt', { to: 'ann', from: 'ann', status: 'burnt' }, 'org')
    })
    for (const field of ['to', 'from']) {
      const query = compileQuery(letters, { orderBy: field, limit: 3 }, reading.dialect)
      const found: (readonly [id: string, text: string])[] = []
      let after: LastText | undefined
      do {
        const { ids, texts } = await reading.texts(query, columnOf(letters, field), after)
        ids.forEach((id, row) => {
          const text = texts[row] ?? ''
          if (text !== '') found.push([id, text])
        })
        after = ids.length < 3 ? undefined : { id: ids.at(-1) ?? '', text: texts.at(-1) ?? null }
      } while (after !== undefined)
      const expected = names.flatMap((name, index) => (name === '' ? [] : [[`letter ${index}`, name] as const]))
      assert.deepEqual(found.toSorted(), expected.toSorted(), field)
    }
  })
}

suite('the streams that have changed', () => {
  for (const engine of bothEngines) {
    test(`are those with an event after a sequence on ${engine.name}`, async (t) => {
      const { store, dispose, ...opened } = await openTestStore([letters], engine)
      t.after(dispose)
      const reading = await opened.engine()
      await reading.prepare([letters])
      const write = (id: string) =>
        store.write({ actor: 'test', at: instant(1) }, (work) => work.decide(letters, id, { status: 'sent' }, 'org'))
      const { sequence } = await write('one')
      for (const id of ['two', 'three', 'two']) await write(id)
      const now = await reading.changedIds(letters, sequence)
      assert.deepEqual(now?.ids.toSorted(), ['three', 'two'])
      assert.equal(now?.sequence, sequence + 3)
      assert.deepEqual((await reading.changedIds(letters, now?.sequence ?? 0))?.ids, [])
      assert.equal((await reading.changedIds(letters, 2 ** 52))?.sequence, sequence + 3)
    })
  }
})
