/** Who a token is for, and which scopes it gets. */

import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { isResourceUri, partyNamed } from '../../module/token-party.ts'
import type { Document, Reader } from '../../store/index.ts'
import { clientIdsOfProject, type LivingApplication } from '../applications/index.ts'
import { mayBeFor, mayUseProject, type TokenUse } from '../authorizations/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { findOrganization, findOrganizationByDomain } from '../organizations/index.ts'
import { findProject, findProjectRole, type LivingProject, roleKeysOfProject } from '../projects/index.ts'
import {
  defaultResourceOf,
  type FoundResource,
  type ResourceRef,
  refTo,
  resourceFor,
  scopesAt,
} from '../resources/index.ts'
import { authorizationRequestRefusals } from './refusals.ts'
import { MOST_SCOPE_CHARACTERS, PROJECT_ROLE, readScopes, type Scopes, scopeSizeProblem } from './scopes.ts'

/**
 * Projects that the scopes name, and the API project where they ask for our own API. Only what the token may be for: a
 * text that the caller made up could be the name of a party outside, or the client ID of an application.
 */
export async function audienceOfScopes(app: App, scopes: Scopes, use: TokenUse): Promise<readonly string[]> {
  const apiProject = await apiProjectId(app)
  const api = scopes.isForApi ? apiProject : ''
  const isAudience = await Promise.all(
    scopes.projectIds.map(async (id) => {
      const project = await findProject(app, id)
      if (project === undefined || (await partyNamed(app, id)) !== undefined) return false
      return id === apiProject || mayBeFor(app, project, use)
    }),
  )
  const named = scopes.projectIds.filter((_, index) => isAudience[index])
  return [...new Set([...named, ...(api === '' ? [] : [api])])]
}

export interface ScopesAndAudience {
  readonly scope: string
  readonly audience: readonly string[]
  /** The projects in the audience that the scopes name. */
  readonly named?: readonly string[]
}

/** How many clients of its project the audience of a token names. It names the project in any case, which is enough. */
const MOST_CLIENTS_IN_AUDIENCE = 100
/** A project with more roles does not add them to the scope. */
const MOST_ASSERTED_ROLES = 100

/**
 * The scopes of a token for an application of a project. A project that asserts its roles adds them, if they are few, unless
 * the request names some.
 */
export async function scopeForApplication(app: App, projectId: string, asked: string): Promise<string> {
  const { known, roleKeys } = readScopes(asked)
  const [project, asksFor] = await Promise.all([
    findProject(app, projectId),
    Promise.all(roleKeys.map((key) => findProjectRole(app, projectId, key))),
  ])
  const keys = new Set(asksFor.flatMap((role) => role?.state.key ?? []))
  const kept = known.filter((scope) => !scope.startsWith(PROJECT_ROLE) || keys.has(scope.slice(PROJECT_ROLE.length)))
  const added = project?.state.projectRoleAssertion === true && keys.size === 0 ? await roleScopes(app, projectId) : []
  return [...kept, ...added].join(' ')
}

/**
 * The scopes and the audience of a token that an application gets for a user: the clients of its project, the project, and
 * what the scopes name.
 */
export async function scopesForApplication(
  app: App,
  { state: { projectId, clientId }, owner }: Document<Pick<LivingApplication, 'projectId' | 'clientId'>>,
  asked: string,
  user: TokenUse['user'],
): Promise<ScopesAndAudience> {
  const [scope, isResource, named, clientIds] = await Promise.all([
    scopeForApplication(app, projectId, asked),
    isResourceUri(app, projectId),
    audienceOfScopes(app, readScopes(asked), { user, clientOrganizationId: owner }),
    clientIdsOfProject(app, projectId, MOST_CLIENTS_IN_AUDIENCE),
  ])
  return {
    scope,
    // A project could be named like a resource of somebody else before that was there.
    audience: [...new Set([clientId, ...clientIds, ...(isResource ? [] : [projectId]), ...named])],
    named,
  }
}

