/**
 * Token exchange (RFC 8693): an application exchanges a token of a user for another one, or lets an actor act as a user. An
 * actor who acts on behalf of a user, with a token of that user for a resource, is in delegation.ts. Impersonation must be
 * allowed on the instance, needs a permission that the actor's token gives, and the new token names the actor. What is
 * derived depends on the tokens that were shown, see `openDerivedGrant`.
 */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { holdsIn, holdsOnInstance } from '../../access/roles.ts'
import {
  audienceNow,
  isPersonalTokenFor,
  isTokenFor,
  requireResource,
} from '../../features/authorization-requests/index.ts'
import {
  type Derivation,
  grantsThrough,
  openDerivedGrant,
  type ShownToken,
  shownAccessToken,
  shownIdToken,
  shownPersonalToken,
} from '../../features/grants/index.ts'
import { isPersonalAccessToken } from '../../features/machines/index.ts'
import { grantsOf, mayUsePath } from '../../features/memberships/index.ts'
import { type FoundResource, refTo } from '../../features/resources/index.ts'
import { securitySettings } from '../../features/settings/index.ts'
import { activePerson, isLiving, type LivingUser, users } from '../../features/users/index.ts'
import { Refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { originOf } from '../origin.ts'
import { formatOf, signAccessToken } from '../tokens.ts'
import { translated } from './adapter.ts'
import { applicationOf, type OidcApplication, requestOf } from './context.ts'
import { delegatedToken, readDelegation } from './delegation.ts'
import { ID_JAG, issueAssertion } from './issue-assertion.ts'
import { requireProof } from './library/dpop-proof.ts'
import { errors, type Provider } from './library/index.ts'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:'
const ACCESS_TOKEN = `${TOKEN_TYPE}access_token`
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

/** Reads a token of a request; throws when it does not count, or is not meant for the application. */
async function readToken(app: App, application: OidcApplication, text: string, type: string): Promise<ShownToken> {
  const { clientId, projectId } = application.state
  const isId = type === `${TOKEN_TYPE}id_token`
  if (!isId && type !== ACCESS_TOKEN) throw new errors.InvalidRequest('the token type is not supported')
  if (!isId && isPersonalAccessToken(text)) return readPersonalToken(app, application, text)
  const shown = await (isId ? shownIdToken : shownAccessToken)(app, text, app.clock())
  const isFor =
    shown !== undefined &&
    (!isId || shown.audience.includes(clientId)) &&
    (await isTokenFor(
      app,
      { ...shown.subject, audience: shown.audience, resource: shown.resource },
      { clientId, projectId },
    ))
  // A token that is bound to a key would lose that bond.
  if (shown === undefined || !isFor || shown.dpopKey !== undefined) {
    throw new errors.InvalidRequest('the token is not valid')
  }
  // What it is not for any more, nothing that is derived from it is for.
  return { ...shown, audience: await audienceNow(app, { ...shown.subject, audience: shown.audience }) }
}

async function readPersonalToken(app: App, { state }: OidcApplication, text: string): Promise<ShownToken> {
  const shown = await shownPersonalToken(app, text, state, app.clock())
  if (shown === undefined || !(await isPersonalTokenFor(app, shown.subject, state.projectId))) {
    throw new errors.InvalidRequest('the token is not valid')
  }
  return shown
}

/** One answer for both: whoever may not act as a user is not told whether there is one, nor in which state. */
const NO_IMPERSONATION = 'the user does not exist, or the actor may not impersonate them'

/**
 * Throws unless an actor may act as a user, by what the actor's own token may do. A user with roles needs the stronger
 * permission, and one with roles above their organization needs it on the instance.
 */
async function requireImpersonation(
  app: App,
  application: OidcApplication,
  actor: ShownToken,
  { owner, id }: Document<LivingUser>,
): Promise<void> {
  const [{ allowsImpersonation }, own, others, isWithinOrganization] = await Promise.all([
    securitySettings(app),
    grantsThrough(app, actor.subject, {
      applicationId: application.id,
      projectId: application.state.projectId,
    }),
    grantsOf(app, id),
    // What an owner of the organization may do is a path for those whom an owner covers.
    mayUsePath(app, { owner }, id),
  ])
  const isAllowed = isWithinOrganization
    ? holdsIn(own, others.length > 0 ? 'impersonation.admin' : 'impersonation', owner)
    : holdsOnInstance(own, 'impersonation.admin')
  if (!allowsImpersonation || !isAllowed) throw new errors.AccessDenied(NO_IMPERSONATION)
}

/** The user whose ID was given. It proves nothing: what the actor may is asked before anything is said about the user. */
async function namedUser(
  app: App,
  application: OidcApplication,
  actor: ShownToken,
  id: string,
): Promise<Document<LivingUser>> {
  const named = await app.store.get(users, id)
  if (named === undefined || !isLiving(named.state)) throw new errors.AccessDenied(NO_IMPERSONATION)
  await requireImpersonation(app, application, actor, named as Document<LivingUser>)
  const person = await activePerson(app.store, id)
  if (person === undefined) throw new errors.InvalidRequest('the user of a token is not active')
  return person.user
}

interface Parameters {
  readonly subject: string
  readonly subjectType: string
  readonly actor: string | undefined
  readonly actorType: string | undefined
  readonly requested: string
  readonly audience: string | undefined
  readonly scope: string | undefined
  readonly resource: string | undefined
}

function readParameters(ctx: KoaContextWithOIDC): Parameters {
  const params = (ctx.oidc.params ?? {}) as Readonly<Record<string, string | undefined>>
  const { subject_token: subject, subject_token_type: subjectType, resource } = params
  if (subject === undefined || subjectType === undefined) {
    throw new errors.InvalidRequest('subject_token and subject_token_type are required')
  }
  const requested = params.requested_token_type ?? ACCESS_TOKEN
  if (![ACCESS_TOKEN, `${TOKEN_TYPE}jwt`].includes(requested)) {
    throw new errors.InvalidRequest('requested_token_type is not supported')
  }
  const { actor_token: actor, actor_token_type: actorType, audience, scope } = params
  return { subject, subjectType, actor, actorType, requested, audience, scope, resource }
}

function resourceOf(app: App, { owner }: OidcApplication, uri: string): Promise<FoundResource> {
  return translated(() => requireResource(app, uri, owner))
}

/** The user of the new token, as far as the actor may act as them: the one of a token, or the one who was named. */
async function subjectOf(
  app: App,
  application: OidcApplication,
  { from, actor, id }: Record<'from' | 'actor', ShownToken | undefined> & { readonly id: string },
): Promise<Document<LivingUser>> {
  if (from !== undefined) {
    if (actor !== undefined) await requireImpersonation(app, application, actor, from.user)
    return from.user
  }
  if (actor === undefined) throw new errors.InvalidRequest('actor_token is required')
  return namedUser(app, application, actor, id)
}

/** What the new token is derived from. */
async function readDerivation(app: App, application: OidcApplication, asked: Parameters): Promise<Derivation> {
  const { subject, subjectType, actor: actorText, actorType = '', scope, audience } = asked
  const isNamed = subjectType === USER_ID
  if (actorText !== undefined && subjectType === ACCESS_TOKEN) {
    const delegated = await delegatedToken(app, subject)
    if (delegated !== undefined) {
      if (actorType !== ACCESS_TOKEN) throw new errors.InvalidRequest('the token type is not supported')
      return readDelegation(app, application, delegated, { ...asked, actor: actorText })
    }
  }
  const from = isNamed ? undefined : await readToken(app, application, subject, subjectType)
  const actor = actorText === undefined ? undefined : await readToken(app, application, actorText, actorType)
  // What was given for a resource gives no right anywhere else.
  if (actor?.resource !== undefined) throw new errors.InvalidRequest('the token is not valid')
  const user = await subjectOf(app, application, { from, actor, id: subject })
  const { clientId, projectId } = application.state
  const client = { clientId, applicationId: application.id, projectId }
  const resource = asked.resource === undefined ? undefined : refTo(await resourceOf(app, application, asked.resource))
  return { user, from, actor, client, scope, audience, resource }
}

/** Refusals in the form that RFC 8693 §2.2.2 asks for. */
function derivationError(error: unknown, scope: string | undefined): unknown {
  if (!(error instanceof Refused)) return error
  if (error.code === 'grant.scope_exceeded') return new errors.InvalidScope(error.message, scope ?? '')
  if (error.code === 'grant.audience_exceeded') return new errors.InvalidTarget(error.message)
  return error.code === 'grant.derived_too_often' ? new errors.InvalidRequest(error.message) : error
}

/** The key that the token is bound to, for an application that must bind its tokens. */
async function dpopKeyOf(provider: Provider, ctx: KoaContextWithOIDC): Promise<string | undefined> {
  if (ctx.oidc.client?.dpopBoundAccessTokens !== true) return undefined
  return requireProof(provider, ctx)
}

async function exchange(app: App, provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const dpopKey = await dpopKeyOf(provider, ctx)
  if (ctx.oidc.params?.requested_token_type === ID_JAG) return issueAssertion(app, ctx)
  const asked = readParameters(ctx)
  const application = await applicationOf(ctx)
  const derivation = await readDerivation(app, application, asked)
  const origin = originOf(app, (derivation.actor?.user ?? derivation.user).id)
  const lifetimeMs = requestOf(ctx).lifetimes.accessTokenMs
  const wanted = { grantType: GRANT_TYPE, lifetimeMs, ...(dpopKey !== undefined && { dpopKey }) }
  const token = await translated(() =>
    openDerivedGrant(app, origin, derivation, wanted).catch((error: unknown) => {
      throw derivationError(error, asked.scope)
    }),
  )
  const { scope } = token.subject
  const isJwt = asked.requested.endsWith(':jwt') || token.subject.resource !== undefined
  const format = { ...formatOf(application.state.config), isJwt }
  ctx.body = {
    access_token: isJwt ? await signAccessToken(app, { ...token, scope, dpopKey }, format) : token.text,
    issued_token_type: asked.requested,
    token_type: dpopKey === undefined ? 'Bearer' : 'DPoP',
    expires_in: Math.floor((token.expiresAt - token.issuedAt) / 1000),
    scope,
  }
}

/** Adds token exchange to the engine. */
export function registerTokenExchange(app: App, provider: Provider): void {
  provider.registerGrantType(GRANT_TYPE, (ctx) => exchange(app, provider, ctx), PARAMETERS)
}
