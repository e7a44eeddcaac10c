/**
 * The credentials of machines: tokens, keys and one secret. Streams: `personal-access-token`, `machine-key`
 * (ids of their own), `machine-secret` (the id of its user), `personal-access-token-use` (the id of its token) and
 * `machine-key-use` (the id of its key), owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** The stored hash of a secret: enough to recognize it, not enough to use it. */
export interface SecretHash {
  readonly hash: string
}

export const personalAccessTokenEvents = declareEvents({
  'personal_access_token.added.v1': data<{
    readonly userId: string
    readonly expiresAt: Instant
    readonly secret: SecretHash
    /** What it is for. */
    readonly name?: string
  }>(),
  'personal_access_token.removed.v1': data(),
  /** Issued by another product, whose key recognizes it: see `token_key.imported.v1`. */
  'personal_access_token.imported.v1': data<{ readonly userId: string; readonly expiresAt: Instant }>(),
})

export type PersonalAccessTokenEvent = EventOf<typeof personalAccessTokenEvents>

export const tokenKeyEvents = declareEvents({
  /** The key under which another product encrypted its tokens, sealed with ours. */
  'token_key.imported.v1': data<{ readonly secret: { readonly key: string } }>(),
  /** Unchanged, but sealed with another key. */
  'token_key.resealed.v1': data<{ readonly secret: { readonly key: string } }>(),
})

export type TokenKeyEvent = EventOf<typeof tokenKeyEvents>

export const tokenUseEvents = declareEvents({
  /** At most once a day for each token. */
  'personal_access_token.used.v1': data<{ readonly usedAt: Instant }>(),
})

export type TokenUseEvent = EventOf<typeof tokenUseEvents>

export const keyUseEvents = declareEvents({
  /** At most once a day for each key. */
  'machine_key.used.v1': data<{ readonly usedAt: Instant }>(),
})

export type KeyUseEvent = EventOf<typeof keyUseEvents>

export const machineKeyEvents = declareEvents({
  /** `publicKey` is SPKI in PEM; the private key is not stored. */
  'machine_key.added.v1': data<{
    readonly userId: string
    readonly publicKey: string
    readonly expiresAt: Instant
    /** What it is for. */
    readonly name?: string
  }>(),
  'machine_key.removed.v1': data(),
})

export type MachineKeyEvent = EventOf<typeof machineKeyEvents>

export const machineSecretEvents = declareEvents({
  'machine_secret.set.v1': data<{ readonly secret: SecretHash }>(),
  'machine_secret.removed.v1': data(),
  /** Unchanged, but the hash of another product was replaced by ours. */
  'machine_secret.rehashed.v1': data<{ readonly secret: SecretHash }>(),
})

export type MachineSecretEvent = EventOf<typeof machineSecretEvents>
