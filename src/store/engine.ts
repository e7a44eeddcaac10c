/**
 * The interface that both databases implement, in `sqlite/` and `postgres/`. An engine handles rows and SQL and knows
 * nothing of deciders; all code above it is the same for both.
 */
import type { Instant } from '../kernel/instant.ts'
import type { Dates } from './arrival.ts'
import type { Sources } from './cache/computed-values.ts'
import type { CounterMethods, CountRow } from './counters.ts'
import type { RebuildFold } from './fold.ts'
import type { Stamp } from './history.ts'
import type { AnyKind } from './kind.ts'
import type { Dialect } from './query/dialect.ts'
import type { CompiledQuery } from './query/index.ts'
import type { Connections, EventQuery, JobQuery, StoredEvent } from './types.ts'

/** A document as the table holds it; `state` is JSON text. */
export interface DocumentRow {
  readonly kind: string
  readonly id: string
  readonly owner: string
  readonly state: string
  readonly gone: boolean
  readonly revision: number
  readonly sequence: number
  readonly createdAt: Instant
  readonly changedAt: Instant
  /** The parsed state, set by the first reader: rows may be cached, and their JSON is parsed once. */
  parsed?: unknown
}

/** New events of one stream, after revision `expected`, and the document that results. */
export interface StreamChange {
  readonly kind: string
  readonly id: string
  readonly owner: string
  /** The revision that the decision is based on; 0 = the stream is new. */
  readonly expected: number
  readonly events: readonly { readonly type: string; readonly data: string }[]
  readonly state: string
  readonly gone: boolean
  /** The dates of the document, where they are not those of the events: it came from elsewhere. */
  readonly dates?: Dates
  /** Whether it has the same values in all fields as the document before; false for a new one. */
  readonly sameFields: boolean
}

/** One unique value and the stream that holds it. */
export interface ClaimRow {
  readonly kind: string
  readonly value: string
  readonly id: string
  /** Kind of the stream that holds it, so that the claims of one kind can be rebuilt. */
  readonly of: string
}

/** A stream and the revision it must still have; 0 = it must still be absent. */
export interface GuardRow {
  readonly kind: string
  readonly id: string
  readonly expected: number
}

export interface Commit {
  readonly actor: string
  readonly at: Instant
  readonly changes: readonly StreamChange[]
  /** Documents that were read to decide: still at this revision (0 = still absent), or conflict. */
  readonly guards: readonly GuardRow[]
  /**
   * Streams whose events and document are deleted: still at this revision, or conflict. Their claims are in `released`.
   * A commit that removes streams also appends events, because readers notice a removal by the sequence.
   */
  readonly removed: readonly GuardRow[]
  /** A claim is free when no stream holds it, when `id` itself holds it, or when `released` gives it up. */
  readonly claims: readonly ClaimRow[]
  /** Deleted before `claims` are inserted; a missing row is not an error. */
  readonly released: readonly ClaimRow[]
  readonly jobs: readonly {
    readonly id: string
    readonly kind: string
    readonly data: string
    readonly dueAt: Instant
  }[]
  /** What its events add to the counters. */
  readonly counts: readonly CountRow[]
  /** Whether to wait for the disk even if there is nothing to write. */
  readonly waitsForDisk?: boolean
}

/** The result of one commit of a batch; commits are independent of each other. `conflict` takes precedence over `taken`. */
export type Outcome =
  /** `sequence` of its last event (the instance's last when it had none). */
  | { readonly type: 'committed'; readonly sequence: number }
  /** A stream or a guarded document has changed: load and decide again. */
  | { readonly type: 'conflict' }
  /** Another stream holds `claims[index]`. */
  | { readonly type: 'taken'; readonly index: number }

export interface LeasedJob {
  readonly id: string
  readonly kind: string
  readonly data: string
  /** How often it was tried before. */
  readonly attempts: number
  /** When it is due; of a parked job, when it was parked. */
  readonly dueAt: Instant
}

/** When a job runs again, and under which kind. */
export interface NextRun {
  readonly kind: string
  /** The kind when it was woken meanwhile. */
  readonly wokenKind: string
  readonly dueAt: Instant
  /** When it was due as it was leased. If that has changed meanwhile, it was woken, and is due at once. */
  readonly seen: Instant
}

/** A job as the table holds it; `data` is JSON text. */
export interface JobRow extends LeasedJob {
  readonly error: string
  readonly parked: boolean
}

/** Rows found by a compiled query, with total and instance sequence from the same snapshot. */
export interface FoundRows extends Stamp {
  readonly rows: readonly DocumentRow[]
  readonly total: number
}

/** A changed stream or, with null as id, a kind of which streams were removed from the log. */
export type Changed = readonly [kind: string, id: string | null]

/** A range of the log: the events after `since`, up to `until`. */
export interface LogRange {
  readonly since: number
  readonly until: number
}

/** Values that were computed from documents. They are valid as long as nothing has changed that was read for them. */
export interface ComputedCache {
  /** Undefined when there is no value of this key, or when it is no longer valid. */
  get(key: string): Soon<unknown>
  /** To be called before the first read for a value; keeps the value with the function that it returns, if it can. */
  begin(): (key: string, value: unknown, sources: Sources) => void
}

