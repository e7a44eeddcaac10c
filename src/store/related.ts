/**
 * Looks up related documents of which there are few, and puts their values into the filter. A list of the users who are not
 * locked at this moment then has the same filter each time, and its total can be remembered.
 */

import type { AnyKind, Field } from './kind.ts'
import { columnOf } from './query/columns.ts'
import type { Document, Filter, Page, Query, Related } from './types.ts'

/** More values stay a condition on the related documents. */
const MAX_VALUES = 100

/** Finds documents of any kind. */
type Find = (kind: AnyKind, query: Query) => Promise<Page<unknown>>

/** The filter without conditions on related documents that are said to be few, unless they are not. */
export async function lookUpFew(filter: Filter, find: Find): Promise<Filter> {
  if ('all' in filter) return { all: await Promise.all(filter.all.map((part) => lookUpFew(part, find))) }
  if ('any' in filter) return { any: await Promise.all(filter.any.map((part) => lookUpFew(part, find))) }
  if ('not' in filter) return { not: await lookUpFew(filter.not, find) }
  if (!('among' in filter) || filter.among.few !== true) return filter
  const { kind, where } = filter.among
  const { documents, total } = await find(kind, { where, orderBy: 'id', limit: MAX_VALUES })
  return total > MAX_VALUES ? filter : { field: filter.field, in: valuesOf(filter.among, documents) }
}

/** Whether a filter compares with documents of other kinds. */
export function hasRelated(filter: Filter | undefined): boolean {
  if (filter === undefined) return false
  if ('all' in filter) return filter.all.some(hasRelated)
  if ('any' in filter) return filter.any.some(hasRelated)
  return 'not' in filter ? hasRelated(filter.not) : 'among' in filter
}

function valuesOf({ kind, field }: Related, documents: readonly Document<unknown>[]): readonly (string | number)[] {
  const { type } = columnOf(kind, field)
  const values = documents.map((document) => fieldValue(kind, field, document))
  return [...new Set(values)].filter((value) => typeof value === (type === 'text' ? 'string' : 'number')) as string[]
}

function fieldValue(kind: AnyKind, field: string, document: Document<unknown>): unknown {
  const declared: Field | undefined = Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined
  if (declared === undefined) return (document as unknown as Readonly<Record<string, unknown>>)[field]
  let value: unknown = document.state
  for (const member of declared.path) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[member] : undefined
  }
  return value
}
