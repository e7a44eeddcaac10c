/**
 * What a user can type as a second factor: codes of an authenticator app, codes sent to phone or mailbox, recovery codes.
 * Stream: `one-time-codes`, under the id of the user, owned by the organization of the user.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** Where a code is sent. */
export type Medium = 'sms' | 'email'

/** The secret that an app has too, sealed. */
interface Seed {
  readonly secret: { readonly seed: string }
}

export const oneTimeCodesEvents = declareEvents({
  /** Shown to the user; it counts once a code proves that an app has it. */
  'totp.registered.v1': data<Seed>(),
  /** `step`: the 30 seconds whose code was the proof, which is used up with it. */
  'totp.verified.v1': data<{ readonly step: number }>(),
  /** Imported from another system, and ready at once. */
  'totp.imported.v1': data<Seed>(),
  /** `step`: the 30 seconds whose code was given. */
  'totp.used.v1': data<{ readonly step: number }>(),
  'totp.removed.v1': data(),
  /** The same secret under another key. */
  'totp.resealed.v1': data<Seed>(),
  'otp.added.v1': data<{ readonly medium: Medium }>(),
  'otp.removed.v1': data<{ readonly medium: Medium }>(),
  /** A code was made; the session that asked for it keeps its hash. An earlier one of the same medium ends. */
  'otp.issued.v1': data<{ readonly medium: Medium; readonly issuedAt: Instant }>(),
  'otp.used.v1': data<{ readonly medium: Medium; readonly issue: number }>(),
  /** Earlier ones end. `key` is sealed; `hashes` are made with it. */
  'recovery_codes.generated.v1': data<{
    readonly count: number
    readonly secret: { readonly key: string; readonly hashes: readonly string[] }
  }>(),
  /** `index`: its position in the list, from 0. */
  'recovery_codes.used.v1': data<{ readonly index: number }>(),
  'recovery_codes.removed.v1': data(),
  /** The same key of the hashes under another key. */
  'recovery_codes.resealed.v1': data<{ readonly secret: { readonly key: string } }>(),
  /** The user was removed. */
  'one_time_codes.removed.v1': data(),
})

export type OneTimeCodesEvent = EventOf<typeof oneTimeCodesEvents>