/** No promise when the engine has the value already: creating one costs as much as looking the value up. */
export type Soon<Value> = Value | Promise<Value>

/** The part of an engine that stores jobs. */
export interface JobMethods {
  /** Leases due jobs of these kinds: no other node gets them before `leasedUntil`. */
  leaseJobs(kinds: readonly string[], now: Instant, leasedUntil: Instant, limit: number): Promise<readonly LeasedJob[]>
  /** Keeps the lease of a job that is still running. */
  renewJob(id: string, leasedUntil: Instant): Promise<void>
  finishJob(id: string): Promise<void>
  /** Finishes a job that was due at `seen` when it was leased. One that was woken meanwhile runs once more instead. */
  finishRun(id: string, seen: Instant): Promise<void>
  /** Adds a job without data, unless there is one of this id. */
  addJobOnce(id: string, kind: string, dueAt: Instant): Promise<void>
  /** Instead of `finishRun`: the job is due again then, as if for the first time. */
  repeatJob(id: string, dueAt: Instant): Promise<void>
  /** Replaces `before` by `after` as the data of a job; false when it has other data, because another node runs it now. */
  saveJob(id: string, before: string, after: string): Promise<boolean>
  /** Instead of `finishRun`: the job runs again. Does nothing when it has other data. */
  continueJob(id: string, data: string, next: NextRun): Promise<void>
  /**
   * Makes jobs of these kinds due at once, as jobs of `to`; undefined: of their own kinds. Those that are running run once
   * more. Returns how many.
   */
  wakeJobs(ids: readonly string[], kinds: readonly string[], to: string | undefined, now: Instant): Promise<number>
  /** The job of an id. */
  readJob(id: string): Promise<JobRow | undefined>
  retryJob(id: string, dueAt: Instant, error: string): Promise<void>
  /** After the last try: the job stays and runs again only after `unparkJob`. Sets `dueAt` to `at`. */
  parkJob(id: string, error: string, at: Instant): Promise<void>
  /** Jobs of one kind, by id. */
  listJobs(query: JobQuery): Promise<readonly JobRow[]>
  /** Replaces the data of a job; does nothing when the job is finished. */
  rewriteJob(id: string, data: string): Promise<void>
  /** With `kind`: only if the job is of that kind. False when there is no such parked job. */
  unparkJob(id: string, dueAt: Instant, kind?: string): Promise<boolean>
  /** With `kind`: only of that kind. */
  countJobs(kind?: string): Promise<{ readonly waiting: number; readonly parked: number }>
  /** How many jobs of a kind have an ID between these, and how long their data is. */
  measureJobs(kind: string, from: string, to: string): Promise<{ readonly number: number; readonly bytes: number }>
}

export interface Engine extends JobMethods, CounterMethods {
  readonly name: 'sqlite' | 'postgres'
  /** The SQL of its queries; it is right after `prepare`. */
  readonly dialect: Dialect
  /**
   * Creates or migrates the tables, creates the declared indexes and drops those no longer declared. Safe when two
   * nodes start at once. Returns the kinds whose documents were folded by another version and must be rebuilt.
   * PostgreSQL builds the documents of a new version itself, beside those that other nodes use (0048).
   */
  prepare(kinds: readonly AnyKind[]): Promise<readonly AnyKind[]>
  /** Builds the indexes that `prepare` left for later; returns how many indexes were built or dropped. */
  buildIndexes?(): Promise<number>
  get(kind: string, id: string): Soon<DocumentRow | undefined>
  find(query: CompiledQuery): Soon<FoundRows>
  /**
   * The values of a column in the documents that match a query, in any order, at most `limit` of them. If the query itself has
   * a limit, there may be far more matches than are wanted.
   */
  values(query: CompiledQuery, column: string, limit: number): Promise<readonly unknown[]>
  findClaimHolder(claimKind: string, value: string): Soon<string | undefined>
  readonly computed: ComputedCache
  /** The instance's last sequence. It costs less than reading an event. */
  head(): Promise<Stamp>
  events(query: EventQuery): Promise<readonly StoredEvent[]>
  /** All events of one stream, in order. */
  stream(kind: string, id: string): Promise<readonly StoredEvent[]>
  /**
   * Writes a batch in one transaction; resolves when it is durable. No two commits of a batch touch the same stream,
   * guard or claim (the commit queue ensures it), so each has its own outcome.
   */
  commit(batch: readonly Commit[]): Promise<readonly Outcome[]>
  /** Replaces all documents, claims and counters of one kind by the result of `fold`, in one transaction. */
  rebuild(kind: AnyKind, fold: RebuildFold): Promise<void>
  /** The load of its pool, if it has one. */
  connections?(): Connections
  ping(): Promise<void>
  /** How long the oldest read has waited for a connection, in milliseconds; 0 when none waits. */
  delayMs?(): number
  close(): Promise<void>
}
