/**
 * Finds out by which indexes a filter can be answered in SQLite. The conditions stay what `query.ts` compiled: a path
 * only leads to documents among which all matches are, so that whoever follows it still checks the whole condition.
 */
import type { Path, Reading } from '../engine.ts'
import type { Filter } from '../index.ts'
import type { AnyKind } from '../kind.ts'

/** What this file has to know of a compiled filter. */
export interface Compiled {
  /** The text of a condition on `kind` that was compiled before, empty when there is none. */
  textOf(kind: AnyKind, filter: Filter): string
  /** The index of a field, undefined when it has none. */
  indexOf(kind: AnyKind, field: string): string | undefined
  /** The condition that every document of a kind meets. */
  ofKind(kind: AnyKind): string
}

interface Way {
  readonly rank: number
  readonly paths: readonly Path[]
}

/** How much of an index a condition reads, by experience: an id, a few equal values, an owner's, a range, everything. */
const [ONE, EQUAL, OWNED, RANGE, EVERYTHING] = [0, 1, 2, 3, 4]

const BUILT_IN_INDEXES: ReadonlyMap<string, string> = new Map([
  ['id', 'documents_by_id'],
  ['owner', 'documents_by_owner'],
  ['createdAt', 'documents_by_creation'],
])

function rankOf(filter: Exclude<Filter, { all: unknown } | { any: unknown } | { not: unknown }>): number {
  const isEqual = 'equals' in filter || 'in' in filter || 'among' in filter
  if (!isEqual) return 'contains' in filter || 'endsWith' in filter ? EVERYTHING : RANGE
  return filter.field === 'id' ? ONE : filter.field === 'owner' ? OWNED : EQUAL
}

/** Comparisons that compare with nothing: no index answers them. */
function isConstant(filter: Filter): boolean {
  return (
    ('in' in filter && filter.in.length === 0) ||
    ('contains' in filter && filter.contains === '') ||
    ('endsWith' in filter && filter.endsWith === '')
  )
}

function wayOf(kind: AnyKind, filter: Filter, compiled: Compiled, worst: number): Way | undefined {
  if ('not' in filter) return undefined
  if ('all' in filter) {
    let best: Way | undefined
    for (const part of filter.all) {
      const way = wayOf(kind, part, compiled, worst)
      if (way !== undefined && (best === undefined || way.rank < best.rank)) best = way
    }
    return best
  }
  if ('any' in filter) {
    const ways: Way[] = []
    for (const part of filter.any) {
      const way = wayOf(kind, part, compiled, worst)
      if (way === undefined) return undefined
      ways.push(way)
    }
    const paths = ways.flatMap((way) => way.paths)
    return paths.length === 0 ? undefined : { rank: Math.max(...ways.map(({ rank }) => rank)), paths }
  }
  const rank = rankOf(filter)
  const index = compiled.indexOf(kind, filter.field)
  const text = compiled.textOf(kind, filter)
  if (index === undefined || rank > worst || text === '' || isConstant(filter)) return undefined
  return { rank, paths: [{ index, where: `${compiled.ofKind(kind)} and ${text}` }] }
}

/** The index of a built-in field. */
export function builtInIndex(field: string): string | undefined {
  return BUILT_IN_INDEXES.get(field)
}

/** What has to be read of `kind` to answer `filter`. */
export function readingOf(kind: AnyKind, filter: Filter | undefined, compiled: Compiled): Reading {
  const all = { index: 'documents_by_creation', where: compiled.ofKind(kind) }
  if (filter === undefined) return { all, paths: [], scan: [] }
  const paths = wayOf(kind, filter, compiled, RANGE)?.paths ?? []
  return { all, paths, scan: scanOf(kind, filter, compiled) }
}

/** The indexes that hold the texts which a filter searches inside of. */
function scanOf(kind: AnyKind, filter: Filter, compiled: Compiled): readonly Path[] {
  const parts = 'all' in filter ? filter.all : [filter]
  for (const part of parts) {
    if ('all' in part) {
      const inner = scanOf(kind, part, compiled)
      if (inner.length > 0) return inner
      continue
    }
    const way = wayOf(kind, part, compiled, EVERYTHING)
    if (way?.rank === EVERYTHING) return way.paths
  }
  return []
}