/** What a token for a resource is for: nothing else. */
export interface ResourceTarget extends ScopesAndAudience {
  readonly resource: ResourceRef
}

/** Throws unless there is a resource with this URI that clients of the organization can ask for. */
export async function requireResource(
  app: App,
  uri: string,
  clientOrganizationId: string,
  reader?: Reader,
): Promise<FoundResource> {
  const found = await resourceFor(app, uri, clientOrganizationId, reader)
  if (found === undefined) throw refused(authorizationRequestRefusals, 'authorization_request.resource_unknown')
  return found
}

/**
 * The resource that an application gets tokens for when it names none: the default of its project, unless its scopes say
 * whom the token is for.
 */
export async function defaultResourceFor(app: App, projectId: string, scope: string): Promise<string | undefined> {
  const { isForApi, projectIds } = readScopes(scope)
  return isForApi || projectIds.length > 0 ? undefined : (await defaultResourceOf(app, projectId))?.uri
}

/**
 * What a token for a resource is for. Its scopes are those of the resource; the others that were asked for are about the ID
 * token, which comes with it.
 */
export function targetOf(resource: FoundResource, asked: string, others: readonly string[]): ResourceTarget {
  const scope = [...new Set([...others, ...scopesAt(resource, asked)])].join(' ')
  return { scope, audience: [resource.uri], resource: refTo(resource) }
}

/** The scopes of all roles of a project; none when they are many: its roles are asserted without them, too. */
async function roleScopes(app: App, projectId: string): Promise<readonly string[]> {
  const keys = await roleKeysOfProject(app, projectId, MOST_ASSERTED_ROLES)
  const scopes = (keys ?? []).map((key) => PROJECT_ROLE + key)
  return scopes.join(' ').length <= MOST_SCOPE_CHARACTERS ? scopes : []
}

/** The organizations that scopes name by ID or by domain; '' for a domain that none has. */
async function organizationsOfScopes(app: App, scope: string): Promise<ReadonlySet<string>> {
  const { organizationIds, organizationDomains } = readScopes(scope)
  const byDomain = await Promise.all(
    organizationDomains.map(async (domain) => (await findOrganizationByDomain(app, domain)) ?? ''),
  )
  return new Set([...organizationIds, ...byDomain])
}

/** What is wrong with the scopes of a request: with their size, or that they name no organization or more than one. */
export async function scopeProblem(app: App, scope: string): Promise<string | undefined> {
  const isTooLarge = scopeSizeProblem(scope)
  if (isTooLarge !== undefined) return isTooLarge
  const [id, ...others] = await organizationsOfScopes(app, scope)
  if (id === undefined) return undefined
  if (others.length > 0) return 'the scopes name more than one organization'
  return (await findOrganization(app.store, id)) === undefined ? 'the scopes name an unknown organization' : undefined
}

/** The scopes that name no other organization than this one; a machine that asks for more gets the rest. */
export async function scopesWithin(app: App, scope: string, organizationId: string): Promise<string> {
  const { known } = readScopes(scope)
  const isKept = await Promise.all(
    known.map(async (one) => [...(await organizationsOfScopes(app, one))].every((id) => id === organizationId)),
  )
  return known.filter((_, index) => isKept[index]).join(' ')
}

/** Throws unless a user belongs to the organization that the scopes name. */
export async function requireOrganizationOfScopes(app: App, scope: string, organizationId: string): Promise<void> {
  for (const id of await organizationsOfScopes(app, scope)) {
    if (id !== organizationId) throw refused(authorizationRequestRefusals, 'authorization_request.wrong_organization')
  }
}

/** Throws unless a user may use the applications of a project now. */
export async function requireProjectAccess(
  app: App,
  reader: Reader,
  project: Document<LivingProject>,
  user: { readonly id: string; readonly organizationId: string },
): Promise<void> {
  if (await mayUseProject(app, project, user, { reader })) return
  throw refused(authorizationRequestRefusals, 'authorization_request.no_access')
}
