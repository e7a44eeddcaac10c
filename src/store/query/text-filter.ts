/** Turns the eight text comparisons of the contract's list methods into filters. */
import { searchText } from '../../kernel/fold-text.ts'
import type { Filter } from '../types.ts'

/** A searchable text: the field with its case-folded form, and the fields with the text as typed. */
export interface SearchableText<FieldName extends string> {
  readonly folded: FieldName
  readonly typed: readonly FieldName[]
}

/** Text methods have the same numbers in every package of the contract: even numbers respect case, odd ones ignore it. */
const COMPARISONS = ['equals', 'startsWith', 'contains', 'endsWith'] as const

type Comparison = (typeof COMPARISONS)[number]

function compare<FieldName extends string>(field: FieldName, how: Comparison, text: string): Filter<FieldName> {
  switch (how) {
    case 'equals':
      return { field, equals: text }
    case 'startsWith':
      return { field, startsWith: text }
    case 'contains':
      return { field, contains: text }
    case 'endsWith':
      return { field, endsWith: text }
  }
}

/** The filter for `text` compared by the contract's text method number `method`. */
export function textFilter<FieldName extends string>(
  { folded, typed }: SearchableText<FieldName>,
  method: number,
  text: string,
): Filter<FieldName> {
  const how = COMPARISONS[method >> 1] ?? 'equals'
  const ignoringCase = compare(folded, how, searchText(text))
  if (method % 2 === 1) return ignoringCase
  const conditions = typed.map((field) => compare(field, how, text))
  const [only] = conditions
  const asTyped: Filter<FieldName> = conditions.length === 1 && only !== undefined ? only : { any: conditions }
  // Only folded fields have an index. Equal texts are equal when folded, so the database can use that index.
  return how === 'equals' ? { all: [ignoringCase, asTyped] } : asTyped
}
