/**
 * Runs compiled queries on one connection to SQLite, on the main thread or the scan thread. A query is cheap when an
 * index finds few documents; this is tried out, and every statement names its index.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { Instant } from '../../kernel/instant.ts'
import type { DocumentRow } from '../engine.ts'
import { type CompiledQuery, FEW_MATCHES } from '../query/index.ts'
import type { Path, Reading } from '../query/paths.ts'

/** The current state. Conditions compare the column `state`, because its values are in indexes, and those are the same. */
export const currentState = 'coalesce(newer_state, state)'
/** What `documentRow` reads of `documents`. */
export const documentColumns = `kind, id, owner, ${currentState}, gone, revision, sequence, created_at, changed_at`
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

/** Runs statements on one connection, inside one snapshot. */
export interface Statements {
  readonly all: All
  /** Row by row, for a caller that may stop before the last one. */
  readonly each: (sql: string, ...parameters: SQLInputValue[]) => Iterable<unknown[]>
}

/** The result of a search, without the sequence, which the caller reads. */
export interface Found {
  readonly rows: readonly DocumentValues[]
  readonly total: number
}

/** A query that reads more documents than this takes too long for the main thread: a few milliseconds. */
const MAX_CHEAP = 2_000
/** How many documents are read in the wanted order before another way is tried. */
const MAX_READ_IN_ORDER = 5_000

