/**
 * Projects, their roles, and their grants to other organizations. Streams: `project`, `project-role` and
 * `project-grant`, all owned by the organization of the project.
 * Add to this file; never change or remove a line that has shipped (see test/golden).
 */
import { data, declareEvents, type EventOf } from '../../kernel/event.ts'
import type { Reopened } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'

/** Whose branding the login shows: unspecified, always that of the project's organization, or that of the user's. */
export type PrivateLabeling = 'unspecified' | 'project_organization' | 'user_organization'

/** What an administrator chooses about a project. */
export interface ProjectSettings {
  readonly name: string
  /** Whether tokens contain the roles of the user. */
  readonly projectRoleAssertion: boolean
  /** Whether only users with an authorization may sign in. */
  readonly authorizationRequired: boolean
  /** Whether only users of the project's organization and of organizations with a grant may sign in. */
  readonly projectAccessRequired: boolean
  readonly privateLabeling: PrivateLabeling
  /** Whether clients with a metadata document can ask for its resources; undefined: not. */
  readonly allowsDocumentClients?: boolean
  /** Whether clients that registered themselves can; undefined: not. */
  readonly allowsRegisteredClients?: boolean
  /** Whether agents can act on behalf of users at its resources; undefined: not. */
  readonly allowsDelegation?: boolean
}

export const projectEvents = declareEvents({
  'project.added.v1': data<ProjectSettings & { readonly organizationId: string }>(),
  /** Only what has changed. */
  'project.changed.v1': data<Partial<ProjectSettings>>(),
  'project.deactivated.v1': data(),
  /** How often that has happened; not there in events from before it was counted. */
  'project.reactivated.v1': data<Reopened>(),
  'project.removed.v1': data(),
})

export type ProjectEvent = EventOf<typeof projectEvents>

/** A role can be removed and added again. */
export const projectRoleEvents = declareEvents({
  'project_role.added.v1': data<{
    readonly projectId: string
    readonly key: string
    readonly displayName: string
    readonly group: string
    readonly addedAt: Instant
  }>(),
  'project_role.changed.v1': data<{ readonly displayName: string; readonly group: string }>(),
  'project_role.removed.v1': data(),
})

export type ProjectRoleEvent = EventOf<typeof projectRoleEvents>

export const projectGrantEvents = declareEvents({
  'project_grant.added.v1': data<{
    readonly projectId: string
    readonly grantedOrganizationId: string
    readonly roleKeys: readonly string[]
  }>(),
  /** All roles after the change. */
  'project_grant.changed.v1': data<{ readonly roleKeys: readonly string[] }>(),
  'project_grant.deactivated.v1': data(),
  'project_grant.reactivated.v1': data(),
  'project_grant.removed.v1': data(),
})

export type ProjectGrantEvent = EventOf<typeof projectGrantEvents>
