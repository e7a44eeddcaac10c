/** What users allowed applications, and whether that still stands. */
import { type Instant, instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import {
  agentApplicationId,
  agentKindOf,
  findApplicationByClientId,
  type LivingApplication,
} from '../applications/index.ts'
import { activeProject } from '../projects/index.ts'
import { resourceAt } from '../resources/index.ts'
import { approvedScopes } from './approvals.ts'
import { type Consent, consentId, consents } from './documents.ts'
import { isScopeIn, pictureOf } from './draw-picture.ts'
import type { GrantSubject } from './events.ts'
import { isWithin, type Picture, restsOn } from './picture.ts'

/** What a user allows an application. */
export interface Allowed {
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** The URI of the resource that the scopes are about; undefined: about the account. */
  readonly resource?: string | undefined
  /** What the user saw. */
  readonly picture: Picture
}

/** Whom a consent is of, and about which application and resource; what was allowed before `since` does not count. */
type ConsentOf = Omit<Allowed, 'scopes' | 'picture'> & {
  readonly organizationId: string
  readonly since: Instant
  /** What is shown now; undefined: nothing is, because another application shows a token of the user. */
  readonly picture?: Picture
}

/** The scopes of a resource whose sentences are still the ones that were shown. */
async function stillShown(
  app: App,
  { scopes, picture }: { readonly scopes: readonly string[]; readonly picture?: Picture },
  uri: string | undefined,
  reader: Reader,
): Promise<readonly string[]> {
  if (picture === undefined || uri === undefined) return scopes
  const sentences = (await resourceAt(app, uri, reader))?.scopes ?? []
  const isShown = (key: string) => isScopeIn(sentences.find((one) => one.key === key) ?? { key }, picture)
  return scopes.filter(isShown)
}

/**
 * The scopes that a user allowed an application at or after a time, with those that their organization allowed it for all
 * of its users; undefined: neither allowed it anything, or not what is shown now.
 */
export async function consentedScopes(
  app: App,
  { userId, clientId, organizationId, resource, since, picture }: ConsentOf,
  reader: Reader = app.store,
): Promise<readonly string[] | undefined> {
  const [consent, approved] = await Promise.all([
    reader.get(consents, consentId(userId, clientId, resource)),
    approvedScopes(app, { userId, organizationId, clientId, resource }, reader),
  ])
  const own = consent?.state.status === 'given' ? consent.state : undefined
  const counts = (one: Pick<NonNullable<typeof own>, 'givenAt' | 'picture'>) =>
    one.givenAt >= since && (picture === undefined || isWithin(picture, one.picture))
  const given = [own, approved].filter((one) => one !== undefined).filter(counts)
  if (given.length === 0) return undefined
  return (await Promise.all(given.map((one) => stillShown(app, one, resource, reader)))).flat()
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

/** Whether the application of a grant, and the resource, still are what was shown when the grant was allowed. */
async function isStillTrue(
  app: App,
  { clientId, resource, scope }: Omit<GrantSubject, 'generations'>,
  picture: Picture,
  { state }: Document<LivingApplication>,
  reader: Reader,
): Promise<boolean> {
  if (state.config.type !== 'oidc') return false
  const { scopes = [] } = resource === undefined ? {} : ((await resourceAt(app, resource.uri, reader)) ?? {})
  const asked = scope.split(' ')
  const now = pictureOf({
    clientId,
    name: state.name,
    redirectUris: state.config.redirectUris,
    scopes: scopes.filter(({ key }) => asked.includes(key)),
    resource: resource?.uri,
  })
  // It was shown with one of the places, and with more than the scopes of the resource.
  return isWithin({ ...picture, scopes: [] }, now) && isWithin({ ...now, places: [] }, picture)
}

/**
 * Whether somebody still allows what a grant was opened for: without that, its tokens count no more. An approval counts for
 * grants that were opened under it: `openedAt` is undefined for one that is about to be. What strangers registered must also
 * be what it was; an application of an organization may get another name.
 */
export async function isStillAllowed(
  app: App,
  subject: Omit<GrantSubject, 'generations'>,
  application: Document<LivingApplication>,
  openedAt: Instant | undefined,
  reader: Reader,
): Promise<boolean> {
  const { userId, organizationId, clientId, resource, picture } = subject
  const isAgent = application.state.agent !== undefined
  if (isAgent && picture !== undefined && !(await isStillTrue(app, subject, picture, application, reader))) return false
  const uri = resource?.uri
  const consent = await reader.get(consents, consentId(userId, clientId, uri))
  if (consent?.state.status === 'given' && restsOn(picture, consent.state.picture)) return true
  const approved = await approvedScopes(app, { userId, organizationId, clientId, resource: uri }, reader)
  if (approved === undefined || (openedAt !== undefined && approved.since > openedAt)) return false
  return picture === undefined ? approved.picture === undefined : isWithin(picture, approved.picture)
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
  if (resource === undefined) return agentApplicationId('', clientId)
  const found = await resourceAt(app, resource)
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
