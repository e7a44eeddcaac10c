/**
 * A feature of the server. One declaration lists all of its parts; everything else is derived from the list in
 * `modules.ts`.
 */

import type { Method, StreamMethod } from '../access/method.ts'
import type { Counter, Histogram } from '../kernel/metrics.ts'
import type { Catalogue } from '../kernel/refusal.ts'
import type { JobHandlers, JobOptions, Retention } from '../store/index.ts'
import type { App, Lifecycle } from './app.ts'
import type { DeclaredKind } from './carried.ts'
import type { DestinationKind } from './destinations.ts'

/** Jobs that run in one loop with its own pauses. */
export interface JobGroup {
  readonly handlers: JobHandlers
  readonly options?: Partial<JobOptions>
  /** The kind of a job that repeats without end, and its ID: there is one for all nodes. */
  readonly repeats?: string
  /** Kinds of jobs that stay, like those that repeat: they do not count as waiting. */
  readonly stays?: readonly string[]
}

/** An encrypted value in the data of jobs, under `secret.values`. It is encrypted again when the key is replaced. */
export interface SealedJobs {
  /** The kind of the jobs. */
  readonly kind: string
  /** The member that the value was encrypted for. */
  readonly member: string
}

export type MetricValue = number | Readonly<Record<string, number>>

/** A metric for monitoring. With a label, it has one number for each value of the label. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  /**
   * How the numbers of several processes are combined. Numbers that are read from the shared database are not added up.
   */
  readonly merge: 'sum' | 'max'
  readonly label?: string
  read(): MetricValue | Promise<MetricValue>
}

/** A counter or histogram that a module keeps, with several labels. Processes are added up. */
export interface KeptMetric {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly values: Counter | Histogram
}

/** A counter of committed events, for monitoring. */
export interface EventCounter {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Event type → the values of the labels for the data of an event; undefined: not counted. Values must be few. */
  readonly events: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => readonly string[] | undefined>>
}

/** Its reactions to changes elsewhere are those of `Lifecycle`, by the same names. */
export interface Module extends Partial<Lifecycle> {
  /** The name of its folder. */
  readonly name: string
  /** Its documents and their events, each with how it is carried into another instance. */
  readonly kinds?: readonly DeclaredKind[]
  /** All refusals of the module. */
  readonly refusals?: Catalogue
  /**
   * Creates what the module needs in every instance. Runs at each start before the first request, possibly on several
   * nodes at once.
   */
  prepare?(app: App): Promise<void>
  methods?(app: App): readonly Method[]
  streams?(app: App): readonly StreamMethod[]
  jobs?(app: App): readonly JobGroup[]
  /** Kinds of endpoints that events are sent to. */
  readonly destinations?: readonly DestinationKind<App>[]
  /** Begins what runs in every process that runs jobs; `close` ends it. */
  begin?(app: App): void
  metrics?(app: App): readonly (Metric | KeptMetric)[]
  /** What is counted of the events that this process commits. */
  readonly counters?: readonly EventCounter[]
  /** Streams that are deleted from the log some time after their end. */
  retention?(app: App): readonly Retention[]
  /** Writes what the module still has in memory, before the store is closed. */
  close?(app: App): Promise<void>
  readonly sealedJobs?: readonly SealedJobs[]
}

/** Declares a module. */
export function module(declaration: Module): Module {
  return Object.freeze(declaration)
}
