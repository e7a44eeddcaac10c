/** Random boxes and queries, for tests that compare the results of an engine with those of the model. */
import fc from 'fast-check'
import type { Document, Filter, Query, Store } from '../../src/store/index.ts'
import { type Box, boxes, by } from './sample-kind.ts'

// Few characters, so that values collide; among them wildcards, quotes, and both sides of the surrogate gap.
const LETTERS = [
  'a',
  'A',
  'b',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '*',
  '?',
  '[',
  '$1',
  ' ',
  'é',
  'ÿ',
  '\ud7ff',
  '\ue000',
  '😀',
  '\u{10ffff}',
]
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 4 }).map((letters) => letters.join(''))
const weight = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(2.5, 1e15, Number.MAX_SAFE_INTEGER))
const moment = fc.integer({ min: 1_000, max: 1_005 })

const textField = fc.constantFrom('label' as const, 'searchLabel' as const, 'note' as const, 'owner' as const)
function numberCondition(field: fc.Arbitrary<'weight' | 'createdAt'>, value: fc.Arbitrary<number>) {
  return fc.oneof(
    fc.record({ field, equals: value }),
    fc.record({ field, in: fc.array(value, { maxLength: 3 }) }),
    fc.record({ field, atLeast: value }),
    fc.record({ field, above: value }),
    fc.record({ field, atMost: value }),
    fc.record({ field, below: value }),
  )
}
const condition: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: textField, equals: text }),
  fc.record({ field: textField, in: fc.array(text, { maxLength: 3 }) }),
  fc.record({ field: textField, startsWith: text }),
  fc.record({ field: textField, contains: text }),
  fc.record({ field: textField, endsWith: text }),
  fc.record({ field: textField, atLeast: text }),
  fc.record({ field: textField, below: text }),
  numberCondition(fc.constant('weight' as const), weight),
  numberCondition(fc.constant('createdAt' as const), moment),
)
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}))
/** A query of the boxes. */
export type BoxQuery = Query<'label' | 'searchLabel' | 'weight' | 'note'>

/** Queries of every shape, on fields with an index and without. */
export const queries: fc.Arbitrary<BoxQuery> = fc.record(
  {
    where: filter as fc.Arbitrary<Filter<'label'>>,
    orderBy: fc.constantFrom('label', 'searchLabel', 'weight', 'note', 'id', 'owner', 'createdAt', 'changedAt'),
    descending: fc.boolean(),
    limit: fc.integer({ min: 0, max: 30 }),
    offset: fc.integer({ min: 0, max: 30 }),
  },
  { requiredKeys: ['limit'] },
)

/** What can be in a box: label, weight, note, owner and moment. */
export const boxContents = fc.tuple(text, fc.option(weight), fc.option(text), text, moment)

type Contents = typeof boxContents extends fc.Arbitrary<infer Value> ? Value : never

/** Packs a box for each of `contents` and returns the documents as they should be found. */
export function packBoxes(store: Store, contents: readonly Contents[]): Promise<readonly Document<Box>[]> {
  return Promise.all(
    contents.map(async ([label, weight, note, owner, at], index) => {
      // The number makes the claim unique and does not affect prefixes.
      const data = {
        label: `${label}#${index}`,
        ...(weight === null ? {} : { weight }),
        ...(note === null ? {} : { note }),
      }
      const { value, sequence } = await store.write(by('ann', at), (work) =>
        work.decide(boxes, `id-${index % 7}-${index}`, { type: 'pack', ...data }, owner),
      )
      return { ...value, sequence }
    }),
  )
}
