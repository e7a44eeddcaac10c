/** Sign-ins as messages, with the names that the caller may read. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  RefusedRequestKind,
  type RefusedRequestSchema,
  SignInFailure,
  SignInMethod,
  SignInOutcome,
  type SignInSchema,
  SignInSettingLevel,
  SignInStepKind,
  SignInStepResult,
  type SignInStepSchema,
} from '../../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import type { Call } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { applications } from '../applications/index.ts'
import { isLivingOrganization, organizations } from '../organizations/index.ts'
import { isLiving, shownName, users } from '../users/index.ts'
import type { Outcome, SignIn, SignInAddress } from './decider.ts'
import { addresses } from './documents.ts'
import type { Method, Reason, Received, Setting, Step, StepKind } from './events.ts'
import { sentenceOfStep } from './explain.ts'

export const OUTCOMES: Readonly<Record<Outcome, SignInOutcome>> = {
  pending: SignInOutcome.PENDING,
  succeeded: SignInOutcome.SUCCEEDED,
  failed: SignInOutcome.FAILED,
}

export const METHODS: Readonly<Record<Method, SignInMethod>> = {
  password: SignInMethod.PASSWORD,
  passkey: SignInMethod.PASSKEY,
  identity_provider: SignInMethod.IDENTITY_PROVIDER,
  one_time_code: SignInMethod.ONE_TIME_CODE,
}

export const FAILURES: Readonly<Record<Reason, SignInFailure>> = {
  unknown_user: SignInFailure.UNKNOWN_USER,
  user_locked: SignInFailure.USER_LOCKED,
  user_inactive: SignInFailure.USER_INACTIVE,
  wrong_password: SignInFailure.WRONG_PASSWORD,
  wrong_totp: SignInFailure.WRONG_TOTP,
  wrong_code: SignInFailure.WRONG_CODE,
  wrong_recovery_code: SignInFailure.WRONG_RECOVERY_CODE,
  passkey: SignInFailure.PASSKEY,
  identity_provider: SignInFailure.IDENTITY_PROVIDER,
  factor_locked: SignInFailure.FACTOR_LOCKED,
  not_allowed: SignInFailure.NOT_ALLOWED,
  unknown_client: SignInFailure.UNKNOWN_CLIENT,
  wrong_client_secret: SignInFailure.WRONG_CLIENT_SECRET,
  wrong_redirect_uri: SignInFailure.WRONG_REDIRECT_URI,
}

const STEPS: Readonly<Record<StepKind, SignInStepKind>> = {
  user: SignInStepKind.USER,
  password: SignInStepKind.PASSWORD,
  passkey: SignInStepKind.PASSKEY,
  identity_provider: SignInStepKind.IDENTITY_PROVIDER,
  totp: SignInStepKind.TOTP,
  otp_sms: SignInStepKind.OTP_SMS,
  otp_email: SignInStepKind.OTP_EMAIL,
  recovery_code: SignInStepKind.RECOVERY_CODE,
  second_factor: SignInStepKind.SECOND_FACTOR,
  password_change: SignInStepKind.PASSWORD_CHANGE,
  application: SignInStepKind.APPLICATION,
}

const RESULTS: Readonly<Record<Step['result'], SignInStepResult>> = {
  passed: SignInStepResult.PASSED,
  failed: SignInStepResult.FAILED,
  required: SignInStepResult.REQUIRED,
}

const LEVELS: Readonly<Record<Setting['level'], SignInSettingLevel>> = {
  instance: SignInSettingLevel.INSTANCE,
  organization: SignInSettingLevel.ORGANIZATION,
  application: SignInSettingLevel.APPLICATION,
  user: SignInSettingLevel.USER,
}

const KINDS: Readonly<Record<Received['what'], RefusedRequestKind>> = {
  redirect_uri: RefusedRequestKind.REDIRECT_URI,
  client_authentication: RefusedRequestKind.CLIENT_AUTHENTICATION,
}

/** The key of a value, for filters. */
export function keyOf<Key extends string>(values: Readonly<Record<Key, number>>, value: number): Key | undefined {
  return (Object.keys(values) as Key[]).find((key) => values[key] === value)
}

/** The names of users and applications, where the caller may read them. */
export interface Names {
  readonly users: ReadonlyMap<string, { readonly displayName: string; readonly preferredLoginName: string }>
  readonly applications: ReadonlyMap<string, { readonly name: string; readonly projectId: string }>
}

/** What is shown of sign-ins beside what they say themselves, by their IDs and the IDs of their organizations. */
export interface Surroundings {
  readonly names: Names
  readonly organizations: ReadonlyMap<string, string>
  readonly addresses: ReadonlyMap<string, SignInAddress>
}

async function findAll<State>(
  ids: readonly (string | undefined)[],
  find: (ids: readonly string[]) => Promise<readonly Document<State>[]>,
): Promise<readonly Document<State>[]> {
  const known = [...new Set(ids.filter((id) => id !== undefined))]
  return known.length === 0 ? [] : find(known)
}

