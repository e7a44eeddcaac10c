/**
 * The life of one session, built up by checks. Streams: `session`, owned by the organization of the user it was created
 * for, or by the instance; and one stream `session-retirement`, which says what has left the log.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { ForgottenRecord } from '../../store/index.ts'
import type { OtpChallenge } from '../one-time-codes/index.ts'
import type { AssertionChallenge, KeyUse } from '../passkeys/index.ts'

/** The program that somebody signs in with, as the client told it. */
export interface UserAgent {
  readonly fingerprintId?: string
  readonly ip?: string
  readonly description?: string
  readonly header?: Readonly<Record<string, readonly string[]>>
}

/** What is asked of the person, until it is answered, asked anew, or too late. */
export interface Challenges {
  readonly webAuthN?: AssertionChallenge
  readonly otpSms?: OtpChallenge
  readonly otpEmail?: OtpChallenge
}

/** Only the hash of a token is ever stored. */
export interface TokenSecret {
  readonly tokenHash: string
}

/** A check whose failure is the session's to remember; wrong passwords and codes are counted per person. */
export type FailingCheck = 'intent' | 'web_auth_n'

interface Checked {
  readonly checkedAt: Instant
}

export type SessionEvent =
  /** `hasOwnLifetime`: the client has asked for it; else it is that of the settings. An empty creator: a hosted page. */
  | Fact<
      'session.created.v1',
      {
        readonly creatorId: string
        readonly userAgent?: UserAgent
        readonly expiresAt: Instant
        readonly hasOwnLifetime: boolean
        readonly secret: TokenSecret
      }
    >
  | Fact<'session.user_checked.v1', Checked & { readonly userId: string; readonly organizationId: string }>
  | Fact<'session.password_checked.v1', Checked>
  | Fact<'session.intent_checked.v1', Checked>
  | Fact<
      'session.web_authn_checked.v1',
      Checked & { readonly keyId: string; readonly use: KeyUse; readonly userVerified: boolean }
    >
  | Fact<'session.totp_checked.v1', Checked>
  | Fact<'session.otp_sms_checked.v1', Checked>
  | Fact<'session.otp_email_checked.v1', Checked>
  | Fact<'session.recovery_code_checked.v1', Checked>
  | Fact<'session.check_failed.v1', { readonly check: FailingCheck; readonly failedAt: Instant }>
  /** Takes the place of earlier ones of the same kind. */
  | Fact<'session.challenged.v1', Challenges>
  | Fact<
      'session.metadata_set.v1',
      { readonly set: Readonly<Record<string, string>>; readonly removed: readonly string[] }
    >
  | Fact<'session.lifetime_set.v1', { readonly expiresAt: Instant; readonly hasOwnLifetime: boolean }>
  /** The token before is no longer good. */
  | Fact<'session.token_renewed.v1', { readonly secret: TokenSecret }>
  /** The first who saw that its lifetime was over. From then on it is, even when the clock goes back. */
  | Fact<'session.expired.v1', { readonly seenAt: Instant }>
  | Fact<'session.ended.v1', { readonly endedAt: Instant; readonly reason: EndReason }>

/** `ended`: somebody asked for it; `user_removed`: its user is no more. */
export type EndReason = 'ended' | 'user_removed'

export type SessionRetirementEvent =
  /** Sessions that were over for long enough have left the log, with all their events. */
  Fact<'session.retired.v1', ForgottenRecord>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const sessionEventTypes: readonly string[] = Object.keys({
  'session.created.v1': true,
  'session.user_checked.v1': true,
  'session.password_checked.v1': true,
  'session.intent_checked.v1': true,
  'session.web_authn_checked.v1': true,
  'session.totp_checked.v1': true,
  'session.otp_sms_checked.v1': true,
  'session.otp_email_checked.v1': true,
  'session.recovery_code_checked.v1': true,
  'session.check_failed.v1': true,
  'session.challenged.v1': true,
  'session.metadata_set.v1': true,
  'session.lifetime_set.v1': true,
  'session.token_renewed.v1': true,
  'session.expired.v1': true,
  'session.ended.v1': true,
  'session.retired.v1': true,
} satisfies Record<(SessionEvent | SessionRetirementEvent)['type'], true>)
