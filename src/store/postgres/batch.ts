/** Encodes a batch of commits as the parameters of the function that writes it, and decodes its answer. */
import type { ClaimRow, Commit, Outcome, StreamChange } from '../engine.ts'
import { bigints, booleans, integers, jsonbs, jsons, texts } from './arrays.ts'

interface EventRow {
  readonly commit: number
  readonly change: StreamChange
  readonly revision: number
  readonly type: string
  readonly data: string
}

interface ChangedRow {
  readonly commit: number
  readonly change: StreamChange
  readonly revision: number
  /** Position of its last event in the batch, from 1. */
  readonly last: number
}

function spreadChange(change: StreamChange, commit: number, events: EventRow[], documents: ChangedRow[]): void {
  let revision = change.expected
  for (const { type, data } of change.events) {
    revision += 1
    events.push({ commit, change, revision, type, data })
  }
  if (revision > change.expected) documents.push({ commit, change, revision, last: events.length })
}

const COMMIT = `commit_batch_1(${Array.from({ length: 48 }, (_, index) => `$${index + 1}`).join(', ')})`

// The new and the changed documents of the batch.
const CHANGED = '$27, $28, $29, $36, $37, $38'

/** What is done in the same statement as the commits, where a batch needs it. */
export interface BatchParts {
  /** The parameters of `encodeRemoved`, if it removes streams. */
  readonly removed: readonly Buffer[] | undefined
  /** The parameters of `encodeCounts`, if its events count. */
  readonly counted: readonly Buffer[] | undefined
  /** The parameters of `encodeDates`, if some of its documents came from elsewhere. */
  readonly dated: readonly Buffer[] | undefined
  /** False without the marks for other versions (0048). Only the tests that show why they are needed do without. */
  readonly marksOthers: boolean
}

/** The statement that writes a batch: its parameters are those of `encodeBatch`, then those of its parts. */
export function batchStatement({ removed, counted, dated, marksOthers }: BatchParts) {
  let next = 49
  const more = (parameters: readonly Buffer[]) => parameters.map(() => `$${next++}`).join(', ')
  let call = COMMIT
  if (removed !== undefined) call = `forget_streams_1(${call}, ${more(removed)})`
  if (counted !== undefined) call = `add_counts_1(${call}, ${more(counted)})`
  if (dated !== undefined) call = `set_dates_1(${call}, ${more(dated)})`
  if (marksOthers) call = `mark_behind_1(${call}, ${CHANGED})`
  const parts = [removed && 'remove', counted && 'count', dated && 'date', !marksOthers && 'unmarked'].filter(Boolean)
  return { name: ['commit_batch_1', ...parts].join('_'), text: `select ${call} as outcomes` }
}

/**
 * The parameters of `commit_batch_1` in order, except for the first two (writer and number of the batch). `documentKind`
 * gives the name under which the documents of a kind are stored.
 */
