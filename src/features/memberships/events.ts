/**
 * Which roles one user holds in one place: on the instance, or in an organization. Stream: `membership`, owned by that
 * place. A membership can end and begin again.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import type { Fact } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { RoleLevel } from '../../kernel/role.ts'

export type MembershipEvent =
  | Fact<
      'membership.added.v1',
      {
        readonly level: RoleLevel
        /** The instance or the organization. */
        readonly scopeId: string
        readonly userId: string
        /** The organization the user belongs to, which never changes. */
        readonly userOrganizationId: string
        readonly roles: readonly string[]
        readonly addedAt: Instant
      }
    >
  /** All roles as they are afterwards. */
  | Fact<'membership.changed.v1', { readonly roles: readonly string[] }>
  | Fact<'membership.removed.v1', Record<never, never>>

/** Every type of the union above, at run time; the compiler sees to it that none is missing and none too many. */
export const membershipEventTypes: readonly string[] = Object.keys({
  'membership.added.v1': true,
  'membership.changed.v1': true,
  'membership.removed.v1': true,
} satisfies Record<MembershipEvent['type'], true>)
