/** Identifies the caller of our own API by an access token of an application or a machine. */
import { boundedBy } from '../../../access/api-access.ts'
import type { Caller, Grant } from '../../../access/call.ts'
import { accessRefusals } from '../../../access/refusals.ts'
import { covers } from '../../../access/roles.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { apiAccessOf, applications, isAgentApplication, isOriginAllowed } from '../../applications/index.ts'
import { apiProjectId } from '../../instances/index.ts'
import { allGrantsOf, grantsOf, homeGrantsOf } from '../../memberships/index.ts'
import { isForOwnDoor, READ_SCOPE, WRITE_SCOPE } from '../../resources/index.ts'
import { grants } from '../documents.ts'
import type { GrantSubject } from '../events.ts'
import { findAccessToken } from './find-token.ts'

/** The caller of an access token, and the sign-in that the token comes from. */
export interface TokenCaller {
  readonly caller: Caller
  readonly subject: GrantSubject
}

/** What a request shows beside its token. */
export interface Circumstances {
  /** That of the page that calls, if a browser sent one. */
  readonly origin?: string | undefined
  /** The thumbprint of the key whose possession the request proves. */
  readonly dpopKey?: string | undefined
  /** Of the header that the token was sent in. */
  readonly digest?: string | undefined
}

/** Throws unless an application allows calls from pages of this origin; those of this server may always call. */
async function requireAllowedOrigin(app: App, applicationId: string, origin: string): Promise<void> {
  if (origin === app.externalUrl) return
  const state = (await app.store.get(applications, applicationId))?.state
  const config = state === undefined || !('config' in state) ? undefined : state.config
  if (config?.type === 'oidc' && isOriginAllowed(origin, config)) return
  throw refused(accessRefusals, 'access.origin_not_allowed')
}

/** What a user may do through an application. */
interface Authority {
  readonly grants: readonly Grant[]
  /** Whether the user may change through it how they sign in. */
  readonly mayChangeSignIn: boolean
  /** Whether it belongs to another organization, and the user never allowed it to use this API. */
  readonly lacksConsent: boolean
}

/** An application that a token was issued to. */
type Through = Pick<GrantSubject, 'applicationId' | 'projectId' | 'picture'>

/**
 * What a user may do through an application; without one, all that they may. Those who control the application decide what
 * it does, so it gets no role that they do not have, and cannot add a credential to the account of a user whom they could
 * not change themselves: users belong to an organization, and so those who control no more than a project change nobody.
 */
async function authorityThrough(
  app: App,
  { userId, organizationId }: Pick<GrantSubject, 'userId' | 'organizationId'>,
  { applicationId, picture }: Through,
): Promise<Authority> {
  const reach = applicationId === '' ? undefined : await apiAccessOf(app, applicationId)
  if (reach === undefined || reach.access === 'instance') {
    return { grants: await grantsOf(app, userId), mayChangeSignIn: true, lacksConsent: false }
  }
  const [all, home] = await Promise.all([allGrantsOf(app, userId), homeGrantsOf(app, userId)])
  const { access, place } = reach
  const isAtHome = place.ownerId === organizationId
  const mayChangeSignIn = access === 'organization' && isAtHome && boundedBy(access, place, home).length === home.length
  const lacksConsent = !isAtHome && picture === undefined
  return { grants: boundedBy(access, place, all), mayChangeSignIn, lacksConsent }
}

/** Every application that a token went through: the one that got it, and those that got the tokens it was exchanged for. */
async function throughOf(app: App, { parents = [], ...own }: GrantSubject): Promise<readonly Through[]> {
  const before = await Promise.all(
    parents.map(async (parent) =>
      'grantId' in parent ? (await app.store.get(grants, parent.grantId))?.state : undefined,
    ),
  )
  const earlier = before.flatMap((state) => (state !== undefined && 'subject' in state ? [state.subject] : []))
  return [...new Map([own, ...earlier].map((one) => [one.applicationId, one])).values()]
}

/** What counts in the hands of each of these applications. */
async function authorityOf(app: App, subject: GrantSubject, through: readonly Through[]): Promise<Authority> {
  const [first, ...others] = await Promise.all(through.map((one) => authorityThrough(app, subject, one)))
  if (first === undefined) throw new Error('a token was issued to somebody')
  return {
    grants: first.grants.filter((grant) => others.every((other) => covers(other.grants, [grant]))),
    mayChangeSignIn: first.mayChangeSignIn && others.every(({ mayChangeSignIn }) => mayChangeSignIn),
    lacksConsent: first.lacksConsent || others.some(({ lacksConsent }) => lacksConsent),
  }
}

