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
function isCheapReading(all: All, { paths, all: everything }: Reading, parameters: CompiledQuery['parameters']) {
  return (paths.length > 0 ? paths : [everything]).every((path) => {
    const [sql, values] = positional(`${rowsBy(path)} limit 1 offset ${MAX_CHEAP}`, parameters)
    return all(sql, ...values).length === 0
  })
}

/** Whether a query is cheap enough for the main thread. */
export function isCheap(all: All, { readings, parameters }: CompiledQuery): boolean {
  return readings.every((reading) => isCheapReading(all, reading, parameters))
}

/** Runs a cheap query by the indexes that make it cheap: by its statistics, SQLite might choose others. */
export function searchByIndex(all: All, query: CompiledQuery): Found {
  const { paths } = query.readings.at(-1) ?? { paths: [] }
  const [path] = paths
  if (path === undefined) return search(all, query, '', '')
  if (paths.length === 1) return search(all, query, ` indexed by "${path.index}"`, '')
  return search(all, query, '', `rowid in (${paths.map(rowsBy).join(' union all ')}) and `)
}

/**
 * Runs any query. To search inside texts, it reads the index that contains them instead of the documents. Up to `few`
 * matches are looked up one by one; with more, reading the documents in the requested order is faster.
 */
export function searchAll(all: All, query: CompiledQuery, few = FEW_MATCHES): Found {
  const own = query.readings.at(-1)
  const [path] = own?.scan ?? []
  if (own === undefined || path === undefined) return search(all, query, '', '')
  if (own.paths.length > 0 && isCheapReading(all, own, query.parameters)) return searchByIndex(all, query)
  const matches = new Set<unknown>()
  for (const each of own.scan) {
    const [sql, values] = positional(`${rowsBy(each)} limit ${few}`, query.parameters)
    for (const [rowid] of all(sql, ...values)) matches.add(rowid)
    if (matches.size >= few) return search(all, query, '', '', own.scan.length === 1 ? path.index : undefined)
  }
  const parameters = [...query.parameters, JSON.stringify([...matches])]
  return search(all, { ...query, parameters }, '', `rowid in (select value from json_each($${parameters.length})) and `)
}

function search(all: All, query: CompiledQuery, hint: string, narrowed: string, countBy?: string): Found {
  const { orderBy, limit, offset } = query
  const [condition, values] = positional(`${narrowed}${query.where}`, query.parameters)
  // `+?`: with a bare parameter here, SQLite compiles the statement again each time, five times the cost of running it.
  const rows = all(
    `select ${documentColumns} from documents${hint} where ${condition} order by ${orderBy} limit +? offset +?`,
    ...values,
    limit,
    offset,
  ) as DocumentValues[]
  const reachedEnd = rows.length < limit && (rows.length > 0 || offset === 0)
  if (reachedEnd) return { rows, total: offset + rows.length }
  const countHint = countBy === undefined ? hint : ` indexed by "${countBy}"`
  return {
    rows,
    total: Number(all(`select count(*) from documents${countHint} where ${condition}`, ...values)[0]?.[0]),
  }
}
