/** Converts sessions to messages, and requests to drafts. No message contains a secret of a session. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ChallengesSchema, Checks, RequestChallenges } from '../../../contract/gen/signet/session/v2/check_pb.ts'
import { UserVerificationRequirement } from '../../../contract/gen/signet/session/v2/check_pb.ts'
import type {
  SessionSchema,
  UserAgent as UserAgentMessage,
} from '../../../contract/gen/signet/session/v2/session_pb.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { detailsV2 } from '../../module/details.ts'
import type { Document } from '../../store/index.ts'
import type { UserVerification } from '../passkeys/index.ts'
import { isLiving, shownName, type User } from '../users/index.ts'
import type { ChallengesDraft, ChecksDraft, GivenChallenges, SessionDraft } from './drafts.ts'
import type { UserAgent } from './events.ts'
import { ownerOf } from './session-access.ts'
import type { OpenSession, Session } from './state.ts'

/** Details of a session: its owner is the organization of its user, before that the instance. */
export function sessionDetails(app: App, session: Document<Session>) {
  return detailsV2({ ...session, owner: ownerOf(app, session) })
}

function verified(at: Instant) {
  return { verifiedAt: timestampFromMs(at) }
}

function factorsMessage({ user, factors }: OpenSession, person: Document<User> | undefined) {
  if (user === undefined) return undefined
  const { password, intent, webAuthN, totp, otpSms, otpEmail, recoveryCode } = factors
  const living = person !== undefined && isLiving(person.state) ? person.state : undefined
  return {
    user: {
      ...verified(user.checkedAt),
      id: user.id,
      loginName: living?.userName ?? '',
      displayName: living === undefined ? '' : shownName(living),
      organizationId: user.organizationId,
    },
    ...(password !== undefined && { password: verified(password) }),
    ...(webAuthN && { webAuthN: { ...verified(webAuthN.checkedAt), userVerified: webAuthN.userVerified } }),
    ...(intent !== undefined && { intent: verified(intent) }),
    ...(totp !== undefined && { totp: verified(totp) }),
    ...(otpSms !== undefined && { otpSms: verified(otpSms) }),
    ...(otpEmail !== undefined && { otpEmail: verified(otpEmail) }),
    ...(recoveryCode !== undefined && { recoveryCode: verified(recoveryCode) }),
  }
}

function agentMessage({ header = {}, ...rest }: UserAgent) {
  return {
    ...rest,
    header: Object.fromEntries(Object.entries(header).map(([name, values]) => [name, { values: [...values] }])),
  }
}

/** A session as a message; `person` is its user. */
export function sessionMessage(
  session: Document<OpenSession>,
  person: Document<User> | undefined,
): MessageInitShape<typeof SessionSchema> {
  const { id, createdAt, changedAt, sequence, state } = session
  const factors = factorsMessage(state, person)
  return {
    id,
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
    sequence: BigInt(sequence),
    ...(factors && { factors }),
    metadata: { ...state.metadata },
    ...(state.userAgent && { userAgent: agentMessage(state.userAgent) }),
    expirationDate: timestampFromMs(state.endsAt),
  }
}

/** The challenges of a response; undefined when none were requested. */
export function challengesMessage(
  asked: RequestChallenges | undefined,
  { webAuthN, otpSms, otpEmail }: GivenChallenges,
): { challenges?: MessageInitShape<typeof ChallengesSchema> } {
  if (asked === undefined) return {}
  return {
    challenges: {
      ...(webAuthN && { webAuthN: { publicKeyCredentialRequestOptions: webAuthN } }),
      ...(otpSms !== undefined && { otpSms }),
      ...(otpEmail !== undefined && { otpEmail }),
    },
  }
}

function readChecks(checks: Checks): ChecksDraft {
  const { user, password, webAuthN, intent, totp, otpSms, otpEmail, recoveryCode } = checks
  const search = user?.search
  const credential = webAuthN?.credentialAssertionData
  return {
    ...(search?.case === 'userId' && { user: { userId: search.value } }),
    ...(search?.case === 'loginName' && { user: { loginName: search.value } }),
    ...(password && { password: password.password }),
    ...(intent && { intent: { intentId: intent.intentId, token: intent.token } }),
    ...(credential && { webAuthN: credential }),
    ...(totp && { totp: totp.code }),
    ...(otpSms && { otpSms: otpSms.code }),
    ...(otpEmail && { otpEmail: otpEmail.code }),
    ...(recoveryCode && { recoveryCode: recoveryCode.code }),
  }
}

/** The contract allows no other values. */
function verificationOf(requirement: UserVerificationRequirement): UserVerification {
  if (requirement === UserVerificationRequirement.REQUIRED) return 'required'
  return requirement === UserVerificationRequirement.DISCOURAGED ? 'discouraged' : 'preferred'
}

function readChallenges({ webAuthN, otpSms, otpEmail }: RequestChallenges): ChallengesDraft {
  const delivery = otpEmail?.deliveryType
  const urlTemplate = delivery?.case === 'sendCode' ? delivery.value.urlTemplate : undefined
  return {
    ...(webAuthN && {
      webAuthN: {
        domain: webAuthN.domain,
        userVerification: verificationOf(webAuthN.userVerificationRequirement),
      },
    }),
    ...(otpSms && { otpSms: otpSms.returnCode ? 'return' : 'send' }),
    ...(otpEmail && {
      otpEmail: delivery?.case === 'returnCode' ? 'return' : urlTemplate === undefined ? {} : { urlTemplate },
    }),
  }
}

/** The common fields of create and update requests. */
export function readDraft(request: {
  readonly checks?: Checks | undefined
  readonly challenges?: RequestChallenges | undefined
  readonly metadata: Readonly<Record<string, string>>
  readonly lifetime?: Duration | undefined
}): SessionDraft {
  const { checks, challenges, metadata, lifetime } = request
  return {
    ...(checks && { checks: readChecks(checks) }),
    ...(challenges && { challenges: readChallenges(challenges) }),
    metadata,
    ...(lifetime && { lifetimeMs: Number(lifetime.seconds) * 1000 + lifetime.nanos / 1_000_000 }),
  }
}

/** The user agent of a request; undefined when it is empty. */
export function readUserAgent(message: UserAgentMessage | undefined): { userAgent?: UserAgent } {
  if (message === undefined) return {}
  const { fingerprintId, ip, description } = message
  const header = Object.fromEntries(Object.entries(message.header).map(([name, { values }]) => [name, values]))
  const userAgent: UserAgent = {
    ...(fingerprintId && { fingerprintId }),
    ...(ip && { ip }),
    ...(description && { description }),
    ...(Object.keys(header).length > 0 && { header }),
  }
  return Object.keys(userAgent).length === 0 ? {} : { userAgent }
}
