/**
 * Which roles one user holds in one place: on the instance, in an organization, on a project or on the grant of a
 * project. Stream: `membership`, owned by the instance or the organization. A membership can end and begin again.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */

import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Instant } from '../../kernel/instant.ts'

export const membershipEvents = declareEvents({
  'membership.added.v1': data<{
    readonly level: 'instance' | 'organization'
    /** ID of the instance or the organization. */
    readonly scopeId: string
    readonly userId: string
    /** The organization the user belongs to, which never changes. */
    readonly userOrganizationId: string
    readonly roles: readonly string[]
    readonly addedAt: Instant
  }>(),
  /** A member of a project, or of the grant of a project to another organization; the membership belongs to `scopeId`. */
  'membership.project_added.v1': data<{
    readonly level: 'project' | 'project_grant'
    /** ID of the project or the grant. */
    readonly scopeId: string
    readonly project: {
      readonly id: string
      /** The organization that owns the project. */
      readonly organizationId: string
      /** For the member of a grant: the organization that the project is granted to. */
      readonly grantedOrganizationId?: string
    }
    readonly userId: string
    readonly userOrganizationId: string
    readonly roles: readonly string[]
    readonly addedAt: Instant
  }>(),
  /** All roles after the change. */
  'membership.changed.v1': data<{ readonly roles: readonly string[] }>(),
  'membership.removed.v1': data(),
})

export type MembershipEvent = EventOf<typeof membershipEvents>
