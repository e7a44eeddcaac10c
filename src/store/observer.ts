/** What the store tells about its work, for metrics, traces and the debug log. */
import type { StreamChange } from './engine.ts'
import type { NodeOutdated } from './outdated.ts'

/** Where the code that asks is in a trace; the store only passes it on. */
export type TraceContext = unknown

/** A batch of commits that the engine has written, or failed to. Times are those of `performance.now()`. */
export interface WrittenBatch {
  /** When each commit joined the queue, and the context of its caller. */
  readonly commits: readonly { readonly joinedAt: number; readonly context: TraceContext }[]
  readonly startedAt: number
  readonly endedAt: number
  readonly hasFailed: boolean
}

/** One statement, which can have read for several callers. Times are those of `performance.now()`. */
export interface FinishedQuery {
  /** A short word, such as `get` or `find`. */
  readonly operation: string
  /** When a connection was asked for, when there was one, and the end. */
  readonly askedAt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly contexts: readonly TraceContext[]
  readonly hasFailed: boolean
}

/** One run of a job. */
export interface FinishedJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly milliseconds: number
  readonly outcome: 'done' | 'delayed' | 'parked'
  /** How long until the next try of a delayed job. */
  readonly pauseMs?: number | undefined
}

/** How far the documents of a kind are folded again. */
export interface BuildProgress {
  readonly kind: string
  readonly version: number
  readonly done: number
  readonly total: number
}

/** Its functions are called in the middle of the work, so they must be fast and never throw. */
export interface StoreObserver {
  /** The context of the calling code. Absent when nothing traces. */
  readonly contextOf?: () => TraceContext
  batchWritten(batch: WrittenBatch): void
  /** These events are durable. */
  committed(changes: readonly StreamChange[]): void
  /** Another write was faster: the decision is made again, or refused after the last attempt. */
  conflicted(changes: readonly StreamChange[], attempt: number): void
  queried(query: FinishedQuery): void
  jobFinished(job: FinishedJob): void
  /** Runs a job, in a trace of its own when there are traces. */
  runJob(kind: string, run: () => Promise<void>): Promise<void>
  /** The documents of a new version are being built, before the store opens. */
  building?(progress: BuildProgress): void
  /** Values that two streams claim, because only one of two running versions claims them. */
  claimsLost?(kind: string, ids: readonly string[]): void
  /** The node could not say that it is there, or tidy up after old versions; it tries again. */
  heartbeatFailed?(error: unknown): void
  /** This process is too old for the database: the store refuses everything from now on. */
  outdated?(error: NodeOutdated): void
}

/** Ignores everything. */
export const NO_OBSERVER: StoreObserver = Object.freeze<StoreObserver>({
  batchWritten() {},
  committed() {},
  conflicted() {},
  queried() {},
  jobFinished() {},
  runJob: (_, run) => run(),
})
