/**
 * Who a token is for. It is for the application that got it and the project of that. It is for another project only while the
 * organization of the application has that project, owned or granted, and the user may use it: this is asked when the token is
 * issued and wherever it is used, of the tokens of machines as well. Our own API decides for itself.
 */
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { findApplicationByClientId } from '../applications/index.ts'
import { mayBeFor, type TokenUse, timesEndedFor } from '../authorizations/index.ts'
import {
  type GrantSubject,
  grants,
  isStillFor,
  type ParentGrant,
  type ParentToken,
  rememberedAuthorizers,
} from '../grants/index.ts'
import { apiProjectId } from '../instances/index.ts'
import { findProject, type LivingProject } from '../projects/index.ts'
import { audienceOfScopes } from './audience.ts'
import { readScopes } from './scopes.ts'

/** What decides who a token is for. */
export type TokenSubject = Pick<
  GrantSubject,
  | 'userId'
  | 'organizationId'
  | 'applicationId'
  | 'clientId'
  | 'projectId'
  | 'audience'
  | 'scope'
  | 'parents'
  | 'projects'
  | 'authorizers'
> &
  Partial<Pick<GrantSubject, 'generations'>> & { readonly resource?: GrantSubject['resource'] | undefined }

/** The application that a token is shown to. */
export interface ShownTo {
  readonly clientId: string
  readonly projectId: string
}

/**
 * The parties in the audience of a token beside the application and its project: those that the scopes name. A token that was
 * exchanged may be for more than its scopes say.
 */
function otherParties({
  scope,
  clientId,
  projectId,
  audience,
  parents = [],
}: Pick<TokenSubject, 'scope' | 'clientId' | 'projectId' | 'audience' | 'parents'>): readonly string[] {
  const others = parents.length > 0 ? audience : readScopes(scope).projectIds
  return [...new Set(others)].filter((one) => one !== clientId && one !== projectId && audience.includes(one))
}

/** The application or machine that got a token, and the user it is about. */
type Holder = Omit<TokenSubject, 'clientId' | 'audience' | 'scope'>

async function useOf(app: App, subject: Holder): Promise<TokenUse> {
  const { userId, organizationId, applicationId, projectId } = subject
  const project = applicationId === '' ? undefined : await findProject(app, projectId)
  const authorizers = rememberedAuthorizers(subject)
  return { user: { id: userId, organizationId }, clientOrganizationId: project?.owner ?? organizationId, authorizers }
}

/** The project that is called so, or has an application that is. */
async function projectOfParty(app: App, party: string): Promise<Document<LivingProject> | undefined> {
  const [project, application] = await Promise.all([findProject(app, party), findApplicationByClientId(app, party)])
  return project ?? (application && findProject(app, application.state.projectId))
}

/** Whether the user and the application have the project of a token now, and still have it since it was issued. */
async function isForProject(app: App, subject: Holder, projectId: string): Promise<boolean> {
  if (projectId === subject.projectId || projectId === (await apiProjectId(app))) return true
  const use = await useOf(app, subject)
  const [project, ended] = await Promise.all([findProject(app, projectId), timesEndedFor(app, projectId, use)])
  if (project === undefined || !isStillFor(subject, projectId, ended)) return false
  const [isNow, ...areParents] = await Promise.all([
    mayBeFor(app, project, use),
    ...(subject.parents ?? []).map((parent) => isParentFor(app, parent, projectId)),
  ])
  return isNow && areParents.every(Boolean)
}

/** Whether what a token was derived from is still for a project, if it ever was. A personal access token is for what its user has. */
async function isParentFor(app: App, parent: ParentGrant | ParentToken, projectId: string): Promise<boolean> {
  const state = 'tokenId' in parent ? undefined : (await app.store.get(grants, parent.grantId))?.state
  if (state?.status !== 'open' || !state.subject.audience.includes(projectId)) return true
  const { parents: _, ...subject } = state.subject
  return isForProject(app, subject, projectId)
}

/** Whether a token is for the application that it is shown to, now. One for a resource is for the project of that alone. */
export async function isTokenFor(app: App, subject: TokenSubject, { clientId, projectId }: ShownTo): Promise<boolean> {
  const { audience, resource } = subject
  if (resource !== undefined) return resource.projectId === projectId
  return (audience.includes(clientId) || audience.includes(projectId)) && isForProject(app, subject, projectId)
}

/**
 * Whether a personal access token is for a project: it names none, so its user's organization must have it. A machine signs in
 * with it, so it counts again where that was undone.
 */
export async function isPersonalTokenFor(
  app: App,
  { userId: id, organizationId }: { readonly userId: string; readonly organizationId: string },
  projectId: string,
): Promise<boolean> {
  const project = await findProject(app, projectId)
  if (projectId === (await apiProjectId(app))) return true
  const use = { user: { id, organizationId }, clientOrganizationId: organizationId }
  return project !== undefined && mayBeFor(app, project, use)
}

/** The projects that scopes name, as far as the token is for them now. */
export async function namedAudience(app: App, subject: TokenSubject, scope: string): Promise<readonly string[]> {
  const scopes = readScopes(scope)
  if (scopes.projectIds.length === 0 && !scopes.isForApi) return []
  const named = await audienceOfScopes(app, scopes, await useOf(app, subject))
  const isStill = await Promise.all(named.map((one) => isForProject(app, subject, one)))
  return named.filter((one, index) => isStill[index] && subject.audience.includes(one))
}

/** The audience of a token without those that it may not be for now. */
export async function audienceNow(app: App, subject: TokenSubject): Promise<readonly string[]> {
  const others = otherParties(subject)
  const isKept = await Promise.all(
    others.map(async (party) => {
      const project = await projectOfParty(app, party)
      return project !== undefined && isForProject(app, subject, project.id)
    }),
  )
  const dropped = new Set(others.filter((_, index) => !isKept[index]))
  return subject.audience.filter((one) => !dropped.has(one))
}