export function encodeBatch(batch: readonly Commit[], documentKind: (kind: string) => string): readonly Buffer[] {
  const checks: { commit: number; kind: string; id: string; expected: number }[] = []
  const claims: { commit: number; index: number; claim: ClaimRow }[] = []
  const released: { commit: number; claim: ClaimRow }[] = []
  const events: EventRow[] = []
  const made: ChangedRow[] = []
  const changed: ChangedRow[] = []
  const jobs: { commit: number; job: Commit['jobs'][number] }[] = []
  const counts: number[] = []

  for (const [position, { changes, guards, removed, ...rest }] of batch.entries()) {
    // SQL arrays begin at 1.
    const commit = position + 1
    const before = events.length
    for (const change of changes) {
      checks.push({ commit, kind: change.kind, id: change.id, expected: change.expected })
      spreadChange(change, commit, events, change.expected === 0 ? made : changed)
    }
    for (const { kind, id, expected } of [...guards, ...removed]) checks.push({ commit, kind, id, expected })
    for (const [index, claim] of rest.claims.entries()) claims.push({ commit, index, claim })
    for (const claim of rest.released) released.push({ commit, claim })
    for (const job of rest.jobs) jobs.push({ commit, job })
    counts.push(events.length - before)
  }

  const atOf = ({ commit }: { commit: number }) => batch[commit - 1]?.at ?? 0
  return [
    integers(counts, (count) => count),

    integers(checks, (check) => check.commit),
    texts(checks, (check) => documentKind(check.kind)),
    texts(checks, (check) => check.id),
    integers(checks, (check) => check.expected),

    integers(claims, (row) => row.commit),
    integers(claims, (row) => row.index),
    texts(claims, (row) => row.claim.kind),
    texts(claims, (row) => row.claim.value),
    texts(claims, (row) => row.claim.id),
    texts(claims, (row) => row.claim.of),

    integers(released, (row) => row.commit),
    texts(released, (row) => row.claim.kind),
    texts(released, (row) => row.claim.value),
    texts(released, (row) => row.claim.id),

    integers(events, (row) => row.commit),
    texts(events, (row) => row.change.kind),
    texts(events, (row) => row.change.id),
    integers(events, (row) => row.revision),
    texts(events, (row) => row.type),
    jsons(events, (row) => row.data),
    texts(events, (row) => batch[row.commit - 1]?.actor ?? ''),
    texts(events, (row) => row.change.owner),
    bigints(events, atOf),

    integers(made, (row) => row.commit),
    texts(made, (row) => documentKind(row.change.kind)),
    texts(made, (row) => row.change.id),
    texts(made, (row) => row.change.owner),
    jsonbs(made, (row) => row.change.state),
    booleans(made, (row) => row.change.gone),
    integers(made, (row) => row.revision),
    integers(made, (row) => row.last),
    bigints(made, atOf),

    integers(changed, (row) => row.commit),
    texts(changed, (row) => documentKind(row.change.kind)),
    texts(changed, (row) => row.change.id),
    jsonbs(changed, (row) => row.change.state),
    booleans(changed, (row) => row.change.gone),
    integers(changed, (row) => row.revision),
    integers(changed, (row) => row.last),
    bigints(changed, atOf),

    integers(jobs, (row) => row.commit),
    texts(jobs, (row) => row.job.id),
    texts(jobs, (row) => row.job.kind),
    jsons(jobs, (row) => row.job.data),
    bigints(jobs, (row) => row.job.dueAt),
  ]
}

/** The parameters of `forget_streams_1` after the outcomes; undefined when the batch removes no stream. */
export function encodeRemoved(batch: readonly Commit[]): readonly Buffer[] | undefined {
  const removed = batch.flatMap((commit, position) =>
    commit.removed.map(({ kind, id }) => ({ commit: position + 1, kind, id })),
  )
  if (removed.length === 0) return undefined
  return [integers(removed, (row) => row.commit), texts(removed, (row) => row.kind), texts(removed, (row) => row.id)]
}

/** The parameters of `add_counts_1` after the outcomes; undefined when nothing is counted. */
export function encodeCounts(batch: readonly Commit[]): readonly Buffer[] | undefined {
  const counts = batch.flatMap((commit, position) => commit.counts.map((row) => ({ commit: position + 1, row })))
  if (counts.length === 0) return undefined
  return [
    integers(counts, ({ commit }) => commit),
    texts(counts, ({ row }) => row.kind),
    texts(counts, ({ row }) => row.scope),
    integers(counts, ({ row }) => row.hour),
    texts(counts, ({ row }) => row.name),
    integers(counts, ({ row }) => row.n),
  ]
}

/** The parameters of `set_dates_1` after the outcomes; undefined when no document came from elsewhere. */
export function encodeDates(
  batch: readonly Commit[],
  documentKind: (kind: string) => string,
): readonly Buffer[] | undefined {
  const dated = batch.flatMap(({ changes }, position) =>
    changes.flatMap(({ kind, id, dates }) => (dates === undefined ? [] : { commit: position + 1, kind, id, dates })),
  )
  if (dated.length === 0) return undefined
  return [
    integers(dated, ({ commit }) => commit),
    texts(dated, ({ kind }) => documentKind(kind)),
    texts(dated, ({ id }) => id),
    bigints(dated, ({ dates }) => dates.createdAt),
    bigints(dated, ({ dates }) => dates.changedAt),
  ]
}

/** The function's answer: a sequence, -1 for a conflict, -2 - n when claim n is taken. */
export function decodeOutcomes(numbers: readonly number[]): readonly Outcome[] {
  return numbers.map((number) => {
    if (number >= 0) return { type: 'committed', sequence: number }
    return number === -1 ? { type: 'conflict' } : { type: 'taken', index: -2 - number }
  })
}
