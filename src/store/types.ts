/** The types of the store that all code names: events, writes and jobs, and those of documents. */

import type { Actor } from '../kernel/actor.ts'
import type { AnyEvent } from '../kernel/event.ts'
import type { Id, NewId } from '../kernel/id.ts'
import type { Clock, Instant } from '../kernel/instant.ts'
import type { Arrival } from './arrival.ts'
import type { Computation } from './computation.ts'
import type { CountedStep, CounterMethods, CountQuery } from './counters.ts'
import type { Document, Filter, Finder, Reader } from './finder.ts'
import type { FollowOptions, Portion } from './follow/follow.ts'
import type { TailLoad } from './follow/log-tail.ts'
import type { NewJob } from './jobs/new-job.ts'
import type { AnyKind, Kind } from './kind.ts'
import type { EventQuery, StoredEvent } from './stored-event.ts'

export type { BuiltInField, Document, Filter, Finder, Page, Query, Reader, Related } from './finder.ts'
export type { EventQuery, StoredEvent } from './stored-event.ts'

/** Who writes and when: recorded with every event of the write. */
export interface Origin {
  readonly actor: Actor
  readonly at: Instant
  /** Set when it brings objects from another product: they keep their dates, and no jobs follow. */
  readonly arrival?: Arrival
  /** Set when a directory feeds it in: the user whose token it calls with. */
  readonly directory?: string
}

/** One all-or-nothing write, built from decisions. The function that receives it may run again after a conflict. */
export interface Work extends Reader {
  readonly origin: Origin
  /**
   * Loads the stream, decides and folds. `owner` is needed when the stream may be new. Throws the refusal; the events
   * that a refusing decider returns are committed alone, and the rest of this work is dropped.
   * Returns the document as it will be after the commit; its `sequence` is right from then on.
   */
  decide<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner?: string,
  ): Promise<Document<S, O>>
  /**
   * An ID from `next` that no stream of this kind has, for `decide`. It is not looked up: if a caller chose it before, the
   * commit conflicts, and the work that runs again gets one that is free.
   */
  unusedId<O extends string>(kind: AnyKind<O>, next: NewId): Promise<Id<O>>
  /** `decide` on a stream with a new id, without looking it up. If the stream exists after all, the commit conflicts. */
  begin<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
    command: C,
    owner: string,
  ): Promise<Document<S, O>>
  /**
   * Removes a whole stream from the log: its events, its document and its claims. If it changes before the commit, the
   * work runs again. The kind must be `removable`, and the work must decide an event that records the removal
   * (`recordRemoved`). From now on the work finds nothing under this id and must not decide on it. A stream that does
   * not exist yields no events. Remove many at once with `Promise.all`, some hundreds at most in one work.
   */
  removeStream<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<RemovedStream>
  /** Has the events of a stream come last in the commit: the sequence of the object that the reply is about is the last one. */
  putLast(kind: AnyKind, id: string): void
  enqueue(job: NewJob): void
  /**
   * Makes the commit wait for the disk even when it writes nothing, so that the time of an answer does not tell whether
   * something was written.
   */
  waitForDisk(): void
}

/** A removed stream. It is exact, because the commit succeeds only if the stream has not changed. */
export interface RemovedStream {
  readonly events: readonly StoredEvent[]
}

/** The result of a write. */
export interface Written<Value> {
  readonly value: Value
  /** Sequence of the last event it appended; when it appended none, the instance's last one. */
  readonly sequence: number
  readonly at: Instant
  /** Whether it appended any. */
  readonly hasChanged: boolean
}

export interface Store extends Finder, Pick<CounterMethods, 'removeCounts'> {
  /** The numbers that events have added to; those that are 0 are left out. */
  counted(query: CountQuery): Promise<readonly CountedStep[]>
  readonly engine: 'sqlite' | 'postgres'
  readonly jobs: StoreJobs
  /**
   * The ids of the documents that meet a condition, in any order, at most `limit` of them. Unlike `find`, it neither sorts nor
   * counts, so a few of a million are found at once.
   */
  findIds<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    where: Filter<F>,
    limit?: number,
  ): Promise<readonly Id<O>[]>
  /** The values of a field in the documents that meet a condition, in any order, without reading the documents. */
  findValues<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    where: Filter<F>,
    field: F,
  ): Promise<readonly unknown[]>
  /** The greatest value of a field in the documents that meet a condition; with an index on it, without reading the others. */
  findGreatest<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    where: Filter<F>,
    field: F,
  ): Promise<string | number | undefined>
  /**
   * Runs a request. Its reads see what was acknowledged before the request arrived and what it commits itself, but ask
   * the database only once whether the cache has all of that.
   */
  asOneRequest<Value>(run: () => Value): Value
  /** A value that is computed from documents, kept until something changes that was read for it. */
  computed<About extends readonly string[], Value>(
    computation: Computation<About, Value>,
    ...about: About
  ): Promise<Value>
  /** The document of a stream that was removed, as its last event left it; undefined for every other. */
  getRemoved<C, S, E extends AnyEvent, R extends string, F extends string, O extends string>(
    kind: Kind<C, S, E, R, F, O>,
    id: Id<NoInfer<O>>,
  ): Promise<Document<S, O> | undefined>
  /** The id of the stream that holds a claim. */
  findClaimHolder(claimKind: string, value: string): Promise<string | undefined>
  events(query: EventQuery): Promise<readonly StoredEvent[]>
  /** The log from a position on, until the signal is aborted: every event that matches, in order and once. */
  follow(options: FollowOptions): AsyncGenerator<Portion>
  /** What following costs in this process. */
  following(): TailLoad
  /**
   * Runs `build`, commits what it decided, and resolves when that is durable. On conflict it runs `build` again, up to ten
   * times, after those that met at the same document before it.
   */
  write<Value>(origin: Origin, build: (work: Work) => Promise<Value>): Promise<Written<Value>>
  /**
   * Deletes the documents and claims of the kinds (default: all) and folds them again from the log. `onFolded` is told how
   * many events each stream had.
   */
  rebuild(kinds?: readonly AnyKind[], onFolded?: (events: number) => void): Promise<void>
  /** Builds indexes that opening the store left for later, while it is used; returns how many were built or dropped. */
  buildIndexes(): Promise<number>
  /** How busy it is in this process. */
  load(): StoreLoad
  /** Throws when the store cannot be reached or is not migrated. */
  ping(): Promise<void>
  /** How long commits and reads wait before the database works on them, in milliseconds; 0 when they do not pile up. */
  delayMs(): number
  close(): Promise<void>
}

