/** What users allowed applications, and whether that still stands. */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { agentApplicationId, agentKindOf, findApplicationByClientId } from '../applications/index.ts'
import { activeProject } from '../projects/index.ts'
import { resourceAt } from '../resources/index.ts'
import { approvedScopes } from './approvals.ts'
import { type Consent, consentId, consents } from './documents.ts'
import type { GrantSubject } from './events.ts'

/** What a user allows an application. */
export interface Allowed {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The URI of the resource that the scopes are about; undefined: about the account. */
  readonly resource?: string | undefined
}

/** Whom a consent is of, and about which application and resource; what was allowed before `since` does not count. */
type ConsentOf = Omit<Allowed, 'scopes'> & { readonly organizationId: string; readonly since: Instant }

/**
 * The scopes that a user allowed an application at or after a time, with those that their organization allowed it for all
 * of its users; undefined: neither allowed it anything.
 */
export async function consentedScopes(
  app: App,
  { userId, clientId, organizationId, resource, since }: ConsentOf,
  reader: Reader = app.store,
): Promise<readonly string[] | undefined> {
  const [consent, approved] = await Promise.all([
    reader.get(consents, consentId(userId, clientId, resource)),
    approvedScopes(app, { userId, organizationId, clientId, resource }, reader),
  ])
  const own = consent?.state.status === 'given' ? consent.state : undefined
  const recent = [own, approved].flatMap((one) => (one !== undefined && one.givenAt >= since ? one : []))
  return recent.length === 0 ? undefined : recent.flatMap(({ scopes }) => scopes)
}

/** Whether all of these scopes were allowed. */
export async function hasConsent(
  app: App,
  { scopes, ...of }: ConsentOf & Pick<Allowed, 'scopes'>,
  reader: Reader = app.store,
): Promise<boolean> {
  const allowed = await consentedScopes(app, of, reader)
  return allowed !== undefined && scopes.every((scope) => allowed.includes(scope))
}

/**
 * Whether somebody still allows what a client that nobody prepared was given: without that, its tokens count no more. An
 * approval counts for grants that were opened under it: `openedAt` is undefined for one that is about to be.
 */
export async function isStillAllowed(
  app: App,
  { userId, organizationId, clientId, resource }: Omit<GrantSubject, 'generations'>,
  openedAt: Instant | undefined,
  reader: Reader,
): Promise<boolean> {
  const uri = resource?.uri
  const consent = await reader.get(consents, consentId(userId, clientId, uri))
  if (consent?.state.status === 'given') return true
  const approved = await approvedScopes(app, { userId, organizationId, clientId, resource: uri }, reader)
  return approved !== undefined && (openedAt === undefined || approved.since <= openedAt)
}

/**
 * Whether an agent may act on behalf of a user: the user allows it all of that, and the project of the resource lets agents
 * do so. Asked in the write that opens such a grant and whenever its token is used.
 */
export async function isDelegationAllowed(
  app: App,
  { userId, organizationId, clientId, resource, scope }: Omit<GrantSubject, 'generations'>,
  reader: Reader,
): Promise<boolean> {
  if (resource === undefined) return false
  const scopes = scope.split(' ').filter(Boolean)
  const given = { userId, organizationId, clientId, resource: resource.uri, scopes, since: instant(0) }
  const [isConsented, project] = await Promise.all([
    hasConsent(app, given, reader),
    activeProject(app, resource.projectId, reader),
  ])
  return isConsented && project?.state.allowsDelegation === true
}

export type GivenConsent = Document<Extract<Consent, { status: 'given' }>> & {
  readonly applicationId: string | undefined
}

/** The application that a consent is about; undefined when it, or the resource, is no longer there. */
async function applicationIdOf(app: App, { clientId, resource }: GivenConsent['state']): Promise<string | undefined> {
  if (agentKindOf(clientId) === undefined) return (await findApplicationByClientId(app, clientId))?.id
  const found = resource === undefined ? undefined : await resourceAt(app, resource)
  return found && agentApplicationId(found.project.id, clientId)
}

/** What a user allows now, with the applications. */
export async function consentsOfUser(app: App, userId: string): Promise<readonly GivenConsent[]> {
  const ids = await app.store.findIds(consents, { field: 'userId', equals: userId })
  const found = await Promise.all(
    ids.map(async (id) => {
      const consent = await app.store.get(consents, id)
      if (consent?.state.status !== 'given') return []
      const given = consent as Omit<GivenConsent, 'applicationId'>
      return [{ ...given, applicationId: await applicationIdOf(app, given.state) }]
    }),
  )
  return found.flat()
}
