/**
 * Whether a grant still counts. Nothing is stored for that when something ends: the documents of the session, the user,
 * the application and the project are read, and every read sees every write.
 */
import type { App } from '../../access/app.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Document, Reader } from '../../store/index.ts'
import { applications } from '../applications/index.ts'
import { organizations } from '../organizations/index.ts'
import { projects } from '../projects/index.ts'
import { hasExpired, sessions } from '../sessions/index.ts'
import { type LivingUser, mayAct, users } from '../users/index.ts'
import type { Grant, OpenGrant } from './decider.ts'
import type { GrantSubject } from './events.ts'
import { generationsOf } from './generations.ts'

/** A grant that counts, with the documents that were read to decide it. */
export interface ValidGrant {
  readonly grant: Document<OpenGrant>
  readonly user: Document<LivingUser>
}

/** Whether the session of a grant is open. A grant without a session depends on none. */
async function hasLivingSession(reader: Reader, { sessionId, userId }: GrantSubject, at: Instant): Promise<boolean> {
  if (sessionId === '') return true
  const session = await reader.get(sessions, sessionId)
  const state = session?.state
  return state?.status === 'open' && !hasExpired(state, at) && state.user?.id === userId
}

/** Whether the application of a grant can be used. */
async function hasApplication(reader: Reader, { applicationId, projectId }: GrantSubject): Promise<boolean> {
  if (applicationId === '') return true
  const [application, project] = await Promise.all([
    reader.get(applications, applicationId),
    reader.get(projects, projectId),
  ])
  return application?.state.status === 'active' && project?.state.status === 'active'
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
  const [isSignedIn, isServed, user, organization, now] = await Promise.all([
    hasLivingSession(reader, subject, at),
    hasApplication(reader, subject),
    reader.get(users, subject.userId),
    reader.get(organizations, subject.organizationId),
    generationsOf(reader, subject),
  ])
  if (!isServed || (!isSignedIn && !survivesLogout)) return undefined
  if (user === undefined || !mayAct(user.state) || organization?.state.status !== 'active') return undefined
  const { generations } = subject
  const isCurrent =
    now.user === generations.user &&
    now.project === generations.project &&
    now.organization === generations.organization &&
    // A new password ends all sessions but the one in which it was set; the tokens of that one stay valid.
    (now.password === generations.password || (isSignedIn && subject.sessionId !== ''))
  if (!isCurrent) return undefined
  return { grant: grant as Document<OpenGrant>, user: user as Document<LivingUser> }
}
