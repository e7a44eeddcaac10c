/**
 * Whether a grant still counts. Nothing is stored for that when something ends: the documents of the session, the user,
 * the application and the project are read, and every read sees every write. A grant that was derived from others counts
 * while they do, and a user's access to the project is part of it.
 */

import { type Generations, isCurrent, type Reopening } from '../../kernel/generations.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Document, Reader } from '../../store/index.ts'
import { activeApplication, reopeningsOf } from '../applications/index.ts'
import { mayUseProject, type TokenUse, timesEndedFor } from '../authorizations/index.ts'
import { endingsOf } from '../generations/index.ts'
import { hasCredential } from '../machines/index.ts'
import type { LivingProject } from '../projects/index.ts'
import { usableResource } from '../resources/index.ts'
import { findOpenSession, type UserSession } from '../sessions/index.ts'
import { assertionIssuer } from '../settings/index.ts'
import { isAccountOf } from '../sign-in-intents/index.ts'
import { activePerson, type LivingUser } from '../users/index.ts'
import { isDelegationAllowed, isStillAllowed } from './consent.ts'
import type { Grant, OpenGrant } from './decider.ts'
import { grants } from './documents.ts'
import type { AssertedBy, EndedProjects, GrantResource, GrantSubject, ParentGrant, ParentToken } from './events.ts'

/** A grant that counts, with the documents that were read to decide it. */
export interface ValidGrant {
  readonly grant: Document<OpenGrant>
  readonly user: Document<LivingUser>
  /** The project of the application; undefined if the grant has none. */
  readonly project: Document<LivingProject> | undefined
}

export interface ValidityOptions {
  /** Refresh tokens with `offline_access` live longer than the session; access tokens and codes do not. */
  readonly survivesLogout?: boolean
  readonly reader?: Reader
}

interface PartyOptions extends ValidityOptions {
  /** When the grant was opened; undefined for one that is about to be. */
  readonly openedAt?: Instant
}

/** What ends the tokens of a grant. */
export const grantEndings = endingsOf(grants)

/** What a grant is about, before anything of it is remembered that can end it. */
type Subject = Omit<GrantSubject, 'generations' | 'logoutUntil' | 'projects'> &
  Partial<Pick<GrantSubject, 'generations'>>

/** Those whom a grant depends on. */
interface Parties {
  readonly user: Document<LivingUser>
  readonly project: Document<LivingProject> | undefined
  /** The session that the user signed in with, while it is open; a grant of a machine has none. */
  readonly session: Document<UserSession> | undefined
  /** How often what the grant depends on was reopened; nothing for a machine that asks for itself. */
  readonly reopenings: Partial<Generations<Reopening>>
  /** How often the project of the resource ended for them; empty without a resource. */
  readonly ended: EndedProjects
}

/** Whether tokens are still for a project for which that has ended so often. */
export function isStillFor(
  { projects, generations }: Pick<GrantSubject, 'projects'> & Partial<Pick<GrantSubject, 'generations'>>,
  projectId: string,
  ended: number,
): boolean {
  return ended === (projects === undefined ? (generations?.resourceProject ?? 0) : (projects[projectId] ?? 0))
}

async function partiesOf(
  app: App,
  subject: Subject,
  at: Instant,
  { survivesLogout = false, reader = app.store, openedAt }: PartyOptions,
): Promise<Parties | undefined> {
  const { sessionId, applicationId, projectId, userId, organizationId, credential } = subject
  const hasProject = applicationId !== ''
  // All at once: a database on the network answers them in one round trip.
  const [session, served, person, isProven] = await Promise.all([
    findOpenSession(reader, sessionId, at, userId),
    hasProject ? activeApplication(app, applicationId, { reader, projectId }) : undefined,
    activePerson(reader, userId, organizationId),
    credential === undefined || hasCredential(reader, userId, credential),
  ])
  if (person === undefined || !isProven || (hasProject && served === undefined)) return undefined
  if (session === undefined && sessionId !== '' && !survivesLogout) return undefined
  const { user } = person
  const who = { id: userId, organizationId }
  const { resource } = subject
  const authorizers = rememberedAuthorizers(subject)
  const use = { user: who, clientOrganizationId: served?.project.owner ?? organizationId, authorizers }
  const [target, reopenings, ...mayUse] = await Promise.all([
    resource && resourceFor(app, resource, use, reader),
    served && reopeningsOf(reader, served),
    served === undefined || mayUseProject(app, served.project, who, { reader, authorizers }),
    served === undefined ||
      (served.application.state.agent === undefined && subject.picture === undefined) ||
      isStillAllowed(app, subject, served.application, openedAt, reader),
    subject.delegation === undefined || isDelegationAllowed(app, subject, reader),
    subject.assertedBy === undefined || isStillAsserted(app, subject, subject.assertedBy, reader),
  ])
  if (!mayUse.every(Boolean) || (resource !== undefined && target === undefined)) return undefined
  const ended = target ? { [target.project.id]: target.ended } : {}
  return { user, project: served?.project, session, reopenings: reopenings ?? {}, ended }
}

