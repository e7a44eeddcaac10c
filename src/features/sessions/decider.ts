/** The rules of sessions: checks in order, all or nothing, and a new token with each update. Pure. */
import { accept, type Decider, type Decision, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { AssertionChallenge, KeyUse } from '../passkeys/index.ts'
import type { Challenges, EndReason, FailingCheck, SessionEvent, UserAgent } from './events.ts'
import {
  type ChallengeName,
  challengePrecondition,
  checkPrecondition,
  type Person,
  userPrecondition,
} from './preconditions.ts'
import type { SessionRefusal } from './refusals.ts'
import { evolveSession, hasExpired, type OpenSession, type Session } from './state.ts'

/** Keys of metadata that a session can have. */
export const MOST_METADATA = 100

/** A successful check: evidence that was gathered before the decision. */
export type Check =
  | { readonly check: 'user' | 'password' | 'intent' | 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code' }
  | {
      readonly check: 'web_auth_n'
      /** The challenge of the response. */
      readonly challenge: string
      readonly keyId: string
      readonly use: KeyUse
      readonly userVerified: boolean
    }

/** A factor whose set-up ends with a code of it. */
export type SetUpFactor = 'totp' | 'otp_sms' | 'otp_email'

/** The changes of a request, in their order. */
export interface SessionChange {
  readonly at: Instant
  /** Required for checks and challenges. */
  readonly person?: Person
  readonly checks: readonly Check[]
  readonly challenges: Challenges
  /** An empty value removes the key. */
  readonly metadata: Readonly<Record<string, string>>
  /** The expiration that the client requested. */
  readonly expiresAt?: Instant
  /** The expiration of the login settings, if the client never requested another one. */
  readonly defaultExpiresAt: Instant
  readonly tokenHash: string
}

export type SessionCommand =
  | ({
      readonly type: 'create'
      readonly creatorId: string
      readonly userAgent?: UserAgent
      /** A challenge that was made before, and that one of the checks answers. */
      readonly answers?: AssertionChallenge
    } & SessionChange)
  /** `shownHash`: of the token that the caller showed; not given: the caller may do it without. */
  | ({ readonly type: 'update'; readonly shownHash?: string } & SessionChange)
  /** A factor that the user has just set up with a code: the code counts for this session, if the settings allow it. */
  | {
      readonly type: 'add_factor'
      readonly factor: SetUpFactor
      readonly person: Person | undefined
      readonly tokenHash: string
      readonly at: Instant
    }
  | { readonly type: 'fail_check'; readonly check: FailingCheck; readonly at: Instant }
  | { readonly type: 'use'; readonly at: Instant }
  | { readonly type: 'expire'; readonly at: Instant }
  | { readonly type: 'end'; readonly reason: EndReason; readonly at: Instant }

type SessionDecision = Decision<SessionEvent, SessionRefusal>

function eventOf(check: Check, { userId, organizationId, generations }: Person, checkedAt: Instant): SessionEvent {
  switch (check.check) {
    case 'user':
      return { type: 'session.user_checked.v1', data: { userId, organizationId, generations, checkedAt } }
    case 'web_auth_n': {
      const { keyId, use, userVerified } = check
      return { type: 'session.web_authn_checked.v1', data: { checkedAt, keyId, use, userVerified } }
    }
    default:
      return { type: `session.${check.check}_checked.v1`, data: { checkedAt } }
  }
}

function challengeNames({ webAuthN, otpSms, otpEmail }: Challenges): readonly ChallengeName[] {
  return [
    ...(webAuthN ? ([webAuthN.userVerification === 'required' ? 'passkey' : 'second_factor_key'] as const) : []),
    ...(otpSms ? (['otp_sms'] as const) : []),
    ...(otpEmail ? (['otp_email'] as const) : []),
  ]
}

function metadataEvent(
  { metadata: before }: OpenSession,
  metadata: Readonly<Record<string, string>>,
): SessionEvent | undefined {
  const has = (key: string) => Object.hasOwn(before, key)
  const set = Object.entries(metadata).filter(([key, value]) => value !== '' && !(has(key) && before[key] === value))
  const removed = Object.keys(metadata).filter((key) => metadata[key] === '' && has(key))
  if (set.length === 0 && removed.length === 0) return undefined
  return { type: 'session.metadata_set.v1', data: { set: Object.fromEntries(set), removed } }
}

/** Folds each event immediately, because a check can depend on the previous one. */
function change(command: SessionChange, before: OpenSession, ...first: readonly SessionEvent[]): SessionDecision {
  const { at, person, checks, challenges, metadata, expiresAt, defaultExpiresAt } = command
  const events = [...first]
  let session = before
  const add = (event: SessionEvent): void => {
    events.push(event)
    session = evolveSession(session, event) as OpenSession
  }
  for (const check of checks) {
    const unmet = checkPrecondition(session, check.check, person)
    if (unmet !== undefined) return refuse(unmet)
    if (person === undefined) return refuse('session.no_user')
    if (check.check === 'web_auth_n' && check.challenge !== session.challenges.webAuthN?.challenge) {
      return refuse('session.challenge_replaced')
    }
    add(eventOf(check, person, at))
  }
  for (const name of challengeNames(challenges)) {
    const unmet = challengePrecondition(session, name, person)
    if (unmet !== undefined) return refuse(unmet)
  }
  if (Object.keys(challenges).length > 0) add({ type: 'session.challenged.v1', data: challenges })
  const metadataSet = metadataEvent(session, metadata)
  if (metadataSet !== undefined) add(metadataSet)
  if (Object.keys(session.metadata).length > MOST_METADATA) return refuse('session.metadata_too_large')
  const isFirstUser = before.user === undefined && session.user !== undefined && !before.hasOwnLifetime
  const ends = expiresAt ?? (isFirstUser ? defaultExpiresAt : session.endsAt)
  if (ends !== session.endsAt) {
    const hasOwnLifetime = expiresAt !== undefined || session.hasOwnLifetime
    add({ type: 'session.lifetime_set.v1', data: { expiresAt: ends, hasOwnLifetime } })
  }
  return accept(...events)
}

function create(command: Extract<SessionCommand, { type: 'create' }>, state: Session): SessionDecision {
  if (state.status !== 'unknown') return refuse('session.id_taken')
  const { creatorId, userAgent, answers, expiresAt, defaultExpiresAt, tokenHash } = command
  const created: SessionEvent = {
    type: 'session.created.v1',
    data: {
      creatorId,
      ...(userAgent && { userAgent }),
      expiresAt: expiresAt ?? defaultExpiresAt,
      hasOwnLifetime: expiresAt !== undefined,
      secret: { tokenHash },
    },
  }
  const begun = evolveSession(state, created) as OpenSession
  if (answers === undefined) return change(command, begun, created)
  const answered: SessionEvent = {
    type: 'session.challenge_answered.v1',
    data: { challenge: answers.challenge },
  }
  // The challenge is open for the checks of this command alone, and stored as answered.
  const asked = { ...(evolveSession(begun, answered) as OpenSession), challenges: { webAuthN: answers } }
  return change(command, asked, created, answered)
}

function update(command: Extract<SessionCommand, { type: 'update' }>, state: Session): SessionDecision {
  if (state.status === 'unknown') return refuse('session.not_found')
  const { at, shownHash, tokenHash } = command
  if (shownHash !== undefined && shownHash !== state.secret.tokenHash) return refuse('session.token_invalid')
  if (state.status === 'ended') return refuse('session.ended')
  if (hasExpired(state, at)) return refuse('session.expired')
  const unmet = state.user && userPrecondition(state.user, command.person)
  if (unmet !== undefined) return refuse(unmet)
  const decision = change(command, state)
  if (decision.refusal !== undefined) return decision
  return accept(...decision.events, { type: 'session.token_renewed.v1', data: { secret: { tokenHash } } })
}

function addFactor(command: Extract<SessionCommand, { type: 'add_factor' }>, state: Session): SessionDecision {
  if (state.status === 'unknown') return refuse('session.not_found')
  if (state.status === 'ended') return refuse('session.ended')
  const { factor, person, tokenHash, at } = command
  if (hasExpired(state, at)) return refuse('session.expired')
  if (person === undefined || state.user?.id !== person.userId) return refuse('session.no_user')
  const unmet = userPrecondition(state.user, person)
  if (unmet !== undefined) return refuse(unmet)
  const checked: SessionEvent = { type: `session.${factor}_checked.v1`, data: { checkedAt: at } }
  const renewed: SessionEvent = { type: 'session.token_renewed.v1', data: { secret: { tokenHash } } }
  return person.login.secondFactors.includes(factor) ? accept(checked, renewed) : accept(renewed)
}

export const session: Decider<SessionCommand, Session, SessionEvent, SessionRefusal> = {
  initial: { status: 'unknown' },

  evolve: evolveSession,

  decide(command, state) {
    switch (command.type) {
      case 'create':
        return create(command, state)
      case 'update':
        return update(command, state)
      case 'add_factor':
        return addFactor(command, state)
      case 'fail_check':
        if (state.status !== 'open') return accept()
        return accept({ type: 'session.check_failed.v1', data: { check: command.check, failedAt: command.at } })
      case 'use':
        if (state.status !== 'open' || hasExpired(state, command.at)) return accept()
        return accept({ type: 'session.used.v1', data: { usedAt: command.at } })
      case 'expire':
        if (state.status === 'unknown') return refuse('session.not_found')
        if (state.status === 'ended' || state.seenExpiredAt !== undefined || command.at < state.endsAt) return accept()
        return accept({ type: 'session.expired.v1', data: { seenAt: command.at } })
      case 'end':
        if (state.status === 'unknown') return refuse('session.not_found')
        if (state.status === 'ended') return accept()
        return accept({ type: 'session.ended.v1', data: { endedAt: command.at, reason: command.reason } })
    }
  },
}
