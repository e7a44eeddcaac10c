/**
 * Compiles a query on a kind to SQL. The SQL is the same for SQLite and PostgreSQL except for the fragments of
 * `Dialect`. Text is compared bytewise. A missing field matches no condition (and so every `not`) and sorts first.
 */
import { refused } from '../../kernel/refusal.ts'
import type { AnyKind, Field } from '../kind.ts'
import { storeRefusals } from '../refusals.ts'
import { isStorableText } from '../text.ts'
import type { Filter, Query, Related } from '../types.ts'
import { type Column, columnOf, documentKind, ID, inTable, ofKind } from './columns.ts'
import type { Dialect } from './dialect.ts'
import { looksInsideTexts } from './inside-texts.ts'
import { builtInIndex, type Compiled, isNarrow, type Reading, readingOf } from './paths.ts'
import { fieldIndexes, isBesideCreation } from './schema.ts'
import { endOfPrefix } from './text-filter.ts'

/**
 * A query as SQL for one engine; parameters are numbered from `$1`. `where` is the whole condition (with instance, kind
 * and "not gone") and `orderBy` the whole order: `select … from documents where <where> order by <orderBy>`.
 */
export interface CompiledQuery {
  readonly kind: string
  /** Whether the condition also reads documents of other kinds. */
  readonly isRelated: boolean
  /** Whether every document of the kind has to be read, in order to look inside texts. */
  readonly isTextSearch: boolean
  /** The names under which the documents that it reads are stored. */
  readonly documentKinds: readonly string[]
  /** How to read the documents; undefined for PostgreSQL, which chooses indexes by itself. */
  readonly reading: Reading | undefined
  readonly where: string
  /** The condition in a form that is better for comparing many documents with those of other kinds; undefined when it has none. */
  readonly whereOfMany: string | undefined
  /** The part of it that every document of the kind meets. */
  readonly ofKind: string
  readonly parameters: readonly (string | number)[]
  readonly orderBy: string
  /** The order for many matches, where `orderBy` suits a few and only the data tell which it is. */
  readonly orderByOfMany: string | undefined
  /** The order where an index has the documents in it; undefined when there is none. */
  readonly orderByIndex: OrderByIndex | undefined
  /** That index, where a statement can name it. */
  readonly orderIndex: string | undefined
  /** Whether PostgreSQL has an index that lists the matches in their order. */
  readonly isSorted: boolean
  readonly limit: number
  readonly offset: number
}

/** An order, and the expression it begins with. */
export interface OrderByIndex {
  readonly sql: string
  readonly key: string
}

/** This many matches are counted or sorted in a few milliseconds. */
export const FEW_MATCHES = 5_000

const MAX_DEPTH = 25
/** SQLite refuses an expression that is nested a thousand levels deep, as a list of that many alternatives is. */
const MAX_CONDITIONS = 900
const MAX_VALUES = 2000
/** More values are one parameter, as those of an administrator of thousands of organizations are. */
const MAX_IN_STATEMENT = 100
const MAX_LISTED = 50_000

/** A condition with thousands of values is not worth the memory of remembering anything about it. */
export const MAX_KEY_CHARACTERS = 4_096

/**
 * A key that is equal for equal queries. No part contains U+0000, and the condition determines which parameters are
 * numbers.
 */
export function queryKey({ where, parameters, orderBy, limit, offset }: CompiledQuery): string {
  return [where, orderBy, limit, offset, ...parameters].join('\0')
}

/** A key that is equal for queries with the same condition, and so the same total. */
export function conditionKey({ where, parameters }: CompiledQuery): string {
  return `${where}\0${parameters.join('\0')}`
}

/**
 * Compiles a query on `kind`. Refuses filters that a client can send but that are too complex
 * (`store.filter_too_complex`) or invalid (`store.text_invalid`).
 */
