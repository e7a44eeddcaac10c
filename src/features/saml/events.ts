/**
 * The keys that sign SAML messages. Stream: `saml-keys`, one for the instance, under its id.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** The encrypted private key: PKCS #8 in PEM. */
export interface SealedSamlKey {
  readonly privateKey: string
}

export const samlKeyEvents = declareEvents({
  /** Published from now on. A key of an export continues with what it was. */
  'saml_key.added.v1': data<{
    readonly keyId: string
    /** Base64 of DER. */
    readonly certificate: string
    readonly addedAt: Instant
    /** When the certificate ends. */
    readonly expiresAt: Instant
    readonly activatedAt?: Instant
    readonly retiredAt?: Instant
    readonly secret: SealedSamlKey
  }>(),
  /** Signs from now on; the key that signed before stays published for a while. */
  'saml_key.activated.v1': data<{ readonly keyId: string; readonly activatedAt: Instant }>(),
  'saml_key.removed.v1': data<{ readonly keyId: string }>(),
  /** An unchanged private key, encrypted with another data key. */
  'saml_key.resealed.v1': data<{ readonly keyId: string; readonly secret: SealedSamlKey }>(),
})

export type SamlKeyEvent = EventOf<typeof samlKeyEvents>
