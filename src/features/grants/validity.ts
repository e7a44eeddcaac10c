/**
 * Whether a grant still counts. Nothing is stored for that when something ends: the documents of the session, the user,
 * the application and the project are read, and every read sees every write.
 */
import type { App } from '../../access/app.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Document, Reader } from '../../store/index.ts'
import { type Application, applications } from '../applications/index.ts'
import { organizations } from '../organizations/index.ts'
import { type LivingProject, type Project, projects } from '../projects/index.ts'
import { hasExpired, type Session, sessions } from '../sessions/index.ts'
import { type LivingUser, mayAct, users } from '../users/index.ts'
import type { Grant, OpenGrant } from './decider.ts'
import type { GrantSubject } from './events.ts'
import { generationsIn, tokenGenerations } from './generations.ts'

/** A grant that counts, with the documents that were read to decide it. */
export interface ValidGrant {
  readonly grant: Document<OpenGrant>
  readonly user: Document<LivingUser>
  /** The project of the application; undefined if the grant has none. */
  readonly project: Document<LivingProject> | undefined
}

/** Whether the session of a grant is open. A grant without a session depends on none. */
function isSessionOpen(session: Document<Session> | undefined, { sessionId, userId }: GrantSubject, at: Instant) {
  if (sessionId === '') return true
  const state = session?.state
  return state?.status === 'open' && !hasExpired(state, at) && state.user?.id === userId
}

/** Whether the application of a grant can be used. */
function isServed(
  { applicationId }: GrantSubject,
  application: Document<Application> | undefined,
  project: Document<Project> | undefined,
): boolean {
  return applicationId === '' || (application?.state.status === 'active' && project?.state.status === 'active')
}

export interface ValidityOptions {
  /** Refresh tokens with `offline_access` live longer than the session; access tokens and codes do not. */
  readonly survivesLogout?: boolean
  readonly reader?: Reader
}

/** The grant with its user, if it counts. */
export async function validGrant(
  app: App,
  grant: Document<Grant> | undefined,
  at: Instant,
  { survivesLogout = false, reader = app.store }: ValidityOptions = {},
): Promise<ValidGrant | undefined> {
  if (grant?.state.status !== 'open') return undefined
  const { subject } = grant.state
  const { sessionId, applicationId, projectId, userId, organizationId } = subject
  const hasProject = applicationId !== ''
  // All at once: a database on the network answers them in one round trip.
  const [session, application, project, user, organization, ofUser, ofOrganization] = await Promise.all([
    sessionId === '' ? undefined : reader.get(sessions, sessionId),
    hasProject ? reader.get(applications, applicationId) : undefined,
    hasProject ? reader.get(projects, projectId) : undefined,
    reader.get(users, userId),
    reader.get(organizations, organizationId),
    reader.get(tokenGenerations, userId),
    reader.get(tokenGenerations, organizationId),
  ])
  const isSignedIn = isSessionOpen(session, subject, at)
  if (!isServed(subject, application, project) || (!isSignedIn && !survivesLogout)) return undefined
  if (user === undefined || !mayAct(user.state) || organization?.state.status !== 'active') return undefined
  const now = generationsIn(projectId, ofUser, ofOrganization)
  const { generations } = subject
  const isCurrent =
    now.user === generations.user &&
    now.project === generations.project &&
    now.organization === generations.organization &&
    // A new password ends all sessions but the one in which it was set; the tokens of that one stay valid.
    (now.password === generations.password || (isSignedIn && subject.sessionId !== ''))
  if (!isCurrent) return undefined
  return {
    grant: grant as Document<OpenGrant>,
    user: user as Document<LivingUser>,
    project: project as Document<LivingProject> | undefined,
  }
}
