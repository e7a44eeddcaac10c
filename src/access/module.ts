/**
 * A feature of the server. One declaration lists all of its parts; everything else is derived from the list in
 * `modules.ts`.
 */
import type { Catalogue } from '../kernel/refusal.ts'
import type { AnyKind, JobHandlers, JobOptions, Origin, Retention, Work } from '../store/index.ts'
import type { App, EndedSession, SignInMethod, WithdrawnRoles } from './app.ts'
import type { Call } from './call.ts'
import type { Method, StreamMethod } from './method.ts'

/** Jobs that run in one loop with its own pauses. */
export interface JobGroup {
  readonly handlers: JobHandlers
  readonly options?: Partial<JobOptions>
  /** The kind of a job that repeats for ever, and its ID: there is one for all nodes. */
  readonly repeats?: string
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

/** A counter of committed events, for monitoring. */
export interface EventCounter {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Event type → the values of the labels for the data of an event; undefined: not counted. Values must be few. */
  readonly events: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => readonly string[] | undefined>>
}

/** Removes up to `limit` items that belonged to a removed object, and returns how many it removed. */
export type RemoveBatch = (app: App, id: string, origin: Origin, limit: number) => Promise<number>

export interface Module {
  /** The name of its folder. */
  readonly name: string
  /** Its documents and their events. */
  readonly kinds?: readonly AnyKind[]
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
  metrics?(app: App): readonly Metric[]
  /** What is counted of the events that this process commits. */
  readonly counters?: readonly EventCounter[]
  /** Streams that are deleted from the log some time after their end. */
  retention?(app: App): readonly Retention[]
  readonly sealedJobs?: readonly SealedJobs[]
  /** Removes the data of a user in the commit that removes the user. Does nothing when no data is left. */
  whenUserRemoved?(app: App, work: Work, userId: string): Promise<void>
  /** Turns off features that need the phone number of a user, in the commit that removes the number. */
  whenPhoneRemoved?(app: App, work: Work, userId: string): Promise<void>
  /** Ends what was begun with the old password, in the commit that sets the new one, except the session that did. */
  whenPasswordChanged?(app: App, work: Work, userId: string, keptSessionId: string | undefined): Promise<void>
  /** Ends what a user must lose for good when they are locked or deactivated, in the commit that does it. */
  whenUserLockedOut?(app: App, work: Work, userId: string): Promise<void>
  /** The same for all users of an organization that is deactivated or removed. */
  whenOrganizationClosed?(app: App, work: Work, organizationId: string): Promise<void>
  /** Tells others that a session ends, in the commit that ends it. */
  whenSessionEnded?(app: App, work: Work, session: EndedSession): Promise<void>
  /** Ends what a user could do in a project by an authorization, in the commit that removes or deactivates it. */
  whenAuthorizationEnded?(app: App, work: Work, userId: string, projectId: string): Promise<void>
  /**
   * Withdraws roles of a project or of one grant from what refers to them: up to `limit` documents, in a commit of its
   * caller. Returns how many there were.
   */
  whenProjectRolesWithdrawn?(app: App, work: Work, withdrawn: WithdrawnRoles, limit: number): Promise<number>
  /** Throws when a user must not be locked or deactivated. */
  beforeUserLockedOut?(app: App, work: Work, userId: string): Promise<void>
  /** Throws when a user must not remove one of their sign-in methods. */
  beforeSignInMethodRemoved?(app: App, work: Work, userId: string, method: SignInMethod): Promise<void>
  /** Throws when this caller must not deactivate or remove an organization. */
  beforeOrganizationClosed?(app: App, work: Work, organizationId: string, call: Call): Promise<void>
  /** Removes what it keeps for an organization after that was removed, in small commits. */
  readonly whenOrganizationRemoved?: RemoveBatch
  /** Removes what it keeps for a removed project, in small commits. */
  readonly whenProjectRemoved?: RemoveBatch
  /** Removes the data of a removed identity provider in small commits. */
  readonly whenProviderRemoved?: RemoveBatch
  /** Removes what it keeps for the accounts at a provider that is another server now, in small commits. */
  readonly whenProviderAccountsReplaced?: RemoveBatch
}

/** Declares a module. */
export function module(declaration: Module): Module {
  return Object.freeze(declaration)
}
