/**
 * Which roles one user holds in one place: on the instance, or in an organization. Stream: `membership`, owned by that
 * place. A membership can end and begin again.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { RoleLevel } from '../../kernel/role.ts'

export const membershipEvents = declareEvents({
  'membership.added.v1': data<{
    readonly level: RoleLevel
    /** ID of the instance or the organization. */
    readonly scopeId: string
    readonly userId: string
    /** The organization the user belongs to, which never changes. */
    readonly userOrganizationId: string
    readonly roles: readonly string[]
    readonly addedAt: Instant
  }>(),
  /** All roles after the change. */
  'membership.changed.v1': data<{ readonly roles: readonly string[] }>(),
  'membership.removed.v1': data(),
})

export type MembershipEvent = EventOf<typeof membershipEvents>
