/** The database indexes that the log and the fields of a kind need. Their expressions match those of compiled queries. */
import { createHash } from 'node:crypto'
import type { AnyKind, Field } from '../kind.ts'
import { columnOf, documentKind, fieldColumn } from './columns.ts'
import type { Dialect } from './dialect.ts'

/** An index. The name of one on a kind's documents contains a hash of its SQL: a changed definition is a new index. */
export interface IndexStatement {
  readonly name: string
  readonly sql: string
}

/** The names of all field indexes begin with this; the name of the document kind and a dot follow. */
export const FIELD_INDEX_PREFIX = 'documents.'

/** With more documents or events than this, indexes are built while the store is in use: a start must not take long. */
export const MANY_ROWS = 10_000

/** Indexes of the log that databases of earlier versions lack. */
export const eventIndexes: readonly IndexStatement[] = [
  { name: 'events_by_owner', sql: 'create index if not exists events_by_owner on events (instance, owner, sequence)' },
  { name: 'events_by_time', sql: 'create index if not exists events_by_time on events (instance, at, sequence)' },
]

/** The indexes that the queries of a kind can use. */
export function indexStatements(kind: AnyKind, dialect: Dialect): readonly IndexStatement[] {
  return [...fieldIndexes(kind, dialect).values()]
}

const knownIndexes = new WeakMap<Dialect, WeakMap<AnyKind, ReadonlyMap<string, IndexStatement>>>()

/** By field; computed once, because every query needs it. */
export function fieldIndexes(kind: AnyKind, dialect: Dialect): ReadonlyMap<string, IndexStatement> {
  const known = knownIndexes.get(dialect) ?? new WeakMap<AnyKind, ReadonlyMap<string, IndexStatement>>()
  knownIndexes.set(dialect, known)
  let indexes = known.get(kind)
  if (indexes === undefined) {
    const fields = Object.entries(kind.fields as Readonly<Record<string, Field>>)
      .filter(([, field]) => field.indexed !== false && (field.isLong !== true || dialect.coversExpressions))
      .map(([name, field]) => [name, fieldIndex(kind, name, field, dialect)] as const)
    const byChange = kind.sortsByChange === true ? [['changedAt', changeIndex(kind, dialect)] as const] : []
    indexes = new Map([...fields, ...byChange])
    known.set(kind, indexes)
  }
  return indexes
}

function fieldIndex(kind: AnyKind, name: string, field: Field, dialect: Dialect): IndexStatement {
  const column = fieldColumn(field)
  const stored = documentKind(kind, dialect)
  const bytewise = column.type === 'text' ? dialect.bytewise : ''
  const beside = dialect.coversExpressions ? (field.beside ?? []).map((other) => `, ${columnOf(kind, other).sql}`) : []
  const before = !dialect.coversExpressions && isBesideCreation(field) ? ', created_at' : ''
  const columns = `${column.sql}${bytewise}${dialect.nullsFirst}${before}, id${dialect.bytewise}${beside.join('')}`
  return indexOn(stored, name, columns, field.sparse === true ? ` and ${column.sql} is not null` : '')
}

/**
 * Whether the index of PostgreSQL has the documents with one value in the order of creation. It compares expressions in an
 * index, but reads none from it.
 */
export function isBesideCreation({ type, beside = [] }: Field): boolean {
  return type === 'text' && beside.includes('createdAt')
}

function changeIndex(kind: AnyKind, dialect: Dialect): IndexStatement {
  return indexOn(documentKind(kind, dialect), 'changedAt', `changed_at, id${dialect.bytewise}`, '')
}

function indexOn(stored: string, name: string, columns: string, condition: string): IndexStatement {
  const text = `on documents (instance, ${columns}) where kind = '${stored}' and not gone${condition}`
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  // PostgreSQL truncates names to 63 bytes.
  const indexName = `${`${FIELD_INDEX_PREFIX}${stored}.${name}`.slice(0, 54)}.${hash}`
  return { name: indexName, sql: `create index if not exists "${indexName}" ${text}` }
}
