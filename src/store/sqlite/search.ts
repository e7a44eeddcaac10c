/**
 * How a compiled query is answered on one connection to SQLite, whichever thread has it. Whether the way is short is not
 * guessed from statistics but tried: a way is short when an index leads to few documents.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Instant } from '../../kernel/instant.ts'
import type { CompiledQuery, DocumentRow, Path, Reading } from '../engine.ts'

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

const MAX_STATEMENTS = 200

/** Statements by their text, the oldest one first; rows come as arrays. */
export function statementCache(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = prepare(database, sql)
      const oldest = statements.size >= MAX_STATEMENTS ? statements.keys().next().value : undefined
      if (oldest !== undefined) statements.delete(oldest)
      statements.set(sql, statement)
    }
    return statement
  }
}

const HINT = / indexed by "[^"]*"/g

function prepare(database: DatabaseSync, sql: string): StatementSync {
  try {
    return database.prepare(sql, { returnArrays: true })
  } catch (error) {
    // A newer program on the same file may have dropped an index that this one knows: slower, but not wrong.
    const plain = sql.replace(HINT, '')
    if (plain === sql) throw error
    return database.prepare(plain, { returnArrays: true })
  }
}

/** Runs a statement and returns all rows as arrays. */
export type All = (sql: string, ...parameters: SQLInputValue[]) => unknown[][]

/** What a search found; the sequence is the caller's business. */
export interface Found {
  readonly rows: readonly DocumentValues[]
  readonly total: number
}

/** So many documents are read where others wait, a few milliseconds' worth; more are a long way. */
const FEW = 2_000
const FEW_MATCHES = 5_000

/** node:sqlite binds plain question marks by position; `$1` would be a name to it. */
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

/** Whether what is read of one kind is a few thousand documents at most. */
function isShortReading(all: All, { paths, all: everything }: Reading, parameters: CompiledQuery['parameters']) {
  return (paths.length > 0 ? paths : [everything]).every((path) => {
    const [sql, values] = positional(`${rowsBy(path)} limit 1 offset ${FEW}`, parameters)
    return all(sql, ...values).length === 0
  })
}

/** Whether a query can be answered at once, and nobody has to wait for it. */
export function isShort(all: All, { readings, parameters }: CompiledQuery): boolean {
  return readings.every((reading) => isShortReading(all, reading, parameters))
}

/** Answers a query whose way is short, by that way: left to its statistics, SQLite may still choose a long one. */
export function searchShort(all: All, query: CompiledQuery): Found {
  const { paths } = query.readings.at(-1) ?? { paths: [] }
  const [path] = paths
  if (path === undefined) return search(all, query, '', '')
  if (paths.length === 1) return search(all, query, ` indexed by "${path.index}"`, '')
  return search(all, query, '', `rowid in (${paths.map(rowsBy).join(' union all ')}) and `)
}

/**
 * Answers any query. For a text searched inside of others, the index that holds those is read and not the documents;
 * `few` matches are looked up one by one, with more of them walking in the order asked for is shorter.
 */
export function searchLong(all: All, query: CompiledQuery, few = FEW_MATCHES): Found {
  const own = query.readings.at(-1)
  const [path] = own?.scan ?? []
  if (own === undefined || path === undefined) return search(all, query, '', '')
  if (own.paths.length > 0 && isShortReading(all, own, query.parameters)) return searchShort(all, query)
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
  // `+?`: a bare parameter there makes SQLite compile the statement anew each time, five times the cost of running it.
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
