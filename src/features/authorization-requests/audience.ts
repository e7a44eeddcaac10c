/** Who a token is for, and which scopes it gets. */
import type { App } from '../../access/app.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document } from '../../store/index.ts'
import { clientIdsOfProject } from '../applications/index.ts'
import { hasAuthorization, hasProjectAccess } from '../authorizations/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { findOrganization, findOrganizationByDomain } from '../organizations/index.ts'
import { findProject, type LivingProject, rolesOfProject } from '../projects/index.ts'
import { authorizationRequestRefusals } from './refusals.ts'
import { PROJECT_ROLE, readScopes, type Scopes } from './scopes.ts'

/** Projects that the scopes name, and the API project where they ask for our own API. */
export async function audienceOfScopes(app: App, scopes: Scopes): Promise<readonly string[]> {
  const api = scopes.isForApi ? await apiProjectId(app) : ''
  return [...new Set([...scopes.projectIds, ...(api === '' ? [] : [api])])]
}

export interface ScopesAndAudience {
  readonly scope: string
  readonly audience: readonly string[]
}

/**
 * The scopes and the audience of a token for an application: the clients of its project, the project, and what the
 * scopes name. A project that asserts its roles adds them unless the request names some.
 */
export async function scopesForApplication(app: App, projectId: string, asked: string): Promise<ScopesAndAudience> {
  const scopes = readScopes(asked)
  const [project, named, clientIds, roles] = await Promise.all([
    findProject(app, projectId),
    audienceOfScopes(app, scopes),
    clientIdsOfProject(app, projectId),
    rolesOfProject(app, projectId),
  ])
  const keys = new Set(roles.map(({ state }) => state.key))
  const known = scopes.known.filter(
    (scope) => !scope.startsWith(PROJECT_ROLE) || keys.has(scope.slice(PROJECT_ROLE.length)),
  )
  const isAsserted =
    project?.state.projectRoleAssertion === true && !known.some((scope) => scope.startsWith(PROJECT_ROLE))
  const added = isAsserted ? [...keys].map((key) => PROJECT_ROLE + key) : []
  return {
    scope: [...known, ...added].join(' '),
    audience: [...new Set([...clientIds, projectId, ...named])],
  }
}

/** The organizations that scopes name by ID or by domain; '' for a domain that none has. */
async function organizationsOfScopes(app: App, scope: string): Promise<ReadonlySet<string>> {
  const { organizationIds, organizationDomains } = readScopes(scope)
  const byDomain = await Promise.all(
    organizationDomains.map(async (domain) => (await findOrganizationByDomain(app, domain)) ?? ''),
  )
  return new Set([...organizationIds, ...byDomain])
}

/** What is wrong with the organizations that scopes name: there may be one, which must exist. */
export async function organizationScopeProblem(app: App, scope: string): Promise<string | undefined> {
  const [id, ...others] = await organizationsOfScopes(app, scope)
  if (id === undefined) return undefined
  if (others.length > 0) return 'the scopes name more than one organization'
  return (await findOrganization(app.store, id)) === undefined ? 'the scopes name an unknown organization' : undefined
}

/** Throws unless a user belongs to the organization that the scopes name. */
export async function requireOrganizationOfScopes(app: App, scope: string, organizationId: string): Promise<void> {
  for (const id of await organizationsOfScopes(app, scope)) {
    if (id !== organizationId) throw refused(authorizationRequestRefusals, 'authorization_request.wrong_organization')
  }
}

/**
 * Throws unless a user may use a project: their organization must have it where the project requires that, and they
 * must have an authorization where it requires one.
 */
export async function requireProjectAccess(
  app: App,
  project: Document<LivingProject>,
  user: { readonly id: string; readonly organizationId: string },
): Promise<void> {
  const { projectAccessRequired, authorizationRequired } = project.state
  const hasAccess =
    (!projectAccessRequired || (await hasProjectAccess(app, user.organizationId, project))) &&
    (!authorizationRequired || (await hasAuthorization(app, user.id, project.id)))
  if (!hasAccess) throw refused(authorizationRequestRefusals, 'authorization_request.no_access')
}
