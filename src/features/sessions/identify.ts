/** Who shows a session token as bearer. Runs on every request of that kind: one read for the session, then a few at once. */
import type { Caller } from '../../access/call.ts'
import { matchesHash, parseSessionToken } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { secondFactorsOf } from '../one-time-codes/index.ts'
import { organizationState } from '../organizations/index.ts'
import { keysOf } from '../passkeys/index.ts'
import { effectiveSettings, type LoginSettings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { sessions } from './documents.ts'
import { noteExpired } from './expiring.ts'
import type { SecondFactorName } from './objections.ts'
import { asksForSecondFactor, standingOf } from './standing.ts'
import { hasExpired } from './state.ts'

/** Whether a person has set up a second factor that their organization allows. */
async function hasSetUpSecondFactor(store: Store, userId: string, { secondFactors }: LoginSettings) {
  const typed: readonly SecondFactorName[] = await secondFactorsOf(store, userId)
  // Recovery codes stand in for another factor; alone they are none.
  if (typed.some((factor) => factor !== 'recovery_code' && secondFactors.includes(factor))) return true
  return secondFactors.includes('u2f') && (await keysOf(store, userId, 'second_factor')).length > 0
}

/**
 * The caller behind a session token; undefined unless it is the current one of a session that lives, its user and
 * organization are active, and the session has a first factor that is young enough, and a second one where the
 * organization asks for it or the person has set one up.
 */
export function identifyBySessionToken(store: Store, instanceId: string) {
  return async (bearer: string, at: Instant): Promise<Caller | undefined> => {
    const parsed = parseSessionToken(bearer)
    if (parsed === undefined) return undefined
    const session = (await store.get(sessions, parsed.tokenId))?.state
    if (session?.status !== 'open' || !matchesHash(parsed.secret, session.secret.tokenHash)) return undefined
    if (hasExpired(session, at)) {
      await noteExpired(store, parsed.tokenId, session, at)
      return undefined
    }
    if (session.user === undefined) return undefined
    const { id: userId, organizationId } = session.user
    const [user, organization, { login }, grants] = await Promise.all([
      store.get(users, userId),
      organizationState(store, organizationId),
      effectiveSettings(store, organizationId, instanceId),
      grantsOf(store, userId),
    ])
    const status = user?.state.status
    if ((status !== 'active' && status !== 'initial') || organization !== 'active') return undefined
    const standing = standingOf(session, login, at)
    const { authenticatedAt, hasSecondFactor } = standing
    if (authenticatedAt === undefined) return undefined
    const isEnough =
      hasSecondFactor || !(asksForSecondFactor(login, standing) || (await hasSetUpSecondFactor(store, userId, login)))
    if (!isEnough) return undefined
    const { tokenHash } = session.secret
    return { userId, organizationId, grants, session: { id: parsed.tokenId, authenticatedAt, tokenHash } }
  }
}
