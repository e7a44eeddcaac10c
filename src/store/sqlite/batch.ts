/**
 * What main thread and writer thread say to each other. A batch travels as one flat array of texts and numbers:
 * cloning nested objects between threads costs more than writing them to the database.
 */
import type { Commit, Outcome } from '../engine.ts'

/** A batch in the order in which the writer reads it, see `encodeBatch`. */
export type FlatBatch = (string | number)[]

/** Asks the writer for something; replies come in the same order. */
export type WriterRequest =
  | { readonly type: 'commit'; readonly count: number; readonly batch: FlatBatch }
  | { readonly type: 'run'; readonly sql: string; readonly parameters: readonly (string | number)[] }
  | { readonly type: 'close' }

/** `rows` are those of a `returning` clause. `code` is SQLite's extended result code, when it was SQLite that failed. */
export type WriterReply =
  | { readonly type: 'committed'; readonly outcomes: readonly number[] }
  | { readonly type: 'done'; readonly rows: readonly (readonly unknown[])[]; readonly changes: number }
  | { readonly type: 'failed'; readonly message: string; readonly code: number | undefined }

const CONFLICT = -1
const FIRST_TAKEN = -2

/** What the writer answers for one commit: the sequence, or a negative number for a no. */
export const conflictNumber = CONFLICT
export function takenNumber(index: number): number {
  return FIRST_TAKEN - index
}

export function outcomeOf(number: number): Outcome {
  if (number >= 0) return { type: 'committed', sequence: number }
  return number === CONFLICT ? { type: 'conflict' } : { type: 'taken', index: FIRST_TAKEN - number }
}

/** Writes a batch down; the writer in `sqlite-writer.ts` reads it in exactly this order. */
export function encodeBatch(commits: readonly Commit[]): FlatBatch {
  const flat: FlatBatch = []
  for (const { actor, at, lingers, changes, guards, forgotten, claims, released, jobs } of commits) {
    flat.push(actor, at, lingers === true ? 1 : 0)
    flat.push(changes.length, guards.length, forgotten.length, claims.length, released.length, jobs.length)
    for (const { kind, id, owner, expected, state, gone, events } of changes) {
      flat.push(kind, id, owner, expected, state, gone ? 1 : 0, events.length)
      for (const { type, data } of events) flat.push(type, data)
    }
    for (const { kind, id, expected } of guards) flat.push(kind, id, expected)
    for (const { kind, id, expected } of forgotten) flat.push(kind, id, expected)
    for (const { kind, value, id, of } of claims) flat.push(kind, value, id, of)
    for (const { kind, value, id, of } of released) flat.push(kind, value, id, of)
    for (const { id, kind, data, dueAt } of jobs) flat.push(id, kind, data, dueAt)
  }
  return flat
}

/** Reads a batch back into commits. */
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
    const head = { kind: text(), id: text(), owner: text(), expected: number(), state: text(), gone: number() === 1 }
    return { ...head, events: times(number(), () => ({ type: text(), data: text() })) }
  }
  return times(count, () => {
    const actor = text()
    const at = number() as Commit['at']
    const lingers = number() === 1
    const [changes, guards, forgotten] = [number(), number(), number()]
    const [claims, released, jobs] = [number(), number(), number()]
    return {
      actor,
      at,
      lingers,
      changes: times(changes, change),
      guards: times(guards, guard),
      forgotten: times(forgotten, guard),
      claims: times(claims, claim),
      released: times(released, claim),
      jobs: times(jobs, () => ({ id: text(), kind: text(), data: text(), dueAt: number() as Commit['at'] })),
    }
  })
}
