/** Folds the events of each aggregate to its state at the end of the log, with a table of what each type changes. */
import type { Instant } from '../../../kernel/instant.ts'
import { CannotImport } from '../import.ts'
import { nameOf, type PeerEvent } from './event.ts'
import type { PeerLog } from './log.ts'

/** What each type of event changes in a state. Types that are not in the table are not read at all. */
export type Changes<State> = Readonly<Record<string, (state: State, event: PeerEvent) => void>>

export interface Folding<State> {
  readonly aggregateType: string
  initial(): State
  readonly changes: Changes<State>
  /** The events that begin an aggregate; undefined: their absence says nothing, because others are read elsewhere. */
  readonly begins?: readonly string[]
  /** After these nothing of the aggregate is left, until it begins again. */
  readonly ends?: readonly string[]
  /** The events that set the date of the last change, as the source counts them; undefined: all. */
  readonly dating?: RegExp
}

/** An aggregate at the end of the log. */
export interface Folded<State> {
  readonly id: string
  /** Of the last event: older ones may name a wrong one. */
  readonly owner: string
  readonly state: State
  readonly isAlive: boolean
  readonly createdAt: Instant
  readonly changedAt: Instant
}

interface Running<State> extends Folded<State> {
  owner: string
  state: State
  isAlive: boolean
  createdAt: Instant
  changedAt: Instant
}

function begin<State>({ begins, initial }: Folding<State>, first: PeerEvent): Running<State> {
  if (begins !== undefined && !begins.includes(first.type)) {
    throw new CannotImport(
      `The log is incomplete: the first ${nameOf(first)} is not the one that creates it. Nothing was imported.`,
    )
  }
  const { aggregateId: id, owner, at } = first
  return { id, owner, state: initial(), isAlive: true, createdAt: at, changedAt: at }
}

function apply<State>(folding: Folding<State>, running: Running<State>, event: PeerEvent): void {
  const { begins, ends, initial, changes, dating } = folding
  if (ends?.includes(event.type)) {
    running.isAlive = begins === undefined
    running.state = initial()
  } else if (begins?.includes(event.type)) {
    running.isAlive = true
    running.state = initial()
    running.createdAt = event.at
  }
  if (!running.isAlive) return
  running.owner = event.owner
  if (!dating || dating.test(event.type)) running.changedAt = event.at
  changes[event.type]?.(running.state, event)
}

/** All aggregates of a type, or those with the given IDs; also those that have ended. */
export async function* fold<State>(
  log: PeerLog,
  folding: Folding<State>,
  ids?: readonly string[],
): AsyncGenerator<Folded<State>> {
  const { aggregateType, changes, begins = [], ends = [] } = folding
  if (ids?.length === 0) return
  const eventTypes = [...new Set([...begins, ...ends, ...Object.keys(changes)])]
  const isBare = Object.keys(changes).length === 0
  let running: Running<State> | undefined
  for await (const event of log.events({ aggregateType, eventTypes, isBare, ...(ids && { ids }) })) {
    if (running?.id !== event.aggregateId) {
      if (running) yield running
      running = begin(folding, event)
    }
    apply(folding, running, event)
  }
  if (running) yield running
}

/** Only some of the changes: other types are then not read. */
export function only<State>(changes: Changes<State>, pattern: RegExp): Changes<State> {
  return Object.fromEntries(Object.entries(changes).filter(([type]) => pattern.test(type)))
}

/** The aggregate with an ID. */
export async function foldOne<State>(
  log: PeerLog,
  folding: Folding<State>,
  id: string,
): Promise<Folded<State> | undefined> {
  for await (const folded of fold(log, folding, [id])) return folded
  return undefined
}

/** What an aggregate holds many of, such as applications, with their dates. */
export interface Dated<Value> {
  value: Value
  readonly createdAt: Instant
  changedAt: Instant
}

/** Parts of an aggregate by their IDs, and which of them were removed. */
export class Parts<Value> {
  readonly living = new Map<string, Dated<Value>>()
  readonly gone = new Set<string>()

  add(id: string, value: Value, { at }: PeerEvent): void {
    this.living.set(id, { value, createdAt: at, changedAt: at })
    this.gone.delete(id)
  }

  /** Adds it if it is not there; keeps the date of its creation if it is. */
  put(id: string, value: Value, event: PeerEvent): void {
    const present = this.living.get(id)
    if (present === undefined) this.add(id, value, event)
    else Object.assign(present, { value, changedAt: event.at })
  }

  /** Changes it; nothing happens when it is not there. */
  change(id: string, { at }: PeerEvent, change: (value: Value) => Value): void {
    const present = this.living.get(id)
    if (present) Object.assign(present, { value: change(present.value), changedAt: at })
  }

  remove(id: string): void {
    if (this.living.delete(id)) this.gone.add(id)
  }

  clear(): void {
    for (const id of [...this.living.keys()]) this.remove(id)
  }
}
