/** Which resource a request is about (RFC 8707), as the engine asks for it. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { clientOfRequest, defaultResourceFor, requireResource } from '../../features/authorization-requests/index.ts'
import { type FoundResource, scopesAt } from '../../features/resources/index.ts'
import { resourceKey } from '../../kernel/resource-key.ts'
import { translated } from './adapter.ts'
import { requestOf } from './context.ts'
import { errors } from './library/index.ts'

type Hooks = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

/** The application of the client of a request. An unregistered one is in the project of the resource, if it may ask for it. */
async function clientFor(ctx: KoaContextWithOIDC, resource?: string) {
  const { app } = requestOf(ctx)
  const found = await clientOfRequest(app, { clientId: ctx.oidc.client?.clientId ?? '', resource })
  if (found === undefined) throw new errors.InvalidTarget()
  return found
}

/** The resource of a request; throws when its client cannot ask for it. */
export async function resourceOf(ctx: KoaContextWithOIDC, uri: string): Promise<FoundResource> {
  const { project } = await clientFor(ctx, uri)
  return translated(() => requireResource(requestOf(ctx).app, uri, project.owner))
}

/** What a request asks for that names no scope: all that the resource has; where it has none, a sign-in. */
function fillScope({ oidc: { params, route } }: KoaContextWithOIDC, resource: FoundResource): void {
  if (params === undefined || params.scope !== undefined || route === 'token') return
  params.scope = scopesAt(resource, '').join(' ') || 'openid'
}

/** A grant is for one resource: a client that needs two asks twice. */
function requireOne({ oidc: { params } }: KoaContextWithOIDC): void {
  const asked = new Set([params?.resource].flat())
  if (asked.size > 1) throw new errors.InvalidTarget('only one resource can be requested at once')
}

export const RESOURCE_INDICATORS: Hooks = {
  enabled: true,
  /** Is asked where a request begins; what follows from it stays with what was granted. */
  async defaultResource(ctx, _, several) {
    if (several !== undefined) requireOne(ctx)
    if (several !== undefined) return [...several][0] as string
    const { project, agent } = await clientFor(ctx)
    // An unregistered client has the default of the project that it registered for; without one it signs users in.
    const id = agent === undefined ? project.id : agent.onlyProjectId
    if (id === undefined) return undefined as never
    return (await defaultResourceFor(requestOf(ctx).app, id, String(ctx.oidc.params?.scope ?? ''))) as string
  },
  useGrantedResource: () => true,
  async getResourceServerInfo(ctx, uri) {
    requireOne(ctx)
    const resource = await resourceOf(ctx, uri)
    fillScope(ctx, resource)
    // The token itself is made by our own code, see library/models.ts.
    return {
      scope: resource.scopes.map(({ key }) => key).join(' '),
      audience: resource.uri,
      accessTokenFormat: 'opaque',
    }
  },
}

/** Parameters with resources in the form in which they are compared. */
export function withResourceKeys(parameters: URLSearchParams): URLSearchParams {
  if (!parameters.has('resource')) return parameters
  return new URLSearchParams(
    [...parameters].map(([name, value]) => [name, name === 'resource' ? resourceKey(value) : value]),
  )
}
