/**
 * Passkeys and second-factor keys of people. Streams, owned by the organization of the user: `passkey` under the key's
 * id, and `passkey-registration` under `<user id>/<use>`: one place for the registration that is under way.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What a key is for: signing in by itself, or beside a password. */
export type KeyUse = 'passkey' | 'second_factor'

/** A registration link by which a registration was begun: which code of the user's, and what it was made for. */
export interface LinkProof {
  readonly issue: number
  readonly target: string
}

export type PasskeyEvent =
  | Fact<
      'passkey.registered.v1',
      {
        readonly userId: string
        readonly use: KeyUse
        readonly rpId: string
        readonly name: string
        /** base64url. */
        readonly credentialId: string
        /** COSE_Key in base64url. */
        readonly publicKey: string
        readonly signCount: number
        readonly aaguid: string
        readonly transports: readonly string[]
        readonly isBackupEligible: boolean
        readonly isBackedUp: boolean
      }
    >
  | Fact<'passkey.renamed.v1', { readonly name: string }>
  /** Somebody signed in with it, and it counts now this far, or is backed up now, or no more. */
  | Fact<'passkey.used.v1', { readonly signCount: number; readonly isBackedUp: boolean }>
  | Fact<'passkey.removed.v1', Record<never, never>>

export type PasskeyRegistrationEvent =
  /** One that was begun before ends. */
  | Fact<
      'passkey_registration.started.v1',
      {
        readonly passkeyId: string
        readonly rpId: string
        readonly expiresAt: Instant
        readonly link?: LinkProof
        readonly secret: { readonly challenge: string }
      }
    >
  | Fact<'passkey_registration.finished.v1', { readonly passkeyId: string }>
  /** The user is no more. */
  | Fact<'passkey_registration.removed.v1', Record<never, never>>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const passkeyEventTypes: readonly string[] = Object.keys({
  'passkey.registered.v1': true,
  'passkey.renamed.v1': true,
  'passkey.used.v1': true,
  'passkey.removed.v1': true,
  'passkey_registration.started.v1': true,
  'passkey_registration.finished.v1': true,
  'passkey_registration.removed.v1': true,
} satisfies Record<(PasskeyEvent | PasskeyRegistrationEvent)['type'], true>)
