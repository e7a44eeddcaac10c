/**
 * test/golden/folded.json: per kind its version, the types of its events, its fields, and the states and claims that the
 * golden events fold to. What a kind makes of its events is stored in databases; when that changes, its version must, or
 * the documents of before stay as they were.
 */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { AnyEvent } from '../src/kernel/event.ts'
import { evolve } from '../src/store/fold.ts'
import type { AnyKind } from '../src/store/index.ts'
import type { GeneratedFile } from './generated-file.ts'

const PATH = 'test/golden/folded.json'
const folder = fileURLToPath(new URL('../test/golden', import.meta.url))

export interface GoldenEvent extends AnyEvent {
  readonly kind: string
  readonly id: string
}

/** What one kind makes of the golden events. */
export interface FoldedKind {
  readonly version: number
  readonly events: readonly string[]
  /** Where the value of each field is in the state, and how it is compared. */
  readonly fields: Readonly<Record<string, string>>
  /** By the ID of the stream. */
  readonly states: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, readonly string[]>>
}

export type FoldedKinds = Readonly<Record<string, FoldedKind>>

/** The lines of test/golden: one or more events of every type and version that was ever written. */
export function readGoldenEvents(): readonly GoldenEvent[] {
  return globSync('*.jsonl', { cwd: folder })
    .sort()
    .flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line): GoldenEvent => JSON.parse(line))
}

/** The states of all streams, through JSON after each event, as the store does it. */
function foldStreams(kind: AnyKind, events: readonly GoldenEvent[]): Readonly<Record<string, unknown>> {
  const states: Record<string, unknown> = {}
  for (const event of events) {
    const before = event.id in states ? states[event.id] : kind.decider.initial
    states[event.id] = JSON.parse(JSON.stringify(evolve(kind, before, event)))
  }
  return states
}

function claimsOf(kind: AnyKind, state: unknown): readonly string[] {
  return (kind.claims?.(state) ?? []).map(({ kind: claim, value }) => `${claim}: ${value}`).sort()
}

function foldKind(kind: AnyKind, events: readonly GoldenEvent[]): FoldedKind {
  const states = foldStreams(kind, events)
  const claims = Object.entries(states).map(([id, state]) => [id, claimsOf(kind, state)] as const)
  const fields = Object.entries(kind.fields).map(([name, { path, type }]) => [name, `${path.join('.')}, ${type}`])
  return {
    version: kind.version,
    events: Object.keys(kind.events).sort(),
    fields: Object.fromEntries(fields),
    states,
    claims: Object.fromEntries(claims.filter(([, held]) => held.length > 0)),
  }
}

export function foldGoldenEvents(kinds: readonly AnyKind[], events = readGoldenEvents()): FoldedKinds {
  const folded = kinds.map((kind) => [
    kind.name,
    foldKind(
      kind,
      events.filter((event) => event.kind === kind.name),
    ),
  ])
  return Object.fromEntries(folded)
}

/** What is no longer as it was; undefined when a database that was written before holds nothing else. */
function changeOf(before: FoldedKind, now: FoldedKind): string | undefined {
  if (!isDeepStrictEqual(before.events, now.events)) return 'its events'
  if (!isDeepStrictEqual(before.fields, now.fields)) return 'its fields'
  // A stream that is new among the golden ones says nothing about what is stored.
  for (const [id, state] of Object.entries(before.states)) {
    if (!isDeepStrictEqual(state, now.states[id])) return `what the events of ${id} fold to`
    if (!isDeepStrictEqual(before.claims[id], now.claims[id])) return `the claims of ${id}`
  }
  return undefined
}

/** The kinds that changed without a new version, each in a sentence. */
export function unversionedChanges(before: FoldedKinds, now: FoldedKinds): readonly string[] {
  return Object.entries(now).flatMap(([name, folded]) => {
    const kept = before[name]
    if (kept === undefined || folded.version > kept.version) return []
    const change = changeOf(kept, folded)
    return change === undefined ? [] : [`the kind ${name} changed ${change}: raise its version above ${kept.version}`]
  })
}

/** The states that were kept when the file was last written. */
export function readFoldedKinds(): FoldedKinds {
  return JSON.parse(readFileSync(`${folder}/folded.json`, 'utf8')) as FoldedKinds
}

/** Members in the order of their names: which one an `evolve` sets first is no change. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function foldedFile(folded: FoldedKinds): GeneratedFile {
  return { path: PATH, text: `${JSON.stringify(folded, inOrder, 2)}\n` }
}
