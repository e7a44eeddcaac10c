/** What a kind must say of itself. These are declarations that do not compile; `npm run check` fails when one of them does. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type Box,
  type BoxCommand,
  type BoxEvent,
  type BoxRefusal,
  boxes,
  by,
  crates,
} from '../../test/support/sample-kind.ts'
import type { Id } from '../kernel/id.ts'
import { type Claim, type CollectionLimit, kind } from './kind.ts'
import type { Reader, Work } from './types.ts'

suite('what a kind must say', () => {
  test('whose IDs it has: a kind without it does not compile', () => {
    const { ids: _, ...rest } = boxes
    // @ts-expect-error: it does not say whose IDs it has.
    assert.ok(kind(rest))
    // @ts-expect-error: nobody has such IDs.
    assert.ok(kind({ ...boxes, ids: 'any' }))
  })

  test('with what it ends, if somebody uses it later: a kind without it does not compile', () => {
    const { waits: _, ...rest } = boxes
    // @ts-expect-error: it does not say whether somebody has a code or a link for it.
    assert.ok(kind(rest))
    // @ts-expect-error: it says that somebody uses it later, and neither what ends it nor why nothing does.
    assert.ok(kind({ ...boxes, waits: true }))
    // @ts-expect-error: nothing counts how often that ended.
    assert.ok(kind({ ...boxes, waits: { endsWith: ['weather'] } }))
  })

  test('whether it is a path: a kind without it does not compile', () => {
    const { path: _, ...rest } = boxes
    // @ts-expect-error: people could sign in through it, whoever changed it.
    assert.ok(kind(rest))
    // @ts-expect-error: its state does not have the reach of whoever changed it last.
    assert.ok(kind({ ...boxes, path: true }))
    interface Door extends Box {
      readonly reach?: readonly string[]
    }
    const door = kind<BoxCommand, Door, BoxEvent, BoxRefusal, keyof typeof boxes.fields, 'box', 'own', false>
    const doors = { ...boxes, name: 'box', ids: 'own' } as const
    assert.ok(door({ ...doors, path: true }))
    // @ts-expect-error: its state has a reach.
    assert.ok(door({ ...doors, path: false }))
    assert.ok(kind({ ...boxes, path: { changedBy: 'Only the instance has boxes.' } }))
  })

  test('among whom a unique value is unique: a claim without it does not compile', () => {
    const claim = { kind: 'label', value: 'blue', taken: 'box.label_taken' }
    // @ts-expect-error: it could be one for all, and whoever comes first would take it from the others.
    assert.ok(claim satisfies Claim<'box.label_taken'>)
    // @ts-expect-error: one for all says why nobody takes what belongs to somebody else.
    assert.ok({ ...claim, within: 'instance' } satisfies Claim<'box.label_taken'>)
  })

  test('whose share a limit is: a limit without an owner does not compile', () => {
    const limit = { things: 'boxes', holder: 'the instance', number: 10 }
    // @ts-expect-error: one organization would use up what is there for all.
    assert.ok({ ...limit, by: [] } satisfies CollectionLimit)
  })
})

suite('an ID', () => {
  const box = 'box-1' as Id<'box'>
  const user = 'user-1' as Id<'user'>

  test('of another kind does not compile, and that of a kind which has the same IDs does', () => {
    const use = async (reader: Reader, work: Work) => {
      await reader.get(boxes, box)
      await reader.get(crates, box)
      await reader.get(boxes, 'a text')
      // @ts-expect-error: it is the ID of a user.
      await reader.get(boxes, user)
      // @ts-expect-error: it is the ID of a user.
      await work.decide(boxes, user, { type: 'remove' })
      // @ts-expect-error: it is the ID of a user.
      await work.begin(crates, user, { type: 'remove' }, 'owner')
      // @ts-expect-error: an ID that was drawn for a box is none of a user.
      const drawn: Id<'user'> = await work.unusedId(boxes, () => 'box-2')
      const found = await reader.get(boxes, box)
      // @ts-expect-error: the document of a box has the ID of a box.
      const other: Id<'user'> | undefined = found?.id
      return { drawn, other, origin: by('tester') }
    }
    assert.ok(use)
  })
})
