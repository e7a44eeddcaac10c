/**
 * Codes that prove something once, and how many wrong secrets were given for a user. Streams, owned by the organization
 * of the user: `verification` under `<user id>/<purpose>`, and `attempts` under the id of the user.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** The purpose of a code: it proves that its holder receives messages at an address or number, or was invited. */
export type Purpose = 'email' | 'phone' | 'invite' | 'password_reset' | 'passkey'

/** A type of secret that can be tried. */
export type SecretPath = Purpose | 'password' | 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code'

export const verificationEvents = declareEvents({
  /** `target` is the address or number it was issued for. Invalidates an earlier code. */
  'verification.issued.v1': data<{
    readonly target: string
    readonly issuedAt: Instant
    readonly expiresAt: Instant
    readonly secret: { readonly hash: string }
  }>(),
  'verification.used.v1': data(),
  'verification.cancelled.v1': data(),
  /** The user was removed. */
  'verification.removed.v1': data(),
})

export type VerificationEvent = EventOf<typeof verificationEvents>

export const attemptsEvents = declareEvents({
  /** `issue` is the number of the code of that purpose. */
  'attempts.failed.v1': data<{ readonly path: SecretPath; readonly issue?: number; readonly failedAt: Instant }>(),
  /** `success`: the right secret was given; `unlocked`: an administrator reset the count. */
  'attempts.cleared.v1': data<{ readonly reason: 'success' | 'unlocked' }>(),
  /** The user was removed. */
  'attempts.removed.v1': data(),
})

export type AttemptsEvent = EventOf<typeof attemptsEvents>