/** Reads all names at once. */
export async function namesFor(
  { store }: App,
  call: Call,
  userIds: readonly (string | undefined)[],
  applicationIds: readonly (string | undefined)[],
): Promise<Names> {
  const [people, apps] = await Promise.all([
    findAll(userIds, async (ids) => {
      const where = { field: 'id', in: ids } as const
      return (await store.find(users, { where, limit: ids.length })).documents
    }),
    findAll(applicationIds, async (ids) => {
      const where = { field: 'id', in: ids } as const
      return (await store.find(applications, { where, limit: ids.length })).documents
    }),
  ])
  const names: Names = { users: new Map(), applications: new Map() }
  return {
    users: new Map([
      ...names.users,
      ...people.flatMap(({ id, owner, state }) =>
        isLiving(state) && call.may('user.read', owner)
          ? [[id, { displayName: shownName(state), preferredLoginName: state.userName }] as const]
          : [],
      ),
    ]),
    applications: new Map(
      apps.flatMap(({ id, owner, state }) =>
        'projectId' in state && call.may('project.app.read', { projectId: state.projectId, ownerId: owner })
          ? [[id, { name: state.name, projectId: state.projectId }] as const]
          : [],
      ),
    ),
  }
}

/** Reads what surrounds these sign-ins, as far as the caller may read it. */
export async function surroundingsOf(
  app: App,
  call: Call,
  found: readonly Document<SignIn>[],
  applicationIds: readonly (string | undefined)[],
): Promise<Surroundings> {
  const { store } = app
  const readable = found.map(({ owner }) => owner).filter((owner) => call.may('org.read', owner))
  const [names, owners, noted] = await Promise.all([
    namesFor(
      app,
      call,
      found.map(({ state }) => state.userId),
      applicationIds,
    ),
    findAll(readable, async (ids) => {
      const where = { field: 'id', in: ids } as const
      return (await store.find(organizations, { where, limit: ids.length })).documents
    }),
    findAll(
      found.map(({ id }) => id),
      async (ids) => (await store.find(addresses, { where: { field: 'id', in: ids }, limit: ids.length })).documents,
    ),
  ])
  return {
    names,
    organizations: new Map(
      owners.flatMap(({ id, state }) => (isLivingOrganization(state) ? [[id, state.name] as const] : [])),
    ),
    addresses: new Map(noted.flatMap(({ id, state }) => (state === undefined ? [] : [[id, state] as const]))),
  }
}

/** An application, with its name if it is known. */
export function applicationMessage(id: string, names: Names) {
  const { name = '', projectId = '' } = names.applications.get(id) ?? {}
  return { id, name, projectId }
}

export function signInMessage(
  { id, owner, state }: Document<SignIn>,
  { names, organizations: owners, addresses: known }: Surroundings,
): MessageInitShape<typeof SignInSchema> {
  const from = known.get(id)
  const { outcome, userId, method, reason, startedAt, endedAt, providerId = '', failedIn } = state
  return {
    id,
    startDate: timestampFromMs(startedAt),
    ...(outcome !== 'pending' && endedAt !== undefined && { endDate: timestampFromMs(endedAt) }),
    organizationId: owner,
    ...(userId !== undefined && { user: { id: userId, ...names.users.get(userId) } }),
    outcome: outcome === '' ? SignInOutcome.UNSPECIFIED : OUTCOMES[outcome],
    ...(method !== undefined && { method: METHODS[method] }),
    ...(reason !== undefined && { failure: FAILURES[reason] }),
    applications: state.applications.map(({ applicationId, projectId, at }) => ({
      ...applicationMessage(applicationId, names),
      projectId,
      date: timestampFromMs(at),
    })),
    sessionId: failedIn === undefined ? id : '',
    identityProviderId: providerId,
    organizationName: owners.get(owner) ?? '',
    ...(from && { origin: { ipAddress: from.ip ?? '', browser: from.browser ?? '' } }),
  }
}

export function stepMessage(step: Step, names: Names): MessageInitShape<typeof SignInStepSchema> {
  const { at, kind, result, setting, reason, applicationId } = step
  return {
    date: timestampFromMs(at),
    kind: STEPS[kind],
    result: RESULTS[result],
    description: sentenceOfStep(step),
    ...(setting && { setting: { ...setting, level: LEVELS[setting.level] } }),
    ...(reason !== undefined && { failure: FAILURES[reason] }),
    ...(applicationId !== undefined && { application: applicationMessage(applicationId, names) }),
  }
}

export function receivedMessage({
  what,
  value,
  count,
  firstAt,
  lastAt,
}: Received): MessageInitShape<typeof RefusedRequestSchema> {
  return {
    kind: KINDS[what],
    received: value,
    firstDate: timestampFromMs(firstAt),
    lastDate: timestampFromMs(lastAt),
    count: BigInt(count),
  }
}
