/**
 * How strong a sign-in is: what each check of a session proves, and what they amount to together. Pages, tokens, assertions
 * and signals all take it from here. Pure.
 */
import type { Instant } from '../../kernel/instant.ts'
import type { KeyUse } from '../passkeys/index.ts'
import type { SessionEvent } from './events.ts'

/** The successful checks except the user check, and when they last succeeded. */
export interface Factors {
  readonly password?: Instant
  readonly intent?: Instant
  readonly webAuthN?: {
    readonly checkedAt: Instant
    readonly keyId: string
    readonly use: KeyUse
    readonly userVerified: boolean
  }
  readonly totp?: Instant
  readonly otpSms?: Instant
  readonly otpEmail?: Instant
  readonly recoveryCode?: Instant
}

/** A successful check. The first factor says who somebody is; the second one, that they are not somebody who learned that. */
export interface Proof {
  readonly by: 'password' | 'provider' | 'passkey' | 'second'
  readonly at: Instant
  /** A verified passkey is both. A provider is a first factor also beside a password, whatever it asked its users for. */
  readonly proves: readonly ('first' | 'second')[]
}

const FIRST: Proof['proves'] = ['first']
const SECOND: Proof['proves'] = ['second']
const BOTH: Proof['proves'] = ['first', 'second']

/** What the checks of a session prove. */
export function proofsOf(factors: Factors): readonly Proof[] {
  const { password, intent, webAuthN: key, totp, otpSms, otpEmail, recoveryCode } = factors
  const given = (at: Instant | undefined, by: Proof['by'], proves: Proof['proves']): readonly Proof[] =>
    at === undefined ? [] : [{ at, by, proves }]
  return [
    ...given(password, 'password', FIRST),
    ...given(intent, 'provider', FIRST),
    ...(key?.use === 'passkey' ? given(key.checkedAt, 'passkey', key.userVerified ? BOTH : FIRST) : []),
    // A key that is only a second factor is not enough alone.
    ...(key?.use === 'second_factor' ? given(key.checkedAt, 'second', SECOND) : []),
    ...[totp, otpSms, otpEmail, recoveryCode].flatMap((at) => given(at, 'second', SECOND)),
  ]
}

/** The number of factors: 0 says nothing about who somebody is, and there is no more than 2. */
export type Strength = 0 | 1 | 2

/** What proofs amount to. Two first factors are no second one. */
export function strengthOf(proofs: readonly Proof[]): Strength {
  const proves = new Set(proofs.flatMap((proof) => proof.proves))
  return proves.has('first') ? (proves.has('second') ? 2 : 1) : 0
}

/** The factors after an event. */
export function factorsAfter(factors: Factors, event: SessionEvent): Factors {
  switch (event.type) {
    case 'session.password_checked.v1':
      return { ...factors, password: event.data.checkedAt }
    case 'session.intent_checked.v1':
      return { ...factors, intent: event.data.checkedAt }
    case 'session.web_authn_checked.v1':
      return { ...factors, webAuthN: event.data }
    case 'session.totp_checked.v1':
      return { ...factors, totp: event.data.checkedAt }
    case 'session.otp_sms_checked.v1':
      return { ...factors, otpSms: event.data.checkedAt }
    case 'session.otp_email_checked.v1':
      return { ...factors, otpEmail: event.data.checkedAt }
    case 'session.recovery_code_checked.v1':
      return { ...factors, recoveryCode: event.data.checkedAt }
    default:
      return factors
  }
}