export function compileQuery(kind: AnyKind, query: Query, dialect: Dialect): CompiledQuery {
  const compiler = new QueryCompiler(dialect)
  const condition = query.where === undefined ? '' : ` and ${compiler.compile(kind, query.where, 1)}`
  const ofMany = compiler.isRelated && dialect.namesIndexes ? new QueryCompiler(dialect, 'list') : undefined
  const orderField = query.orderBy ?? 'createdAt'
  const orderColumn = columnOf(kind, orderField)
  const orderIndex = compiler.orderIndexOf(kind, orderField)
  const orderBy = (column: Column) => compileOrder(column, query.descending === true, (one) => compiler.expression(one))
  const isSorted = !dialect.coversExpressions && isInOrder(kind, query.where, orderField)
  const expected = dialect.avoidsOrderIndex && !isSorted ? expectedMatches(kind, query.where) : 'many'
  return {
    kind: kind.name,
    isRelated: compiler.isRelated,
    isTextSearch: expected === 'many' && looksInsideTexts(query.where),
    reading: dialect.namesIndexes ? readingOf(kind, query.where, orderField, compiler) : undefined,
    documentKinds: [...compiler.documentKinds, documentKind(kind, dialect)],
    where: `${ofKind(kind, dialect)}${condition}`,
    whereOfMany: ofMany && `${ofKind(kind, dialect)} and ${ofMany.compile(kind, query.where ?? { all: [] }, 1)}`,
    ofKind: ofKind(kind, dialect),
    parameters: compiler.parameters,
    orderBy: orderBy(expected === 'many' ? orderColumn : withoutIndex(orderColumn)),
    orderByOfMany: expected === 'unknown' ? orderBy(orderColumn) : undefined,
    orderByIndex:
      orderIndex === undefined ? undefined : { sql: orderBy(orderColumn), key: compiler.expression(orderColumn) },
    orderIndex: dialect.namesIndexes ? orderIndex : undefined,
    isSorted,
    limit: wholeNumber(query.limit, 'limit'),
    offset: wholeNumber(query.offset ?? 0, 'offset'),
  }
}

/** Turns the filters of one query into SQL and collects their parameters. */
class QueryCompiler implements Compiled {
  readonly parameters: (string | number)[] = []
  isRelated = false
  readonly documentKinds = new Set<string>()
  readonly #dialect: Dialect
  readonly #related: 'search' | 'list'
  readonly #texts = new Map<Filter, { readonly kind: AnyKind; readonly text: string }>()
  #conditions = 0
  /** The name of the table whose columns the conditions compare. */
  #table = 'documents'
  #relations = 0

  /** `search` looks for a related document each time, `list` lists them first, unless most documents are among them. */
  constructor(dialect: Dialect, related: 'search' | 'list' = 'search') {
    this.#dialect = dialect
    this.#related = related
  }

  textOf(kind: AnyKind, filter: Filter): string {
    const known = this.#texts.get(filter)
    // One filter object may occur in conditions on two kinds.
    return known?.kind === kind ? known.text : ''
  }

  indexOf(kind: AnyKind, field: string): string | undefined {
    const index = fieldIndexes(kind, this.#dialect).get(field)?.name
    if (index === undefined) return builtInIndex(field)
    return this.#dialect.isMissing?.(index) === true ? undefined : index
  }

  ofKind(kind: AnyKind): string {
    return ofKind(kind, this.#dialect)
  }

  /** A sparse index lacks documents, and that of the owner continues with the time of creation instead of the id. */
  orderIndexOf(kind: AnyKind, field: string): string | undefined {
    const declared: Field | undefined = Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined
    const hasAll = field !== 'owner' && declared?.sparse !== true
    return hasAll ? this.indexOf(kind, field) : undefined
  }

  expression(column: Column): string {
    return column.type === 'text' ? `${column.sql}${this.#dialect.bytewise}` : column.sql
  }

  compile(kind: AnyKind, filter: Filter, depth: number): string {
    const text = this.#compileFilter(kind, filter, depth)
    this.#texts.set(filter, { kind, text })
    return text
  }

  #parameter(value: string | number, column: Column): string {
    this.#check(value, column)
    if (this.parameters.push(value) > MAX_VALUES) throw refused(storeRefusals, 'store.filter_too_complex')
    return `$${this.parameters.length}`
  }

  #check(value: string | number, { type, builtIn }: Column): void {
    if (typeof value !== (type === 'text' ? 'string' : 'number')) throw new Error(`${value} is not a ${type}`)
    if (typeof value === 'string' && !isStorableText(value)) throw refused(storeRefusals, 'store.text_invalid')
    if (typeof value === 'number' && !(builtIn ? Number.isSafeInteger(value) : Number.isFinite(value))) {
      throw new Error(`${value} cannot be compared with`)
    }
  }

