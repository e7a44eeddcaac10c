/** The kinds `project`, `project-role` and `project-grant`: their search fields and unique names. */

import type { ProjectGrantScope, ProjectScope } from '../../access/call.ts'
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader } from '../../store/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { activeOrganization } from '../organizations/index.ts'
import { isLivingProject, type LivingProject, project } from './decisions/project.ts'
import { isLivingProjectGrant, type LivingProjectGrant, projectGrant } from './decisions/project-grant.ts'
import { type ExistingRole, projectRole } from './decisions/project-role.ts'
import { projectEvents, projectGrantEvents, projectRoleEvents } from './events.ts'
import { projectGrantRefusals, projectRefusals, projectRoleRefusals } from './refusals.ts'
import { ROLE_LIST_FIELDS } from './role-list.ts'

/** The claim that makes a name unique in its organization; its value is the organization and the name's key. */
const PROJECT_NAME_CLAIM = 'project-name'
/** The claim on the one grant of a project to an organization. */
const PROJECT_GRANT_CLAIM = 'project-grant'

export const projects = kind({
  name: 'project',
  ids: 'chosen',
  waits: false,
  path: false,
  version: 2,
  events: projectEvents,
  decider: project,
  refusals: projectRefusals,
  sortsByChange: true,
  fields: {
    name: { path: ['search', 'name'], type: 'text', beside: ['typedName'] },
    typedName: { path: ['name'], type: 'text', indexed: false },
  },
  claims: (state) =>
    isLivingProject(state)
      ? [
          {
            kind: PROJECT_NAME_CLAIM,
            within: 'parent',
            value: `${state.organizationId} ${state.search.nameKey}`,
            taken: 'project.name_taken' as const,
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [{ things: 'projects', holder: 'an organization', by: ['owner'], number: 10_000 }],
})

/** A removed role has none of these fields, so no condition on them matches it. */
export const projectRoles = kind({
  name: 'project-role',
  ids: { joined: ['project', 'key'] },
  waits: false,
  path: false,
  version: 1,
  events: projectRoleEvents,
  decider: projectRole,
  refusals: projectRoleRefusals,
  fields: {
    projectId: { path: ['projectId'], type: 'text' },
    key: { path: ['search', 'key'], type: 'text', indexed: false },
    typedKey: { path: ['key'], type: 'text', indexed: false },
    displayName: { path: ['search', 'displayName'], type: 'text', indexed: false },
    typedDisplayName: { path: ['displayName'], type: 'text', indexed: false },
    addedAt: { path: ['addedAt'], type: 'number', indexed: false },
  },
  limits: [{ things: 'roles', holder: 'a project', by: ['projectId'], number: 1_000 }],
})

export const projectGrants = kind({
  name: 'project-grant',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: projectGrantEvents,
  decider: projectGrant,
  refusals: projectGrantRefusals,
  sortsByChange: true,
  fields: {
    projectId: { path: ['projectId'], type: 'text' },
    grantedOrganizationId: { path: ['grantedOrganizationId'], type: 'text' },
    ...ROLE_LIST_FIELDS,
  },
  claims: (state) =>
    isLivingProjectGrant(state)
      ? [
          {
            kind: PROJECT_GRANT_CLAIM,
            within: 'parent',
            value: `${state.projectId} ${state.grantedOrganizationId}`,
            taken: 'project_grant.exists' as const,
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  limits: [
    // One for each organization that uses the project: all customers of a product.
    { things: 'grants', holder: 'a project', by: ['projectId'], number: 100_000 },
    {
      things: 'role keys',
      holder: 'a grant of a project',
      inside: (state) => (isLivingProjectGrant(state) ? state.roleKeys.length : 0),
      number: 1_000,
    },
  ],
})

/** A name by which projects can be filtered or sorted. */
export type ProjectField = keyof typeof projects.fields & string
/** A name by which roles can be filtered or sorted. */
export type ProjectRoleField = keyof typeof projectRoles.fields & string
/** A name by which grants of projects can be filtered or sorted. */
export type ProjectGrantField = keyof typeof projectGrants.fields & string

/** The ID of a role is derived from its project and key, so that a write can also guard its absence. */
export function projectRoleId(projectId: string, key: string): string {
  return `${projectId} ${key}`
}

/** The project with this ID; undefined when there is none. Inside a work it is guarded until the commit. */
export async function findProject(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingProject> | undefined> {
  const document = await reader.get(projects, id)
  return document !== undefined && isLivingProject(document.state) ? (document as Document<LivingProject>) : undefined
}

/**
 * The project with this ID while it is active, and its organization too. That of the API belongs to the instance, and
 * ends with no organization.
 */
export async function activeProject(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingProject> | undefined> {
  const project = await findProject(app, id, reader)
  if (project?.state.status !== 'active') return undefined
  const isOpen = (await activeOrganization(reader, project.owner)) !== undefined || id === (await apiProjectId(app))
  return isOpen ? project : undefined
}

/** The place of a project, where authorization looks for roles. */
export function placeOf({ id, owner }: Document<LivingProject>): ProjectScope {
  return { projectId: id, ownerId: owner }
}

/** The place of the grant of a project. It is closed when the grant is not active, or what it grants is not. */
export async function placeOfGrant(
  app: App,
  { id, owner, state }: Document<LivingProjectGrant>,
): Promise<ProjectGrantScope> {
  const { projectId, grantedOrganizationId: grantedId } = state
  const isClosed = state.status !== 'active' || (await activeProject(app, projectId)) === undefined
  return { grantId: id, projectId, ownerId: owner, grantedId, ...(isClosed && { isClosed }) }
}

/** The place of the project with this ID; undefined when there is none. */
export async function placeOfProject(app: App, id: string): Promise<ProjectScope | undefined> {
  const document = await findProject(app, id)
  return document && placeOf(document)
}

/** The role of a project with this key; undefined when there is none. */
export async function findProjectRole(
  app: App,
  projectId: string,
  key: string,
  reader: Reader = app.store,
): Promise<Document<ExistingRole> | undefined> {
  const document = await reader.get(projectRoles, projectRoleId(projectId, key))
  return document?.state.status === 'existing' ? (document as Document<ExistingRole>) : undefined
}

/** The keys of all roles of a project, in their order; undefined when there are more than `most`. */
export async function roleKeysOfProject(
  app: App,
  projectId: string,
  most: number,
): Promise<readonly string[] | undefined> {
  const where = { field: 'projectId', equals: projectId } as const
  const { documents, total } = await app.store.find(projectRoles, { where, orderBy: 'typedKey', limit: most })
  return total > most ? undefined : documents.flatMap(({ state }) => (state.status === 'existing' ? [state.key] : []))
}

/** The grant with this ID; undefined when there is none. */
export async function readProjectGrant(
  app: App,
  id: string,
  reader: Reader = app.store,
): Promise<Document<LivingProjectGrant> | undefined> {
  const document = await reader.get(projectGrants, id)
  return document !== undefined && isLivingProjectGrant(document.state)
    ? (document as Document<LivingProjectGrant>)
    : undefined
}

/** The grant of a project to an organization; undefined when there is none. Inside a work it is guarded. */
export async function findProjectGrant(
  app: App,
  projectId: string,
  organizationId: string,
  reader: Reader = app.store,
): Promise<Document<LivingProjectGrant> | undefined> {
  const id = await app.store.findClaimHolder(PROJECT_GRANT_CLAIM, `${projectId} ${organizationId}`)
  return id === undefined ? undefined : readProjectGrant(app, id, reader)
}
