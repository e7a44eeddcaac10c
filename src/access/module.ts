/** A feature of the server. One declaration says what it consists of; everything else is derived from the list in `modules.ts`. */
import type { Catalogue } from '../kernel/refusal.ts'
import type { AnyKind, JobHandlers, JobOptions, Origin, Retention, Work } from '../store/index.ts'
import type { App, SignInMethod } from './app.ts'
import type { Method } from './method.ts'

/** Jobs that run together, with pauses of their own. */
export interface JobGroup {
  readonly handlers: JobHandlers
  readonly options?: Partial<JobOptions>
}

/** A jobs' sealed value, which is sealed again when the key is replaced. Its data hold it under `secret.values`. */
export interface SealedJobs {
  /** The kind of the jobs. */
  readonly kind: string
  /** The member that the value was sealed for. */
  readonly member: string
}

export type MetricValue = number | Readonly<Record<string, number>>

/** A number for monitoring; with a label, one for each of its values. */
export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  /** How the numbers of several processes become one: those read from the shared database are not added up. */
  readonly merge: 'sum' | 'max'
  readonly label?: string
  read(): MetricValue | Promise<MetricValue>
}

/** Removes up to `limit` things that belonged to something that was removed; answers how many there were. */
export type RemoveBatch = (app: App, id: string, origin: Origin, limit: number) => Promise<number>

export interface Module {
  /** The name of its folder. */
  readonly name: string
  /** Its documents and their events. */
  readonly kinds?: readonly AnyKind[]
  /** Every refusal it can answer with. */
  readonly refusals?: Catalogue
  methods?(app: App): readonly Method[]
  jobs?(app: App): readonly JobGroup[]
  metrics?(app: App): readonly Metric[]
  /** Streams that leave the log some time after they have ended. */
  retention?(app: App): readonly Retention[]
  readonly sealedJobs?: readonly SealedJobs[]
  /** Removes what it keeps for a user, in the commit that removes the user; does nothing when nothing is left. */
  whenUserRemoved?(app: App, work: Work, userId: string): Promise<void>
  /** Turns off what needs the phone number of a user, in the commit that removes the number. */
  whenPhoneRemoved?(app: App, work: Work, userId: string): Promise<void>
  /** Ends what was begun with the old password, in the commit that sets the new one, except the session that did. */
  whenPasswordChanged?(app: App, work: Work, userId: string, keptSessionId: string | undefined): Promise<void>
  /** Throws when a user must not be locked or deactivated. */
  beforeUserLockedOut?(app: App, work: Work, userId: string): Promise<void>
  /** Throws when a user must not remove one of their ways to sign in. */
  beforeSignInMethodRemoved?(app: App, work: Work, userId: string, method: SignInMethod): Promise<void>
  /** Throws when an organization must not be deactivated or removed. */
  beforeOrganizationClosed?(app: App, work: Work, organizationId: string): Promise<void>
  /** Removes what it keeps for an organization after that was removed, in small commits. */
  readonly whenOrganizationRemoved?: RemoveBatch
  /** Removes what it keeps for an identity provider after that was removed, in small commits. */
  readonly whenProviderRemoved?: RemoveBatch
}

/** Declares a module. */
export function module(declaration: Module): Module {
  return Object.freeze(declaration)
}
