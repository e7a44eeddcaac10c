/**
 * Token exchange (RFC 8693): an application exchanges a token of a user for another one, or lets an actor act as a user.
 * Impersonation must be allowed on the instance, needs a permission, and the token names the actor.
 */
import type Provider from 'oidc-provider'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../../access/app.ts'
import { holdsIn, holdsOnInstance } from '../../access/roles.ts'
import { type ActorClaim, findAccessToken, type GrantSubject, openGrantWithToken } from '../../features/grants/index.ts'
import { grantsOf, isAboveOrganization } from '../../features/memberships/index.ts'
import { findOpenSession } from '../../features/sessions/index.ts'
import { securitySettings } from '../../features/settings/index.ts'
import { activePerson, type LivingUser } from '../../features/users/index.ts'
import { verifyOwnJwt } from '../../features/web-keys/index.ts'
import type { Document } from '../../store/index.ts'
import { originOf } from '../origin.ts'
import { signAccessToken } from '../tokens.ts'
import { translated } from './adapter.ts'
import { applicationOf, requestOf } from './context.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:'
const USER_ID = 'urn:zitadel:params:oauth:token-type:user_id'

const PARAMETERS = [
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'audience',
  'scope',
  'resource',
]

/** A user that a token of the request names, and what that token was for. */
interface Party {
  readonly user: Document<LivingUser>
  readonly scopes: readonly string[]
  readonly audience: readonly string[]
  readonly actor?: ActorClaim
  /** The session that an ID token is from. */
  readonly sessionId?: string
  /** Undefined: the token names a user, but proves no sign-in. */
  readonly subject?: GrantSubject
}

async function activeUser(app: App, id: unknown): Promise<Document<LivingUser>> {
  const person = typeof id === 'string' ? await activePerson(app.store, id) : undefined
  if (person === undefined) throw new errors.InvalidRequest('the user of a token is not active')
  return person.user
}

/** Reads the token of one party. An actor must prove who they are; the ID of a user proves nothing. */
async function readParty(
  app: App,
  ctx: KoaContextWithOIDC,
  { token, type, role }: { readonly token: string; readonly type: string; readonly role: 'subject' | 'actor' },
): Promise<Party> {
  const clientId = ctx.oidc.client?.clientId ?? ''
  if (type === `${TOKEN_TYPE}access_token`) {
    const found = await findAccessToken(app, token, app.clock())
    const { projectId } = (await applicationOf(ctx)).state
    const subject = found?.grant.state.subject
    const isFor = subject?.audience.some((one) => one === clientId || one === projectId)
    // A token that is bound to a key would lose that bond.
    if (found === undefined || subject === undefined || !isFor || found.token.dpopKey !== undefined) {
      throw new errors.InvalidRequest('the token is not valid')
    }
    const { audience, actor } = subject
    return { user: found.user, scopes: found.token.scope.split(' '), audience, subject, ...(actor && { actor }) }
  }
  if (type === `${TOKEN_TYPE}id_token`) {
    const payload = await verifyOwnJwt(app, token)
    const audience = [payload?.aud].flat().filter((one): one is string => typeof one === 'string')
    const isLive = typeof payload?.exp === 'number' && payload.exp * 1000 > app.clock()
    // Access tokens have the same signer; only ID tokens name the party they are for.
    if (payload?.azp === undefined || !isLive || !audience.includes(clientId)) {
      throw new errors.InvalidRequest('the token is not valid')
    }
    const user = await activeUser(app, payload.sub)
    const sessionId = typeof payload.sid === 'string' ? payload.sid : ''
    const session = await findOpenSession(app.store, sessionId, app.clock(), user.id)
    if (sessionId !== '' && session === undefined) {
      throw new errors.InvalidRequest('the session of the token has ended')
    }
    return { user, scopes: [], audience, sessionId }
  }
  if (type === USER_ID && role === 'subject') return { user: await activeUser(app, token), scopes: [], audience: [] }
  throw new errors.InvalidRequest('the token type is not supported')
}

/**
 * Throws unless an actor may act as a user. A user with roles needs the stronger permission, and one with roles above
 * their organization needs it on the instance.
 */
async function requireImpersonation(app: App, actor: Party, { owner, id }: Document<LivingUser>): Promise<void> {
  const [{ allowsImpersonation }, own, others, isAbove] = await Promise.all([
    securitySettings(app),
    grantsOf(app, actor.user.id),
    grantsOf(app, id),
    isAboveOrganization(app, owner, id),
  ])
  const isAllowed = isAbove
    ? holdsOnInstance(own, 'impersonation.admin')
    : holdsIn(own, others.length > 0 ? 'impersonation.admin' : 'impersonation', owner)
  if (!allowsImpersonation || !isAllowed) throw new errors.AccessDenied('the actor may not impersonate this user')
}

