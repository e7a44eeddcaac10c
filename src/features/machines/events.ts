/**
 * With what machines prove who they are: tokens, keys and one secret. Streams: `personal-access-token`, `machine-key`
 * (ids of their own) and `machine-secret` (the id of its user), owned by the user's organization.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

/** What is stored of a secret: enough to recognise it, not enough to use it. */
export interface SecretHash {
  readonly hash: string
}

export type PersonalAccessTokenEvent =
  | Fact<
      'personal_access_token.added.v1',
      { readonly userId: string; readonly expiresAt: Instant; readonly secret: SecretHash }
    >
  | Fact<'personal_access_token.removed.v1', Record<never, never>>

export type MachineKeyEvent =
  /** `publicKey` is SPKI in PEM; the private half is nowhere here. */
  | Fact<'machine_key.added.v1', { readonly userId: string; readonly publicKey: string; readonly expiresAt: Instant }>
  | Fact<'machine_key.removed.v1', Record<never, never>>

export type MachineSecretEvent =
  | Fact<'machine_secret.set.v1', { readonly secret: SecretHash }>
  | Fact<'machine_secret.removed.v1', Record<never, never>>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const machineEventTypes: readonly string[] = Object.keys({
  'personal_access_token.added.v1': true,
  'personal_access_token.removed.v1': true,
  'machine_key.added.v1': true,
  'machine_key.removed.v1': true,
  'machine_secret.set.v1': true,
  'machine_secret.removed.v1': true,
} satisfies Record<(PersonalAccessTokenEvent | MachineKeyEvent | MachineSecretEvent)['type'], true>)
