/**
 * The keys that sign tokens. Stream: `web-keys`, one for the instance, under its id.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { PublicMembers, WebKeyType } from '../../kernel/web-key-type.ts'

/** The encrypted private key: PKCS #8 in PEM. */
export interface SealedPrivateKey {
  readonly privateKey: string
}

/** What a key of an export was: it continues with that, and signs if it did. Not there for keys of other products. */
export interface RestoredKey {
  readonly status: 'initial' | 'active' | 'inactive'
  readonly changedAt: Instant
  readonly activatedAt?: Instant
  readonly isRetired: boolean
  readonly secret?: SealedPrivateKey
}

export const webKeyEvents = declareEvents({
  /** Published from now on. */
  'web_key.added.v1': data<{
    readonly keyId: string
    readonly keyType: WebKeyType
    readonly publicKey: PublicMembers
    readonly addedAt: Instant
    readonly secret: SealedPrivateKey
  }>(),
  /** Signs from now on; the key that signed before is inactive. If a rotation did it, that key is removed later. */
  'web_key.activated.v1': data<{
    readonly keyId: string
    readonly activatedAt: Instant
    readonly isRotation: boolean
  }>(),
  /** A key of another product: it is published to verify old tokens, and cannot sign. */
  'web_key.imported.v1': data<
    {
      readonly keyId: string
      readonly keyType: WebKeyType
      readonly publicKey: PublicMembers
      readonly addedAt: Instant
    } & Partial<RestoredKey>
  >(),
  'web_key.removed.v1': data<{ readonly keyId: string }>(),
  /** An unchanged private key, encrypted with another data key. */
  'web_key.resealed.v1': data<{ readonly keyId: string; readonly secret: SealedPrivateKey }>(),
  /** The active key is replaced as soon as the next one has been published for long enough. */
  'web_key.rotation_requested.v1': data(),
})

export type WebKeyEvent = EventOf<typeof webKeyEvents>
