/**
 * What a user can type as a second factor: codes of an authenticator app, codes sent to phone or mailbox, recovery codes.
 * Stream: `one-time-codes`, under the id of the user, owned by the organization of the user.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** How a code is sent. */
export type Medium = 'sms' | 'email'

/** The encrypted secret of an app. */
interface Seed {
  readonly secret: { readonly seed: string }
}

export const oneTimeCodesEvents = declareEvents({
  /** The secret was shown to the user. It is used once a code proves that an app has it. */
  'totp.registered.v1': data<Seed>(),
  /** `step`: the 30-second step of the code, which is used up. */
  'totp.verified.v1': data<{ readonly step: number }>(),
  /** Imported from another system, and ready immediately. */
  'totp.imported.v1': data<Seed>(),
  /** `step`: the 30-second step of the code. */
  'totp.used.v1': data<{ readonly step: number }>(),
  'totp.removed.v1': data(),
  /** An unchanged secret, encrypted with another key. */
  'totp.resealed.v1': data<Seed>(),
  'otp.added.v1': data<{ readonly medium: Medium }>(),
  'otp.removed.v1': data<{ readonly medium: Medium }>(),
  /**
   * A code was created. The session that requested it stores its hash. Invalidates an earlier code of the same medium.
   */
  'otp.issued.v1': data<{ readonly medium: Medium; readonly issuedAt: Instant }>(),
  'otp.used.v1': data<{ readonly medium: Medium; readonly issue: number }>(),
  /** Invalidates earlier codes. `key` is encrypted; `hashes` are computed with it. */
  'recovery_codes.generated.v1': data<{
    readonly count: number
    readonly secret: { readonly key: string; readonly hashes: readonly string[] }
  }>(),
  /** `index`: its position in the list, from 0. */
  'recovery_codes.used.v1': data<{ readonly index: number }>(),
  'recovery_codes.removed.v1': data(),
  /** Hashes of another product, each with its own function. Invalidates earlier codes. */
  'recovery_codes.imported.v1': data<{
    readonly count: number
    readonly secret: { readonly hashes: readonly string[] }
  }>(),
  /** The unchanged key of the hashes, encrypted with another key. */
  'recovery_codes.resealed.v1': data<{ readonly secret: { readonly key: string } }>(),
  /** The user was removed. */
  'one_time_codes.removed.v1': data(),
})

export type OneTimeCodesEvent = EventOf<typeof oneTimeCodesEvents>