/** What an open grant remembers of who authorized its user; one that is about to be opened takes whoever does now. */
export function rememberedAuthorizers({
  generations,
  authorizers = {},
}: Partial<Pick<GrantSubject, 'generations' | 'authorizers'>>): GrantSubject['authorizers'] {
  return generations === undefined ? undefined : authorizers
}

/** The project of a resource that the user may use, and how often that has ended; both are read at once. */
async function resourceFor(app: App, resource: GrantResource, use: TokenUse, reader: Reader) {
  const [project, ended] = await Promise.all([
    usableResource(app, resource, use, reader),
    timesEndedFor(app, resource.projectId, use, reader),
  ])
  return project && { project, ended }
}

/** Whether the assertion that a grant came from would be accepted now. */
async function isStillAsserted(
  app: App,
  { userId, organizationId, clientId }: Subject,
  by: AssertedBy,
  reader: Reader,
): Promise<boolean> {
  const issuer = await assertionIssuer(app, by.issuer, clientId, reader)
  return issuer?.providerId === by.providerId && isAccountOf(app, by, { userId, organizationId }, reader)
}

/**
 * Those whom a grant depends on, if all of them can be active parts of it now; undefined when one has ended, or something
 * above it has, or one of the grants that it is derived from, or the user may not use the application any more.
 */
export async function activeParties(
  app: App,
  subject: Subject,
  at: Instant,
  options: PartyOptions = {},
): Promise<Parties | undefined> {
  const { parents = [] } = subject
  if (parents.length === 0) return partiesOf(app, subject, at, options)
  const [parties, ...counts] = await Promise.all([
    partiesOf(app, subject, at, options),
    ...parents.map((parent) => doesParentCount(app, parent, at, options.reader)),
  ])
  return counts.every(Boolean) ? parties : undefined
}

/** A grant lists all that it is derived from, so each of them is looked at by itself. */
async function doesParentCount(
  app: App,
  parent: ParentGrant | ParentToken,
  at: Instant,
  reader: Reader = app.store,
): Promise<boolean> {
  if ('tokenId' in parent) return doesTokenCount(reader, parent)
  const { grantId, revocations, isOffline = false } = parent
  const grant = await reader.get(grants, grantId)
  if (grant?.state.status !== 'open' || grant.state.revocations !== revocations) return false
  const open = grant as Document<OpenGrant>
  const options = { survivesLogout: isOffline, reader, openedAt: open.createdAt }
  return (await ifCurrent(app, open, partiesOf(app, open.state.subject, at, options), options)) !== undefined
}

/** Whether a personal access token counts; what is derived from one ends no later, so its time is not looked at again. */
async function doesTokenCount(reader: Reader, parent: ParentToken): Promise<boolean> {
  const { tokenId, userId, organizationId, generations } = parent
  const [person, isThere, now] = await Promise.all([
    activePerson(reader, userId, organizationId),
    hasCredential(reader, userId, { type: 'token', id: tokenId }),
    grantEndings.now(reader, { userId, organizationId }),
  ])
  return person !== undefined && isThere && isCurrent(now, generations, 'password')
}

/** The parties, unless the tokens of one of them were invalidated, or one was closed, since the grant was opened. */
async function ifCurrent(
  app: App,
  { state: { subject } }: Document<OpenGrant>,
  read: Promise<Parties | undefined>,
  { reader = app.store }: ValidityOptions,
): Promise<Parties | undefined> {
  const [parties, now] = await Promise.all([read, grantEndings.now(reader, subject)])
  if (parties === undefined) return undefined
  // A new password ends all sessions but the one in which it was set; the tokens of that one stay valid.
  const forgiven = parties.session === undefined ? undefined : 'password'
  const { generations } = subject
  const isOpen = isCurrent(now, generations, forgiven) && isCurrent(parties.reopenings, generations)
  const ended = Object.entries(parties.ended)
  return isOpen && ended.every(([id, times]) => isStillFor(subject, id, times)) ? parties : undefined
}

/** The grant with its user, if it counts. */
export async function validGrant(
  app: App,
  grant: Document<Grant> | undefined,
  at: Instant,
  options: ValidityOptions = {},
): Promise<ValidGrant | undefined> {
  if (grant?.state.status !== 'open') return undefined
  const open = grant as Document<OpenGrant>
  const parties = await ifCurrent(
    app,
    open,
    activeParties(app, open.state.subject, at, { ...options, openedAt: open.createdAt }),
    options,
  )
  return parties && { grant: open, user: parties.user, project: parties.project }
}
