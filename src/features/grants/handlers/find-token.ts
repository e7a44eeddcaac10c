/** Finds the grant of a code or token, opaque or signed, and whether it still counts. */
import type { App } from '../../../access/app.ts'
import { grantTokens, matchesHash } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import type { Document } from '../../../store/index.ts'
import { verifyOwnJwt } from '../../web-keys/index.ts'
import type { IssuedToken, OpenGrant } from '../decider.ts'
import { grants } from '../documents.ts'
import { type ValidGrant, validGrant } from '../validity.ts'

/** An access token that counts. */
export interface ValidAccessToken extends ValidGrant {
  readonly token: IssuedToken
}

/** The `jti` of a signed access token: the grant and the hash of the token, so that it is found like an opaque one. */
export function tokenIdOf(grantId: string, hash: string): string {
  return `${grantId}.${hash}`
}

const TOKEN_ID = /^\d{18}\.[\w-]{43}$/

interface NamedToken {
  readonly grantId: string
  matches(hash: string): boolean
}

async function parseAccessToken(app: App, text: string): Promise<NamedToken | undefined> {
  const opaque = grantTokens.access_token.parse(text)
  if (opaque !== undefined) return { grantId: opaque.tokenId, matches: (hash) => matchesHash(opaque.secret, hash) }
  if (text.split('.').length !== 3) return undefined
  // ID tokens have the same signer, but no ID of this form.
  const id = (await verifyOwnJwt(app, text))?.jti
  if (typeof id !== 'string' || !TOKEN_ID.test(id)) return undefined
  const [grantId = '', hash = ''] = id.split('.')
  return { grantId, matches: (stored) => stored === hash }
}

/** The access token of this text, if it counts. */
export async function findAccessToken(app: App, text: string, at: Instant): Promise<ValidAccessToken | undefined> {
  const named = await parseAccessToken(app, text)
  const grant = named && (await app.store.get(grants, named.grantId))
  if (named === undefined || grant?.state.status !== 'open') return undefined
  const token = grant.state.access
  if (token === undefined || at >= token.expiresAt || !named.matches(token.secret.hash)) return undefined
  const valid = await validGrant(app, grant, at, { survivesLogout: token.isOffline === true })
  return valid && { ...valid, token }
}

/** A code or refresh token of an open grant, whether or not it was used. */
export interface FoundSecret<Issued> {
  readonly grant: Document<OpenGrant>
  readonly issued: Issued
  readonly isUsed: boolean
}

/** The authorization code of this text, also when it was redeemed. */
export async function findCode(
  app: App,
  text: string,
): Promise<FoundSecret<NonNullable<OpenGrant['code']>> | undefined> {
  const parsed = grantTokens.authorization_code.parse(text)
  const grant = parsed && (await app.store.get(grants, parsed.tokenId))
  if (parsed === undefined || grant?.state.status !== 'open' || grant.state.code === undefined) return undefined
  const issued = grant.state.code
  if (!matchesHash(parsed.secret, issued.secret.hash)) return undefined
  return { grant: grant as Document<OpenGrant>, issued, isUsed: issued.isRedeemed }
}

/** The refresh token of this text, also when it was used. */
export async function findRefreshToken(app: App, text: string): Promise<FoundSecret<IssuedToken> | undefined> {
  const parsed = grantTokens.refresh_token.parse(text)
  const grant = parsed && (await app.store.get(grants, parsed.tokenId))
  if (parsed === undefined || grant?.state.status !== 'open' || grant.state.refresh === undefined) return undefined
  const { refresh, usedRefresh } = grant.state
  const found = { grant: grant as Document<OpenGrant>, issued: refresh }
  if (matchesHash(parsed.secret, refresh.secret.hash)) return { ...found, isUsed: refresh.isUsed }
  return usedRefresh.some((hash) => matchesHash(parsed.secret, hash)) ? { ...found, isUsed: true } : undefined
}
