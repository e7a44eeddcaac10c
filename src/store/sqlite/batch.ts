/**
 * The messages between the main thread and the writer thread. A batch is one flat array of texts and numbers, because
 * cloning nested objects between threads costs more than writing them to the database.
 */
import type { Commit, Outcome } from '../engine.ts'
import type { Failure } from './errors.ts'

/** A batch as `encodeBatch` writes it and `decodeBatch` reads it. */
export type FlatBatch = (string | number)[]

/** A request to the writer thread; replies come in the same order. */
export type WriterRequest =
  | { readonly type: 'commit'; readonly count: number; readonly batch: FlatBatch }
  | { readonly type: 'run'; readonly sql: string; readonly parameters: readonly (string | number)[] }
  | { readonly type: 'close' }

/** `rows` are those of a query or a `returning` clause. */
export type WriterReply =
  | { readonly type: 'committed'; readonly outcomes: readonly number[] }
  | { readonly type: 'done'; readonly rows: readonly (readonly unknown[])[] }
  | Failure

/** The writer answers for each commit with its sequence, or with a negative number when it was not written. */
export const CONFLICT = -1
const FIRST_TAKEN = -2

/** The answer for a commit whose claim number `index` is taken. */
export function takenNumber(index: number): number {
  return FIRST_TAKEN - index
}

/** Decodes the answer for one commit. */
export function outcomeOf(number: number): Outcome {
  if (number >= 0) return { type: 'committed', sequence: number }
  return number === CONFLICT ? { type: 'conflict' } : { type: 'taken', index: FIRST_TAKEN - number }
}

/** Encodes a batch; `decodeBatch` reads the values in exactly this order. */
export function encodeBatch(commits: readonly Commit[]): FlatBatch {
  const flat: FlatBatch = []
  for (const { actor, at, waitsForDisk, changes, guards, removed, claims, released, jobs, counts } of commits) {
    flat.push(actor, at, waitsForDisk === true ? 1 : 0)
    flat.push(changes.length, guards.length, removed.length, claims.length, released.length, jobs.length, counts.length)
    for (const { kind, id, owner, expected, state, gone, dates, sameFields, events } of changes) {
      flat.push(kind, id, owner, expected, state, gone ? 1 : 0, sameFields ? 1 : 0)
      flat.push(dates?.createdAt ?? at, dates?.changedAt ?? at, events.length)
      for (const { type, data } of events) flat.push(type, data)
    }
    for (const { kind, id, expected } of guards) flat.push(kind, id, expected)
    for (const { kind, id, expected } of removed) flat.push(kind, id, expected)
    for (const { kind, value, id, of } of claims) flat.push(kind, value, id, of)
    for (const { kind, value, id, of } of released) flat.push(kind, value, id, of)
    for (const { id, kind, data, dueAt } of jobs) flat.push(id, kind, data, dueAt)
    for (const { kind, scope, hour, name, n } of counts) flat.push(kind, scope, hour, name, n)
  }
  return flat
}

/** Decodes a batch of `count` commits. */
export function decodeBatch(flat: FlatBatch, count: number): Commit[] {
  let position = 0
  const text = (): string => flat[position++] as string
  const number = (): number => flat[position++] as number
  const times = <Item>(length: number, read: () => Item): Item[] => {
    const items: Item[] = []
    for (let index = 0; index < length; index++) items.push(read())
    return items
  }
  const claim = () => ({ kind: text(), value: text(), id: text(), of: text() })
  const guard = () => ({ kind: text(), id: text(), expected: number() })
  const change = () => {
    const [kind, id, owner, expected, state] = [text(), text(), text(), number(), text()]
    const [gone, sameFields] = [number() === 1, number() === 1]
    const dates = { createdAt: number() as Commit['at'], changedAt: number() as Commit['at'] }
    const events = times(number(), () => ({ type: text(), data: text() }))
    return { kind, id, owner, expected, state, gone, sameFields, dates, events }
  }
  return times(count, () => {
    const actor = text()
    const at = number() as Commit['at']
    const waitsForDisk = number() === 1
    const [changes, guards, removed] = [number(), number(), number()]
    const [claims, released, jobs, counts] = [number(), number(), number(), number()]
    return {
      actor,
      at,
      waitsForDisk,
      changes: times(changes, change),
      guards: times(guards, guard),
      removed: times(removed, guard),
      claims: times(claims, claim),
      released: times(released, claim),
      jobs: times(jobs, () => ({ id: text(), kind: text(), data: text(), dueAt: number() as Commit['at'] })),
      counts: times(counts, () => ({ kind: text(), scope: text(), hour: number(), name: text(), n: number() })),
    }
  })
}
