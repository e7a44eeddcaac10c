/**
 * The HTTP endpoints that actions call. Stream: `target`, owned by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** Whether a call is awaited, and whether its answer counts. */
export type TargetType = 'webhook' | 'call' | 'async'
export type PayloadType = 'json' | 'jwt' | 'jwe'
export type SignatureType = 'zitadel' | 'standard_webhooks'

/** The encrypted key that signs what is sent to the target. */
export interface SealedKey {
  readonly signingKey: string
}

/** What a target is, apart from its key. */
export interface TargetSettings {
  readonly name: string
  readonly endpoint: string
  readonly type: TargetType
  readonly interruptOnError: boolean
  readonly timeoutMs: number
  readonly payloadType: PayloadType
  readonly signatureType: SignatureType
}

export const targetEvents = declareEvents({
  'target.added.v1': data<TargetSettings & { readonly secret: SealedKey }>(),
  /** Only what changed. */
  'target.changed.v1': data<Partial<TargetSettings> & { readonly secret?: SealedKey }>(),
  /** An unchanged signing key, encrypted with another data key. */
  'target.key_resealed.v1': data<{ readonly secret: SealedKey }>(),
  'target.removed.v1': data(),
  'target.public_key_added.v1': data<{
    readonly keyId: string
    readonly publicKey: string
    readonly fingerprint: string
    readonly expiresAt?: Instant
    readonly at: Instant
  }>(),
  /** The key that was active is not any more. */
  'target.public_key_activated.v1': data<{ readonly keyId: string; readonly at: Instant }>(),
  'target.public_key_deactivated.v1': data<{ readonly keyId: string; readonly at: Instant }>(),
  'target.public_key_removed.v1': data<{ readonly keyId: string }>(),
})

export type TargetEvent = EventOf<typeof targetEvents>
