/** Who shows a personal access token. Runs on every request: one read for the token, then three at once. */
import type { Caller } from '../../access/call.ts'
import { matchesHash, parsePersonalAccessToken } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import { grantsOf } from '../memberships/index.ts'
import { organizations } from '../organizations/index.ts'
import { users } from '../users/index.ts'
import { personalAccessTokens } from './documents.ts'

/** The caller behind a bearer; undefined when the token is unknown or expired, or its user or organization not active. */
export function identifyByPersonalAccessToken(store: Store) {
  return async (bearer: string, at: Instant): Promise<Caller | undefined> => {
    const parsed = parsePersonalAccessToken(bearer)
    if (parsed === undefined) return undefined
    const token = await store.get(personalAccessTokens, parsed.tokenId)
    if (token?.state.status !== 'active' || !matchesHash(parsed.secret, token.state.secret.hash)) return undefined
    const { userId, expiresAt } = token.state
    if (at >= expiresAt) return undefined
    const [user, organization, grants] = await Promise.all([
      store.get(users, userId),
      store.get(organizations, token.owner),
      grantsOf(store, userId),
    ])
    if (user?.state.status !== 'active' || organization?.state.status !== 'active') return undefined
    return { userId, organizationId: user.owner, grants }
  }
}