  #compileText(column: Column, condition: Exclude<Filter, { all: unknown } | { any: unknown } | { not: unknown }>) {
    if (column.type !== 'text') throw new Error(`${column.sql} is not a text`)
    const sql = this.expression(column)
    if ('startsWith' in condition) {
      const end = endOfPrefix(condition.startsWith)
      const from = `${sql} >= ${this.#parameter(condition.startsWith, column)}`
      return end === undefined ? from : `(${from} and ${sql} < ${this.#parameter(end, column)})`
    }
    if ('contains' in condition) {
      if (condition.contains === '') return `${column.sql} is not null`
      return `${this.#dialect.positionOf}(${column.sql}, ${this.#parameter(condition.contains, column)}) > 0`
    }
    if ('endsWith' in condition) {
      if (condition.endsWith === '') return `${column.sql} is not null`
      const length = Array.from(condition.endsWith).length
      const ending = this.#parameter(condition.endsWith, column)
      // Looking for it anywhere first takes half the time.
      const isInside = `${this.#dialect.positionOf}(${column.sql}, ${ending}) > 0`
      return `(${isInside} and substr(${column.sql}, length(${column.sql}) - ${length - 1}) = ${ending})`
    }
    throw new Error('a condition without a comparison')
  }

  #compileFilter(kind: AnyKind, filter: Filter, depth: number): string {
    if (depth > MAX_DEPTH || ++this.#conditions > MAX_CONDITIONS) {
      throw refused(storeRefusals, 'store.filter_too_complex')
    }
    if ('all' in filter) return this.#combine(kind, filter.all, 'and', '1 = 1', depth)
    if ('any' in filter) return this.#combine(kind, filter.any, 'or', '1 = 0', depth)
    // "is not true" and not "not": a comparison with a missing field is neither true nor false in SQL.
    if ('not' in filter) return `(${this.compile(kind, filter.not, depth + 1)}) is not true`
    const column = columnOf(kind, filter.field)
    const sql = this.expression(column)
    if ('equals' in filter) return `${sql} = ${this.#parameter(filter.equals, column)}`
    if ('in' in filter) {
      if (filter.in.length === 0) return '1 = 0'
      if (filter.in.length > MAX_LISTED) throw refused(storeRefusals, 'store.filter_too_complex')
      if (filter.in.length > MAX_IN_STATEMENT) {
        for (const value of filter.in) this.#check(value, column)
        return `${sql} in (${this.#compileList(filter.in, column)})`
      }
      return `${sql} in (${filter.in.map((value) => this.#parameter(value, column)).join(', ')})`
    }
    if ('atLeast' in filter) return `${sql} >= ${this.#parameter(filter.atLeast, column)}`
    if ('above' in filter) return `${sql} > ${this.#parameter(filter.above, column)}`
    if ('atMost' in filter) return `${sql} <= ${this.#parameter(filter.atMost, column)}`
    if ('below' in filter) return `${sql} < ${this.#parameter(filter.below, column)}`
    if ('holds' in filter) {
      const [kind, value] = [filter.holds.kind, filter.holds.value].map((one) => this.#parameter(one, column))
      return `${sql} = (select id from claims where instance = 1 and kind = ${kind} and value = ${value})`
    }
    if ('among' in filter) return this.#compileRelated(filter.among, column, depth)
    return this.#compileText(column, filter)
  }

  #compileList(values: readonly (string | number)[], { type }: Column): string {
    this.parameters.push(JSON.stringify(values))
    return this.#dialect.elementsOf(`$${this.parameters.length}`, type)
  }

  /**
   * Asks for each document whether there is a related one: by an index that finds it, however many others there are, or in
   * a list of all of them. The list takes long to make, but asking a million documents takes ten times as long without it.
   * Inside the parentheses, a column without the name of a table is one of the related documents.
   */
  #compileRelated({ kind, field, where }: Related, own: Column, depth: number): string {
    this.isRelated = true
    this.documentKinds.add(documentKind(kind, this.#dialect))
    const column = columnOf(kind, field)
    if (column.type !== own.type) throw new Error(`${kind.name} ${field} cannot be compared with a ${own.type}`)
    const outer = this.#table
    const inner = `related_${++this.#relations}`
    this.#table = inner
    const condition = this.compile(kind, where, depth + 1)
    this.#table = outer
    if (this.#related === 'list' && isNarrow(kind, where)) {
      const hint = this.#hintFor(listingIndex(readingOf(kind, where, field, this)))
      const values = `select ${this.expression(column)} from documents ${inner}${hint} where ${this.ofKind(kind)} and ${condition}`
      return `${this.expression({ ...own, sql: inTable(own, outer) })} in (${values})`
    }
    const hint = this.#hintFor(this.#dialect.namesIndexes ? this.indexOf(kind, field) : undefined)
    const same = `${this.expression(column)} = ${this.expression({ ...own, sql: inTable(own, outer) })}`
    return `exists (select 1 from documents ${inner}${hint} where ${this.ofKind(kind)} and ${same} and ${condition})`
  }

  #hintFor(index: string | undefined): string {
    return index === undefined ? '' : ` indexed by "${index}"`
  }

  #combine(kind: AnyKind, filters: readonly Filter[], word: 'and' | 'or', empty: string, depth: number): string {
    if (filters.length === 0) return empty
    return `(${filters.map((filter) => this.compile(kind, filter, depth + 1)).join(` ${word} `)})`
  }
}

