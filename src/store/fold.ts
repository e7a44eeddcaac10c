/**
 * Folds a stream into a document. Writes and rebuilds fold in the same way: `evolve` gets each event as it will be read
 * from the log, and each state as it is after a round trip through JSON. So both produce the same bytes.
 */
import type { AnyEvent } from '../kernel/event.ts'
import { refused } from '../kernel/refusal.ts'
import { type Dates, datesOfStream, isArrival } from './arrival.ts'
import type { AnyKind, Claim, Field } from './kind.ts'
import { storeRefusals } from './refusals.ts'
import { isStorableJson, isStorableText } from './text.ts'
import type { StoredEvent } from './types.ts'

/** A state after a round trip through JSON, and the JSON text that will be stored. */
export interface Folded {
  readonly state: unknown
  readonly text: string
}

/** An event as the log stores it; `value` is its data as it will be read from the log. */
export interface EventText {
  readonly type: string
  readonly data: string
  readonly value: unknown
}

/** Folds the events of one stream, in order, into its document and claims. There is at least one event. */
export type RebuildFold = (events: readonly StoredEvent[]) => Dates & {
  readonly state: string
  readonly gone: boolean
  readonly claims: readonly { readonly kind: string; readonly value: string }[]
}

/** The JSON text of a value; refuses texts that the databases cannot store. */
export function toJson(value: unknown): string {
  // JSON has no `undefined`; the log stores null.
  const text = JSON.stringify(value) ?? 'null'
  if (!isStorableJson(text)) throw refused(storeRefusals, 'store.text_invalid')
  return text
}

/** Whether a round trip through JSON gives back the same value. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlain) && !isSparse(value)
      if (Object.getPrototypeOf(value) !== Object.prototype) return false
      for (const member of Object.values(value)) if (!isPlain(member)) return false
      return true
    default:
      return false
  }
}

/** `every` skips the holes of a sparse array, which JSON turns into null. */
function isSparse(values: readonly unknown[]): boolean {
  return Object.keys(values).length !== values.length
}

/** For a state that follows another one: members that both share have been checked. */
function isStillPlain(state: unknown, checked: unknown): boolean {
  if (typeof state !== 'object' || typeof checked !== 'object' || state === null || checked === null)
    return isPlain(state)
  if (Object.getPrototypeOf(state) !== Object.prototype) return isPlain(state)
  const before = checked as Readonly<Record<string, unknown>>
  for (const [name, member] of Object.entries(state)) {
    if (member === undefined || (!Object.is(member, before[name]) && !isPlain(member))) return false
  }
  return true
}

/** A value after a round trip through JSON; the value itself when that changes nothing. */
function throughJson(value: unknown, text: string): unknown {
  return isPlain(value) ? value : JSON.parse(text)
}

/** Serializes an event for the log. */
export function eventText({ type, data }: AnyEvent): EventText {
  const text = toJson(data)
  return { type, data: text, value: throughJson(data, text) }
}

/** One step of the fold. Event types that only a newer node knows change nothing, nor does one about where it came from. */
export function evolve(kind: AnyKind, state: unknown, event: { type: string; data: unknown }): unknown {
  if (isArrival(event)) return state
  const next: unknown = kind.decider.evolve(state, event)
  return next === undefined ? state : next
}

/** Folds events onto `start`, which is a stored state or the decider's initial one. */
export function foldEvents(kind: AnyKind, start: unknown, events: readonly EventText[]): Folded {
  let state = start
  // An initial state has not been through JSON.
  let checked = start === kind.decider.initial ? undefined : start
  for (const { type, value } of events) {
    state = evolve(kind, state, { type, data: value })
    if (!isStillPlain(state, checked)) state = JSON.parse(toJson(state))
    checked = state
  }
  return { state, text: toJson(state) }
}

/** The claims of a state, as they are stored; a deleted document holds none. */
export function claimsOf(
  kind: AnyKind,
  state: unknown,
  { owner, gone }: { readonly owner: string; readonly gone: boolean },
): readonly Claim<string>[] {
  if (gone || kind.claims === undefined) return []
  const claims: readonly Claim<string>[] = kind.claims(state)
  for (const { value } of claims) if (!isStorableText(value)) throw refused(storeRefusals, 'store.text_invalid')
  return claims.map((claim) => (claim.within === 'owner' ? { ...claim, value: `${owner} ${claim.value}` } : claim))
}

/** Whether the state says that the document is deleted. */
export function isGone(kind: AnyKind, state: unknown): boolean {
  return kind.isGone?.(state) === true
}

/** The value of a field in a state. */
export function valueAt(state: unknown, path: Field['path']): unknown {
  let value = state
  for (const member of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[member]
  return value
}

/** Whether two states have the same value in every field. An array or object counts as the same only if it is identical. */
export function haveSameFields(kind: AnyKind, one: unknown, other: unknown): boolean {
  const fields: Readonly<Record<string, Field>> = kind.fields
  return Object.values(fields).every(({ path }) => valueAt(one, path) === valueAt(other, path))
}

/** Thrown when the events of a stream cannot be folded; the message names the stream and the event. */
export class FoldFailed extends Error {
  override readonly name = 'FoldFailed'
}

/**
 * The fold that `engine.rebuild` runs over each stream of `kind`. Its error names the stream and event that failed.
 * `onFolded` is told how many events a stream had.
 */
export function rebuildFold(kind: AnyKind, onFolded?: (events: number) => void): RebuildFold {
  return (events) => {
    let state: unknown = kind.decider.initial
    let text = ''
    let gone = false
    for (const event of events) {
      try {
        const before: unknown = text === '' ? state : JSON.parse(text)
        state = evolve(kind, before, { type: event.type, data: event.data })
        text = toJson(state)
        // A deleted document stays deleted, whatever is appended to its stream later.
        gone ||= isGone(kind, state)
      } catch (cause) {
        throw new FoldFailed(
          `rebuild of ${kind.name} ${event.id} failed at event ${event.sequence} (${event.type}, revision ${event.revision})`,
          { cause },
        )
      }
    }
    const owner = events[0]?.owner ?? ''
    const claims = claimsOf(kind, state, { owner, gone }).map(({ kind: claimKind, value }) => ({
      kind: claimKind,
      value,
    }))
    onFolded?.(events.length)
    const dates = datesOfStream(events)
    if (dates === undefined) throw new FoldFailed(`a stream of ${kind.name} has no events`)
    return { state: text, gone, claims, ...dates }
  }
}
