/** What a document looks like before it is stored: as it will look when it is read. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { boxes } from '../../test/support/sample-kind.ts'
import { eventText, foldEvents, haveSameFields } from './fold.ts'
import { type AnyKind, kind } from './kind.ts'

suite('folding events into a document', () => {
  /** A kind whose events replace members of the state. */
  const merging = (initial: object): AnyKind => {
    const evolve = (state: object, { data }: { readonly data: unknown }) => ({ ...state, ...(data as object) })
    return kind({ ...boxes, decider: { ...boxes.decider, initial, evolve } } as unknown as AnyKind)
  }
  const fold = (of: AnyKind, start: unknown, ...merged: readonly object[]) =>
    foldEvents(
      of,
      start,
      merged.map((data) => eventText({ type: 'box.packed.v1', data })),
    )

  const cases: readonly [name: string, member: unknown][] = [
    ['undefined', undefined],
    ['a negative zero', -0],
    ['a date', new Date(0)],
    ['undefined in a list', [undefined]],
    ['undefined in an object', { inner: undefined }],
    ['a list with a hole', Array(1)],
  ]
  for (const [name, member] of cases) {
    test(`a state that contains ${name} is what its JSON says`, () => {
      const evolves = kind({
        ...boxes,
        decider: { ...boxes.decider, evolve: (state: object) => ({ ...state, member }) },
      } as unknown as AnyKind)
      // A negative zero replaces a zero, and undefined a member that is not there.
      for (const start of [{}, { member: 0 }]) {
        const { state, text } = fold(evolves, start, {}, {})
        assert.deepEqual(state, JSON.parse(text))
      }
      const initial = { member }
      const { state, text } = fold(merging(initial), initial, { other: 1 })
      assert.deepEqual(state, JSON.parse(text))
    })
  }

  test('what two states share is shared with the state that is kept, too', () => {
    const start = { shared: { deep: [1] } }
    const { state } = fold(merging({}), start, { own: 1 }, { own: 2 })
    assert.equal((state as typeof start).shared, start.shared)
    assert.deepEqual(state, { shared: { deep: [1] }, own: 2 })
  })
})

suite('fields of two states', () => {
  const label = (text: string) => ({ label: text, search: { label: text.toLowerCase() } })

  test('are the same when every field has the same value, whatever else changed', () => {
    assert.ok(haveSameFields(boxes, { ...label('A'), wrongKeys: 1 }, { ...label('A'), wrongKeys: 2 }))
    assert.ok(haveSameFields(boxes, {}, { status: 'packed' }))
    assert.ok(haveSameFields(boxes, { search: null }, {}))
  })

  test('differ when one has another value, none, or one inside another member', () => {
    assert.ok(!haveSameFields(boxes, label('A'), label('B')))
    assert.ok(!haveSameFields(boxes, label('A'), label('a')))
    assert.ok(!haveSameFields(boxes, { weight: 0 }, {}))
    assert.ok(!haveSameFields(boxes, { search: { label: 'a' } }, { search: {} }))
  })
})
