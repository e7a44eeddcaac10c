/**
 * Which roles a user holds in projects, by themself or through groups, and who may use a project: what sign-in, tokens, the
 * API and the pages ask.
 */
import type { App } from '../../module/app.ts'
import type { Document, Filter, Reader } from '../../store/index.ts'
import { organizationEndings, projectEndings } from '../generations/index.ts'
import { groupsOfUser, isInGroup } from '../groups/index.ts'
import { activeOrganization } from '../organizations/index.ts'
import {
  activeProject,
  findProject,
  findProjectGrant,
  findProjectRole,
  type LivingProject,
  readProjectGrant,
} from '../projects/index.ts'
import { isLivingAuthorization, type LivingAuthorization } from './decider.ts'
import { type AuthorizationField, authorizations } from './documents.ts'

/** A role of a project that a user holds. */
export interface HeldRole {
  readonly projectId: string
  readonly roleKey: string
  /** The organization that gave the role. */
  readonly organizationId: string
  /** The group through which the user has it; undefined: by themself. */
  readonly groupId?: string
}

const PAGE_SIZE = 1000

/** The active authorizations of a user and of groups for these projects: two searches, as each has an index. */
async function activeOf(
  app: App,
  userId: string,
  projectIds: readonly string[],
): Promise<readonly Filter<AuthorizationField>[]> {
  const groupIds = (await groupsOfUser(app, userId)).map(({ id }) => id)
  const ofHolder = (holder: Filter<AuthorizationField>): Filter<AuthorizationField> => ({
    all: [holder, { field: 'projectId', in: projectIds }, { field: 'status', equals: 'active' }],
  })
  const own = ofHolder({ field: 'userId', equals: userId })
  return groupIds.length === 0 ? [own] : [own, ofHolder({ field: 'groupId', in: groupIds })]
}

async function authorizationsOf(
  app: App,
  userId: string,
  projectIds: readonly string[],
): Promise<readonly Document<LivingAuthorization>[]> {
  const found: Document<LivingAuthorization>[] = []
  if (projectIds.length === 0) return found
  for (const where of await activeOf(app, userId, projectIds)) {
    for (let offset = 0, isLast = false; !isLast; offset += PAGE_SIZE) {
      const { documents } = await app.store.find(authorizations, { where, orderBy: 'id', limit: PAGE_SIZE, offset })
      for (const document of documents) {
        if (isLivingAuthorization(document.state)) found.push(document as Document<LivingAuthorization>)
      }
      isLast = documents.length < PAGE_SIZE
    }
  }
  return found
}

/**
 * The role keys that an authorization can give now; undefined when it counts for nothing, because its project, the
 * organization of that, its grant, or the organization that has the grant is gone or deactivated.
 */
async function usableKeys(
  app: App,
  { projectId, organizationId, grantId, roleKeys }: LivingAuthorization,
  reader?: Reader,
): Promise<readonly string[] | undefined> {
  const project = await activeProject(app, projectId, reader)
  if (project === undefined) return undefined
  if (grantId === '') return project.owner === organizationId ? roleKeys : undefined
  const grant = await readProjectGrant(app, grantId, reader)
  if (grant?.state.status !== 'active' || !(await activeOrganization(reader ?? app.store, organizationId))) {
    return undefined
  }
  return roleKeys.filter((key) => grant.state.roleKeys.includes(key))
}

/** The roles that a user holds in these projects, by active authorizations in active projects and grants. */
export async function rolesOfUser(
  app: App,
  userId: string,
  projectIds: readonly string[],
): Promise<readonly HeldRole[]> {
  const held: HeldRole[] = []
  for (const { state: authorization } of await authorizationsOf(app, userId, projectIds)) {
    const { projectId, organizationId, groupId } = authorization
    const given = { organizationId, ...(groupId !== undefined && { groupId }) }
    const keys = (await usableKeys(app, authorization)) ?? []
    // The job that withdraws a removed role may not have reached this authorization.
    const roles = await Promise.all(keys.map((roleKey) => findProjectRole(app, projectId, roleKey)))
    for (const role of roles) if (role) held.push({ projectId, roleKey: role.state.key, ...given })
  }
  return held
}

/** The authorizations of a user for these projects that count now, with the roles that they give. */
export async function usableAuthorizations(
  app: App,
  userId: string,
  projectIds: readonly string[],
): Promise<readonly Document<LivingAuthorization>[]> {
  const found = await authorizationsOf(app, userId, projectIds)
  const keys = await Promise.all(found.map(({ state }) => usableKeys(app, state)))
  return found.flatMap((document, index) => {
    const roleKeys = keys[index]
    return roleKeys === undefined ? [] : [{ ...document, state: { ...document.state, roleKeys } }]
  })
}

interface AccessOptions {
  readonly reader?: Reader
  /** Of an open grant: how often the project had been taken from those who authorized the user; undefined: whoever does now. */
  readonly authorizers?: Readonly<Record<string, number>> | undefined
}

