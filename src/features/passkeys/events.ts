/**
 * Passkeys and second-factor keys of users. Streams, owned by the organization of the user: `passkey` under the id of
 * the key, and `passkey-registration` under `<user id>/<use>`: the registrations that are under way.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'

/** The use of a key: signing in by itself, or as a second factor after a password. */
export type KeyUse = 'passkey' | 'second_factor'

/** The registration link that authorized a registration: the number of the code and its target. */
export interface LinkProof {
  readonly issue: number
  readonly target: string
}

export const passkeyEvents = declareEvents({
  'passkey.registered.v1': data<{
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
  }>(),
  'passkey.renamed.v1': data<{ readonly name: string }>(),
  /** The user signed in with it, and its counter or backup state changed. */
  'passkey.used.v1': data<{
    readonly signCount: number
    readonly isBackedUp: boolean
    /** Learned at the first use of a key that was imported without it. */
    readonly isBackupEligible?: boolean
  }>(),
  /** The user signed in with it: for the first time in a day, or its counter or backup state changed. */
  'passkey.used.v2': data<{
    readonly signCount: number
    readonly isBackedUp: boolean
    /** Learned at the first use of a key that was imported without it. */
    readonly isBackupEligible?: boolean
    readonly usedAt: Instant
  }>(),
  'passkey.removed.v1': data(),
  /** From another product, which may not know whether the key can be backed up. */
  'passkey.imported.v1': data<{
    readonly userId: string
    readonly use: KeyUse
    readonly rpId: string
    readonly name: string
    readonly credentialId: string
    readonly publicKey: string
    readonly signCount: number
    readonly aaguid: string
    readonly transports: readonly string[]
    readonly isBackupEligible?: boolean
    readonly isBackedUp: boolean
    /** What the authenticator keeps as the user, in base64url; if not set, it follows from the ID of the user. */
    readonly userHandle?: string
    /** When it was last used, if that is known. */
    readonly usedAt?: Instant
  }>(),
})

export type PasskeyEvent = EventOf<typeof passkeyEvents>

export const passkeyRegistrationEvents = declareEvents({
  /** Replaces an earlier one with the same link, or the earlier one without a link. */
  'passkey_registration.started.v1': data<{
    readonly passkeyId: string
    readonly rpId: string
    readonly expiresAt: Instant
    readonly link?: LinkProof
    /** How often the user was locked out, and the organization closed, until then. */
    readonly generations?: Generations<'user' | 'organization'>
    readonly secret: { readonly challenge: string }
  }>(),
  'passkey_registration.finished.v1': data<{ readonly passkeyId: string }>(),
  /** The user was removed. */
  'passkey_registration.removed.v1': data(),
  /** It was removed before it was finished. */
  'passkey_registration.cancelled.v1': data<{ readonly passkeyId: string }>(),
})

export type PasskeyRegistrationEvent = EventOf<typeof passkeyRegistrationEvents>
