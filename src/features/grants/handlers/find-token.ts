/** Finds the grant of a code or token, opaque or signed, and whether it still counts. */

import { grantTokens, matchesHash } from '../../../crypto/tokens.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import type { Document } from '../../../store/index.ts'
import { PERSONAL_SCOPE, usePersonalAccessToken } from '../../machines/index.ts'
import { activePerson, type LivingUser } from '../../users/index.ts'
import { verifyOwnJwt } from '../../web-keys/index.ts'
import type { IssuedToken, OpenGrant } from '../decider.ts'
import { grants } from '../documents.ts'
import type { GrantResource, GrantSubject, ParentGrant, ParentToken } from '../events.ts'
import { grantEndings, type ValidGrant, validGrant } from '../validity.ts'

/** An access token that counts. */
export interface ValidAccessToken extends ValidGrant {
  readonly token: IssuedToken
}

/** The `jti` of a signed access token: the grant and the hash of the token, so that it is found like an opaque one. */
export function tokenIdOf(grantId: string, hash: string): string {
  return `${grantId}.${hash}`
}

/**
 * The `jti` of an ID token: the grant that it belongs to, how many access tokens of that had been revoked, and a part of
 * its own.
 */
export function idTokenIdOf(app: App, grantId: string, { revocations }: { readonly revocations: number } = UNREVOKED) {
  return `${grantId}.${revocations}.${app.newId()}`
}

const UNREVOKED = { revocations: 0 }
const ID_TOKEN_ID = /^(\d{18})\.(\d+)\.\d{18}$/
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
  return usedRefresh.some(({ hash }) => matchesHash(parsed.secret, hash)) ? { ...found, isUsed: true } : undefined
}

/** A token that was shown to derive another one from it, or to act for somebody. */
export interface ShownToken {
  readonly user: Document<LivingUser>
  readonly subject: GrantSubject
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly expiresAt: Instant
  readonly dpopKey?: string | undefined
  /** The resource that it is for, and nothing else. An ID token is for the application, whatever the access token is for. */
  readonly resource?: GrantResource | undefined
  /** What a token that is derived from it depends on. */
  readonly parent: ParentGrant | ParentToken
}

/** The access token of this text as one that was shown, if it counts. */
export async function shownAccessToken(app: App, text: string, at: Instant): Promise<ShownToken | undefined> {
  const found = await findAccessToken(app, text, at)
  if (found === undefined) return undefined
  const { grant, user, token } = found
  const { subject, revocations } = grant.state
  const { scope, expiresAt, dpopKey, isOffline } = token
  const parent = { grantId: grant.id, revocations, ...(isOffline && { isOffline }) }
  const { audience, resource } = subject
  return { user, subject, scopes: scope.split(' '), audience, expiresAt, dpopKey, resource, parent }
}

/**
 * The ID token of this text as one that was shown. It counts while its grant does, and until an access token of that is
 * revoked: an ID token is no key to what was taken away. It asks for no scope.
 */
export async function shownIdToken(app: App, text: string, at: Instant): Promise<ShownToken | undefined> {
  const { jti, azp, aud, exp } = (await verifyOwnJwt(app, text)) ?? {}
  const [, grantId = '', counted = ''] = ID_TOKEN_ID.exec(String(jti)) ?? []
  // Access tokens have the same signer; only ID tokens name the party they are for.
  if (typeof azp !== 'string' || typeof exp !== 'number' || exp * 1000 <= at) return undefined
  const valid = await validGrant(app, await app.store.get(grants, grantId), at)
  if (valid === undefined || String(valid.grant.state.revocations) !== counted) return undefined
  const { subject, revocations } = valid.grant.state
  const audience = [aud].flat().filter((one): one is string => typeof one === 'string')
  return {
    user: valid.user,
    subject,
    scopes: [],
    audience,
    expiresAt: instant(exp * 1000),
    parent: { grantId, revocations },
  }
}

/**
 * The personal access token of this text as one that was shown to an application. It names nobody, so it is given the audience
 * of that application; whether it counts there depends on the organization of its user (`isTokenFor`).
 */
export async function shownPersonalToken(
  app: App,
  text: string,
  { clientId, projectId }: Pick<GrantSubject, 'clientId' | 'projectId'>,
  at: Instant,
): Promise<ShownToken | undefined> {
  const found = await usePersonalAccessToken(app, text, at)
  const { userId, organizationId } = found?.caller ?? { userId: '', organizationId: '' }
  const person = await activePerson(app.store, userId, organizationId)
  if (found === undefined || person === undefined) return undefined
  const generations = await grantEndings.now(app.store, { userId, organizationId })
  const subject = {
    userId,
    organizationId,
    isMachine: true,
    clientId: person.user.state.userName,
    applicationId: '',
    projectId: '',
    sessionId: '',
    scope: PERSONAL_SCOPE,
    audience: [clientId, projectId],
    authenticatedAt: at,
    amr: [],
    acr: '',
    generations,
  }
  return {
    user: person.user,
    subject,
    scopes: PERSONAL_SCOPE.split(' '),
    audience: subject.audience,
    expiresAt: found.expiresAt,
    parent: { tokenId: found.tokenId, userId, organizationId, generations },
  }
}
