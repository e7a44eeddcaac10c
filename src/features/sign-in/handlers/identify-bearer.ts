/** Identifies the user of a bearer token. Runs on every request: one read for the token, then a few in parallel. */
import type { App } from '../../../access/app.ts'
import type { Caller } from '../../../access/call.ts'
import { SESSION_TOKEN_PREFIX } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { identifyByPersonalAccessToken } from '../../machines/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { organizationState } from '../../organizations/index.ts'
import { mustBeChanged, passwordFacts } from '../../passwords/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import { mayAct, users } from '../../users/index.ts'
import { authenticationLevel, nextStep } from '../authentication-level.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { findOpenSession } from './find-person.ts'

/** The caller of a bearer token: a personal access token or a session token, by its prefix. */
export function identifyBearer(app: App, bearer: string, at: Instant): Promise<Caller | undefined> {
  return bearer.startsWith(SESSION_TOKEN_PREFIX)
    ? identifyBySessionToken(app, bearer, at)
    : identifyByPersonalAccessToken(app, bearer, at)
}

/**
 * The caller of a session token; undefined unless it is the current one of a valid session, its user and organization are
 * active, and the session has a first factor that is young enough, and a second one where the organization requires it or
 * the user has set one up. One whose password must be changed may do only that.
 */
async function identifyBySessionToken(app: App, bearer: string, at: Instant): Promise<Caller | undefined> {
  const found = await findOpenSession(app, bearer, at)
  if (found?.state.user === undefined) return undefined
  const { id, state: session } = found
  const { id: userId, organizationId } = found.state.user
  const [user, organization, settings, grants, facts] = await Promise.all([
    app.store.get(users, userId),
    organizationState(app, organizationId),
    settingsOfUser(app, { userId, organizationId }),
    grantsOf(app, userId),
    passwordFacts(app, session.factors.password === undefined ? [] : [userId]),
  ])
  if (user === undefined || !mayAct(user.state) || organization !== 'active') return undefined
  const { login } = settings
  const level = authenticationLevel(session, login, at)
  const { authenticatedAt, hasSecondFactor } = level
  if (authenticatedAt === undefined) return undefined
  const factors = hasSecondFactor ? [] : await secondFactorsOf(app, userId, login)
  const step = nextStep(level, login, factors, mustBeChanged(facts.get(userId), settings, at))
  const { tokenHash } = session.secret
  const caller = { userId, organizationId, session: { id, authenticatedAt, tokenHash } }
  if (step === 'change_password') return { ...caller, grants: [], mustChangePassword: true }
  return step === 'none' ? { ...caller, grants } : undefined
}
