/**
 * The instance, the keys it seals its secrets with, and the codes with which administrators set up.
 * Streams: `instance`, `key-ring` and `setup-code`, all owned by the instance.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Generations } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'

export const instanceEvents = declareEvents({
  'instance.created.v1': data<{
    readonly name: string
    readonly defaultOrganizationId: string
    /** The human user who completes the setup in the browser. */
    readonly administratorId: string
    /** The machine user whose token is written to the data folder. */
    readonly machineAdministratorId: string
  }>(),
  /** The project that stands for the API of this server, and the application with which the console signs users in. */
  'instance.api_project_set.v1': data<{
    readonly projectId: string
    readonly consoleApplicationId: string
    readonly consoleClientId: string
  }>(),
  'instance.renamed.v1': data<{ readonly name: string }>(),
  /** New users without an organization are added to this one from now on. */
  'instance.default_organization_set.v1': data<{ readonly organizationId: string }>(),
})

export type InstanceEvent = EventOf<typeof instanceEvents>

/**
 * `wrapped` is a data key, encrypted with the master key of that time. It remains in the log, but cannot be decrypted
 * without that master key. Therefore rotation never encrypts an old data key with a new master key.
 */
export const keyRingEvents = declareEvents({
  'key_ring.key_added.v1': data<{ readonly keyId: string; readonly secret: { readonly wrapped: string } }>(),
  'key_ring.key_removed.v1': data<{ readonly keyId: string }>(),
})

export type KeyRingEvent = EventOf<typeof keyRingEvents>

/** How often the administrator was locked out when it was issued; undefined in codes from before that was remembered. */
interface Ending {
  readonly generations?: Generations<'user'>
}

export const setupCodeEvents = declareEvents({
  'setup_code.issued.v1': data<Ending & { readonly expiresAt: Instant; readonly secret: { readonly hash: string } }>(),
  /** By the operator, for an administrator who cannot sign in any more. `resetsFactors`: using it removes their factors. */
  'setup_code.recovery_issued.v1': data<
    Ending & {
      readonly expiresAt: Instant
      readonly resetsFactors: boolean
      readonly secret: { readonly hash: string }
    }
  >(),
  'setup_code.used.v1': data<{ readonly usedAt: Instant }>(),
})

export type SetupCodeEvent = EventOf<typeof setupCodeEvents>
