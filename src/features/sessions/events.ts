/**
 * The life of one session, built up by checks. Streams: `session`, owned by the organization of the user it was created
 * for, or by the instance; and one stream `session-retirement`, which records what was deleted from the log.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Removal } from '../../store/index.ts'
import type { OtpChallenge } from '../one-time-codes/index.ts'
import type { AssertionChallenge, KeyUse } from '../passkeys/index.ts'

/** What ends a session, beside its lifetime and its users. */
export type SessionEnding = 'user' | 'organization'

/** The user agent, as described by the client. */
export interface UserAgent {
  readonly fingerprintId?: string
  readonly ip?: string
  readonly description?: string
  readonly header?: Readonly<Record<string, readonly string[]>>
}

/** The challenges of the session until they are answered, replaced or expired. */
export interface Challenges {
  readonly webAuthN?: AssertionChallenge
  readonly otpSms?: OtpChallenge
  readonly otpEmail?: OtpChallenge
}

/** Only the hash of a token is stored. */
export interface TokenSecret {
  readonly tokenHash: string
}

/** A check whose failures are counted on the session. Wrong passwords and codes are counted for the user. */
export type FailingCheck = 'intent' | 'web_auth_n'

interface Checked {
  readonly checkedAt: Instant
}

export const sessionEvents = declareEvents({
  /**
   * `hasOwnLifetime`: the client requested the lifetime; otherwise it is that of the settings. The creator is empty for
   * a hosted page.
   */
  'session.created.v1': data<{
    readonly creatorId: string
    readonly userAgent?: UserAgent
    readonly expiresAt: Instant
    readonly hasOwnLifetime: boolean
    readonly secret: TokenSecret
  }>(),
  'session.user_checked.v1': data<
    Checked & {
      readonly userId: string
      readonly organizationId: string
      /** How often the user was locked out, and the organization closed, until then. */
      readonly generations?: Generations<SessionEnding>
    }
  >(),
  'session.password_checked.v1': data<Checked>(),
  'session.intent_checked.v1': data<Checked>(),
  'session.web_authn_checked.v1': data<
    Checked & { readonly keyId: string; readonly use: KeyUse; readonly userVerified: boolean }
  >(),
  'session.totp_checked.v1': data<Checked>(),
  'session.otp_sms_checked.v1': data<Checked>(),
  'session.otp_email_checked.v1': data<Checked>(),
  'session.recovery_code_checked.v1': data<Checked>(),
  'session.check_failed.v1': data<{ readonly check: FailingCheck; readonly failedAt: Instant }>(),
  /** The session was created with the answer to a challenge that was made before. No other one can be. */
  'session.challenge_answered.v1': data<{ readonly challenge: string }>(),
  /** Replaces earlier challenges of the same kind. */
  'session.challenged.v1': data<Challenges>(),
  'session.metadata_set.v1': data<{
    readonly set: Readonly<Record<string, string>>
    readonly removed: readonly string[]
  }>(),
  'session.lifetime_set.v1': data<{ readonly expiresAt: Instant; readonly hasOwnLifetime: boolean }>(),
  /** The previous token is no longer valid. */
  'session.token_renewed.v1': data<{ readonly secret: TokenSecret }>(),
  /** The expiration was first noticed. The session stays expired even if the clock is set back. */
  'session.expired.v1': data<{ readonly seenAt: Instant }>(),
  /** The browser came back with it, at most once a day. */
  'session.used.v1': data<{ readonly usedAt: Instant }>(),
  'session.ended.v1': data<{ readonly endedAt: Instant; readonly reason: EndReason }>(),
})

export type SessionEvent = EventOf<typeof sessionEvents>

/** `ended`: on request; `user_removed`: with its user; `password_changed`: the user has another password since. */
export type EndReason = 'ended' | 'user_removed' | 'password_changed'

const sessionRetirementEvents = declareEvents({
  /** Sessions whose retention has passed were deleted from the log with all of their events. */
  'session.retired.v1': data<Removal>(),
})

export type SessionRetirementEvent = EventOf<typeof sessionRetirementEvents>
