/**
 * The columns of a CSV file of users: the one place that defines them, for import and export, in the console and on the
 * command line. A row stands for one request body of `POST /v2/users/human`.
 */
import { readCell, writeCell } from './csv-cell.ts'

type Kind = 'text' | 'flag' | 'email' | 'state'

export interface UserColumn {
  readonly name: string
  /** Where it stands in the request body. */
  readonly path: readonly [string, string?]
  readonly kind: Kind
  readonly isRequired?: boolean
  /** Read from files, and never written: a secret. */
  readonly isSecret?: boolean
  readonly maxLength?: number
}

/** In the order in which they are written. */
export const USER_COLUMNS: readonly UserColumn[] = [
  { name: 'user_id', path: ['userId'], kind: 'text', maxLength: 200 },
  { name: 'organization_id', path: ['organization', 'orgId'], kind: 'text', maxLength: 200 },
  { name: 'username', path: ['username'], kind: 'text', maxLength: 200 },
  { name: 'given_name', path: ['profile', 'givenName'], kind: 'text', isRequired: true, maxLength: 200 },
  { name: 'family_name', path: ['profile', 'familyName'], kind: 'text', isRequired: true, maxLength: 200 },
  { name: 'nick_name', path: ['profile', 'nickName'], kind: 'text', maxLength: 200 },
  { name: 'display_name', path: ['profile', 'displayName'], kind: 'text', maxLength: 200 },
  { name: 'email', path: ['email', 'email'], kind: 'email', isRequired: true, maxLength: 254 },
  { name: 'email_verified', path: ['email', 'isVerified'], kind: 'flag' },
  { name: 'phone', path: ['phone', 'phone'], kind: 'text', maxLength: 200 },
  { name: 'phone_verified', path: ['phone', 'isVerified'], kind: 'flag' },
  { name: 'language', path: ['profile', 'preferredLanguage'], kind: 'text', maxLength: 10 },
  { name: 'state', path: ['state'], kind: 'state' },
  { name: 'password_hash', path: ['hashedPassword', 'hash'], kind: 'text', isSecret: true },
]

/** Columns of metadata: `metadata.department` has the value under the key `department`. */
export const METADATA = 'metadata.'

const OTHER_NAMES: Readonly<Record<string, string>> = {
  id: 'user_id',
  user_name: 'username',
  first_name: 'given_name',
  last_name: 'family_name',
  preferred_language: 'language',
}

/** The column that a heading means; undefined when there is none. */
export function columnOf(heading: string): UserColumn | undefined {
  const trimmed = heading.trim()
  if (trimmed.toLowerCase().startsWith(METADATA) && trimmed.length > METADATA.length) {
    const key = trimmed.slice(METADATA.length)
    return { name: METADATA + key, path: ['metadata', key], kind: 'text' }
  }
  const name = trimmed.toLowerCase().replaceAll(/[\s-]+/g, '_')
  return USER_COLUMNS.find((column) => column.name === (OTHER_NAMES[name] ?? name))
}

interface MetadataEntry {
  readonly key: string
  /** Base64. */
  readonly value: string
}

/** A request body, or the part of it that an export knows. */
export type UserBody = Readonly<Record<string, unknown>>

const BYTES = 'base64:'

/** The text of a value of metadata; one that is no text is written as base64. */
function metadataText(base64: string): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.fromBase64(base64))
  const isText = new TextEncoder().encode(text).toBase64() === base64 && !text.startsWith(BYTES)
  return isText ? text : BYTES + base64
}

/** The value of metadata that a text stands for, in base64; undefined when it cannot be read. */
function metadataValue(text: string): string | undefined {
  if (!text.startsWith(BYTES)) return new TextEncoder().encode(text).toBase64()
  try {
    return Uint8Array.fromBase64(text.slice(BYTES.length)).toBase64()
  } catch {
    return undefined
  }
}

function textOf(body: UserBody, { path: [first, second] }: UserColumn): string {
  if (first === 'metadata') {
    const entry = (body.metadata as readonly MetadataEntry[] | undefined)?.find(({ key }) => key === second)
    return entry === undefined ? '' : metadataText(entry.value)
  }
  const value = body[first]
  const found = second === undefined ? value : (value as Record<string, unknown> | undefined)?.[second]
  return found === undefined ? '' : String(found)
}

/** The columns of an export with these keys of metadata. */
export function exportColumns(metadataKeys: Iterable<string> = []): readonly UserColumn[] {
  const keys = [...metadataKeys].sort()
  return [
    ...USER_COLUMNS.filter(({ isSecret }) => isSecret !== true),
    ...keys.map((key): UserColumn => ({ name: METADATA + key, path: ['metadata', key], kind: 'text' })),
  ]
}

/** The first line of a file. The mark before it tells spreadsheets that the file is UTF-8. */
export function writeHeader(columns: readonly UserColumn[]): string {
  return `\ufeff${columns.map(({ name }) => writeCell(name)).join(',')}\r\n`
}

/** The line of one user. */
export function writeRow(columns: readonly UserColumn[], body: UserBody): string {
  return `${columns.map((column) => writeCell(textOf(body, column))).join(',')}\r\n`
}

export type CellProblem = 'required' | 'flag' | 'email' | 'state' | 'too_long' | 'unreadable'

const YES = /^(true|yes|1)$/i
const NO = /^(false|no|0)?$/i

function readValue(text: string, column: UserColumn): string | boolean | undefined | { readonly problem: CellProblem } {
  const { kind, isRequired = false, maxLength } = column
  if (kind === 'flag') {
    const flag = text.trim()
    return YES.test(flag) || (NO.test(flag) ? false : { problem: 'flag' })
  }
  // Everybody who is imported is active: a locked or deactivated user must not become active unnoticed.
  if (kind === 'state') return /^(active|initial)?$/i.test(text.trim()) ? undefined : { problem: 'state' }
  const value = column.path[0] === 'metadata' ? text : text.trim()
  if (value === '') return isRequired ? { problem: 'required' } : undefined
  if (maxLength !== undefined && [...value].length > maxLength) return { problem: 'too_long' }
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return { problem: 'email' }
  if (column.path[0] !== 'metadata') return value
  return metadataValue(value) ?? { problem: 'unreadable' }
}

/** Reads the cells of a row into a request body, and tells what is wrong with which column. */
export function readRow(
  columns: readonly UserColumn[],
  cells: readonly string[],
): { readonly body: UserBody; readonly problems: ReadonlyMap<string, CellProblem> } {
  const body: Record<string, unknown> = { profile: {}, email: { isVerified: false } }
  const problems = new Map<string, CellProblem>()
  const metadata: MetadataEntry[] = []
  for (const [index, column] of columns.entries()) {
    const value = readValue(readCell(cells[index] ?? ''), column)
    const [first, second] = column.path
    if (value === undefined) continue
    if (typeof value === 'object') problems.set(column.name, value.problem)
    else if (first === 'metadata') metadata.push({ key: second ?? '', value: String(value) })
    else if (second === undefined) body[first] = value
    else body[first] = { ...(body[first] as object | undefined), [second]: value }
  }
  // A number that is not there cannot be verified.
  if ((body.phone as { phone?: string } | undefined)?.phone === undefined) delete body.phone
  else body.phone = { isVerified: false, ...(body.phone as object) }
  return { body: metadata.length > 0 ? { ...body, metadata } : body, problems }
}
