/**
 * The seam between the two databases. An engine speaks rows and SQL and knows nothing of deciders; everything above
 * it is the same for both. `sqlite.ts` and `postgres.ts` implement it.
 */
import type { Instant } from '../kernel/instant.ts'
import type { EventQuery, StoredEvent } from './index.ts'
import type { AnyKind } from './kind.ts'

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
  /** The state as a value, once somebody has asked for it: rows may be kept, and JSON is parsed once. */
  parsed?: unknown
}

/** The new end of one stream: events after `expected`, and the document as they leave it. */
export interface StreamChange {
  readonly kind: string
  readonly id: string
  readonly owner: string
  /** Revision it was decided on; 0 = the stream is new. */
  readonly expected: number
  readonly events: readonly { readonly type: string; readonly data: string }[]
  readonly state: string
  readonly gone: boolean
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
   * A commit that forgets appends events, too: by the sequence, readers notice that something has left.
   */
  readonly forgotten: readonly GuardRow[]
  /** A claim is free when nobody holds it, when `id` itself holds it, or when its holder is in `released`. */
  readonly claims: readonly ClaimRow[]
  /** Given up before `claims` are taken; a row that is not there is no mistake. */
  readonly released: readonly ClaimRow[]
  readonly jobs: readonly {
    readonly id: string
    readonly kind: string
    readonly data: string
    readonly dueAt: Instant
  }[]
  /** Whether it takes as long as one that writes, even if it writes nothing. */
  readonly lingers?: boolean
}

/** What became of one commit of a batch: they are independent of each other. `conflict` comes before `taken`. */
export type Outcome =
  /** `sequence` of its last event (the instance's last when it had none). */
  | { readonly type: 'committed'; readonly sequence: number }
  /** A stream or guard moved on: load and decide again. */
  | { readonly type: 'conflict' }
  /** `claims[index]` is held by somebody else. */
  | { readonly type: 'taken'; readonly index: number }

export interface LeasedJob {
  readonly id: string
  readonly kind: string
  readonly data: string
  /** How often it was tried before. */
  readonly attempts: number
}

/** Which jobs of a kind are looked at; ids grow with time, so the order is that of birth. */
export interface JobQuery {
  readonly kind: string
  /** Not given: both. */
  readonly parked?: boolean
  readonly descending?: boolean
  /** Exclusive start: jobs after it when ascending, before it when descending. */
  readonly from?: string
  readonly limit: number
}

/** A job as the table holds it; `data` is JSON text. */
export interface JobRow extends LeasedJob {
  readonly error: string
  readonly parked: boolean
  /** When it is, or was last, due; of a parked one, when it was parked. */
  readonly dueAt: Instant
}

/** Rows found by a compiled query, with total and instance sequence from the same snapshot. */
export interface FoundRows {
  readonly rows: readonly DocumentRow[]
  readonly total: number
  readonly sequence: number
}

/** An index, and the condition it is entered with: the whole one, kind included. */
export interface Path {
  readonly index: string
  readonly where: string
}

/** What a query reads of one kind, so that an engine can tell a short way from a long one before it goes. */
export interface Reading {
  /** All documents of the kind. */
  readonly all: Path
  /** Together they lead to every match and read no more than they lead to; empty when there is no such way. */
  readonly paths: readonly Path[]
  /** The same for indexes that have to be read from end to end, but hold what is searched. */
  readonly scan: readonly Path[]
}

/**
 * A query in the engine's SQL; parameters are numbered from `$1`. `where` is the whole condition (instance, kind and
 * "not gone" included), `orderBy` the whole order: `select … from documents where <where> order by <orderBy>`.
 */
export interface CompiledQuery {
  readonly kind: string
  /** Whether the condition reads documents of other kinds, too. */
  readonly isRelated: boolean
  /** Of the related kinds first, that of `kind` last; empty for an engine that chooses indexes by itself. */
  readonly readings: readonly Reading[]
  readonly where: string
  readonly parameters: readonly (string | number)[]
  readonly orderBy: string
  readonly limit: number
  readonly offset: number
}

/** At once where the engine has it at hand; a promise for what is already there costs as much as finding it. */
export type Soon<Value> = Value | Promise<Value>

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  /**
   * Creates or migrates the tables, creates the declared indexes and drops those no longer declared. Safe when two
   * nodes start at once. Returns the kinds whose documents were folded by another version and must be rebuilt.
   */
  prepare(kinds: readonly AnyKind[]): Promise<readonly AnyKind[]>
  get(kind: string, id: string): Soon<DocumentRow | undefined>
  find(query: CompiledQuery): Soon<FoundRows>
  holder(claimKind: string, value: string): Soon<string | undefined>
  events(query: EventQuery): Promise<readonly StoredEvent[]>
  /** All events of one stream, in order. */
  stream(kind: string, id: string): Promise<readonly StoredEvent[]>
  /**
   * Writes a batch in one transaction; resolves when it is durable. No two commits of a batch touch the same stream,
   * guard or claim (the commit queue sees to it), so each has its own outcome.
   */
  commit(batch: readonly Commit[]): Promise<readonly Outcome[]>
  /** Replaces all documents and claims of one kind by what `fold` makes of its events, in one transaction. */
  rebuild(kind: AnyKind, fold: RebuildFold): Promise<void>
  /** Leases due jobs of these kinds: no other node gets them before `leasedUntil`. */
  leaseJobs(kinds: readonly string[], now: Instant, leasedUntil: Instant, limit: number): Promise<readonly LeasedJob[]>
  /** Keeps the lease of a job that is still running. */
  renewJob(id: string, leasedUntil: Instant): Promise<void>
  finishJob(id: string): Promise<void>
  retryJob(id: string, dueAt: Instant, error: string): Promise<void>
  /** After the last try: kept, visible, run again only when somebody asks. From then on `dueAt` is when it was parked. */
  parkJob(id: string, error: string, at: Instant): Promise<void>
  /** Parked jobs, oldest first. */
  parkedJobs(limit: number): Promise<readonly (LeasedJob & { readonly error: string })[]>
  /** Jobs of one kind, by id. */
  listJobs(query: JobQuery): Promise<readonly JobRow[]>
  /** Replaces the data of a job; nothing happens when it is gone. */
  rewriteJob(id: string, data: string): Promise<void>
  /** With `kind`: only if it is one of that kind. */
  unparkJob(id: string, dueAt: Instant, kind?: string): Promise<boolean>
  /** With `kind`: only of that kind. */
  countJobs(kind?: string): Promise<{ readonly waiting: number; readonly parked: number }>
  ping(): Promise<void>
  close(): Promise<void>
}

/** Folds the events of one stream, in order, to its document and claims. */
export type RebuildFold = (events: readonly StoredEvent[]) => {
  readonly state: string
  readonly gone: boolean
  readonly claims: readonly { readonly kind: string; readonly value: string }[]
}
