/** The SQL expressions by which documents are compared and sorted. They are the same for both databases. */
import type { AnyKind, Field } from '../kind.ts'
import type { Dialect } from './dialect.ts'

/** An expression by which documents are compared or sorted. */
export interface Column {
  readonly sql: string
  readonly type: 'text' | 'number'
  /** A column of the table, never null; numbers in it are whole. */
  readonly builtIn: boolean
}

export const ID: Column = { sql: 'id', type: 'text', builtIn: true }
const BUILT_IN: ReadonlyMap<string, Column> = new Map([
  ['id', ID],
  ['owner', { sql: 'owner', type: 'text', builtIn: true }],
  ['createdAt', { sql: 'created_at', type: 'number', builtIn: true }],
  ['changedAt', { sql: 'changed_at', type: 'number', builtIn: true }],
])

// Names and paths become part of the SQL, so no character may end a literal.
const KIND_NAME = /^[a-z][a-z0-9_-]{0,39}$/
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,39}$/

/** Throws when a kind cannot have this name. */
export function checkKindName({ name }: AnyKind): void {
  if (!KIND_NAME.test(name)) throw new Error(`"${name}" is not a name for a kind`)
}

/** The name under which the documents of a kind are stored. */
export function documentKind(kind: AnyKind, dialect: Dialect): string {
  checkKindName(kind)
  return dialect.documentKind?.(kind) ?? kind.name
}

const knownConditions = new WeakMap<Dialect, WeakMap<AnyKind, string>>()

/** The condition that every document of a kind meets; the partial indexes of the kind have the same condition. */
export function ofKind(kind: AnyKind, dialect: Dialect): string {
  const known = knownConditions.get(dialect) ?? new WeakMap<AnyKind, string>()
  knownConditions.set(dialect, known)
  let condition = known.get(kind)
  if (condition === undefined) {
    condition = `instance = 1 and kind = '${documentKind(kind, dialect)}' and not gone`
    known.set(kind, condition)
  }
  return condition
}

/** The column of a field. */
export function fieldColumn({ path, type }: Field): Column {
  if (path.length === 0 || !path.every((member) => MEMBER.test(member))) {
    throw new Error(`"${path.join('.')}" is not a path of a field`)
  }
  const members = path.map((member) => `'${member}'`)
  const last = members.pop()
  const text = `${['state', ...members].join('->')}->>${last}`
  return { sql: type === 'text' ? `(${text})` : `(cast(${text} as numeric))`, type, builtIn: false }
}

/** The column in the statement where the table has this name. */
export function inTable({ sql }: Column, table: string): string {
  return sql.replace(/\b(state|id|owner|created_at|changed_at)\b/, `${table}.$1`)
}

const knownColumns = new WeakMap<AnyKind, ReadonlyMap<string, Column>>()

/** The columns of a kind by name; computed once, because every query needs them. */
function columnsOf(kind: AnyKind): ReadonlyMap<string, Column> {
  const known = knownColumns.get(kind)
  if (known !== undefined) return known
  const fields = Object.entries(kind.fields as Readonly<Record<string, Field>>)
  const columns = new Map([...BUILT_IN, ...fields.map(([name, field]) => [name, fieldColumn(field)] as const)])
  knownColumns.set(kind, columns)
  return columns
}

/** The column of a field of the kind, or of a built-in field, by name. */
export function columnOf(kind: AnyKind, name: string): Column {
  const column = columnsOf(kind).get(name)
  if (column === undefined) throw new Error(`kind ${kind.name} has no field "${name}"`)
  return column
}
