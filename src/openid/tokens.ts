/** Makes the text of access tokens and ID tokens: opaque, or signed with the active web key. */
import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isHighAssurance, type OidcConfig } from '../features/applications/index.ts'
import { audienceNow, namedAudience } from '../features/authorization-requests/index.ts'
import { type ActorClaim, type GrantResource, type GrantSubject, tokenIdOf } from '../features/grants/index.ts'
import { findOrganization } from '../features/organizations/index.ts'
import { findProject } from '../features/projects/index.ts'
import { type LivingUser, users } from '../features/users/index.ts'
import { signingKey, signJwt } from '../features/web-keys/index.ts'
import type { Instant } from '../kernel/instant.ts'
import type { App } from '../module/app.ts'
import { partyNamed } from '../module/token-party.ts'
import type { Document } from '../store/index.ts'
import { claimsOf, clientOf, markedMachine, toldOf } from './claims.ts'
import { claimsOfFunction } from './functions.ts'

/** Seconds since 1970. */
export function seconds(at: Instant | number): number {
  return Math.floor(at / 1000)
}

function actorClaim(actor: ActorClaim | undefined): JsonObject {
  return actor === undefined ? {} : { act: JSON.parse(JSON.stringify(actor)) as JsonObject }
}

/** What the user allowed in detail (RFC 9396 §9). */
export function detailsClaim({ authorizationDetails: text }: Pick<GrantSubject, 'authorizationDetails'>): JsonObject {
  return text === undefined ? {} : { authorization_details: JSON.parse(text) as JsonValue }
}

/** The settings of an application or a machine that decide how its tokens look. */
export interface TokenFormat {
  readonly isJwt: boolean
  readonly hasRoles: boolean
  readonly clockSkewMs: number
  /** Whether it is signed as the FAPI 2.0 Security Profile asks. */
  readonly isStrong?: boolean
}

export function formatOf(config: OidcConfig): TokenFormat {
  return {
    isStrong: isHighAssurance(config),
    isJwt: config.accessTokenType === 'jwt',
    hasRoles: config.accessTokenRoleAssertion,
    clockSkewMs: config.clockSkewMs,
  }
}

export interface SignedToken {
  readonly grantId: string
  readonly hash: string
  readonly subject: Omit<GrantSubject, 'generations'>
  readonly scope: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  readonly dpopKey?: string | undefined
}

/** A signed access token. Its `jti` leads to the grant, so it can be revoked like an opaque one. */
export async function signAccessToken(
  app: App,
  token: SignedToken,
  { hasRoles, clockSkewMs, isStrong = false }: TokenFormat,
): Promise<string> {
  const { subject, scope } = token
  if (subject.resource !== undefined) return signResourceToken(app, token, subject.resource, isStrong)
  const user = (await app.store.get(users, subject.userId)) as Document<LivingUser> | undefined
  const told = user && (await toldOf(app, { user, subject, scope }))
  const source = user && { user, subject, scope, ...(told && { told }) }
  const own = source === undefined ? {} : await claimsOf(app, source, { hasProfile: false, hasRoles })
  const audience = await audienceNow(app, subject)
  const { clientId, actor } = subject
  const added =
    source === undefined ? {} : await claimsOfFunction(app, 'preaccesstoken', { source, clientId, actor }, own)
  const iat = seconds(token.issuedAt - clockSkewMs)
  const claims = {
    ...added,
    iss: app.externalUrl,
    sub: subject.userId,
    aud: audience.length > 0 ? [...audience] : [await askerOf(app, subject)],
    exp: seconds(token.expiresAt + clockSkewMs),
    iat,
    nbf: iat,
    client_id: told === undefined ? subject.clientId : await clientOf(app, subject, told),
    jti: tokenIdOf(token.grantId, token.hash),
    ...(token.dpopKey !== undefined && { cnf: { jkt: token.dpopKey } }),
    ...actorClaim(subject.actor),
    ...own,
  }
  return signJwt(app, claims, { isStrong })
}

/**
 * An access token for a resource (RFC 9068). Of the user, it says who they are and how they signed in, and their roles in the
 * project of the resource, if that asserts them.
 */
async function signResourceToken(
  app: App,
  token: SignedToken,
  { uri, projectId }: GrantResource,
  isStrong: boolean,
): Promise<string> {
  const { subject, scope } = token
  const user = (await app.store.get(users, subject.userId)) as Document<LivingUser> | undefined
  const asked = user && { user, subject: { ...subject, projectId }, scope }
  const told = asked && (await toldOf(app, asked))
  const source = asked && { ...asked, ...(told && { told }) }
  const groups = { hasProfile: false, hasRoles: true, rolesOfProject: projectId }
  const roles = source === undefined ? { sub: subject.userId } : await claimsOf(app, source, groups)
  const { clientId, actor } = subject
  const from = source && { source, clientId, actor }
  const claims = {
    ...(from !== undefined && (await claimsOfFunction(app, 'preaccesstoken', from, roles))),
    ...roles,
    iss: app.externalUrl,
    aud: uri,
    exp: seconds(token.expiresAt),
    iat: seconds(token.issuedAt),
    client_id: told === undefined ? subject.clientId : await clientOf(app, subject, told),
    jti: tokenIdOf(token.grantId, token.hash),
    scope,
    auth_time: seconds(subject.authenticatedAt),
    ...(subject.amr.length > 0 && { amr: [...subject.amr] }),
    ...(subject.acr !== '' && { acr: subject.acr }),
    ...(token.dpopKey !== undefined && { cnf: { jkt: token.dpopKey } }),
    ...actorClaim(subject.actor),
    ...detailsClaim(subject),
  }
  return signJwt(app, claims, { typ: 'at+jwt', isStrong })
}