/** The index that lists the documents of a reading without others, or that contains all that has to be compared. */
function listingIndex({ ways: [way = []], covering }: Reading): string | undefined {
  const [path, ...others] = way
  return path !== undefined && others.length === 0 ? path.index : covering
}

/** How many documents the index of a field finds: few with one value, any number with one prefix. */
function expectedMatches(kind: AnyKind, filter: Filter | undefined): 'few' | 'unknown' | 'many' {
  if (filter === undefined) return 'many'
  if ('all' in filter) {
    const parts = filter.all.map((one) => expectedMatches(kind, one))
    return parts.includes('few') ? 'few' : parts.includes('unknown') ? 'unknown' : 'many'
  }
  if ('any' in filter || 'not' in filter) return 'many'
  const isEqual = 'equals' in filter || 'in' in filter
  if (filter.field === 'id') return isEqual || 'holds' in filter ? 'few' : 'many'
  const field: Field | undefined = Object.hasOwn(kind.fields, filter.field) ? kind.fields[filter.field] : undefined
  if (field === undefined || field.indexed === false) return 'many'
  if (isEqual) return field.selective === false ? 'unknown' : 'few'
  return 'startsWith' in filter ? 'unknown' : 'many'
}

/** Whether PostgreSQL has an index with the matches of one value in the order of creation, see `beside`. */
function isInOrder(kind: AnyKind, filter: Filter | undefined, orderBy: string): boolean {
  if (filter === undefined || 'any' in filter || 'not' in filter) return false
  if ('all' in filter) return filter.all.some((one) => isInOrder(kind, one, orderBy))
  const field: Field | undefined = Object.hasOwn(kind.fields, filter.field) ? kind.fields[filter.field] : undefined
  return 'equals' in filter && orderBy === 'createdAt' && field !== undefined && isBesideCreation(field)
}

/** The order by an expression that no index holds. */
function withoutIndex(column: Column): Column {
  return {
    ...column,
    sql: column.type === 'text' ? `(${column.sql} || '')` : `(${column.sql} + 0)`,
  }
}

function compileOrder(column: Column, descending: boolean, expression: (column: Column) => string): string {
  const direction = descending ? ' desc' : ''
  const id = `${expression(ID)}${direction}`
  if (column.sql === 'id') return id
  const nulls = column.builtIn ? '' : descending ? ' nulls last' : ' nulls first'
  return `${expression(column)}${direction}${nulls}, ${id}`
}

function wholeNumber(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${name} ${value} is not a whole number`)
  return value
}
