/** Identifies the user of a personal access token. Runs on every request, and mostly finds the answer of the one before. */

import type { Caller } from '../../../access/call.ts'
import { isForeignToken } from '../../../crypto/foreign-token.ts'
import { matchesHash, PERSONAL_ACCESS_TOKEN_PREFIX, parsePersonalAccessToken } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import { computation, type Document, type Finder } from '../../../store/index.ts'
import { findGrants } from '../../memberships/index.ts'
import { activePerson } from '../../users/index.ts'
import { noteCredentialUse } from '../credential-uses.ts'
import { personalAccessTokens } from '../documents.ts'
import { openForeignToken } from '../token-keys.ts'

/** The scopes of a personal access token: it was made without asking for any. */
export const PERSONAL_SCOPE = 'openid profile urn:zitadel:iam:user:metadata urn:zitadel:iam:user:resourceowner'

/** The caller of a token, until it expires. */
export interface TokenOwner {
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
  return ownerOf(finder, instanceId, token, token.state)
}

async function ownerOf(
  finder: Finder,
  instanceId: string,
  { id: tokenId, owner }: Document<unknown>,
  { userId, expiresAt }: { readonly userId: string; readonly expiresAt: Instant },
): Promise<TokenOwner | undefined> {
  const [person, grants] = await Promise.all([
    activePerson(finder, userId, owner),
    findGrants(finder, instanceId, userId),
  ])
  return person && { tokenId, caller: { userId, organizationId: person.organization.id, grants }, expiresAt }
}

/** The digest is that of the header with the token, which is not kept. */
const tokenOwner = computation({
  name: 'personal access token',
  compute: (finder, instanceId: string, bearer: string, _digest: string) => findOwner(finder, instanceId, bearer),
  key: (_instanceId, _bearer, digest) => digest,
})

/** Whether a text has the form of a personal access token: our own, or one that another product encrypted. */
export function isPersonalAccessToken(text: string): boolean {
  return text.startsWith(PERSONAL_ACCESS_TOKEN_PREFIX) || isForeignToken(text)
}

/**
 * A token and its caller; undefined when the token is unknown or expired, or when its user or organization is not
 * active. With the digest of the header that the token was sent in, the answer is kept until one of these changes.
 */
export async function usePersonalAccessToken(
  app: App,
  bearer: string,
  at: Instant,
  digest?: string,
): Promise<TokenOwner | undefined> {
  const { store, instanceId } = app
  const owner = isForeignToken(bearer)
    ? await findForeignOwner(app, bearer)
    : digest === undefined
      ? await findOwner(store, instanceId, bearer)
      : await store.computed(tokenOwner, instanceId, bearer, digest)
  if (owner === undefined || at >= owner.expiresAt) return undefined
  noteCredentialUse(app, { type: 'token', id: owner.tokenId, organizationId: owner.caller.organizationId }, at)
  return owner
}

/** The caller of a token that counts. */
export async function identifyByPersonalAccessToken(
  app: App,
  bearer: string,
  at: Instant,
  digest?: string,
): Promise<Caller | undefined> {
  return (await usePersonalAccessToken(app, bearer, at, digest))?.caller
}

/**
 * The owner of a token that another product issued and encrypted; undefined unless it names a token of this user that was
 * imported and exists.
 */
async function findForeignOwner(app: App, bearer: string): Promise<TokenOwner | undefined> {
  const shown = await openForeignToken(app, bearer)
  const token = shown && (await app.store.get(personalAccessTokens, shown.tokenId))
  // One of our own has a hash, and is never recognized by its ID alone.
  if (token?.state.status !== 'active' || token.state.secret !== undefined) return undefined
  if (token.state.userId !== shown?.userId) return undefined
  return ownerOf(app.store, app.instanceId, token, token.state)
}
