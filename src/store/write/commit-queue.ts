/**
 * Group commit: commits that arrive while a batch is being written form the next batch. No two commits of a batch
 * touch the same stream or claim, and none changes a document that another one guards: the later one waits.
 */
import { refused } from '../../kernel/refusal.ts'
import type { Commit, Engine, Outcome } from '../engine.ts'
import { NO_OBSERVER, type StoreObserver, type TraceContext } from '../observer.ts'
import { storeRefusals } from '../refusals.ts'

export interface CommitQueue {
  /** Resolves when the commit is durable or has failed a check; rejects when the engine could not write. */
  commit(commit: Commit): Promise<Outcome>
  /** Waits until every accepted commit has been written. */
  drain(): Promise<void>
  /** How many commits wait for their batch. */
  readonly waiting: number
  /** How long the oldest commit has waited, in milliseconds, when more wait than go into the next batch; 0 otherwise. */
  delayMs(): number
}

export interface CommitQueueLimits {
  readonly batch: number
  /** Commits that may wait; one more is refused with `store.overloaded`. */
  readonly waiting: number
  /** Batches given to the engine at once; with two, the next one is there as soon as the engine has written the first. */
  readonly inFlight: number
}

const DEFAULT_LIMITS: CommitQueueLimits = { batch: 256, waiting: 8192, inFlight: 1 }

interface Waiting {
  readonly commit: Commit
  readonly joinedAt: number
  readonly context: TraceContext
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * From this size on a batch is written without waiting for more: while the database writes it, the main thread decides
 * the next ones. A smaller batch waits for the end of the event loop's turn, in which more commits may arrive.
 */
const WORTH_A_BATCH = 32

/** A queue in front of `engine.commit`, which must write batches in the order in which it gets them. */
export function commitQueue(
  engine: Pick<Engine, 'commit'>,
  given: Partial<CommitQueueLimits> = {},
  observer: StoreObserver = NO_OBSERVER,
): CommitQueue {
  const limits = { ...DEFAULT_LIMITS, ...given }
  let waiting: Waiting[] = []
  /** Sizes of the batches that the engine is writing. */
  const inFlight: number[] = []
  let isScheduled = false
  const whenIdle: (() => void)[] = []

  /** A second batch must be as large as the first; otherwise batches would get smaller and smaller. */
  const mayWrite = (): boolean =>
    inFlight.length === 0 ||
    (inFlight.length < limits.inFlight && waiting.length >= Math.max(WORTH_A_BATCH, inFlight.at(-1) ?? 0))

  const write = (): void => {
    isScheduled = false
    if (waiting.length === 0 || !mayWrite()) return
    const { batch, left } = takeBatch(waiting, limits.batch)
    waiting = left
    inFlight.push(batch.length)
    const startedAt = performance.now()
    const end = (hasFailed: boolean, settle: () => void): void => {
      inFlight.shift()
      observer.batchWritten({ commits: batch, startedAt, endedAt: performance.now(), hasFailed })
      // First the next batch: the database works on it while the callers of this one continue.
      write()
      settle()
      if (inFlight.length === 0 && waiting.length === 0) for (const resolve of whenIdle.splice(0)) resolve()
    }
    engine.commit(batch.map(({ commit }) => commit)).then(
      (outcomes) => end(false, () => resolveOutcomes(batch, outcomes)),
      (error: unknown) =>
        end(true, () => {
          for (const { reject } of batch) reject(error)
        }),
    )
  }

  const schedule = (): void => {
    if (waiting.length >= WORTH_A_BATCH) {
      write()
    } else if (inFlight.length === 0 && !isScheduled) {
      isScheduled = true
      setImmediate(write)
    }
  }

  return {
    commit: (commit) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.waiting) {
          reject(refused(storeRefusals, 'store.overloaded', { retryAfterSeconds: 1 }))
          return
        }
        waiting.push({ commit, joinedAt: performance.now(), context: observer.contextOf?.(), resolve, reject })
        schedule()
      }),
    drain: () =>
      new Promise((resolve) => {
        if (inFlight.length === 0 && waiting.length === 0) resolve()
        else whenIdle.push(resolve)
      }),
    get waiting() {
      return waiting.length
    },
    delayMs: () => {
      const [oldest] = waiting
      // A commit that waits for the batch before it is no sign of overload, however slow the disk is.
      return oldest === undefined || waiting.length <= limits.batch ? 0 : performance.now() - oldest.joinedAt
    },
  }
}

function resolveOutcomes(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) reject(new Error('the engine gave no outcome for a commit'))
    else resolve(outcome)
  }
}

/** The largest possible batch from the head of the queue, and the rest in its old order. */
function takeBatch(
  waiting: readonly Waiting[],
  limit: number,
): { readonly batch: readonly Waiting[]; readonly left: Waiting[] } {
  const batch: Waiting[] = []
  const left: Waiting[] = []
  const touched = new Touched()
  for (const item of waiting) {
    if (batch.length === limit) {
      left.push(item)
      continue
    }
    const collides = touched.collidesWith(item.commit)
    // A commit that has to wait is added too, so that a third one does not overtake it.
    touched.add(item.commit)
    if (collides) left.push(item)
    else batch.push(item)
  }
  return { batch, left }
}

type Names = Map<string, Set<string>>

/** What earlier commits touch, by kind and then by id or value: one combined key would cost a new string each time. */
class Touched {
  readonly #changed: Names = new Map()
  readonly #guarded: Names = new Map()
  readonly #claimed: Names = new Map()

  /** Whether a commit changes what an earlier one touches, or guards what an earlier one changes. */
  collidesWith({ changes, guards, removed, claims, released }: Commit): boolean {
    const isTouched = ({ kind, id }: { kind: string; id: string }) =>
      has(this.#changed, kind, id) || has(this.#guarded, kind, id)
    const isClaimed = ({ kind, value }: { kind: string; value: string }) => has(this.#claimed, kind, value)
    return (
      changes.some(isTouched) ||
      removed.some(isTouched) ||
      claims.some(isClaimed) ||
      released.some(isClaimed) ||
      guards.some(({ kind, id }) => has(this.#changed, kind, id))
    )
  }

  add({ changes, guards, removed, claims, released }: Commit): void {
    for (const { kind, id } of changes) add(this.#changed, kind, id)
    for (const { kind, id } of removed) add(this.#changed, kind, id)
    for (const { kind, id } of guards) add(this.#guarded, kind, id)
    for (const { kind, value } of claims) add(this.#claimed, kind, value)
    for (const { kind, value } of released) add(this.#claimed, kind, value)
  }
}

function has(names: Names, kind: string, name: string): boolean {
  return names.get(kind)?.has(name) === true
}

function add(names: Names, kind: string, name: string): void {
  const known = names.get(kind)
  if (known === undefined) names.set(kind, new Set([name]))
  else known.add(name)
}
