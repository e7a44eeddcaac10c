/** Computes the expected results of a query over plain objects, to check the SQL of both engines. */
import type { Document, Filter, Query } from '../../src/store/index.ts'
import type { Box } from './sample-kind.ts'

type Value = string | number | undefined

function readField({ id, owner, createdAt, changedAt, state }: Document<Box>, field: string): Value {
  switch (field) {
    case 'id':
      return id
    case 'owner':
      return owner
    case 'createdAt':
      return createdAt
    case 'changedAt':
      return changedAt
    case 'searchLabel':
      return state.search?.label
    default:
      return (state as unknown as Record<string, Value>)[field]
  }
}

/** Compares numbers by size, texts by their UTF-8 bytes, and sorts missing values first. */
function compare(one: Value, other: Value): number {
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined)
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

function matches(document: Document<Box>, filter: Filter): boolean {
  if ('all' in filter) return filter.all.every((one) => matches(document, one))
  if ('any' in filter) return filter.any.some((one) => matches(document, one))
  if ('not' in filter) return !matches(document, filter.not)
  const value = readField(document, filter.field)
  if (value === undefined) return false
  if ('equals' in filter) return value === filter.equals
  if ('in' in filter) return filter.in.includes(value)
  if ('startsWith' in filter) return String(value).startsWith(filter.startsWith)
  if ('contains' in filter) return String(value).includes(filter.contains)
  if ('endsWith' in filter) return String(value).endsWith(filter.endsWith)
  if ('atLeast' in filter) return compare(value, filter.atLeast) >= 0
  if ('above' in filter) return compare(value, filter.above) > 0
  if ('atMost' in filter) return compare(value, filter.atMost) <= 0
  if ('among' in filter || 'holds' in filter) throw new Error('the model knows one kind and its fields only')
  return compare(value, filter.below) < 0
}

/** The IDs and the total of the page of `query`. */
export function findByModel(documents: readonly Document<Box>[], query: Query) {
  const found = documents.filter((document) => query.where === undefined || matches(document, query.where))
  const field = query.orderBy ?? 'createdAt'
  const direction = query.descending === true ? -1 : 1
  const sorted = found.toSorted(
    (one, other) => direction * (compare(readField(one, field), readField(other, field)) || compare(one.id, other.id)),
  )
  const offset = query.offset ?? 0
  return { ids: sorted.slice(offset, offset + query.limit).map(({ id }) => id), total: found.length }
}
