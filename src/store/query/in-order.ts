/**
 * Finds conditions with an index that also contains the field of the order, for PostgreSQL: it reads no expression from an
 * index, but compares one there, and an index can have the matches of one value in the order of a column behind it.
 */
import type { AnyKind, Field } from '../kind.ts'
import type { Filter } from '../types.ts'
import { type Column, columnOf } from './columns.ts'

export type InOrder =
  /** The index has the matches in the order of the list. */
  | { readonly type: 'sorted' }
  /**
   * An index in the order of the list tells which documents are in the range of this column. If few are, it is better to
   * find them by the index of the column.
   */
  | { readonly type: 'range'; readonly column: Column }

/** The fields of a kind whose indexes also contain `field`. */
export function fieldsBeside(kind: AnyKind, field: string): readonly (readonly [name: string, field: Field])[] {
  const fields = Object.entries(kind.fields as Readonly<Record<string, Field>>)
  return fields.filter(([, { beside = [] }]) => beside.includes(field))
}

/** Undefined when no condition that every match meets has such an index. */
export function findInOrder(kind: AnyKind, filter: Filter | undefined, orderBy: string): InOrder | undefined {
  if (filter === undefined || 'any' in filter || 'not' in filter) return undefined
  if ('all' in filter) {
    const found = filter.all.flatMap((one) => findInOrder(kind, one, orderBy) ?? [])
    return found.find(({ type }) => type === 'sorted') ?? found[0]
  }
  if (!fieldsBeside(kind, orderBy).some(([name]) => name === filter.field)) return undefined
  const column = columnOf(kind, filter.field)
  if (column.type === 'text') return 'equals' in filter ? { type: 'sorted' } : undefined
  const isRange = 'above' in filter || 'atLeast' in filter || 'below' in filter || 'atMost' in filter
  return isRange ? { type: 'range', column } : undefined
}