/**
 * What the user of a token may do by that token when an application shows it: what counts in the hands of all that it went
 * through, and of the one that shows it. Nothing with a token that has an actor.
 */
export async function grantsThrough(app: App, subject: GrantSubject, shownBy: Through): Promise<readonly Grant[]> {
  if (subject.actor !== undefined) return []
  return (await authorityOf(app, subject, [...(await throughOf(app, subject)), shownBy])).grants
}

/**
 * Throws for an application of another organization that the user never allowed to use this API. A link that they open is
 * enough to be signed in there, and what is their own needs no role. An owner of the instance can give an application the
 * whole instance, and then nobody is asked.
 */
function requireConsent(authority: Authority): Authority {
  if (authority.lacksConsent) throw refused(accessRefusals, 'access.consent_missing')
  return authority
}

/** Throws for a token with an actor: it lets one user act as another, and only at applications. */
function requireNoActor({ actor }: GrantSubject): void {
  if (actor !== undefined) throw refused(accessRefusals, 'access.actor_not_allowed')
}

/** The caller of a token that counts, with this authority. */
function callerOf(
  subject: GrantSubject,
  apiProject: string,
  applications: readonly Through[],
  { grants, mayChangeSignIn }: Authority,
): Caller {
  const { userId, organizationId, isMachine, authenticatedAt, applicationId, projectId } = subject
  const isThroughApplication = applications.some((one) => one.applicationId !== '' && one.projectId !== apiProject)
  const through = applicationId === '' ? {} : { projectId, isThroughApplication }
  if (isMachine) return { userId, organizationId, grants, ...through }
  // A sign-in that is never recent: the methods that change how a user signs in refuse it.
  const signedInAt = mayChangeSignIn ? authenticatedAt : instant(0)
  return { userId, organizationId, grants, ...through, authenticatedAt: signedInAt }
}

/**
 * The caller of an access token; undefined unless the token counts and was issued for the API project, which its
 * audience names. Throws for a token with an actor. A token that is bound to a key (DPoP) counts with that key only, and
 * one that is not counts with none.
 */
export async function identifyByAccessToken(
  app: App,
  bearer: string,
  at: Instant,
  { origin, dpopKey }: Circumstances = {},
): Promise<TokenCaller | undefined> {
  const valid = await findAccessToken(app, bearer, at)
  if (valid === undefined || valid.token.dpopKey !== dpopKey) return undefined
  const { subject } = valid.grant.state
  const project = await apiProjectId(app)
  if (project === '' || !subject.audience.includes(project)) return undefined
  requireNoActor(subject)
  const { applicationId } = subject
  if (origin !== undefined && applicationId !== '') await requireAllowedOrigin(app, applicationId, origin)
  const through = await throughOf(app, subject)
  const authority = requireConsent(await authorityOf(app, subject, through))
  return { caller: callerOf(subject, project, through, authority), subject }
}

/**
 * The caller of an access token at the door for agents; undefined unless the token counts and is for that resource. A client
 * that nobody prepared acts with what its user holds, as far as the scopes go that the user allowed it; it changes nothing
 * about how anybody signs in.
 */
export async function identifyAtDoor(
  app: App,
  bearer: string,
  at: Instant,
  origin?: string,
): Promise<Caller | undefined> {
  const valid = await findAccessToken(app, bearer, at)
  if (valid === undefined || valid.token.dpopKey !== undefined) return undefined
  const { subject } = valid.grant.state
  if (!isForOwnDoor(app, subject.resource)) return undefined
  requireNoActor(subject)
  // Agents are no pages: one that calls from a browser could be any page that the user looks at.
  if (origin !== undefined && origin !== app.externalUrl) throw refused(accessRefusals, 'access.origin_not_allowed')
  const { userId, applicationId } = subject
  const isAgent = applicationId !== '' && (await isAgentApplication(app, applicationId))
  const through = await throughOf(app, subject)
  // What an agent may do was allowed for the resource that this is.
  const authority = isAgent
    ? { grants: await grantsOf(app, userId), mayChangeSignIn: false, lacksConsent: false }
    : requireConsent(await authorityOf(app, subject, through))
  const scopes = valid.token.scope.split(' ')
  const reach = { reads: scopes.includes(READ_SCOPE), changes: scopes.includes(WRITE_SCOPE) }
  const caller = callerOf(subject, await apiProjectId(app), through, authority)
  return { ...caller, ...(isAgent && { isThroughApplication: true }), reach }
}
