/** The front of the store: what rooms may ask of it. Two engines stand behind it, see `engine.ts`. */
import type { AnyEvent } from '../kernel/event.ts'
import type { Instant } from '../kernel/instant.ts'
import type { StoreJobs } from './jobs.ts'
import type { AnyKind, Kind } from './kind.ts'

export type { Engine, JobQuery } from './engine.ts'
export { type ForgottenRecord, recordForgotten } from './forgotten.ts'
export type { Job, JobFailure, JobHandlers, JobOptions, JobRunner, ParkedJob, StoredJob, StoreJobs } from './jobs.ts'
export { GivenUp } from './jobs.ts'
export type { AnyKind, Claim, Field, Kind, StateOf } from './kind.ts'
export { kind } from './kind.ts'
export { storeRefusals } from './refusals.ts'
export {
  type Leaving,
  type Retirement,
  type RetirementCommand,
  type RetirementKind,
  type RetiringNeeds,
  type RetiringOptions,
  retire,
  retirementKind,
  startRetiring,
} from './retiring.ts'
export { openSqlite, type SqliteOptions } from './sqlite/index.ts'
export { openStore } from './store.ts'

/** What is true now about one stream. */
export interface Document<State> {
  readonly id: string
  /** The organization it belongs to, or the instance. Set by the first event, for ever. */
  readonly owner: string
  readonly state: State
  /** How many events its stream has. */
  readonly revision: number
  /** Instance-wide number of the last event folded into it. */
  readonly sequence: number
  readonly createdAt: Instant
  readonly changedAt: Instant
}

/** One event as it stands in the log. */
export interface StoredEvent extends AnyEvent {
  readonly sequence: number
  readonly kind: string
  readonly id: string
  readonly revision: number
  readonly actor: string
  readonly owner: string
  readonly at: Instant
}

/** Conditions on fields of a kind, or on `id`, `owner`, `createdAt`, `changedAt`, which every kind has. */
export type Filter<FieldName extends string = string> =
  | { readonly all: readonly Filter<FieldName>[] }
  | { readonly any: readonly Filter<FieldName>[] }
  | { readonly not: Filter<FieldName> }
  | { readonly field: FieldName | BuiltInField; readonly equals: string | number }
  | { readonly field: FieldName | BuiltInField; readonly in: readonly (string | number)[] }
  | { readonly field: FieldName | BuiltInField; readonly startsWith: string }
  | { readonly field: FieldName | BuiltInField; readonly contains: string }
  | { readonly field: FieldName | BuiltInField; readonly endsWith: string }
  | { readonly field: FieldName | BuiltInField; readonly atLeast: string | number }
  | { readonly field: FieldName | BuiltInField; readonly above: string | number }
  | { readonly field: FieldName | BuiltInField; readonly atMost: string | number }
  | { readonly field: FieldName | BuiltInField; readonly below: string | number }
  | { readonly field: FieldName | BuiltInField; readonly among: Related }

/** The values of a field in documents of another kind that meet a condition: users with such an entry. */
export interface Related {
  readonly kind: AnyKind
  readonly field: string
  readonly where: Filter
}

export type BuiltInField = 'id' | 'owner' | 'createdAt' | 'changedAt'

export interface Query<FieldName extends string = string> {
  readonly where?: Filter<FieldName>
  /** Ties are broken by id, so that pages never overlap. Default: `createdAt`. */
  readonly orderBy?: FieldName | BuiltInField
  readonly descending?: boolean
  readonly limit: number
  readonly offset?: number
}

/** All of it read from one snapshot. */
export interface Page<State> {
  readonly documents: readonly Document<State>[]
  /** How many documents match, whatever the limit. */
  readonly total: number
  /** The instance's last sequence at the time of reading. */
  readonly sequence: number
}

export interface EventQuery {
  readonly kinds?: readonly string[]
  readonly id?: string
  readonly types?: readonly string[]
  readonly actor?: string
  readonly owner?: string
  readonly since?: Instant
  readonly until?: Instant
  /** Exclusive start: events after it when ascending, before it when descending. */
  readonly from?: number
  readonly descending?: boolean
  readonly limit: number
}

/** Work to do after the commit: mail, webhooks. `data` is JSON. */
export interface NewJob {
  /** Chosen by a room that must know it; else a new one. It must come from `newId`. */
  readonly id?: string
  readonly kind: string
  readonly data: unknown
  readonly dueAt?: Instant
}

/** Who writes and when: stands on every event of the write. */
export interface Origin {
  readonly actor: string
  readonly at: Instant
}

/** One all-or-nothing write, built up by decisions. The function that gets it may run again after a conflict. */
export interface Work {
  readonly origin: Origin
  /** Reads a document and guards it: if it changes before the commit, the work is done again. */
  read<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
  ): Promise<Document<S> | undefined>
  /**
   * Loads the stream, decides, folds. `owner` is needed when the stream may be new. Throws the refusal; what the
   * decider wants remembered is committed alone, everything else of this work is dropped.
   * The document it returns is as it will be after the commit (its `sequence` is known only then).
   */
  decide<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
    command: C,
    owner?: string,
  ): Promise<Document<S>>
  /**
   * `decide` on a stream whose id was made for this write: nothing is looked up, because there can be nothing. If there
   * is after all, the commit meets a conflict.
   */
  begin<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
    command: C,
    owner: string,
  ): Promise<Document<S>>
  /**
   * Lets a whole stream leave the log with the commit: its events, its document and its claims. If it changes before,
   * the work is done again. The kind must be `forgettable`, and the work must decide an event that records what left
   * (`recordForgotten`). From here on the work reads nothing there and must not decide on it; what is not there leaves
   * nothing. Many are asked for together, `Promise.all`, and some hundreds at most in one work.
   */
  forget<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
  ): Promise<Forgotten>
  enqueue(job: NewJob): void
  /**
   * Makes the commit wait for the disk even when there is nothing to write: for answers that must not come faster than
   * those which leave something behind.
   */
  linger(): void
}

/** What leaves the log with a stream; exact, because the commit happens only if the stream is still the same. */
export interface Forgotten {
  readonly sequences: readonly number[]
  readonly events: readonly StoredEvent[]
}

/** What a write left behind. */
export interface Written<Value> {
  readonly value: Value
  /** Number of the last event it appended; when it appended none, the instance's last one. */
  readonly sequence: number
  readonly at: Instant
}

export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  readonly jobs: StoreJobs
  /** Undefined when there is none, or when it is gone. */
  get<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    id: string,
  ): Promise<Document<S> | undefined>
  find<C, S, E extends AnyEvent, R extends string, F extends string>(
    kind: Kind<C, S, E, R, F>,
    query: Query<F>,
  ): Promise<Page<S>>
  /** Who holds a claim. */
  holder(claimKind: string, value: string): Promise<string | undefined>
  events(query: EventQuery): Promise<readonly StoredEvent[]>
  /** Runs `build`, commits what it decided, and resolves when that is durable. Retries three times on conflict. */
  write<Value>(origin: Origin, build: (work: Work) => Promise<Value>): Promise<Written<Value>>
  /** Drops the documents and claims of the kinds (default: all) and folds them again from the log. */
  rebuild(kinds?: readonly AnyKind[]): Promise<void>
  /** Throws when the store cannot be reached or is not migrated. */
  ping(): Promise<void>
  close(): Promise<void>
}
