/** What a list is asked for (RFC 7644 §3.4.2), in the address or as a SearchRequest, and its pages by index or cursor (RFC 9865). */
import { findPath, nameOfPath, type ResourceSchema, valuePartOf } from './attributes.ts'
import { ScimError } from './errors.ts'
import { parseFilter, type ScimFilter } from './filter/parse.ts'
import { isList, type Json, type JsonObject, memberInAnyCase } from './values.ts'

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const SEARCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
export const MAX_PAGE = 100

export interface ListQuery {
  readonly filter: ScimFilter | undefined
  /** The path of an attribute as the schema writes it. */
  readonly sortBy: string | undefined
  readonly isDescending: boolean
  readonly count: number
  readonly startIndex: number
  /** Undefined: pages by index. Empty: the first page of a walk. */
  readonly cursor: string | undefined
  /** By which a cursor is recognized as one of this walk. */
  readonly text: string
}

/** The parameters of a list, by lower-case name. */
type Parameters = (name: string) => Json | undefined

function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters(name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new ScimError(400, `${name} must be a text.`, 'invalidValue')
  return value
}

function integerOf(
  parameters: Parameters,
  name: string,
  scimType: 'invalidValue' | 'invalidCount',
): number | undefined {
  const value = parameters(name)
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value
  if (!Number.isSafeInteger(number)) throw new ScimError(400, `${name} must be a whole number.`, scimType)
  return number as number
}

function sortOf(schema: ResourceSchema, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const found = findPath(schema, text)
  const sorted = found?.part ?? found?.attribute
  // Of an attribute with parts, one has to be named, unless one is its value (§3.4.2.3).
  const isKnown = sorted !== undefined && sorted.returned !== 'never' && valuePartOf(sorted).type !== 'complex'
  if (found === undefined || !isKnown) {
    throw new ScimError(400, `The list cannot be sorted by ${text}.`, 'invalidValue')
  }
  return nameOfPath(found)
}

function readQuery(schema: ResourceSchema, parameters: Parameters): ListQuery {
  const filter = textOf(parameters, 'filter')
  const cursor = textOf(parameters, 'cursor')
  const sortBy = sortOf(schema, textOf(parameters, 'sortBy'))
  const order = textOf(parameters, 'sortOrder')?.toLowerCase() ?? 'ascending'
  if (order !== 'ascending' && order !== 'descending') {
    throw new ScimError(400, 'sortOrder must be ascending or descending.', 'invalidValue')
  }
  const isWalk = cursor !== undefined
  const count = integerOf(parameters, 'count', isWalk ? 'invalidCount' : 'invalidValue') ?? MAX_PAGE
  if (isWalk && sortBy !== undefined && sortBy !== 'id') {
    const why = 'A list with a cursor is in the order of the IDs: other values can change while it is read.'
    throw new ScimError(400, why, 'invalidValue')
  }
  return {
    filter: filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter),
    sortBy,
    isDescending: order === 'descending',
    // More than fits in a page is a page, less than nothing is nothing (§3.4.2.4).
    count: Math.min(Math.max(count, 0), MAX_PAGE),
    startIndex: Math.max(integerOf(parameters, 'startIndex', 'invalidValue') ?? 1, 1),
    cursor,
    text: JSON.stringify([filter ?? '', order]),
  }
}

/** The query of a list in its address. */
export function queryOfAddress(schema: ResourceSchema, query: URLSearchParams): ListQuery {
  const byName = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]))
  return readQuery(schema, (name) => byName.get(name.toLowerCase()))
}

/** The query of a SearchRequest. */
export function queryOfSearch(schema: ResourceSchema, body: JsonObject): ListQuery {
  return readQuery(schema, (name) => memberInAnyCase(body, name))
}

/** Names of attributes: a list of texts, or one text with commas. */
export function namesOf(value: Json | undefined): readonly string[] {
  const texts = isList(value) ? value : [value ?? '']
  return texts
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .slice(0, 200)
}

/**
 * A position in a walk. IDs never change, so what exists all the time is met once, whatever is written meanwhile. The walk
 * is bound to the position of the log at which it began: a log that is shorter has another history.
 */
export interface Cursor {
  readonly sequence: number
  readonly total: number
  /** The last ID of the page before. */
  readonly after: string
}

function invalidCursor(): ScimError {
  return new ScimError(400, 'The cursor is not one of this list.', 'invalidCursor')
}

export function writeCursor({ text }: ListQuery, scope: string, { sequence, total, after }: Cursor): string {
  return Buffer.from(JSON.stringify([1, scope, text, sequence, total, after])).toString('base64url')
}

/** Reads a cursor; throws when it belongs to another list. Undefined: the walk begins. */
export function readCursor({ cursor = '', text }: ListQuery, scope: string): Cursor | undefined {
  if (cursor === '') return undefined
  if (cursor.length > 4_000) throw invalidCursor()
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw invalidCursor()
  }
  const [version, ofScope, ofText, sequence, total, after] = Array.isArray(read) ? read : []
  const isKnown = version === 1 && ofScope === scope && ofText === text
  const isWhole = Number.isSafeInteger(sequence) && Number.isSafeInteger(total) && typeof after === 'string'
  if (!isKnown || !isWhole || after.length > 200) throw invalidCursor()
  return { sequence, total, after }
}

/** Throws when the log is not the one in which the walk began. */
export function requireSameLog(cursor: Cursor | undefined, sequence: number): void {
  if (cursor === undefined || cursor.sequence <= sequence) return
  throw new ScimError(400, 'The cursor is from another state of the server. Begin again.', 'expiredCursor')
}
