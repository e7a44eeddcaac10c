/** Identifies the user of a bearer token. Runs on every request: one read for the token, then a few in parallel. */
import type { App } from '../../../access/app.ts'
import type { Caller } from '../../../access/call.ts'
import { SESSION_TOKEN_PREFIX } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { identifyByPersonalAccessToken } from '../../machines/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { organizationState } from '../../organizations/index.ts'
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
 * The caller of a session token; undefined unless it is the current token of a valid session, the user and the
 * organization are active, and the session has a recent first factor, and a second one if the organization requires it
 * or the user has set one up.
 */
async function identifyBySessionToken(app: App, bearer: string, at: Instant): Promise<Caller | undefined> {
  const found = await findOpenSession(app, bearer, at)
  if (found?.state.user === undefined) return undefined
  const { id, state: session } = found
  const { id: userId, organizationId } = found.state.user
  const [user, organization, { login }, grants] = await Promise.all([
    app.store.get(users, userId),
    organizationState(app, organizationId),
    settingsOfUser(app, { userId, organizationId }),
    grantsOf(app, userId),
  ])
  if (user === undefined || !mayAct(user.state) || organization !== 'active') return undefined
  const level = authenticationLevel(session, login, at)
  const { authenticatedAt, hasSecondFactor } = level
  if (authenticatedAt === undefined) return undefined
  const factors = hasSecondFactor ? [] : await secondFactorsOf(app, userId, login)
  if (nextStep(level, login, factors, false) !== 'none') return undefined
  const { tokenHash } = session.secret
  return { userId, organizationId, grants, session: { id, authenticatedAt, tokenHash } }
}
