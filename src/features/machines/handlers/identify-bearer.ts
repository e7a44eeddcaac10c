/**
 * Identifies the user of a personal access token. Runs on every request: one read for the token, then three in
 * parallel.
 */
import type { App } from '../../../access/app.ts'
import type { Caller } from '../../../access/call.ts'
import { recallToken, rememberToken } from '../../../crypto/known-tokens.ts'
import { matchesHash, parsePersonalAccessToken } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { grantsOf } from '../../memberships/index.ts'
import { organizations } from '../../organizations/index.ts'
import { users } from '../../users/index.ts'
import { personalAccessTokens } from '../documents.ts'

/** Whether the secret of a token matches the stored hash; the token is then known by the digest of its header. */
function isSecretOf(bearer: string, hash: string, digest: string | undefined): boolean {
  if (recallToken(digest)?.hash === hash) return true
  const parsed = parsePersonalAccessToken(bearer)
  if (parsed === undefined || !matchesHash(parsed.secret, hash)) return false
  rememberToken(digest, { tokenId: parsed.tokenId, hash })
  return true
}

/**
 * The caller of a token; undefined when the token is unknown or expired, or when its user or organization is not
 * active.
 */
export async function identifyByPersonalAccessToken(
  app: App,
  bearer: string,
  at: Instant,
  digest?: string,
): Promise<Caller | undefined> {
  const shown = recallToken(digest) ?? parsePersonalAccessToken(bearer)
  if (shown === undefined) return undefined
  const token = await app.store.get(personalAccessTokens, shown.tokenId)
  if (token?.state.status !== 'active' || !isSecretOf(bearer, token.state.secret.hash, digest)) return undefined
  const { userId, expiresAt } = token.state
  if (at >= expiresAt) return undefined
  const [user, organization, grants] = await Promise.all([
    app.store.get(users, userId),
    app.store.get(organizations, token.owner),
    grantsOf(app, userId),
  ])
  if (user?.state.status !== 'active' || organization?.state.status !== 'active') return undefined
  return { userId, organizationId: user.owner, grants }
}
