/** Text comparisons of the contract: narrowing by the folded text must not lose a match. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findByModel } from '../../../test/support/filter-model.ts'
import type { Box } from '../../../test/support/sample-kind.ts'
import { searchText } from '../../kernel/fold-text.ts'
import { instant } from '../../kernel/instant.ts'
import type { Document } from '../types.ts'
import { textFilter } from './text-filter.ts'

const METHODS = { equals: 0, startsWith: 2, contains: 4, endsWith: 6 }

/** With characters that merge with the one before them, that grow when folded, and that have two cases. */
const text = fc
  .array(fc.constantFrom('a', 'A', 'b', 'e', '\u0301', '\u0308', 'é', 'ß', 'ﬁ', 'ᄀ', 'ᅡ', ' ', '~'), { maxLength: 5 })
  .map((characters) => characters.join(''))

function compare(method: keyof typeof METHODS, typed: string, sought: string): boolean {
  switch (method) {
    case 'equals':
      return typed === sought
    case 'startsWith':
      return typed.startsWith(sought)
    case 'contains':
      return typed.includes(sought)
    case 'endsWith':
      return typed.endsWith(sought)
  }
}

function box(typed: string): Document<Box> {
  const state = { label: typed, note: searchText(typed) } as unknown as Box
  return { id: 'box', owner: 'org', state, revision: 1, sequence: 1, createdAt: instant(0), changedAt: instant(0) }
}

test('a comparison that respects case finds what a plain comparison finds', () => {
  const methods = fc.constantFrom(...(Object.keys(METHODS) as (keyof typeof METHODS)[]))
  const property = fc.property(methods, text, text, text, (method, before, sought, after) => {
    for (const typed of [`${before}${sought}${after}`, sought + after, before + sought, before]) {
      const where = textFilter({ folded: 'note', typed: ['label'] }, METHODS[method], sought)
      const { total } = findByModel([box(typed)], { where, limit: 1 })
      assert.equal(total === 1, compare(method, typed, sought), JSON.stringify({ method, typed, sought }))
    }
  })
  fc.assert(property, { numRuns: 3000 })
})
