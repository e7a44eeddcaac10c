/**
 * Every event that was ever written must stay readable. The lines beside this file are such events, one of each type and
 * version: a new type gets a new line; a line that has shipped never changes. `folded.json` keeps what they fold to:
 * `npm run gen` writes it, and `npm run check` refuses a change of it without a new version of the kind.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { kinds } from '../../src/modules.ts'
import { OBJECT_IMPORTED } from '../../src/store/index.ts'
import {
  type FoldedKind,
  foldGoldenEvents,
  readFoldedKinds,
  readGoldenEvents,
  unversionedChanges,
} from '../../tools/golden-states.ts'

const eventTypes = [OBJECT_IMPORTED, ...kinds.flatMap(({ events }) => Object.keys(events))]
const golden = readGoldenEvents()

suite('events of the past', () => {
  test('are kept of every type that any module writes', () => {
    const kept = new Set(golden.map(({ type }) => type))
    assert.deepEqual(
      eventTypes.filter((type) => !kept.has(type)),
      [],
      'add a line for each of these types',
    )
  })

  test('are of types that some module still knows', () => {
    const known = new Set(eventTypes)
    assert.deepEqual(
      [...new Set(golden.map(({ type }) => type))].filter((type) => !known.has(type)),
      [],
    )
  })

  test('are named noun.past_participle.vN', () => {
    for (const type of eventTypes) assert.match(type, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*\.v[1-9]\d*$/)
  })

  test('reach every kind, and no other', () => {
    assert.deepEqual([...new Set(golden.map(({ kind }) => kind))].sort(), kinds.map(({ name }) => name).sort())
  })

  test('fold to the states that are kept', () => {
    assert.deepEqual(foldGoldenEvents(kinds), readFoldedKinds())
  })
})

suite('what ends with something else', () => {
  for (const { name, waits } of kinds) {
    if (waits === false || !('endsWith' in waits)) continue
    test(`remembers how often that ended: ${name}`, () => {
      const remembered = golden.flatMap(({ kind, data }) =>
        kind === name ? Object.keys((data as { readonly generations?: object }).generations ?? {}) : [],
      )
      assert.deepEqual(
        waits.endsWith.filter((one) => !remembered.includes(one)),
        [],
        'an event stores it as `generations`',
      )
    })
  }
})

suite('a kind', () => {
  const before: FoldedKind = {
    version: 2,
    events: ['door.opened.v1'],
    fields: { name: 'search.name, text' },
    states: { one: { status: 'open' } },
    claims: { one: ['door-name: front'] },
  }
  const changes: readonly (readonly [what: string, change: Partial<FoldedKind>, sentence: string])[] = [
    ['its events', { events: ['door.opened.v1', 'door.shut.v1'] }, 'its events'],
    ['its fold', { states: { one: { status: 'ajar' } } }, 'what the events of one fold to'],
    ['its fields', { fields: { name: 'name, text' } }, 'its fields'],
    ['its claims', { claims: {} }, 'the claims of one'],
  ]

  for (const [what, change, sentence] of changes) {
    test(`that changes ${what} needs a new version`, () => {
      assert.deepEqual(unversionedChanges({ door: before }, { door: { ...before, ...change } }), [
        `the kind door changed ${sentence}: raise its version above 2`,
      ])
      assert.deepEqual(unversionedChanges({ door: before }, { door: { ...before, ...change, version: 3 } }), [])
    })
  }

  test('does not need one for another golden stream, nor when it is new', () => {
    const more = { ...before, states: { ...before.states, two: { status: 'shut' } } }
    assert.deepEqual(unversionedChanges({ door: before }, { door: more, window: before }), [])
  })
})
