/**
 * Which roles of a project a user, or each user of a group, holds. Stream: `authorization`, owned by the organization that gave the roles: the
 * owner of the project, or one that the project is granted to.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'

export const authorizationEvents = declareEvents({
  'authorization.added.v1': data<{
    /** The organization that gave the roles. */
    readonly organizationId: string
    readonly userId: string
    /** The organization the user belongs to, which never changes. */
    readonly userOrganizationId: string
    readonly projectId: string
    /** The grant by which the organization gave the roles; empty when it owns the project. */
    readonly grantId: string
    readonly roleKeys: readonly string[]
  }>(),
  /** For all users of a group, while they are in it. */
  'authorization.group_added.v1': data<{
    /** The organization that gave the roles. */
    readonly organizationId: string
    readonly groupId: string
    /** The organization that the group and its users belong to, which never changes. */
    readonly groupOrganizationId: string
    readonly projectId: string
    /** The grant by which the organization gave the roles; empty when it owns the project. */
    readonly grantId: string
    readonly roleKeys: readonly string[]
  }>(),
  /** All roles after the change. */
  'authorization.changed.v1': data<{ readonly roleKeys: readonly string[] }>(),
  'authorization.deactivated.v1': data(),
  'authorization.reactivated.v1': data(),
  'authorization.removed.v1': data(),
})

export type AuthorizationEvent = EventOf<typeof authorizationEvents>