/** node:sqlite binds plain question marks by position; it takes `$1` for a name. */
export function positional(text: string, parameters: readonly (string | number)[]): [string, (string | number)[]] {
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

/** Of the ways to find all matches, one that reads few documents; an empty one when the kind has few documents. */
function cheapWay(
  all: All,
  { ways, all: everything }: Reading,
  { parameters }: CompiledQuery,
  few: number,
  isOnScanThread = false,
): readonly Path[] | undefined {
  const isShort = (path: Path): boolean => {
    if (path.listsIds === true && isOnScanThread) return true
    const [sql, values] = positional(`${rowsBy(path)} limit 1 offset ${few}`, parameters)
    return all(sql, ...values).length === 0
  }
  if (ways.length === 0) return isShort(everything) ? [] : undefined
  return ways.find((paths) => paths.every(isShort))
}

/** Runs a query that is cheap enough for the main thread; undefined when it is not. */
export function searchCheap(all: All, query: CompiledQuery): Found | undefined {
  const way = query.reading && cheapWay(all, query.reading, query, MAX_CHEAP)
  return way && searchByIndex(all, query, way)
}

/** Runs a query by these indexes; without one, by that which lists all documents of the kind. */
function searchByIndex(all: All, query: CompiledQuery, way: readonly Path[]): Found {
  const [path] = way
  if (path === undefined) return search(all, query, { index: query.reading?.all.index })
  if (way.length === 1) return search(all, query, { index: path.index })
  return search(all, query, { among: way.map(rowsBy).join(' union all ') })
}

/**
 * Runs any query. To search inside texts, it reads the index that contains them instead of the documents. Up to `few`
 * matches are looked up and sorted. With more of them, the documents are read in the requested order until the page is
 * full, and the matches are counted in an index that contains all compared fields, if there is one.
 */
export function searchAll(statements: Statements, query: CompiledQuery, few = FEW_MATCHES): Found {
  const { all } = statements
  const own = query.reading
  if (own === undefined) return search(all, query, {})
  const cheap = own.ways.length > 0 ? cheapWay(all, own, query, few, true) : undefined
  if (cheap !== undefined) return searchByIndex(all, query, cheap)
  const isInIndex = own.scan.length > 0 || own.covering !== undefined
  const matches = isInIndex ? findRows(all, own, query, few) : undefined
  if (matches !== undefined) {
    return own.sortable === undefined
      ? search(all, ...amongRows(query, matches))
      : { rows: sortedPage(all, own.sortable, query), total: matches.length }
  }
  const way = countingWay(all, own, query)
  const total = count(all, query, way)
  return { rows: total <= few ? readPage(all, query, way) : pageOfMany(statements, own, query), total }
}

/** The statement that reads a column of the matches, in any order, and whether the main thread may run it. */
export function valuesStatement(all: All, query: CompiledQuery, column: string, limit: number) {
  const own = query.reading
  const cheap = own && cheapWay(all, own, query, MAX_CHEAP)
  const [path, ...others] = cheap ?? []
  const isByOne = path !== undefined && others.length === 0
  const way: Way = isByOne ? { index: path.index } : own === undefined ? {} : countingWay(all, own, query)
  const [sql, values] = positional(`select ${column} ${conditionOf(query, way)} limit ${limit}`, query.parameters)
  return { sql, values, isCheap: cheap !== undefined }
}

/** The way to documents whose rows are known, and the query with these rows as a parameter. */
function amongRows(query: CompiledQuery, rows: readonly unknown[]): [CompiledQuery, Among] {
  const parameters = [...query.parameters, JSON.stringify(rows)]
  return [{ ...query, parameters }, { among: `select value from json_each($${parameters.length})` }]
}

/**
 * The page of a query with many matches. Documents are read in the requested order, which fills the page soon when most of them
 * match. If it does not, the matches are sorted, in an index that contains all that is needed if there is one.
 */
function pageOfMany(statements: Statements, own: Reading, query: CompiledQuery): readonly DocumentValues[] {
  const { all } = statements
  const { orderIndex } = query
  const [way] = own.ways
  const inOrder = { index: orderIndex ?? own.all.index }
  const mayBeSparse = way !== undefined || query.isRelated
  if (!mayBeSparse || orderIndex === undefined) return readPage(all, query, inOrder)
  const first = firstInOrder(statements, own, query)
  if (first !== undefined) return readPage(all, ...amongRows({ ...query, offset: 0 }, first))
  if (own.sortable !== undefined) return sortedPage(all, own.sortable, query)
  return way === undefined ? readPage(all, query, inOrder) : searchByIndex(all, query, way).rows
}

/** The page, sorted in an index that contains all compared fields and that of the order. */
function sortedPage(all: All, index: string, query: CompiledQuery): readonly DocumentValues[] {
  const { orderBy, limit, offset } = query
  const text = `select rowid ${conditionOf(query, { index })} order by ${orderBy} limit +? offset +?`
  const [sql, values] = positional(text, query.parameters)
  const rows = all(sql, ...values, limit, offset).map(([row]) => row)
  return readPage(all, ...amongRows({ ...query, offset: 0 }, rows))
}

/** The rows of a page, read in the requested order; undefined when there are too many other documents before its end. */
function firstInOrder({ each }: Statements, own: Reading, query: CompiledQuery): readonly unknown[] | undefined {
  const { where, orderBy, limit, offset, orderIndex, parameters } = query
  // A condition on the field of the order says where to begin.
  const range = own.ways.find(([path, ...others]) => path?.index === orderIndex && others.length === 0)
  const [sql, values] = positional(
    `select case when ${where} then rowid end from documents indexed by "${orderIndex}"
      where ${range?.[0]?.where ?? own.all.where} order by ${orderBy} limit ${MAX_READ_IN_ORDER}`,
    parameters,
  )
  const rows: unknown[] = []
  for (const [row] of each(sql, ...values)) {
    if (row !== null && rows.push(row) === offset + limit) return rows.slice(offset)
  }
  return undefined
}

/** How to find all matches, when there are many. */
function countingWay(all: All, own: Reading, query: CompiledQuery): Way {
  const [way = []] = own.ways
  if (way[0]?.listsIds === true && way.length === 1) return { index: way[0].index }
  const only = onlyUsefulPath(all, way, query)
  if (only !== undefined) return { index: only.index, condition: only.where }
  if (own.covering !== undefined) return { index: own.covering }
  if (way.length > 1) return { among: way.map(rowsBy).join(' union all ') }
  const [path, ...others] = way.length > 0 ? way : own.scan
  return { index: path !== undefined && others.length === 0 ? path.index : own.all.index }
}

/** Of several searches that together find every match, the one that finds anything, if there is just one. */
function onlyUsefulPath(all: All, paths: readonly Path[], { parameters }: CompiledQuery): Path | undefined {
  if (paths.length < 2) return undefined
  const [first, ...others] = paths.filter((path) => {
    const [sql, values] = positional(`${rowsBy(path)} limit 1`, parameters)
    return all(sql, ...values).length > 0
  })
  return others.length === 0 ? first : undefined
}

/** The rows of all matches, and of others that the caller has to compare; undefined when they are not few. */
function findRows(all: All, own: Reading, query: CompiledQuery, few: number): readonly unknown[] | undefined {
  // An index with all compared fields finds just the matches.
  const conditions =
    own.covering === undefined
      ? own.scan.map(({ index, where }) => conditionOf({ ...query, where }, { index }))
      : [conditionOf(ofMany(query), { index: own.covering })]
  const found = new Set<unknown>()
  for (const condition of conditions) {
    const [sql, values] = positional(`select rowid ${condition} limit ${few}`, query.parameters)
    for (const [rowid] of all(sql, ...values)) found.add(rowid)
    if (found.size >= few) return undefined
  }
  return [...found]
}

/** How to find the documents of a query: by an index, and the condition to search it with, or by the ids of rows. */
type Way = { readonly index?: string | undefined; readonly condition?: string } | Among

interface Among {
  readonly among: string
}

/** Each way is named in the statement. By itself, SQLite would sort a million documents for a page of twenty. */
function conditionOf({ where }: CompiledQuery, way: Way): string {
  if ('among' in way) return `from documents not indexed where rowid in (${way.among}) and ${where}`
  const hint = way.index === undefined ? '' : ` indexed by "${way.index}"`
  return `from documents${hint} where ${way.condition === undefined ? '' : `${way.condition} and `}${where}`
}

function ofMany(query: CompiledQuery): CompiledQuery {
  return { ...query, where: query.whereOfMany ?? query.where }
}

function count(all: All, query: CompiledQuery, way: Way): number {
  const isSmall = 'among' in way
  const [sql, values] = positional(
    `select count(*) ${conditionOf(isSmall ? query : ofMany(query), way)}`,
    query.parameters,
  )
  return Number(all(sql, ...values)[0]?.[0])
}

function readPage(all: All, query: CompiledQuery, way: Way): DocumentValues[] {
  // `+?`: with a bare parameter here, SQLite compiles the statement again each time, five times the cost of running it.
  const text = `select ${documentColumns} ${conditionOf(query, way)} order by ${query.orderBy} limit +? offset +?`
  const [sql, values] = positional(text, query.parameters)
  return all(sql, ...values, query.limit, query.offset) as DocumentValues[]
}

function search(all: All, query: CompiledQuery, way: Way): Found {
  const { limit, offset } = query
  const rows = readPage(all, query, way)
  const reachedEnd = rows.length < limit && (rows.length > 0 || offset === 0)
  return { rows, total: reachedEnd ? offset + rows.length : count(all, query, way) }
}
