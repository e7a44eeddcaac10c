/**
 * Delegation (RFC 8693 §1.1): an agent shows the token of a user for a resource, and its own, and gets a token in which it acts
 * on behalf of that user. The user must have allowed the agent what it gets, and the project of the resource must let agents
 * do so; no role of the agent counts. That is what separates it from impersonation, which needs a role and no consent.
 */
import { requireResource } from '../../features/authorization-requests/index.ts'
import { consentedScopes, type Derivation, type ShownToken, shownAccessToken } from '../../features/grants/index.ts'
import { activeProject } from '../../features/projects/index.ts'
import { instant } from '../../kernel/instant.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import type { App } from '../../module/app.ts'
import { translated } from './adapter.ts'
import type { OidcApplication } from './context.ts'
import { errors } from './library/index.ts'

/** What an agent shows and asks for. */
export interface AskedDelegation {
  readonly actor: string
  readonly scope: string | undefined
  readonly audience: string | undefined
  readonly resource: string | undefined
}

/**
 * The token of a user that an agent acts on behalf of; undefined: the exchange is no delegation. Only a token for a resource
 * can be delegated: users allow agents what those have.
 */
export async function delegatedToken(app: App, text: string): Promise<ShownToken | undefined> {
  const shown = await shownAccessToken(app, text, app.clock())
  return shown?.resource === undefined ? undefined : shown
}

/**
 * The agent's own token: one that a machine of the organization of the application got by itself, for the project of that.
 * A token that was exchanged proves nothing about who holds it.
 */
async function agentsOwn(app: App, { owner, state }: OidcApplication, text: string): Promise<ShownToken> {
  const shown = await shownAccessToken(app, text, app.clock())
  const isOwn =
    shown?.subject.isMachine &&
    shown.subject.applicationId === '' &&
    shown.user.owner === owner &&
    shown.resource === undefined &&
    shown.dpopKey === undefined &&
    shown.audience.some((one) => one === state.projectId || one === state.clientId)
  if (!isOwn) throw new errors.InvalidRequest('the actor token is not valid')
  return shown
}

function nameOf({ state }: ShownToken['user']): string {
  return state.type === 'human' ? state.profile.displayName || state.userName : state.name
}

/** The scopes that the agent gets: all that the token has and the user allows it, unless it asks for less. */
async function scopesFor(
  app: App,
  { clientId }: OidcApplication['state'],
  from: ShownToken,
  asked: string | undefined,
) {
  const { userId, organizationId, resource } = from.subject
  const held = from.scopes.filter(Boolean)
  const wanted = asked?.split(' ').filter(Boolean)
  const isExcess = wanted?.some((scope) => !held.includes(scope)) === true
  if (isExcess) throw new errors.InvalidScope('the scope is wider than that of the token', asked ?? '')
  const of = { userId, organizationId, clientId, resource: resource?.uri, since: instant(0) }
  const allowed = await consentedScopes(app, of)
  const given = (wanted ?? held).filter((scope) => allowed?.includes(scope))
  const isLess = wanted === undefined ? held.length > 0 && given.length === 0 : given.length < wanted.length
  if (allowed === undefined || isLess) throw new errors.AccessDenied('the user has not allowed the agent this')
  return given.join(' ')
}

/** What a delegated token is derived from. Whether it may be, is decided again in the write that makes it. */
export async function readDelegation(
  app: App,
  application: OidcApplication,
  from: ShownToken,
  asked: AskedDelegation,
): Promise<Derivation> {
  const { state, owner } = application
  const { resource } = from
  // Anybody can name a client that does not authenticate, and the users' consent is for this one.
  if (state.config.authMethod === 'none') throw new errors.UnauthorizedClient('the client does not authenticate')
  if (resource === undefined || from.subject.isMachine || from.dpopKey !== undefined) {
    throw new errors.InvalidRequest('the token is not valid')
  }
  const actor = await agentsOwn(app, application, asked.actor)
  const target = asked.resource ?? resource.uri
  await translated(() => requireResource(app, target, owner))
  if (resourceKey(target) !== resourceKey(resource.uri))
    throw new errors.InvalidTarget('the token is for another resource')
  if ((await activeProject(app, resource.projectId))?.state.allowsDelegation !== true) {
    throw new errors.AccessDenied('the project of the resource allows no agents on behalf of users')
  }
  const { clientId, projectId, name } = state
  return {
    user: from.user,
    from,
    actor,
    delegation: { agent: name, user: nameOf(from.user) },
    client: { clientId, applicationId: application.id, projectId },
    scope: await scopesFor(app, state, from, asked.scope),
    audience: asked.audience,
    resource,
  }
}
