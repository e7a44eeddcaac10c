/**
 * Conditions on documents of other kinds. Where their values are few enough they are looked up first, and become part of
 * the filter: an index then finds the documents that have one of them.
 */
import type { Engine } from '../engine.ts'
import type { AnyKind } from '../kind.ts'
import { MANY_VALUES } from '../query/dialect.ts'
import { looksInsideTexts } from '../query/inside-texts.ts'
import type { Filter, Related } from '../types.ts'

/** This many values are looked up where they are said to be few. As long as they stay, so does the filter. */
const FEW_VALUES = 100

/** A filter can have a hundred conditions on other kinds. With more than this, none is looked up. */
const MAX_RELATIONS = 8

/** How related documents are looked up. */
export interface Lookup extends Pick<Engine, 'dialect'> {
  /** The values of a field of the documents that meet a condition, in any order, at most `limit` of them. */
  values(kind: AnyKind, where: Filter, field: string, limit: number): Promise<readonly unknown[]>
}

/** The filter without the conditions on related documents whose values could be looked up. */
export async function lookUpRelated(filter: Filter, lookup: Lookup): Promise<Filter> {
  if (relatedIn(filter).length > MAX_RELATIONS) return filter
  const parts = (filters: readonly Filter[]) => Promise.all(filters.map((part) => lookUpRelated(part, lookup)))
  if ('all' in filter) return { all: await parts(filter.all) }
  if ('any' in filter) return { any: await parts(filter.any) }
  if ('not' in filter) return { not: await lookUpRelated(filter.not, lookup) }
  if (!('among' in filter)) return filter
  const { kind, field, where, few } = filter.among
  // Asking each document for a related one with a text inside takes long.
  const least = few === true ? FEW_VALUES : looksInsideTexts(where) ? MANY_VALUES : 0
  const most = lookup.dialect.mostLookedUp ?? least
  if (most === 0 || isEverything(where)) return filter
  const values = await lookup.values(kind, await lookUpRelated(where, lookup), field, most + 1)
  return values.length <= most ? { field: filter.field, in: distinct(values) } : filter
}

/** In one order, so that the same values make the same filter. */
function distinct(values: readonly unknown[]): readonly (string | number)[] {
  return [...new Set(values)].filter((value) => typeof value === 'string' || typeof value === 'number').sort()
}

function isEverything(filter: Filter): boolean {
  return 'all' in filter && filter.all.every(isEverything)
}

/** Whether a filter compares with documents of other kinds. */
export function hasRelated(filter: Filter | undefined): boolean {
  return filter !== undefined && relatedIn(filter).length > 0
}

function relatedIn(filter: Filter): readonly { readonly field: string; readonly among: Related }[] {
  if ('all' in filter) return filter.all.flatMap(relatedIn)
  if ('any' in filter) return filter.any.flatMap(relatedIn)
  if ('not' in filter) return relatedIn(filter.not)
  return 'among' in filter ? [filter] : []
}
