/**
 * Codes that prove something once, and how often a person has been wrong about a secret. Streams, owned by the
 * organization of the user: `verification` under `<user id>/<purpose>`, and `attempts` under the user's id.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What a code proves: that whoever has it reads what is sent to an address or number, or was invited. */
export type Purpose = 'email' | 'phone' | 'invite' | 'password_reset' | 'passkey'

/** A way on which a secret is checked. */
export type SecretPath = Purpose | 'password' | 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code'

export type VerificationEvent =
  /** `target` is the address or number it was made for. An earlier code ends. */
  | Fact<
      'verification.issued.v1',
      {
        readonly target: string
        readonly issuedAt: Instant
        readonly expiresAt: Instant
        readonly secret: { readonly hash: string }
      }
    >
  | Fact<'verification.used.v1', Record<never, never>>
  | Fact<'verification.cancelled.v1', Record<never, never>>
  /** The user is no more. */
  | Fact<'verification.removed.v1', Record<never, never>>

export type AttemptsEvent =
  /** `issue` says which code of that purpose it was about. */
  | Fact<'attempts.failed.v1', { readonly path: SecretPath; readonly issue?: number; readonly failedAt: Instant }>
  /** `success`: the right secret was given; `unlocked`: somebody with the right to do so began the count anew. */
  | Fact<'attempts.cleared.v1', { readonly reason: 'success' | 'unlocked' }>
  /** The user is no more. */
  | Fact<'attempts.removed.v1', Record<never, never>>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const verificationEventTypes: readonly string[] = Object.keys({
  'verification.issued.v1': true,
  'verification.used.v1': true,
  'verification.cancelled.v1': true,
  'verification.removed.v1': true,
  'attempts.failed.v1': true,
  'attempts.cleared.v1': true,
  'attempts.removed.v1': true,
} satisfies Record<VerificationEvent['type'] | AttemptsEvent['type'], true>)
