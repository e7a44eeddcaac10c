/** The parameter `authorization_details` (RFC 9396), as the engine asks about it, and whether the user allowed it. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { detailsProblem, findRequest, ownLoginBase } from '../../features/authorization-requests/index.ts'
import { grants } from '../../features/grants/index.ts'
import { clientOf, progressOf, requestOf } from './context.ts'
import { errors } from './library/index.ts'
import { resourceOf } from './resources.ts'

function refuse(description: string): never {
  throw new errors.CustomOIDCProviderError('invalid_authorization_details', description)
}

/** The parameter of a request; undefined when it has none. */
export function detailsOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const details = oidc.params?.authorization_details
  return typeof details === 'string' ? details : undefined
}

/** The parameter with the request in which the user saw it. */
export function shownDetails(ctx: KoaContextWithOIDC) {
  const text = detailsOf(ctx)
  return text === undefined ? undefined : { text, requestId: ctx.oidc.entities.Interaction?.uid ?? '' }
}

/**
 * Throws unless the request is for a resource that has all the types. Only our own page shows them to the user, so a
 * request that is left to another one cannot have any.
 */
export async function checkDetails(ctx: KoaContextWithOIDC): Promise<void> {
  const details = detailsOf(ctx)
  if (details === undefined) return
  // The engine refuses them without a resource.
  const [uri = ''] = Object.keys(ctx.oidc.resourceServers ?? {})
  if (ctx.oidc.route === 'device_authorization') refuse('devices cannot ask for them')
  if (ctx.oidc.route === 'backchannel_authentication') refuse('the page for approvals does not show them')
  const problem = detailsProblem(details, await resourceOf(ctx, uri))
  if (problem !== undefined) refuse(problem)
  const { app, loginClientId } = requestOf(ctx)
  const { config, isAgent } = await clientOf(ctx)
  const isElsewhere = !isAgent && (await ownLoginBase(app, config, loginClientId)) !== undefined
  if (isElsewhere) refuse('the sign-in page of the application does not show them')
}

/** Whether a user allowed what this very request asks for. What they allowed in another one does not count. */
export async function areDetailsAllowed(ctx: KoaContextWithOIDC, userId: string): Promise<boolean> {
  const { app } = requestOf(ctx)
  const id = ctx.oidc.entities.Interaction?.uid
  const request = id === undefined ? undefined : await findRequest(app, id, app.clock())
  return request?.state.detailsAllowedBy === userId
}

/** What the tokens of a request were issued for, as the answer says (RFC 9396 §7). */
export async function issuedDetails(ctx: KoaContextWithOIDC): Promise<object> {
  const { grantId } = progressOf(ctx).tokens
  const grant = grantId === undefined ? undefined : await requestOf(ctx).app.store.get(grants, grantId)
  const details = grant?.state.status === 'open' ? grant.state.subject.authorizationDetails : undefined
  return details === undefined ? {} : { authorization_details: JSON.parse(details) as unknown }
}
