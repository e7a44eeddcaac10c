/** Compares two answers as JSON. What a protocol buffer leaves out because it is empty counts as not there. */
import type { Json } from './ask.ts'

/** A member that is not the same on both sides. */
export interface Difference {
  /** `profile.firstName`; empty when one side does not have the object at all. */
  readonly member: string
  readonly source: unknown
  readonly target: unknown
}

/** What belongs to the server and not to the object: positions of the log, and when the list was made. */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  'sequence',
  'processedSequence',
  'viewTimestamp',
  'timestamp',
  'changeDate',
])

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** What counts of an answer. */
export interface View {
  /** The origin of the server that gave it: addresses of the server itself are not differences. */
  readonly url: string
  readonly ignored: ReadonlySet<string>
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === '0' || value === false)
    return true
  if (typeof value !== 'object') return false
  return Object.keys(value).length === 0
}

/** A value without what does not count; undefined when nothing is left. */
export function plain(value: unknown, view: View): unknown {
  if (typeof value === 'string') {
    // Ours has milliseconds.
    if (TIME.test(value)) return new Date(value).toISOString()
    return value.replaceAll(view.url, '')
  }
  if (Array.isArray(value)) return inOrder(value.map((one) => plain(one, view) ?? {}))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([name]) => !OF_THE_SERVER.has(name) && !view.ignored.has(name))
    .map(([name, inner]) => [name, plain(inner, view)] as const)
    .filter(([, inner]) => !isEmpty(inner))
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Lists in answers are sets: role keys, login names, factors. */
function inOrder(list: readonly unknown[]): readonly unknown[] {
  return list
    .map((one) => [JSON.stringify(one), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members that differ between two plain values. */
export function differencesOf(source: unknown, target: unknown, member = ''): readonly Difference[] {
  if (isObject(source) && isObject(target)) {
    const names = [...new Set([...Object.keys(source), ...Object.keys(target)])].sort()
    return names.flatMap((name) =>
      differencesOf(source[name], target[name], member === '' ? name : `${member}.${name}`),
    )
  }
  return JSON.stringify(source) === JSON.stringify(target) ? [] : [{ member, source, target }]
}
