/**
 * Finds out which indexes can answer a filter in SQLite. A path finds a superset of the matches, so the whole condition
 * of the compiled query still has to be checked on what it finds.
 */
import type { AnyKind, Field } from '../kind.ts'
import type { Filter } from '../types.ts'

/** An index and the condition to search it with; the condition includes the kind. */
export interface Path {
  readonly index: string
  readonly where: string
}

/** What a query has to read of one kind; an engine estimates its cost by it. */
export interface Reading {
  /** All documents of the kind. */
  readonly all: Path
  /** Index searches that together find every match; empty when the filter needs a full read. */
  readonly paths: readonly Path[]
  /** Indexes that contain the searched texts but have to be read from end to end. */
  readonly scan: readonly Path[]
  /** An index that contains every field of the filter, so that matches are counted without reading a document. */
  readonly covering: string | undefined
}

/** Access to the compiled parts of a filter. */
export interface Compiled {
  /** The SQL of a condition on `kind` that was compiled before; empty when there is none. */
  textOf(kind: AnyKind, filter: Filter): string
  /** The index of a field, undefined when it has none. */
  indexOf(kind: AnyKind, field: string): string | undefined
  /** The condition that every document of a kind meets. */
  ofKind(kind: AnyKind): string
}

interface Candidate {
  readonly rank: number
  readonly paths: readonly Path[]
}

/** Ranks a condition by how much of an index it usually reads: one id, equal values, one owner, a range, everything. */
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

/** Conditions that compile to a constant or a null check: no index answers them. */
function isConstant(filter: Filter): boolean {
  return (
    ('in' in filter && filter.in.length === 0) ||
    ('contains' in filter && filter.contains === '') ||
    ('endsWith' in filter && filter.endsWith === '')
  )
}

function candidateOf(kind: AnyKind, filter: Filter, compiled: Compiled, worst: number): Candidate | undefined {
  if ('not' in filter) return undefined
  if ('all' in filter) {
    let best: Candidate | undefined
    for (const part of filter.all) {
      const candidate = candidateOf(kind, part, compiled, worst)
      if (candidate === undefined) continue
      if (best === undefined || candidate.rank < best.rank) best = candidate
      else if (candidate.rank === best.rank) best = combine(best, candidate)
    }
    return best
  }
  if ('any' in filter) {
    const candidates: Candidate[] = []
    for (const part of filter.any) {
      const candidate = candidateOf(kind, part, compiled, worst)
      if (candidate === undefined) return undefined
      candidates.push(candidate)
    }
    const paths = candidates.flatMap(({ paths }) => paths)
    return paths.length === 0 ? undefined : { rank: Math.max(...candidates.map(({ rank }) => rank)), paths }
  }
  const rank = rankOf(filter)
  const index = compiled.indexOf(kind, filter.field)
  const text = compiled.textOf(kind, filter)
  if (index === undefined || rank > worst || text === '' || isConstant(filter)) return undefined
  return { rank, paths: [{ index, where: `${compiled.ofKind(kind)} and ${text}` }] }
}

/** Two conditions on the same index, the two ends of a range for example, are one search. */
function combine(best: Candidate, other: Candidate): Candidate {
  const [[path, ...more], [same, ...others]] = [best.paths, other.paths]
  if (path === undefined || path.index !== same?.index || more.length + others.length > 0) return best
  return { rank: best.rank, paths: [{ index: path.index, where: `${path.where} and ${same.where}` }] }
}

/** The index of a built-in field. */
export function builtInIndex(field: string): string | undefined {
  return BUILT_IN_INDEXES.get(field)
}

/** What has to be read of `kind` to answer `filter`. */
export function readingOf(kind: AnyKind, filter: Filter | undefined, compiled: Compiled): Reading {
  const all = { index: 'documents_by_creation', where: compiled.ofKind(kind) }
  if (filter === undefined) return { all, paths: [], scan: [], covering: all.index }
  const paths = candidateOf(kind, filter, compiled, RANGE)?.paths ?? []
  return { all, paths, scan: scanOf(kind, filter, compiled), covering: coveringIndex(kind, filter, compiled) }
}

/** The fields of a kind that a filter compares. */
function fieldsOf(filter: Filter): readonly string[] {
  if ('all' in filter) return filter.all.flatMap(fieldsOf)
  if ('any' in filter) return filter.any.flatMap(fieldsOf)
  return 'not' in filter ? fieldsOf(filter.not) : [filter.field]
}

/** The columns of the indexes that all kinds share. */
const BUILT_IN_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['documents_by_creation', ['createdAt', 'id']],
  ['documents_by_owner', ['owner', 'createdAt', 'id']],
])

function coveringIndex(kind: AnyKind, filter: Filter, compiled: Compiled): string | undefined {
  const compared = fieldsOf(filter)
  for (const [index, columns] of BUILT_IN_COLUMNS) {
    if (compared.every((field) => columns.includes(field))) return index
  }
  const fields: readonly [string, Field][] = Object.entries(kind.fields)
  const isCovered = ([name, { beside = [] }]: [string, Field]) =>
    compared.every((field) => ['id', name, ...beside].includes(field))
  const covering = fields.find(
    ([name, field]) => field.sparse !== true && isCovered([name, field]) && compiled.indexOf(kind, name) !== undefined,
  )
  return covering === undefined ? undefined : compiled.indexOf(kind, covering[0])
}

/** The indexes that contain the texts in which a filter searches. */
function scanOf(kind: AnyKind, filter: Filter, compiled: Compiled): readonly Path[] {
  const parts = 'all' in filter ? filter.all : [filter]
  for (const part of parts) {
    if ('all' in part) {
      const inner = scanOf(kind, part, compiled)
      if (inner.length > 0) return inner
      continue
    }
    const candidate = candidateOf(kind, part, compiled, EVERYTHING)
    if (candidate?.rank === EVERYTHING) return candidate.paths
  }
  return []
}