/** How busy the store is in this process, for metrics. */
export interface StoreLoad {
  readonly waitingCommits: number
  /** Only of a database with a pool of connections. */
  readonly connections: Connections | undefined
}

/** The connections of a pool, and how many reads wait for one. */
export interface Connections {
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
}

/** A job as its handler receives it. */
export interface Job {
  readonly id: string
  readonly data: unknown
  /** How often it was tried before. */
  readonly attempts: number
  /** Aborted when the runner stops. */
  readonly signal: AbortSignal
  /** Replaces its data. Throws `LeaseLost` when another runner has it meanwhile: the handler passes the error on. */
  save(data: unknown): Promise<void>
}

/** Returned by a handler whose job is not finished: when it runs again, and under which kind (default: its own). */
export interface RunAgain {
  readonly dueAt: Instant
  readonly kind?: string
  /** The kind when it was woken meanwhile, where `kind` is one that no runner takes. */
  readonly wokenKind?: string
}

/** A handler for each kind of job. A job whose handler throws is tried again. */
// biome-ignore lint/suspicious/noConfusingVoidType: most handlers are functions without a result
export type JobHandlers = Readonly<Record<string, (job: Job) => Promise<RunAgain | void>>>

export interface JobOptions {
  readonly clock?: Clock
  /** How many run at once. */
  readonly concurrency?: number
  /** How long a job stays leased to a runner that stopped renewing. */
  readonly leaseMilliseconds?: number
  /** How often to look for jobs of other nodes and for those due later. */
  readonly pollMilliseconds?: number
  /** For jobs that never end: how long after a run the job is due again. Default: a job that succeeded is gone. */
  readonly repeatMilliseconds?: number
  /** Pause before the next try; undefined after the last one. */
  readonly pauseAfter?: (attempts: number) => number | undefined
  /** Called after each failed try; never gets the job's data. */
  readonly onFailure?: (failure: JobFailure) => void
  /** Called when the store could not be reached; the runner continues. */
  readonly onTrouble?: (error: unknown) => void
}

export interface JobFailure {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly parked: boolean
  readonly error: unknown
}

export interface JobRunner {
  /** Looks for jobs now. */
  wake(): void
  /** Starts no more jobs, aborts the signal of the running ones, and waits for them. */
  stop(): Promise<void>
}

/** Selects jobs of one kind; ids grow with time, so the order is that of creation. */
export interface JobQuery {
  readonly kind: string
  /** Default: both. */
  readonly parked?: boolean
  readonly descending?: boolean
  /** Exclusive start: jobs after it when ascending, before it when descending. */
  readonly from?: string
  /** Exclusive end. */
  readonly to?: string
  readonly limit: number
}

/** A job as the module that enqueued it sees it. */
export interface StoredJob {
  readonly id: string
  readonly data: unknown
  readonly attempts: number
  readonly parked: boolean
  /** Error message of the last try. */
  readonly error: string
  /** When it is due; of a parked job, when it was parked. */
  readonly dueAt: Instant
}

/** The jobs of a store, besides `work.enqueue`. */
export interface StoreJobs {
  /** Starts to run jobs of these kinds; closing the store stops the runner. */
  run(handlers: JobHandlers, options?: JobOptions): JobRunner
  /** The job of an id, if it is not finished. */
  read(id: string): Promise<(StoredJob & { readonly kind: string }) | undefined>
  /** Deletes jobs that no runner has. */
  finish(ids: readonly string[]): Promise<void>
  /**
   * Makes jobs of these kinds due at once, as jobs of `to`; undefined: of their own kinds. Those that are running run once
   * more. Returns how many.
   */
  wake(ids: readonly string[], kinds: readonly string[], to: string | undefined, now: Instant): Promise<number>
  /** Adds a job that repeats, unless it is there; all nodes name it alike. Its runner says how often. */
  schedule(id: string, kind: string, dueAt: Instant): Promise<void>
  /** Jobs of one kind with their data, in the order of their creation. */
  list(query: JobQuery): Promise<readonly StoredJob[]>
  /** Replaces the data of a job, for example to seal its secrets with a new key; does nothing when the job is finished. */
  rewrite(id: string, data: unknown): Promise<void>
  /** Tries a parked job again, as if for the first time; false when it is not parked, or not of the given kind. */
  unpark(id: string, dueAt: Instant, kind?: string): Promise<boolean>
  /** How many there are, of every kind or of one. */
  count(kind?: string): Promise<{ readonly waiting: number; readonly parked: number }>
  /** How many jobs of a kind have an ID between these, and how long their data is, without reading it. */
  measure(kind: string, from: string, to: string): Promise<{ readonly number: number; readonly bytes: number }>
}
