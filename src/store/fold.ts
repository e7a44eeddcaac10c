/**
 * How a stream becomes a document. Live writes and rebuilds fold in the same way: each event is seen as the log will
 * give it back, and the state between two events is what JSON keeps of it. That makes both ends byte-identical.
 */
import type { AnyEvent } from '../kernel/event.ts'
import { refused } from '../kernel/refusal.ts'
import type { DocumentRow, RebuildFold } from './engine.ts'
import type { AnyKind, Claim } from './kind.ts'
import { storeRefusals } from './refusals.ts'
import { isStorableJson, isStorableText } from './text.ts'

/** A state as JSON keeps it, and as it will be stored. */
export interface Folded {
  readonly state: unknown
  readonly text: string
}

/** An event ready for the log, and its data as the log will give it back. */
export interface EventText {
  readonly type: string
  readonly data: string
  readonly value: unknown
}

/** The state of a stored document; nobody changes it, so that all can share it. */
export function stateOf(row: DocumentRow): unknown {
  row.parsed ??= JSON.parse(row.state)
  return row.parsed
}

/** JSON text of a value; refuses what the databases cannot hold. */
export function toJson(value: unknown): string {
  // `undefined` has no JSON; in the log it is null.
  const text = JSON.stringify(value) ?? 'null'
  if (!isStorableJson(text)) throw refused(storeRefusals, 'store.text_invalid')
  return text
}

/** Whether JSON keeps all of a value, so that writing it and reading it again gives the same. */
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

/** `every` passes over holes; JSON makes null of them. */
function isSparse(values: readonly unknown[]): boolean {
  return Object.keys(values).length !== values.length
}

/** A value as JSON keeps it: itself, when that is all of it. */
function asKept(value: unknown, text: string): unknown {
  return isPlain(value) ? value : JSON.parse(text)
}

/** Puts an event into words for the log. */
export function eventText({ type, data }: AnyEvent): EventText {
  const text = toJson(data)
  return { type, data: text, value: asKept(data, text) }
}

/** One step of the fold. A newer node may have written types that this one does not know: they change nothing. */
function evolve(kind: AnyKind, state: unknown, event: { type: string; data: unknown }): unknown {
  const next: unknown = kind.decider.evolve(state, event)
  return next === undefined ? state : next
}

/** Folds events onto `start`, which is a stored state or the decider's initial one. */
export function foldEvents(kind: AnyKind, start: unknown, events: readonly EventText[]): Folded {
  let state = start
  for (const { type, value } of events) {
    state = evolve(kind, state, { type, data: value })
    if (!isPlain(state)) state = JSON.parse(toJson(state))
  }
  return { state, text: toJson(state) }
}

/** The claims of a state; a thing that is gone holds none. */
export function claimsOf(kind: AnyKind, state: unknown, gone: boolean): readonly Claim<string>[] {
  if (gone || kind.claims === undefined) return []
  const claims: readonly Claim<string>[] = kind.claims(state)
  for (const { value } of claims) if (!isStorableText(value)) throw refused(storeRefusals, 'store.text_invalid')
  return claims
}

/** Whether the state says that the thing is removed. */
export function isGone(kind: AnyKind, state: unknown): boolean {
  return kind.isGone?.(state) === true
}

/** The fold that `engine.rebuild` runs over each stream of `kind`. It names stream and event when one cannot be folded. */
export function rebuildFold(kind: AnyKind): RebuildFold {
  return (events) => {
    let state: unknown = kind.decider.initial
    let text = ''
    let gone = false
    for (const event of events) {
      try {
        const before: unknown = text === '' ? state : JSON.parse(text)
        state = evolve(kind, before, { type: event.type, data: event.data })
        text = toJson(state)
        // A thing that was removed never comes back, whatever is appended to its stream later.
        gone ||= isGone(kind, state)
      } catch (cause) {
        throw new Error(
          `rebuild of ${kind.name} ${event.id} failed at event ${event.sequence} (${event.type}, revision ${event.revision})`,
          { cause },
        )
      }
    }
    const claims = claimsOf(kind, state, gone).map(({ kind: claimKind, value }) => ({ kind: claimKind, value }))
    return { state: text, gone, claims }
  }
}
