/**
 * The instance, the keys it seals its secrets with, and the codes with which its first administrator sets up.
 * Streams: `instance`, `key-ring` and `setup-code`, all owned by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

export type InstanceEvent = Fact<
  'instance.created.v1',
  {
    readonly name: string
    readonly defaultOrganizationId: string
    /** The human who sets up in the browser. */
    readonly administratorId: string
    /** The machine whose token is written to the data folder. */
    readonly machineAdministratorId: string
  }
>

/**
 * `wrapped` is a data key sealed with the master key of its day. It stays in this log; without that master key
 * it opens nothing, which is why rotation never wraps an old data key with a new master key.
 */
export type KeyRingEvent =
  | Fact<'key_ring.key_added.v1', { readonly keyId: string; readonly secret: { readonly wrapped: string } }>
  | Fact<'key_ring.key_removed.v1', { readonly keyId: string }>

export type SetupCodeEvent =
  | Fact<'setup_code.issued.v1', { readonly expiresAt: Instant; readonly secret: { readonly hash: string } }>
  | Fact<'setup_code.used.v1', { readonly usedAt: Instant }>

/** Every type of the unions above, at run time; the compiler sees to it that none is missing and none too many. */
export const instanceEventTypes: readonly string[] = Object.keys({
  'instance.created.v1': true,
  'key_ring.key_added.v1': true,
  'key_ring.key_removed.v1': true,
  'setup_code.issued.v1': true,
  'setup_code.used.v1': true,
} satisfies Record<(InstanceEvent | KeyRingEvent | SetupCodeEvent)['type'], true>)
