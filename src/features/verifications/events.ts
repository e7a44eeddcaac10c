/**
 * Codes that prove something once, and how many wrong secrets were given for a user. Streams, owned by the organization
 * of the user: `verification` under `<user id>/<purpose>`, and `attempts` under the id of the user.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'

/**
 * The purpose of a code: it proves that its holder receives messages at an address or number, or was invited. Those of a
 * `…_change` are for an address or number that the user has not yet.
 */
export type Purpose = 'email' | 'phone' | 'invite' | 'password_reset' | 'passkey' | 'email_change' | 'phone_change'

/** A type of secret that can be tried. */
export type SecretPath = Purpose | 'password' | 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code'

/**
 * What wrong attempts are counted for. `otp`: codes that are sent to sign in with; `sent_code`: codes that prove an
 * address, an invitation or a reset.
 */
export type Factor = 'password' | 'totp' | 'recovery_code' | 'otp' | 'sent_code'

/** What ends a code that nobody has used. */
export type CodeGenerations = Generations<'user' | 'organization'>

export const verificationEvents = declareEvents({
  /** `target` is the address or number it was issued for. Invalidates an earlier code. */
  'verification.issued.v1': data<{
    readonly target: string
    readonly issuedAt: Instant
    readonly expiresAt: Instant
    /** It was sent to the target and shown to nobody else, so that its return proves who receives messages there. */
    readonly isMailed?: true
    /** How often the user was locked out, and the organization closed; undefined in codes from before that was remembered. */
    readonly generations?: CodeGenerations
    readonly secret: { readonly hash: string }
  }>(),
  /** The code that was open was used; no other is open. */
  'verification.used.v1': data(),
  'verification.cancelled.v1': data(),
  /** The user was removed. */
  'verification.removed.v1': data(),
  /** Like `issued`, but earlier codes stay valid: the codes of links. */
  'verification.added.v1': data<{
    readonly target: string
    readonly issuedAt: Instant
    readonly expiresAt: Instant
    /** It was sent to the target and shown to nobody else, so that its return proves who receives messages there. */
    readonly isMailed?: true
    /** How often the user was locked out, and the organization closed; undefined in codes from before that was remembered. */
    readonly generations?: CodeGenerations
    readonly secret: { readonly hash: string }
  }>(),
  /** One of several open codes was used; `issue` is its number. */
  'verification.code_used.v1': data<{ readonly issue: number }>(),
})

export type VerificationEvent = EventOf<typeof verificationEvents>

export const attemptsEvents = declareEvents({
  /** `issue` is the number of the code of that purpose. */
  'attempts.failed.v1': data<{ readonly path: SecretPath; readonly issue?: number; readonly failedAt: Instant }>(),
  /** Resets all counts. `unlocked`: an administrator did it; `success` is no longer written. */
  'attempts.cleared.v1': data<{ readonly reason: 'success' | 'unlocked' }>(),
  /** Resets the count of one factor. `success`: the right secret was given; `replaced`: a new one was set. */
  'attempts.factor_cleared.v1': data<{ readonly factor: Factor; readonly reason: 'success' | 'replaced' }>(),
  /** The failure before it locked the factor. */
  'attempts.factor_locked.v1': data<{ readonly factor: Factor; readonly until: Instant }>(),
  /** The user was removed. */
  'attempts.removed.v1': data(),
})

export type AttemptsEvent = EventOf<typeof attemptsEvents>
