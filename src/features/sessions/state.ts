/** The current state of one session: the fold of its events. */
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Challenges, SessionEnding, SessionEvent, TokenSecret, UserAgent } from './events.ts'
import { type Factors, factorsAfter } from './strength.ts'

/** The user of the session. */
export interface CheckedUser {
  readonly id: string
  readonly organizationId: string
  readonly checkedAt: Instant
  /** The numbers at the time when the user was first checked; undefined: sessions did not keep them yet. */
  readonly generations?: Generations<SessionEnding>
}

/** A session that has not ended. It can be expired, see `hasExpired`. */
export interface OpenSession {
  readonly status: 'open'
  /** Empty for a hosted page. */
  readonly creatorId: string
  readonly user?: CheckedUser
  readonly factors: Factors
  readonly challenges: Challenges
  readonly metadata: Readonly<Record<string, string>>
  readonly userAgent?: UserAgent
  /** The number of failed checks on this session. */
  readonly failures: number
  readonly hasOwnLifetime: boolean
  /** When it expires. Only open sessions have it, so that lists leave out the others. */
  readonly endsAt: Instant
  /** When its expiration was first noticed. */
  readonly seenExpiredAt?: Instant
  /** The challenge that it was created with the answer to. */
  readonly answered?: string
  readonly secret: TokenSecret
}

/**
 * What is kept of an ended session until it leaves the log: whose it was, its last token, to answer its holder, and the
 * challenge that must not be answered again.
 */
export interface EndedSession {
  readonly status: 'ended'
  readonly was: { readonly creatorId: string; readonly userId?: string; readonly organizationId?: string }
  readonly endedAt: Instant
  readonly answered?: string
  readonly secret: TokenSecret
}

export type Session = { readonly status: 'unknown' } | OpenSession | EndedSession

function withoutChallenge(challenges: Challenges, answered: keyof Challenges): Challenges {
  const { [answered]: _, ...rest } = challenges
  return rest
}

function end({ creatorId, user, answered, secret }: OpenSession, endedAt: Instant): EndedSession {
  return {
    status: 'ended',
    was: { creatorId, ...(user && { userId: user.id, organizationId: user.organizationId }) },
    endedAt,
    ...(answered !== undefined && { answered }),
    secret,
  }
}

function setMetadata(
  before: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
  removed: readonly string[],
): Readonly<Record<string, string>> {
  // Neither a spread nor `fromEntries` sets a prototype: a key can be __proto__.
  const after = { ...before, ...set }
  return removed.length === 0
    ? after
    : Object.fromEntries(Object.entries(after).filter(([key]) => !removed.includes(key)))
}

function evolveOpen(session: OpenSession, event: SessionEvent): Session {
  const { factors, challenges } = session
  switch (event.type) {
    case 'session.created.v1':
      return session
    case 'session.user_checked.v1': {
      const { userId: id, organizationId, checkedAt, generations } = event.data
      return { ...session, user: { id, organizationId, checkedAt, ...(generations && { generations }) } }
    }
    case 'session.password_checked.v1':
    case 'session.intent_checked.v1':
    case 'session.totp_checked.v1':
    case 'session.recovery_code_checked.v1':
      return { ...session, factors: factorsAfter(factors, event) }
    case 'session.web_authn_checked.v1':
      return { ...session, factors: factorsAfter(factors, event), challenges: withoutChallenge(challenges, 'webAuthN') }
    case 'session.otp_sms_checked.v1':
      return { ...session, factors: factorsAfter(factors, event), challenges: withoutChallenge(challenges, 'otpSms') }
    case 'session.otp_email_checked.v1':
      return { ...session, factors: factorsAfter(factors, event), challenges: withoutChallenge(challenges, 'otpEmail') }
    // When it was is the time of the last change.
    case 'session.used.v1':
      return session
    case 'session.check_failed.v1':
      return { ...session, failures: session.failures + 1 }
    case 'session.challenge_answered.v1':
      return { ...session, answered: event.data.challenge }
    case 'session.challenged.v1':
      return { ...session, challenges: { ...challenges, ...event.data } }
    case 'session.metadata_set.v1':
      return { ...session, metadata: setMetadata(session.metadata, event.data.set, event.data.removed) }
    case 'session.lifetime_set.v1':
      return { ...session, endsAt: event.data.expiresAt, hasOwnLifetime: event.data.hasOwnLifetime }
    case 'session.token_renewed.v1':
      return { ...session, secret: event.data.secret }
    case 'session.expired.v1':
      return { ...session, seenExpiredAt: event.data.seenAt }
    case 'session.ended.v1':
      return end(session, event.data.endedAt)
  }
}

export function evolveSession(session: Session, event: SessionEvent): Session {
  if (session.status === 'open') return evolveOpen(session, event)
  if (session.status === 'ended' || event.type !== 'session.created.v1') return session
  const { creatorId, userAgent, expiresAt, hasOwnLifetime, secret } = event.data
  return {
    status: 'open',
    creatorId,
    factors: {},
    challenges: {},
    metadata: {},
    ...(userAgent && { userAgent }),
    failures: 0,
    hasOwnLifetime,
    endsAt: expiresAt,
    secret,
  }
}

/** Whether a session has expired. Once that is recorded, the clock does not matter. */
export function hasExpired({ endsAt, seenExpiredAt }: OpenSession, at: Instant): boolean {
  return seenExpiredAt !== undefined || at >= endsAt
}

/** The user of a session, even of an ended one. */
export function userIdOf(session: Session): string | undefined {
  return session.status === 'open' ? session.user?.id : session.status === 'ended' ? session.was.userId : undefined
}

/** The organization of the user of a session, even of an ended one. */
export function organizationIdOf(session: Session): string | undefined {
  return session.status === 'open'
    ? session.user?.organizationId
    : session.status === 'ended'
      ? session.was.organizationId
      : undefined
}

/** Who created a session. */
export function creatorIdOf(session: Session): string | undefined {
  return session.status === 'open' ? session.creatorId : session.status === 'ended' ? session.was.creatorId : undefined
}
