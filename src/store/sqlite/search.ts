/**
 * Runs compiled queries on one connection to SQLite, on the main thread or the scan thread. A query is cheap when an
 * index finds few documents; this is tried out instead of estimated from statistics.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { Instant } from '../../kernel/instant.ts'
import type { DocumentRow } from '../engine.ts'
import type { CompiledQuery } from '../query/index.ts'
import type { Path, Reading } from '../query/paths.ts'

/** The columns of `documents` that `documentRow` reads. */
export const documentColumns = 'kind, id, owner, state, gone, revision, sequence, created_at, changed_at'
export type DocumentValues = [string, string, string, string, number, number, number, number, number]

export function documentRow(values: DocumentValues): DocumentRow {
  const [kind, id, owner, state, gone, revision, sequence, createdAt, changedAt] = values
  return {
    kind,
    id,
    owner,
    state,
    gone: gone === 1,
    revision,
    sequence,
    createdAt: createdAt as Instant,
    changedAt: changedAt as Instant,
  }
}

/** Runs a statement and returns all rows as arrays. */
export type All = (sql: string, ...parameters: SQLInputValue[]) => unknown[][]

/** The result of a search, without the sequence, which the caller reads. */
export interface Found {
  readonly rows: readonly DocumentValues[]
  readonly total: number
}

/** A query that reads more documents than this takes too long for the main thread: a few milliseconds. */
const MAX_CHEAP = 2_000
const FEW_MATCHES = 5_000

/** node:sqlite binds plain question marks by position; it takes `$1` for a name. */
function positional(text: string, parameters: readonly (string | number)[]): [string, (string | number)[]] {
  const values: (string | number)[] = []
  const sql = text.replace(/\$(\d+)/g, (_, number) => {
    values.push(parameters[Number(number) - 1] as string | number)
    return '?'
  })
  return [sql, values]
}

function rowsBy({ index, where }: Path): string {
  return `select rowid from documents indexed by "${index}" where ${where}`
}

/** Whether a query reads few documents of one kind. */
function isCheapReading(
  all: All,
  { paths, all: everything }: Reading,
  { parameters }: CompiledQuery,
  few: number,
): boolean {
  return (paths.length > 0 ? paths : [everything]).every((path) => {
    const [sql, values] = positional(`${rowsBy(path)} limit 1 offset ${few}`, parameters)
    return all(sql, ...values).length === 0
  })
}

/** Whether a query is cheap enough for the main thread. */
export function isCheap(all: All, query: CompiledQuery): boolean {
  return query.readings.every((reading) => isCheapReading(all, reading, query, MAX_CHEAP))
}

/** Runs a cheap query by the indexes that make it cheap: by its statistics, SQLite might choose others. */
export function searchByIndex(all: All, query: CompiledQuery): Found {
  const { paths } = query.readings.at(-1) ?? { paths: [] }
  const [path] = paths
  if (path === undefined) return search(all, query, {})
  if (paths.length === 1) return search(all, query, { index: path.index })
  return search(all, query, { among: paths.map(rowsBy).join(' union all ') })
}

/**
 * Runs any query. To search inside texts, it reads the index that contains them instead of the documents. Up to `few`
 * matches are looked up and sorted. With more of them, the documents are read in the requested order until the page is
 * full, and the matches are counted in an index that contains all compared fields, if there is one.
 */
export function searchAll(all: All, query: CompiledQuery, few = FEW_MATCHES): Found {
  const own = query.readings.at(-1)
  if (own === undefined) return search(all, query, {})
  if (own.paths.length > 0 && isCheapReading(all, own, query, few)) return searchByIndex(all, query)
  const matches = own.scan.length > 0 ? findRows(all, own.scan, query, few) : undefined
  if (matches !== undefined) {
    const parameters = [...query.parameters, JSON.stringify([...matches])]
    return search(all, { ...query, parameters }, { among: `select value from json_each($${parameters.length})` })
  }
  const way = countingWay(all, own, query)
  const total = count(all, query, way)
  return { rows: readPage(all, query, total <= few ? way : { index: query.orderIndex }), total }
}

/** How to find all matches, when there are many. */
function countingWay(all: All, own: Reading, query: CompiledQuery): Way {
  const only = onlyUsefulPath(all, own, query)
  if (only !== undefined) return { index: only.index, condition: only.where }
  const [path, ...others] = own.paths.length > 0 ? own.paths : own.scan
  return { index: own.covering ?? (others.length === 0 ? path?.index : undefined) }
}

/** Of several searches that together find every match, the one that finds anything, if there is just one. */
function onlyUsefulPath(all: All, { paths }: Reading, { parameters }: CompiledQuery): Path | undefined {
  if (paths.length < 2) return undefined
  const [first, ...others] = paths.filter((path) => {
    const [sql, values] = positional(`${rowsBy(path)} limit 1`, parameters)
    return all(sql, ...values).length > 0
  })
  return others.length === 0 ? first : undefined
}

/** The rows that these searches find; undefined when they are not few. */
function findRows(all: All, paths: readonly Path[], query: CompiledQuery, few: number): Set<unknown> | undefined {
  const found = new Set<unknown>()
  for (const path of paths) {
    const [sql, values] = positional(`${rowsBy(path)} limit ${few}`, query.parameters)
    for (const [rowid] of all(sql, ...values)) found.add(rowid)
    if (found.size >= few) return undefined
  }
  return found
}

/** How to find the documents of a query: by an index, and the condition to search it with, or by the ids of rows. */
type Way = { readonly index?: string | undefined; readonly condition?: string } | { readonly among: string }

/** Each way is named in the statement: by its statistics, SQLite might choose another. */
function conditionOf({ where, parameters }: CompiledQuery, way: Way): [string, (string | number)[]] {
  if ('among' in way) {
    return positional(`from documents not indexed where rowid in (${way.among}) and ${where}`, parameters)
  }
  const hint = way.index === undefined ? '' : ` indexed by "${way.index}"`
  const condition = way.condition === undefined ? where : `${way.condition} and ${where}`
  return positional(`from documents${hint} where ${condition}`, parameters)
}

function count(all: All, query: CompiledQuery, way: Way): number {
  const [condition, values] = conditionOf(query, way)
  return Number(all(`select count(*) ${condition}`, ...values)[0]?.[0])
}

function readPage(all: All, query: CompiledQuery, way: Way): DocumentValues[] {
  const [condition, values] = conditionOf(query, way)
  // `+?`: with a bare parameter here, SQLite compiles the statement again each time, five times the cost of running it.
  const sql = `select ${documentColumns} ${condition} order by ${query.orderBy} limit +? offset +?`
  return all(sql, ...values, query.limit, query.offset) as DocumentValues[]
}

function search(all: All, query: CompiledQuery, way: Way): Found {
  const { limit, offset } = query
  const rows = readPage(all, query, way)
  const reachedEnd = rows.length < limit && (rows.length > 0 || offset === 0)
  return { rows, total: reachedEnd ? offset + rows.length : count(all, query, way) }
}