const HASHES: Readonly<Record<string, string>> = { '256': 'sha256', '384': 'sha384', '512': 'sha512' }

/** The left half of the hash that belongs to the algorithm of the signature (OpenID Connect Core §3.1.3.6). */
function halfHash(alg: string, text: string): string {
  const digest = createHash(HASHES[alg.slice(-3)] ?? 'sha512')
    .update(text)
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

export interface IdTokenParts {
  readonly subject: Omit<GrantSubject, 'generations'>
  readonly user: Document<LivingUser>
  readonly scope: string
  readonly accessToken: string | undefined
  /** Leads to its grant, see `idTokenIdOf`. */
  readonly id: string
  readonly requested: readonly string[]
  readonly issuedAt: Instant
  readonly lifetimeMs: number
}

/**
 * The one who asked for a token: the application, or the machine that asked for its own, by its ID. A user name is chosen, so it
 * never says who a token is for; nor does an ID that is also the ID of something that a token can be for.
 */
async function askerOf(app: App, { applicationId, clientId, userId }: IdTokenParts['subject']): Promise<string> {
  if (applicationId !== '') return clientId
  const others = await Promise.all([
    findProject(app, userId),
    findOrganization(app.store, userId),
    partyNamed(app, userId),
  ])
  const isOther = userId === app.instanceId || others.some((one) => one !== undefined)
  return isOther ? markedMachine({ userId }) : userId
}

/** Who an ID token is for: the one who asked for it and, of the audience, what the scopes name. */
async function partiesOf(
  app: App,
  subject: IdTokenParts['subject'],
  scope: string,
): Promise<readonly [string, ...string[]]> {
  const [party, named] = await Promise.all([askerOf(app, subject), namedAudience(app, subject, scope)])
  return [party, ...named.filter((one) => one !== party)]
}

type IdTokenConfig = Pick<OidcConfig, 'idTokenUserinfoAssertion' | 'idTokenRoleAssertion' | 'clockSkewMs'> & {
  /** Whether it is signed as the FAPI 2.0 Security Profile asks. */
  readonly isStrong?: boolean
}

/** An ID token for an application (OpenID Connect Core §2). */
export async function signIdToken(app: App, parts: IdTokenParts, config: IdTokenConfig): Promise<string> {
  const { isStrong = false } = config
  return signJwt(app, await idTokenClaims(app, parts, config), { isStrong })
}

/** What an ID token says. */
export async function idTokenClaims(app: App, parts: IdTokenParts, config: IdTokenConfig): Promise<JsonObject> {
  const { subject, user, scope, accessToken, id, requested, issuedAt, lifetimeMs } = parts
  const { clockSkewMs, isStrong = false } = config
  const source = { user, subject, scope: config.idTokenUserinfoAssertion ? scope : withoutProfile(scope), requested }
  const [parties, own, { alg }] = await Promise.all([
    partiesOf(app, subject, scope),
    claimsOf(app, source, { hasProfile: true, hasRoles: config.idTokenRoleAssertion }),
    signingKey(app, { isStrong }),
  ])
  const { clientId, actor } = subject
  return {
    ...(await claimsOfFunction(app, 'preuserinfo', { source, clientId, actor }, own)),
    ...own,
    iss: app.externalUrl,
    // Go's x/oauth2/jwt reads the ID tokens of machines, and only an audience that is a text.
    aud: subject.applicationId === '' && parties.length === 1 ? parties[0] : [...parties],
    exp: seconds(issuedAt + lifetimeMs + clockSkewMs),
    iat: seconds(issuedAt - clockSkewMs),
    jti: id,
    auth_time: seconds(subject.authenticatedAt - clockSkewMs),
    ...subject.secret,
    amr: [...subject.amr],
    ...(subject.acr !== '' && { acr: subject.acr }),
    azp: parties[0],
    ...(accessToken !== undefined && { at_hash: halfHash(alg, accessToken) }),
    ...(subject.sessionId !== '' && { sid: subject.sessionId }),
    ...actorClaim(subject.actor),
  }
}

const PROFILE_SCOPES: ReadonlySet<string> = new Set(['profile', 'email', 'phone'])

/** The scopes without those that put data of the profile into an ID token. */
function withoutProfile(scope: string): string {
  return scope
    .split(' ')
    .filter((one) => !PROFILE_SCOPES.has(one))
    .join(' ')
}
