/**
 * Sign-ins of people. Streams: `sign-in`, whose ID is that of its session, or a new one for a failure without a session,
 * owned by the organization of the user; `sign-in-tally`, failures that have no stream of their own; `refused-request`, whose
 * ID is that of the application; `sign-in-address`, where a sign-in came from, apart from it because it is kept for a shorter
 * time; and retirements, which record what was deleted from the log.
 * What was typed as a name is in none of them: people type passwords there.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Removal } from '../../store/index.ts'

/** The first factor that a user signed in with. */
export type Method = 'password' | 'passkey' | 'identity_provider' | 'one_time_code'

/** Why a sign-in failed. */
export type Reason =
  | 'unknown_user'
  | 'user_locked'
  | 'user_inactive'
  | 'wrong_password'
  | 'wrong_totp'
  | 'wrong_code'
  | 'wrong_recovery_code'
  | 'passkey'
  | 'identity_provider'
  | 'factor_locked'
  | 'not_allowed'
  | 'unknown_client'
  | 'wrong_client_secret'
  | 'wrong_redirect_uri'

export type StepKind =
  | 'user'
  | 'password'
  | 'passkey'
  | 'identity_provider'
  | 'totp'
  | 'otp_sms'
  | 'otp_email'
  | 'recovery_code'
  | 'second_factor'
  | 'password_change'
  | 'application'

/** A setting as it was when it decided something. */
export interface Setting {
  /** As the API of the settings calls it. */
  readonly name: string
  readonly value: string
  readonly level: 'instance' | 'organization' | 'application' | 'user'
}

export interface Step {
  readonly at: Instant
  readonly kind: StepKind
  readonly result: 'passed' | 'failed' | 'required'
  readonly setting?: Setting
  readonly reason?: Reason
  readonly applicationId?: string
}

export interface ApplicationRef {
  readonly applicationId: string
  readonly projectId: string
}

interface Continued {
  readonly userId: string
  readonly method?: Method
  readonly steps: readonly Step[]
}

export const signInEvents = declareEvents({
  /** Checks of a session that is not signed in yet, or that was before. */
  'sign_in.continued.v1': data<Continued>(),
  /** The checks that made the sign-in complete; once for each session. */
  'sign_in.succeeded.v1': data<Continued & { readonly method: Method }>(),
  /** `failedIn`: the organization and the hour, of a failure without a session; there is a limit for each. */
  'sign_in.failed.v1': data<{
    readonly reason: Reason
    readonly step: Step
    readonly userId?: string
    readonly method?: Method
    readonly application?: ApplicationRef
    readonly providerId?: string
    readonly failedIn?: string
  }>(),
  /** The first grant of an application in this session. */
  'sign_in.application_joined.v1': data<ApplicationRef & { readonly method: Method; readonly at: Instant }>(),
})

export type SignInEvent = EventOf<typeof signInEvents>

/** Failures of one kind that were added up. */
export interface CountedFailure {
  readonly organizationId: string
  readonly applicationId?: string
  readonly reason: Reason
  readonly count: number
}

export const tallyEvents = declareEvents({
  /** Failures of a few seconds that are only counted. */
  'sign_in_tally.counted.v1': data<{ readonly failures: readonly CountedFailure[] }>(),
})

export type TallyEvent = EventOf<typeof tallyEvents>

/** A value that an application sent and that was refused. Of a secret, only the way it was sent. */
export interface Received {
  readonly what: 'redirect_uri' | 'client_authentication'
  readonly value: string
  readonly count: number
  readonly firstAt: Instant
  readonly lastAt: Instant
}

export const refusedRequestEvents = declareEvents({
  'refused_request.received.v1': data<{
    readonly applicationId: string
    readonly received: readonly Received[]
  }>(),
})

export type RefusedRequestEvent = EventOf<typeof refusedRequestEvents>

export const addressEvents = declareEvents({
  /** Where a sign-in came from, once for each. */
  'sign_in_address.noted.v1': data<{
    readonly userId?: string
    readonly ip?: string
    /** The browser and its system, in words. */
    readonly browser?: string
  }>(),
})

export type AddressEvent = EventOf<typeof addressEvents>

const signInRetirementEvents = declareEvents({
  /** Sign-ins whose retention has passed were deleted from the log with all of their events. */
  'sign_in.retired.v1': data<Removal>(),
  'sign_in_tally.retired.v1': data<Removal>(),
  'refused_request.retired.v1': data<Removal>(),
  'sign_in_address.retired.v1': data<Removal>(),
})

export type SignInRetirementEvent = EventOf<typeof signInRetirementEvents>