/** The key of an organization that authorized somebody for a project which was granted to it. */
function authorizerKey({ organizationId, projectId }: LivingAuthorization): string {
  return `${organizationId} ${projectId}`
}

/** Whether the organization that gave an authorization has had the project since a grant was opened. */
async function isStillGiven(
  reader: Reader,
  given: LivingAuthorization,
  authorizers: AccessOptions['authorizers'],
): Promise<boolean> {
  if (authorizers === undefined || given.grantId === '') return true
  const ended = await organizationEndings(reader, given.organizationId, given.projectId)
  return ended === (authorizers[authorizerKey(given)] ?? 0)
}

/** What a grant remembers of those who authorize its user for these projects, if they had lost one of them before. */
export async function authorizersOf(
  app: App,
  userId: string,
  projectIds: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const asking = await Promise.all(projectIds.map((id) => findProject(app, id)))
  const ids = asking.flatMap((project) => (project?.state.authorizationRequired ? [project.id] : []))
  const given = (await authorizationsOf(app, userId, ids)).filter(({ state }) => state.grantId !== '')
  const times = given.map(async ({ state }) => {
    return [authorizerKey(state), await organizationEndings(app.store, state.organizationId, state.projectId)] as const
  })
  return Object.fromEntries((await Promise.all(times)).filter(([, ended]) => ended > 0))
}

/**
 * Whether a user has an active authorization for a project, with roles or without; `except` one that is about to end. What
 * was found is read again in a write, which guards it until the commit.
 */
export async function hasAuthorization(
  app: App,
  userId: string,
  projectId: string,
  { reader = app.store, except, authorizers }: AccessOptions & { readonly except?: string } = {},
): Promise<boolean> {
  for (const where of await activeOf(app, userId, [projectId])) {
    // Each organization gives at most one to a holder.
    for (const id of await app.store.findIds(authorizations, where)) {
      const state = id === except ? undefined : (await reader.get(authorizations, id))?.state
      if (state?.status !== 'active' || (await usableKeys(app, state, reader)) === undefined) continue
      if (!(await isStillGiven(reader, state, authorizers))) continue
      if (state.groupId === undefined || (await isInGroup(reader, state.groupId, userId))) return true
    }
  }
  return false
}

/** Whether users of an organization may use a project: it owns the project, or has an active grant of it. */
export async function hasProjectAccess(
  app: App,
  userOrganizationId: string,
  project: Document<LivingProject>,
  reader?: Reader,
): Promise<boolean> {
  if (project.owner === userOrganizationId) return true
  const grant = await findProjectGrant(app, project.id, userOrganizationId, reader)
  return grant?.state.status === 'active'
}

/**
 * Whether a user may use the applications of a project now: their organization must have it where the project requires
 * that, and they must have an authorization where it requires one. Every way to get or use a token asks this.
 */
export async function mayUseProject(
  app: App,
  project: Document<LivingProject>,
  user: { readonly id: string; readonly organizationId: string },
  { reader = app.store, authorizers }: AccessOptions = {},
): Promise<boolean> {
  const { projectAccessRequired, authorizationRequired } = project.state
  return (
    (!projectAccessRequired || (await hasProjectAccess(app, user.organizationId, project, reader))) &&
    (!authorizationRequired || (await hasAuthorization(app, user.id, project.id, { reader, authorizers })))
  )
}

/** A user, and the organization of the application that gets a token for them; a machine by itself is its own application. */
export interface TokenUse {
  readonly user: { readonly id: string; readonly organizationId: string }
  readonly clientOrganizationId: string
  readonly authorizers?: AccessOptions['authorizers']
}

/**
 * Whether a token may be for a project that is not the application's own: the organization of the application must have it,
 * owned or granted, and the user must be allowed to use it. One question for projects and resources, for issue and use.
 */
export async function mayBeFor(
  app: App,
  project: Document<LivingProject>,
  { user, clientOrganizationId, authorizers }: TokenUse,
  reader: Reader = app.store,
): Promise<boolean> {
  return (
    (await hasProjectAccess(app, clientOrganizationId, project, reader)) &&
    (await mayUseProject(app, project, user, { reader, authorizers }))
  )
}

/**
 * How often that has ended: the project was reopened, or was taken from the organization of the application or from the user. A
 * token remembers it for each project that is not its application's own, and is for that while the number is the same.
 */
export async function timesEndedFor(
  app: App,
  projectId: string,
  { user, clientOrganizationId }: TokenUse,
  reader: Reader = app.store,
): Promise<number> {
  const organizationIds = [...new Set([user.organizationId, clientOrganizationId])]
  const [project, ended] = await Promise.all([
    findProject(app, projectId, reader),
    projectEndings(reader, projectId, { userId: user.id, organizationIds }),
  ])
  return ended + (project?.state.reopenings ?? 0)
}
