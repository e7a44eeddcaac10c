/**
 * Whether a grant still counts. Nothing is stored for that when something ends: the documents of the session, the user,
 * the application and the project are read, and every read sees every write.
 */
import type { App } from '../../access/app.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Document, Reader } from '../../store/index.ts'
import { activeApplication } from '../applications/index.ts'
import type { LivingProject } from '../projects/index.ts'
import { findOpenSession, type UserSession } from '../sessions/index.ts'
import { activePerson, type LivingUser } from '../users/index.ts'
import type { Grant, OpenGrant } from './decider.ts'
import type { GrantSubject } from './events.ts'
import { generationsOf } from './generations.ts'

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

/** What a grant is about, before anything of it is remembered that can end it. */
type Subject = Omit<GrantSubject, 'generations' | 'logoutUntil'>

/** Those whom a grant depends on. */
interface Parties {
  readonly user: Document<LivingUser>
  readonly project: Document<LivingProject> | undefined
  /** The session that the user signed in with, while it is open; a grant of a machine has none. */
  readonly session: Document<UserSession> | undefined
}

/**
 * Those whom a grant depends on, if all of them can be active parts of it now; undefined when one has ended, or something
 * above it has.
 */
export async function activeParties(
  app: App,
  subject: Subject,
  at: Instant,
  { survivesLogout = false, reader = app.store }: ValidityOptions = {},
): Promise<Parties | undefined> {
  const { sessionId, applicationId, projectId, userId, organizationId } = subject
  const hasProject = applicationId !== ''
  // All at once: a database on the network answers them in one round trip.
  const [session, served, person] = await Promise.all([
    findOpenSession(reader, sessionId, at, userId),
    hasProject ? activeApplication(app, applicationId, { reader, projectId }) : undefined,
    activePerson(reader, userId, organizationId),
  ])
  if (person === undefined || (hasProject && served === undefined)) return undefined
  if (session === undefined && sessionId !== '' && !survivesLogout) return undefined
  return { user: person.user, project: served?.project, session }
}

/** The grant with its user, if it counts. */
export async function validGrant(
  app: App,
  grant: Document<Grant> | undefined,
  at: Instant,
  options: ValidityOptions = {},
): Promise<ValidGrant | undefined> {
  if (grant?.state.status !== 'open') return undefined
  const { subject } = grant.state
  const [parties, now] = await Promise.all([
    activeParties(app, subject, at, options),
    generationsOf(options.reader ?? app.store, subject),
  ])
  if (parties === undefined) return undefined
  const { generations } = subject
  const isCurrent =
    now.user === generations.user &&
    now.project === generations.project &&
    now.organization === generations.organization &&
    // A new password ends all sessions but the one in which it was set; the tokens of that one stay valid.
    (now.password === generations.password || parties.session !== undefined)
  if (!isCurrent) return undefined
  return { grant: grant as Document<OpenGrant>, user: parties.user, project: parties.project }
}
