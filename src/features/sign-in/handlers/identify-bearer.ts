/** Identifies the user of a bearer token. Runs on every request: one read for the token, then a few in parallel. */

import type { Caller } from '../../../access/call.ts'
import { accessRefusals } from '../../../access/refusals.ts'
import { SESSION_TOKEN_PREFIX } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { type Circumstances, identifyByAccessToken } from '../../grants/index.ts'
import { identifyByPersonalAccessToken, isPersonalAccessToken } from '../../machines/index.ts'
import { grantsOf } from '../../memberships/index.ts'
import { passwordFacts } from '../../passwords/index.ts'
import { findSessionOfToken, type UserSession } from '../../sessions/index.ts'
import { settingsOfUser } from '../../settings/index.ts'
import { activePerson } from '../../users/index.ts'
import { nextStep } from '../authentication-level.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { signInStateOf } from '../sign-in-state.ts'

/**
 * The caller of a token: a session token or a personal access token, by its form, or an access token of an
 * application. Only access tokens can be bound to a key.
 */
export async function identifyBearer(
  app: App,
  bearer: string,
  at: Instant,
  circumstances: Circumstances = {},
): Promise<Caller | undefined> {
  const isBound = circumstances.dpopKey !== undefined
  if (bearer.startsWith(SESSION_TOKEN_PREFIX)) return isBound ? undefined : identifyBySessionToken(app, bearer, at)
  if (isPersonalAccessToken(bearer)) {
    return isBound ? undefined : identifyByPersonalAccessToken(app, bearer, at, circumstances.digest)
  }
  return identifyByApplicationToken(app, bearer, at, circumstances)
}

/**
 * The caller of an access token. The sign-in that it comes from must have a factor, and a second one where the
 * organization requires it or the user has set one up, now. Machines have no factors.
 */
async function identifyByApplicationToken(
  app: App,
  bearer: string,
  at: Instant,
  circumstances: Circumstances,
): Promise<Caller | undefined> {
  const found = await identifyByAccessToken(app, bearer, at, circumstances)
  if (found === undefined || found.subject.isMachine) return found?.caller
  const { caller, subject } = found
  const { userId, organizationId, amr, authenticatedAt } = subject
  const [{ login }, facts] = await Promise.all([
    settingsOfUser(app, { userId, organizationId }),
    passwordFacts(app, amr.includes('pwd') ? [userId] : []),
  ])
  const strength = amr.includes('mfa') ? 2 : 1
  const level = { authenticatedAt, isExternal: amr.includes('ext'), strength } as const
  const factors = strength === 2 ? [] : await secondFactorsOf(app, userId, login)
  const step = nextStep(level, login, factors, facts.get(userId)?.changeRequired === true)
  if (step === 'change_password') return { ...caller, grants: [], mustChangePassword: true }
  if (step === 'none' && amr.length > 0) return caller
  throw refused(accessRefusals, 'access.sign_in_incomplete')
}

/**
 * The caller of a session token; undefined unless it is the current one of a valid session, its user and organization are
 * active, and the session has a first factor that is young enough, and a second one where the organization requires it or
 * the user has set one up. One whose password must be changed may do only that.
 */
async function identifyBySessionToken(app: App, bearer: string, at: Instant): Promise<Caller | undefined> {
  const found = await findSessionOfToken(app, bearer, at)
  if (found?.state.user === undefined) return undefined
  const { id } = found
  const session = found.state as UserSession
  const { id: userId, organizationId } = session.user
  const [person, { step, authenticatedAt }, grants] = await Promise.all([
    activePerson(app.store, userId, organizationId),
    signInStateOf(app, session, at),
    grantsOf(app, userId),
  ])
  if (person === undefined) return undefined
  const { tokenHash } = session.secret
  const caller = { userId, organizationId, session: { id, authenticatedAt, tokenHash } }
  if (step === 'change_password') return { ...caller, grants: [], mustChangePassword: true }
  return step === 'none' ? { ...caller, grants } : undefined
}
