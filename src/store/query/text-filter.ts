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
  const narrowed = narrowing(folded, how, text)
  return narrowed === undefined ? asTyped : { all: [narrowed, asTyped] }
}

/** The smallest text that is greater, byte by byte, than every text with this prefix; undefined when there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // U+D800…U+DFFF are not characters.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}

const PLAIN_ASCII = /^[\x20-\x7e]+$/
const FIRST_BEYOND_ASCII = '\u0080'

/**
 * A condition on the folded field that every match meets, so that its index is used; undefined when there is none.
 * Equal texts are equal when folded. A part in ASCII is also there when folded, except that a combining character behind
 * it may have merged with its last character into one beyond ASCII.
 */
function narrowing<FieldName extends string>(
  field: FieldName,
  how: Comparison,
  text: string,
): Filter<FieldName> | undefined {
  const sought = searchText(text)
  if (how === 'equals') return { field, equals: sought }
  if (!PLAIN_ASCII.test(text)) return undefined
  if (how === 'endsWith') return { field, endsWith: sought }
  const before = sought.slice(0, -1)
  if (how === 'contains') return before === '' ? undefined : { field, contains: before }
  const merged: Filter<FieldName> = { field, atLeast: `${before}${FIRST_BEYOND_ASCII}` }
  const end = endOfPrefix(before)
  return { any: [{ field, startsWith: sought }, end === undefined ? merged : { all: [merged, { field, below: end }] }] }
}
