/**
 * What a person can type as a second factor. Stream: `one-time-codes`, under the user's id, owned by the user's
 * organization: an authenticator app, codes sent to phone or mailbox, recovery codes.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** Where a code is sent. */
export type Medium = 'sms' | 'email'

/** The secret that an app has too, sealed. */
interface Seed {
  readonly secret: { readonly seed: string }
}

export type OneTimeCodesEvent =
  /** Shown to the person; it counts once a code proves that an app has it. */
  | Fact<'totp.registered.v1', Seed>
  /** `step`: the 30 seconds whose code was the proof, which is used up with it. */
  | Fact<'totp.verified.v1', { readonly step: number }>
  /** Brought along from another system, and ready at once. */
  | Fact<'totp.imported.v1', Seed>
  /** `step`: the 30 seconds whose code was given. */
  | Fact<'totp.used.v1', { readonly step: number }>
  | Fact<'totp.removed.v1', Record<never, never>>
  /** The same secret under another key. */
  | Fact<'totp.resealed.v1', Seed>
  | Fact<'otp.added.v1', { readonly medium: Medium }>
  | Fact<'otp.removed.v1', { readonly medium: Medium }>
  /** A code was made; whoever asked for it keeps its hash. An earlier one of the same medium ends. */
  | Fact<'otp.issued.v1', { readonly medium: Medium; readonly issuedAt: Instant }>
  | Fact<'otp.used.v1', { readonly medium: Medium; readonly issue: number }>
  /** Earlier ones end. `key` is sealed; `hashes` are made with it. */
  | Fact<
      'recovery_codes.generated.v1',
      { readonly count: number; readonly secret: { readonly key: string; readonly hashes: readonly string[] } }
    >
  /** `index`: its place in the list, from 0. */
  | Fact<'recovery_codes.used.v1', { readonly index: number }>
  | Fact<'recovery_codes.removed.v1', Record<never, never>>
  /** The same key of the hashes under another key. */
  | Fact<'recovery_codes.resealed.v1', { readonly secret: { readonly key: string } }>
  /** The user is no more. */
  | Fact<'one_time_codes.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const oneTimeCodeEventTypes: readonly string[] = Object.keys({
  'totp.registered.v1': true,
  'totp.verified.v1': true,
  'totp.imported.v1': true,
  'totp.used.v1': true,
  'totp.removed.v1': true,
  'totp.resealed.v1': true,
  'otp.added.v1': true,
  'otp.removed.v1': true,
  'otp.issued.v1': true,
  'otp.used.v1': true,
  'recovery_codes.generated.v1': true,
  'recovery_codes.used.v1': true,
  'recovery_codes.removed.v1': true,
  'recovery_codes.resealed.v1': true,
  'one_time_codes.removed.v1': true,
} satisfies Record<OneTimeCodesEvent['type'], true>)
