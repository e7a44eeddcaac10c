import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bothEngines, openTestStore } from '../../../test/support/engines.ts'
import { accept, type Decider } from '../../kernel/decider.ts'
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import { instant } from '../../kernel/instant.ts'
import { type Filter, kind } from '../index.ts'

interface Note {
  readonly of?: string
  readonly about?: string
  readonly size: number
}

const events = declareEvents({ 'note.written.v1': data<Note>() })

const noteDecider: Decider<Note, Note, EventOf<typeof events>, never> = {
  initial: { size: 0 },
  evolve: (_, { data }) => data,
  decide: (note) => accept({ type: 'note.written.v1', data: note }),
}
const fields = {
  of: { path: ['of'], type: 'text' },
  about: { path: ['about'], type: 'text' },
  size: { path: ['size'], type: 'number' },
} as const
const said = { ids: 'own', waits: false, path: false, version: 1 } as const
const notes = kind({ name: 'note', ...said, events, decider: noteDecider, refusals: {}, fields })
const books = kind({ name: 'book', ...said, events, decider: noteDecider, refusals: {}, fields })

for (const engine of bothEngines) {
  suite(`documents found by those of another kind on ${engine.name}`, async () => {
    test('are those that such a document points to, and not those of none', async (t) => {
      const { store, dispose } = await openTestStore([notes, books], engine)
      t.after(dispose)
      await store.write({ actor: { user: 'test' }, at: instant(1) }, async (work) => {
        for (const [id, size] of Object.entries({ a: 1, b: 2, c: 3 })) {
          await work.decide(books, id, { about: id.toUpperCase(), size }, 'org')
        }
        await work.decide(notes, 'one', { of: 'a', about: 'x', size: 2 }, 'org')
        await work.decide(notes, 'two', { of: 'b', about: 'y', size: 5 }, 'org')
        await work.decide(notes, 'three', { of: 'b', about: 'x', size: 6 }, 'org')
        await work.decide(notes, 'lost', { about: 'x', size: 7 }, 'org')
      })
      const find = async (where: Filter<keyof typeof fields>) => {
        const { documents, total } = await store.find(books, { where, orderBy: 'id', limit: 10 })
        assert.equal(total, documents.length)
        return documents.map(({ id }) => id).join('')
      }
      for (const few of [false, true]) {
        const among = (where: Filter) => ({ field: 'id', among: { kind: notes, field: 'of', where, few } }) as const
        assert.equal(await find(among({ field: 'about', equals: 'x' })), 'ab')
        assert.equal(await find(among({ field: 'about', equals: 'z' })), '')
        assert.equal(await find({ not: among({ field: 'about', equals: 'x' }) }), 'c')
        assert.equal(await find(among({ all: [] })), 'ab')
        assert.equal(await find({ any: [among({ field: 'size', above: 4 }), { field: 'about', equals: 'C' }] }), 'bc')
        // Names in the inner condition mean fields of the other kind: no note is about "C".
        assert.equal(await find(among({ not: { field: 'about', equals: 'C' } })), 'ab')
        const bySize = {
          field: 'size',
          among: { kind: notes, field: 'size', where: { field: 'of', equals: 'a' }, few },
        } as const
        assert.equal(await find(bySize), 'b')
        await assert.rejects(
          find({ field: 'size', among: { kind: notes, field: 'of', where: { all: [] }, few } }),
          /compared/,
        )
      }
    })

    test('are found when more point to them than was said', async (t) => {
      const { store, dispose } = await openTestStore([notes, books], engine)
      t.after(dispose)
      await store.write({ actor: { user: 'test' }, at: instant(1) }, async (work) => {
        for (let number = 0; number < 130; number++) {
          await work.decide(books, `book-${number}`, { size: number }, 'org')
          if (number > 5) await work.decide(notes, `note-${number}`, { of: `book-${number}`, size: 1 }, 'org')
        }
      })
      const related = { kind: notes, field: 'of', where: { field: 'size', equals: 1 }, few: true } as const
      const find = async (where: Filter<never>) => (await store.find(books, { where, limit: 5 })).total
      assert.equal(await find({ field: 'id', among: related }), 124)
      assert.equal(await find({ not: { field: 'id', among: related } }), 6)
    })
  })
}