function subset(asked: string | undefined, allowed: readonly string[]): readonly string[] | undefined {
  if (asked === undefined) return allowed
  const all = asked.split(' ')
  return all.every((one) => allowed.includes(one)) ? all : undefined
}

interface Parameters {
  readonly subject: string
  readonly subjectType: string
  readonly actor: string | undefined
  readonly actorType: string | undefined
  readonly requested: string
  readonly audience: string | undefined
  readonly scope: string | undefined
}

function readParameters(ctx: KoaContextWithOIDC): Parameters {
  const params = (ctx.oidc.params ?? {}) as Readonly<Record<string, string | undefined>>
  const { subject_token: subject, subject_token_type: subjectType, resource } = params
  if (subject === undefined || subjectType === undefined) {
    throw new errors.InvalidRequest('subject_token and subject_token_type are required')
  }
  if (resource !== undefined) throw new errors.InvalidTarget('resource is not supported')
  const requested = params.requested_token_type ?? `${TOKEN_TYPE}access_token`
  if (![`${TOKEN_TYPE}access_token`, `${TOKEN_TYPE}jwt`].includes(requested)) {
    throw new errors.InvalidRequest('requested_token_type is not supported')
  }
  const { actor_token: actor, actor_token_type: actorType, audience, scope } = params
  return { subject, subjectType, actor, actorType, requested, audience, scope }
}

async function exchange(app: App, ctx: KoaContextWithOIDC): Promise<void> {
  const asked = readParameters(ctx)
  const from = await readParty(app, ctx, { token: asked.subject, type: asked.subjectType, role: 'subject' })
  const actor =
    asked.actor === undefined
      ? undefined
      : await readParty(app, ctx, { token: asked.actor, type: asked.actorType ?? '', role: 'actor' })
  if (actor === undefined && from.subject === undefined && asked.subjectType === USER_ID) {
    throw new errors.InvalidRequest('actor_token is required')
  }
  if (actor !== undefined) await requireImpersonation(app, actor, from.user)
  const scopes = subset(asked.scope, [...new Set([...from.scopes, ...(actor?.scopes ?? [])])])
  if (scopes === undefined)
    throw new errors.InvalidScope('the scope is wider than that of the tokens', asked.scope ?? '')
  const audience = subset(asked.audience, [...new Set([...from.audience, ...(actor?.audience ?? [])])])
  if (audience === undefined) throw new errors.InvalidTarget('the audience is wider than that of the tokens')
  const application = await applicationOf(ctx)
  const { accessTokenMs } = requestOf(ctx).lifetimes
  const act = actor === undefined ? from.actor : actorOf(app, actor)
  const subject = {
    userId: from.user.id,
    organizationId: from.user.owner,
    isMachine: from.user.state.type === 'machine',
    clientId: application.state.clientId,
    applicationId: application.id,
    projectId: application.state.projectId,
    sessionId: from.subject?.sessionId ?? from.sessionId ?? '',
    scope: scopes.join(' '),
    audience,
    authenticatedAt: from.subject?.authenticatedAt ?? app.clock(),
    amr: from.subject?.amr ?? [],
    acr: from.subject?.acr ?? '',
    ...(act && { actor: act }),
  }
  const origin = originOf(app, actor?.user.id ?? from.user.id)
  const issued = { grantType: GRANT_TYPE, lifetimeMs: accessTokenMs }
  const token = await translated(() => openGrantWithToken(app, origin, subject, issued))
  const isJwt = asked.requested.endsWith(':jwt')
  const { accessTokenRoleAssertion: hasRoles, clockSkewMs } = application.state.config
  const signed = { ...token, subject, scope: subject.scope }
  ctx.body = {
    access_token: isJwt ? await signAccessToken(app, signed, { isJwt, hasRoles, clockSkewMs }) : token.text,
    issued_token_type: asked.requested,
    token_type: 'Bearer',
    expires_in: Math.floor(accessTokenMs / 1000),
    scope: subject.scope,
  }
}

function actorOf(app: App, { user, actor }: Party): ActorClaim {
  return { sub: user.id, iss: app.externalUrl, ...(actor && { act: actor }) }
}

/** Adds token exchange to the engine. */
export function registerTokenExchange(app: App, provider: Provider): void {
  provider.registerGrantType(GRANT_TYPE, (ctx) => exchange(app, ctx), PARAMETERS)
}
