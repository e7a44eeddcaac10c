/** An event of the log, and how its members are read: what has another form than expected is never guessed at. */
import { type Instant, instant } from '../../../kernel/instant.ts'
import { CannotImport } from '../import.ts'

export interface PeerEvent {
  readonly aggregateType: string
  readonly aggregateId: string
  readonly sequence: string
  readonly type: string
  readonly at: Instant
  /** An organization, or the instance. */
  readonly owner: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** How an operator finds an event. */
export function nameOf({ type, aggregateType, aggregateId, sequence }: PeerEvent): string {
  return `event ${type} of ${aggregateType} ${aggregateId} (sequence ${sequence})`
}

/** Stops the import at an event that cannot be read. */
function broken(event: PeerEvent, problem: string): CannotImport {
  return new CannotImport(`The ${nameOf(event)} cannot be read: ${problem}. Nothing was imported.`)
}

/** A secret or a hash in the log. */
export interface CryptoValue {
  readonly isHash: boolean
  readonly keyId: string
  /** Standard base64. */
  readonly crypted: string
}

/** The value in our form; undefined when it has another type. */
export type Reader<Value> = (value: unknown) => Value | undefined

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)
export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)
export const whole: Reader<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : undefined)
export const texts: Reader<readonly string[]> = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
export const numbers: Reader<readonly number[]> = (value) =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one)) ? value : undefined
export const object: Reader<Readonly<Record<string, unknown>>> = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

/** Durations are nanoseconds in the log. */
export const milliseconds: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value / 1e6) : undefined

export const time: Reader<Instant> = (value) => {
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(parsed) ? undefined : instant(parsed)
}

/** A URL, as text or in its parts. */
export const url: Reader<string> = (value) => {
  if (typeof value === 'string') return value
  const { Scheme, Host, Path = '', RawQuery = '' } = object(value) ?? {}
  if (typeof Host !== 'string' || typeof Path !== 'string' || typeof RawQuery !== 'string') return undefined
  return `${Scheme ? `${Scheme}://${Host}` : Host}${Path}${RawQuery && `?${RawQuery}`}`
}

export const crypto: Reader<CryptoValue> = (value) => {
  const { CryptoType = 0, KeyID = '', Crypted } = object(value) ?? {}
  if (typeof KeyID !== 'string' || typeof Crypted !== 'string' || typeof CryptoType !== 'number') return undefined
  return { isHash: CryptoType === 1, keyId: KeyID, crypted: Crypted }
}

/** A hash: a text in newer events, the bytes of that text in older ones. */
export const hash: Reader<string> = (value) => {
  if (typeof value === 'string') return value
  const old = crypto(value)
  return old?.isHash ? Buffer.from(old.crypted, 'base64').toString('utf8') : undefined
}

/** Whatever it is: for members that had several forms. */
export const anything: Reader<unknown> = (value) => value

/** The names of the members that are asked for, by the type of the event: what the others are is not known here. */
const asked = new Map<string, Set<string>>()

export function isAsked(type: string, name: string): boolean {
  return asked.get(type)?.has(name) === true
}

/** The members of an event that are of interest. */
export type Shape = Readonly<Record<string, Reader<unknown>>>
export type Members<Of extends Shape> = { [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined> }

function readMember<Value>(event: PeerEvent, name: string, read: Reader<Value>): Value | undefined {
  const names = asked.get(event.type)
  if (names === undefined) asked.set(event.type, new Set([name]))
  else names.add(name)
  const given = event.payload[name]
  if (given === undefined || given === null) return undefined
  const value = read(given)
  if (value === undefined) throw broken(event, `"${name}" has an unexpected form`)
  return value
}

/** The members that are there; those that are missing did not change. */
export function take<Of extends Shape>(event: PeerEvent, shape: Of): Members<Of> {
  const taken: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(shape)) {
    const value = readMember(event, name, read)
    if (value !== undefined) taken[name] = value
  }
  return taken as Members<Of>
}

/** A member that may be missing: it then has its zero value. */
export function optional<Value>(event: PeerEvent, name: string, read: Reader<Value>): Value | undefined {
  return readMember(event, name, read)
}

/** A member without which the event means nothing. */
export function need<Value>(event: PeerEvent, name: string, read: Reader<Value>): Value {
  const value = readMember(event, name, read)
  if (value === undefined) throw broken(event, `"${name}" is missing`)
  return value
}
