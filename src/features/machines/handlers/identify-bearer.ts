/** Identifies the user of a personal access token. Runs on every request, and mostly finds the answer of the one before. */

import type { Caller } from '../../../access/call.ts'
import { matchesHash, parsePersonalAccessToken } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import { computation, type Finder } from '../../../store/index.ts'
import { findGrants } from '../../memberships/index.ts'
import { activePerson } from '../../users/index.ts'
import { personalAccessTokens } from '../documents.ts'
import { noteTokenUse } from '../token-uses.ts'

/** The caller of a token, until it expires. */
interface TokenOwner {
  readonly tokenId: string
  readonly caller: Caller
  readonly expiresAt: Instant
}

/** Undefined when the token is unknown, or when its user or organization is not active. */
async function findOwner(finder: Finder, instanceId: string, bearer: string): Promise<TokenOwner | undefined> {
  const shown = parsePersonalAccessToken(bearer)
  if (shown === undefined) return undefined
  const token = await finder.get(personalAccessTokens, shown.tokenId)
  if (token?.state.status !== 'active' || token.state.secret === undefined) return undefined
  if (!matchesHash(shown.secret, token.state.secret.hash)) return undefined
  const { userId, expiresAt } = token.state
  const [person, grants] = await Promise.all([
    activePerson(finder, userId, token.owner),
    findGrants(finder, instanceId, userId),
  ])
  return person && { tokenId: token.id, caller: { userId, organizationId: person.organization.id, grants }, expiresAt }
}

/** The digest is that of the header with the token, which is not kept. */
const tokenOwner = computation({
  name: 'personal access token',
  compute: (finder, instanceId: string, bearer: string, _digest: string) => findOwner(finder, instanceId, bearer),
  key: (_instanceId, _bearer, digest) => digest,
})

/**
 * The caller of a token; undefined when the token is unknown or expired, or when its user or organization is not
 * active. With the digest of the header that the token was sent in, the answer is kept until one of these changes.
 */
export async function identifyByPersonalAccessToken(
  app: App,
  bearer: string,
  at: Instant,
  digest?: string,
): Promise<Caller | undefined> {
  const { store, instanceId } = app
  const owner =
    digest === undefined
      ? await findOwner(store, instanceId, bearer)
      : await store.computed(tokenOwner, instanceId, bearer, digest)
  if (owner === undefined || at >= owner.expiresAt) return undefined
  const { tokenId, caller } = owner
  noteTokenUse(app, { tokenId, userId: caller.userId, organizationId: caller.organizationId }, at)
  return caller
}
