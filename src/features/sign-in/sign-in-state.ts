/**
 * How far the sign-in of a session has come. Whoever lets a session act asks here: our own API, for its token, and every
 * grant that an application gets from it. A session is no proof by itself: a login page creates one for any name.
 */

import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { mustBeChanged, passwordFacts } from '../passwords/index.ts'
import type { Strength, UserSession } from '../sessions/index.ts'
import { settingsOfUser } from '../settings/index.ts'
import { authenticationLevel, nextStep, type Step } from './authentication-level.ts'
import { secondFactorsOf } from './second-factors.ts'

export interface SignInState {
  /** What the user has to do next; `none`: the sign-in is complete. */
  readonly step: Step | 'first_factor'
  /** The latest valid first factor. */
  readonly authenticatedAt: Instant
}

/** The state by the settings of the user's organization, and what the user has set up, now. */
export async function signInStateOf(app: App, session: UserSession, at: Instant): Promise<SignInState> {
  const { id: userId, organizationId } = session.user
  const [settings, facts] = await Promise.all([
    settingsOfUser(app, { userId, organizationId }),
    passwordFacts(app, session.factors.password === undefined ? [] : [userId]),
  ])
  const { login } = settings
  const level = authenticationLevel(session, login, at)
  const { authenticatedAt, strength } = level
  if (authenticatedAt === undefined) return { step: 'first_factor', authenticatedAt: at }
  const factors = strength === 2 ? [] : await secondFactorsOf(app, userId, login)
  const step = nextStep(level, login, factors, mustBeChanged(facts.get(userId), settings, at))
  return { step, authenticatedAt }
}

/** How strong a sign-in is by the settings of the user's organization now: the answer that every application gets. */
export async function strengthOfSession(app: App, session: UserSession, at: Instant): Promise<Strength> {
  const { id: userId, organizationId } = session.user
  const { login } = await settingsOfUser(app, { userId, organizationId })
  return authenticationLevel(session, login, at).strength
}
