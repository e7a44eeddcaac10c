/** The rules of the record of sign-ins: what is kept of one, and what is nothing new. Pure. */
import { accept, type Decider, type Decision } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type {
  AddressEvent,
  ApplicationRef,
  CountedFailure,
  Method,
  Reason,
  Received,
  RefusedRequestEvent,
  SignInEvent,
  Step,
  TallyEvent,
} from './events.ts'

const MOST_STEPS = 30
const MOST_APPLICATIONS = 50
/** Further failures of one session are only counted. */
export const MOST_FAILURES = 100
export const MOST_RECEIVED = 10
/** After this time nothing is added to a sign-in, so that its log can be removed. Sessions last this long by default. */
export const CLOSED_AFTER_MS = 30 * 24 * 3_600_000

export type Outcome = 'pending' | 'succeeded' | 'failed'

/** A sign-in. `outcome` is empty before it has begun. */
export interface SignIn {
  readonly outcome: Outcome | ''
  readonly startedAt: Instant
  readonly endedAt?: Instant
  readonly userId?: string
  readonly method?: Method
  readonly reason?: Reason
  /** The first application, and the others as one text: ` id id `. */
  readonly applicationId?: string
  readonly otherApplications?: string
  readonly applications: readonly (ApplicationRef & { readonly at: Instant })[]
  readonly providerId?: string
  readonly failedIn?: string
  readonly steps: readonly Step[]
  /** Steps that are left out. */
  readonly moreSteps: number
  readonly failures: number
}

export type SignInCommand =
  | {
      readonly type: 'check'
      readonly userId: string
      readonly method: Method | undefined
      readonly steps: readonly Step[]
      readonly isComplete: boolean
      readonly at: Instant
    }
  | ({ readonly type: 'fail' } & Extract<SignInEvent, { type: 'sign_in.failed.v1' }>['data'])
  /** The password was changed, which was all that was missing. */
  | { readonly type: 'change_password'; readonly at: Instant }
  | ({ readonly type: 'join'; readonly at: Instant } & ApplicationRef)

function addSteps(before: SignIn, steps: readonly Step[]): Pick<SignIn, 'steps' | 'moreSteps'> {
  const all = [...before.steps, ...steps]
  return { steps: all.slice(0, MOST_STEPS), moreSteps: before.moreSteps + Math.max(0, all.length - MOST_STEPS) }
}

function timeOf(steps: readonly Step[], otherwise: Instant): Instant {
  return steps.at(-1)?.at ?? otherwise
}

function join(before: SignIn, { applicationId, projectId }: ApplicationRef, at: Instant): SignIn {
  const others = before.applications.slice(1).map((one) => one.applicationId)
  const isFirst = before.applications.length === 0
  return {
    ...before,
    applicationId: before.applicationId ?? applicationId,
    ...(!isFirst && { otherApplications: ` ${[...others, applicationId].join(' ')} ` }),
    applications: [...before.applications, { applicationId, projectId, at }],
  }
}

function evolve(before: SignIn, event: SignInEvent): SignIn {
  switch (event.type) {
    case 'sign_in.continued.v1': {
      const { userId, method, steps } = event.data
      const begun =
        before.outcome === '' ? { outcome: 'pending' as const, startedAt: timeOf(steps, before.startedAt) } : {}
      return { ...before, ...begun, userId, ...(method && { method }), ...addSteps(before, steps) }
    }
    case 'sign_in.succeeded.v1': {
      const { userId, method, steps } = event.data
      const endedAt = timeOf(steps, before.startedAt)
      const begun = before.outcome === '' ? { startedAt: endedAt } : {}
      // Until now, an application was only known to have asked for it.
      const { reason: _, applicationId: __, ...rest } = { ...before, applications: [] }
      return { ...rest, ...begun, outcome: 'succeeded', endedAt, userId, method, ...addSteps(before, steps) }
    }
    case 'sign_in.failed.v1': {
      const { reason, step, userId, method, application, providerId, failedIn } = event.data
      const failed = {
        ...before,
        ...addSteps(before, [step]),
        ...(before.outcome === '' && { startedAt: step.at }),
        failures: before.failures + 1,
      }
      // What succeeded stays so: a wrong code afterwards takes nothing away.
      if (before.outcome === 'succeeded') return failed
      const ended = {
        ...failed,
        outcome: 'failed' as const,
        endedAt: step.at,
        reason,
        ...(userId !== undefined && { userId }),
        ...(method !== undefined && { method }),
        ...(providerId !== undefined && { providerId }),
        ...(failedIn !== undefined && { failedIn }),
      }
      return application === undefined || before.applications.length > 0 ? ended : join(ended, application, step.at)
    }
    case 'sign_in.application_joined.v1': {
      const { applicationId, projectId, at } = event.data
      return join(before, { applicationId, projectId }, at)
    }
  }
}

