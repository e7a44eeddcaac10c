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
  /** Whether the ids of the documents are listed. */
  readonly listsIds?: boolean
}

/** What a query has to read of one kind; an engine estimates its cost by it. */
export interface Reading {
  /** All documents of the kind. */
  readonly all: Path
  /**
   * Ways to find every match by index searches, of which each may need several; the one that usually reads least comes
   * first. Empty when the filter needs a full read.
   */
  readonly ways: readonly (readonly Path[])[]
  /** Indexes that contain the searched texts but have to be read from end to end. */
  readonly scan: readonly Path[]
  /** An index that contains every field of the filter, so that other documents are not read in order to count. */
  readonly covering: string | undefined
  /** An index that also contains the field of the order, so that matches are sorted without reading a document. */
  readonly sortable: string | undefined
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

/** This many ways are tried out; a filter can have a hundred conditions. */
const MAX_WAYS = 4

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
  const isEqual = 'equals' in filter || 'in' in filter || 'holds' in filter
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

/** The ways to find every match of a filter, the one that usually reads least first. */
function candidatesOf(kind: AnyKind, filter: Filter, compiled: Compiled, worst: number): readonly Candidate[] {
  // Whether there is a related document is asked for each document.
  if ('not' in filter || 'among' in filter) return []
  if ('all' in filter) {
    const candidates: Candidate[] = []
    for (const candidate of filter.all.flatMap((part) => candidatesOf(kind, part, compiled, worst))) {
      const same = candidates.findIndex((other) => isSameSearch(other, candidate))
      if (same < 0) candidates.push(candidate)
      else candidates[same] = combine(candidates[same] as Candidate, candidate)
    }
    return candidates.sort((one, other) => one.rank - other.rank)
  }
  if ('any' in filter) {
    const parts = filter.any.map((part) => candidatesOf(kind, part, compiled, worst)[0])
    if (parts.length === 0 || parts.includes(undefined)) return []
    const best = parts.filter((candidate) => candidate !== undefined)
    return [{ rank: Math.max(...best.map(({ rank }) => rank)), paths: best.flatMap(({ paths }) => paths) }]
  }
  const rank = rankOf(filter)
  const index = compiled.indexOf(kind, filter.field)
  const text = compiled.textOf(kind, filter)
  if (index === undefined || rank > worst || text === '' || isConstant(filter)) return []
  return [{ rank, paths: [{ index, where: `${compiled.ofKind(kind)} and ${text}`, listsIds: rank === ONE }] }]
}

/** Whether a filter usually finds a small part of the documents: those with a value, or with a part of a text. */
export function isNarrow(kind: AnyKind, filter: Filter): boolean {
  if ('not' in filter || 'among' in filter) return false
  if ('all' in filter) return filter.all.some((part) => isNarrow(kind, part))
  if ('any' in filter) return filter.any.length > 0 && filter.any.every((part) => isNarrow(kind, part))
  const field: Field | undefined = Object.hasOwn(kind.fields, filter.field) ? kind.fields[filter.field] : undefined
  return (field?.type === 'text' && field.selective !== false) || rankOf(filter) === ONE
}

/** Two conditions on the same index, the two ends of a range for example, are one search. */
function isSameSearch(one: Candidate, other: Candidate): boolean {
  const [path, same] = [one.paths[0], other.paths[0]]
  return one.rank === other.rank && one.paths.length === 1 && other.paths.length === 1 && path?.index === same?.index
}

function combine({ rank, paths }: Candidate, other: Candidate): Candidate {
  const [path, same] = [paths[0] as Path, other.paths[0] as Path]
  return { rank, paths: [{ ...path, where: `${path.where} and ${same.where}` }] }
}

/** The index of a built-in field. */
export function builtInIndex(field: string): string | undefined {
  return BUILT_IN_INDEXES.get(field)
}

/** What has to be read of `kind` to answer `filter` in the order of a field. */
export function readingOf(kind: AnyKind, filter: Filter | undefined, orderBy: string, compiled: Compiled): Reading {
  const all = { index: 'documents_by_creation', where: compiled.ofKind(kind) }
  if (filter === undefined) return { all, ways: [], scan: [], covering: all.index, sortable: undefined }
  const compared = fieldsOf(filter)
  return {
    all,
    ways: candidatesOf(kind, filter, compiled, RANGE)
      .slice(0, MAX_WAYS)
      .map(({ paths }) => paths),
    scan: scanOf(kind, filter, compiled),
    covering: coveringIndex(kind, compared, compiled),
    sortable: coveringIndex(kind, [...compared, orderBy], compiled),
  }
}

/**
 * The fields of a kind that a filter compares. Those that must be found in related documents are left out when there are
 * others: only the documents that the others find are looked at.
 */
function fieldsOf(filter: Filter): readonly string[] {
  if (!('all' in filter)) return allFieldsOf(filter)
  const others = filter.all.flatMap((part) => ('among' in part ? [] : fieldsOf(part)))
  return others.length > 0 ? others : allFieldsOf(filter)
}

function allFieldsOf(filter: Filter): readonly string[] {
  if ('all' in filter) return filter.all.flatMap(allFieldsOf)
  if ('any' in filter) return filter.any.flatMap(allFieldsOf)
  return 'not' in filter ? allFieldsOf(filter.not) : [filter.field]
}

/** The columns of the indexes that all kinds share. */
const BUILT_IN_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['documents_by_creation', ['createdAt', 'id']],
  ['documents_by_owner', ['owner', 'createdAt', 'id']],
])

function coveringIndex(kind: AnyKind, compared: readonly string[], compiled: Compiled): string | undefined {
  for (const [index, columns] of BUILT_IN_COLUMNS) if (compared.every((field) => columns.includes(field))) return index
  const fields: readonly [string, Field][] = Object.entries(kind.fields)
  const isCovered = ([name, { beside = [] }]: [string, Field]) =>
    compared.every((field) => ['id', name, ...beside].includes(field))
  const covering = fields.find(
    ([name, field]) => field.sparse !== true && isCovered([name, field]) && compiled.indexOf(kind, name) !== undefined,
  )
  return covering && compiled.indexOf(kind, covering[0])
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
    const [candidate] = candidatesOf(kind, part, compiled, EVERYTHING)
    if (candidate?.rank === EVERYTHING) return candidate.paths
  }
  return []
}