type SignInDecision = Decision<SignInEvent, never>

function isClosed({ outcome, startedAt }: SignIn, at: Instant): boolean {
  return outcome !== '' && at - startedAt >= CLOSED_AFTER_MS
}

function succeed({ userId = '', method = 'one_time_code' }: SignIn, steps: readonly Step[]): SignInEvent {
  return { type: 'sign_in.succeeded.v1', data: { userId, method, steps } }
}

export const signIn: Decider<SignInCommand, SignIn, SignInEvent, never> = {
  initial: { outcome: '', startedAt: 0 as Instant, applications: [], steps: [], moreSteps: 0, failures: 0 },
  evolve,
  decide(command, state): SignInDecision {
    switch (command.type) {
      case 'check': {
        const { userId, method, steps, isComplete, at } = command
        if (isClosed(state, at)) return accept()
        if (isComplete && state.outcome !== 'succeeded') {
          return accept({ type: 'sign_in.succeeded.v1', data: { userId, method: method ?? 'one_time_code', steps } })
        }
        // A session that is checked again and again adds nothing after that.
        if (state.outcome === 'succeeded' && state.steps.length >= MOST_STEPS) return accept()
        return accept({ type: 'sign_in.continued.v1', data: { userId, ...(method && { method }), steps } })
      }
      case 'fail': {
        const { type: _, ...data } = command
        return accept({ type: 'sign_in.failed.v1', data })
      }
      case 'change_password': {
        const isLast = state.outcome === 'pending' && state.steps.at(-1)?.kind === 'password_change'
        if (!isLast || isClosed(state, command.at)) return accept()
        return accept(succeed(state, [{ at: command.at, kind: 'password_change', result: 'passed' }]))
      }
      case 'join': {
        const { applicationId, projectId, at } = command
        // A session of a time before sign-ins were recorded has none.
        if (state.outcome === '' || isClosed(state, at)) return accept()
        const { applications: known, outcome } = state
        if (outcome === 'succeeded' && known.some((one) => one.applicationId === applicationId)) return accept()
        if (known.length >= MOST_APPLICATIONS) return accept()
        const step: Step = { at, kind: 'application', result: 'passed', applicationId }
        const { userId = '', method = 'one_time_code' } = state
        const data = { applicationId, projectId, method, at }
        const joined: SignInEvent = { type: 'sign_in.application_joined.v1', data }
        // Only a complete sign-in gets a grant, whatever made it complete.
        if (outcome !== 'succeeded') return accept(succeed(state, [step]), joined)
        return {
          events: [{ type: 'sign_in.continued.v1', data: { userId, method, steps: [step] } }, joined],
        }
      }
    }
  },
}

/** A stream of one event: what it counts is all there is. */
export const tally: Decider<
  { readonly failures: readonly CountedFailure[] },
  { readonly count: number },
  TallyEvent,
  never
> = {
  initial: { count: 0 },
  evolve: ({ count }, { data }) => ({ count: count + data.failures.reduce((sum, one) => sum + one.count, 0) }),
  decide: ({ failures }) => accept({ type: 'sign_in_tally.counted.v1', data: { failures } }),
}

/** Where a sign-in came from. */
export type SignInAddress = AddressEvent['data']

/** Told once: a browser that is checked again is the same one. */
export const address: Decider<SignInAddress, SignInAddress | undefined, AddressEvent, never> = {
  initial: undefined,
  evolve: (_, { data }) => data,
  decide: (data, known) => (known === undefined ? accept({ type: 'sign_in_address.noted.v1', data }) : accept()),
}

/** What an application sent and was refused, the newest first. */
export interface RefusedRequests {
  readonly lastAt: Instant
  readonly received: readonly Received[]
}

function merge(before: readonly Received[], { what, value, count, firstAt, lastAt }: Received): readonly Received[] {
  const known = before.find((one) => one.what === what && one.value === value)
  const merged = {
    what,
    value,
    count: count + (known?.count ?? 0),
    firstAt: known?.firstAt ?? firstAt,
    lastAt,
  }
  return [merged, ...before.filter((one) => one !== known)].slice(0, MOST_RECEIVED)
}

export const refusedRequest: Decider<
  Extract<RefusedRequestEvent, { type: 'refused_request.received.v1' }>['data'],
  RefusedRequests,
  RefusedRequestEvent,
  never
> = {
  initial: { lastAt: 0 as Instant, received: [] },
  evolve({ received, lastAt }, { data }) {
    const times = data.received.map((one) => one.lastAt)
    return { lastAt: Math.max(lastAt, ...times) as Instant, received: data.received.reduce(merge, received) }
  },
  decide: (data) => accept({ type: 'refused_request.received.v1', data }),
}
