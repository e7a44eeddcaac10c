/** What pages tell a user about a request: which application asks, for what, and in which organization. */
import type { App } from '../../../module/app.ts'
import { activeApplicationOfClient } from '../../applications/index.ts'
import { findOrganizationByDomain } from '../../organizations/index.ts'
import { readScopes, type Scopes } from '../scopes.ts'
import { findRequest } from './keep-request.ts'

/** The cookie by which a browser is recognized as the one that came with a request; its value is the ID of the request. */
export const REQUEST_COOKIE = 'signet_request'

/** An application that asks for access. */
export interface AskingApplication {
  readonly clientId: string
  readonly name: string
  readonly scopes: Scopes
}

/** An authorization request that waits for its user. */
export interface DescribedRequest extends AskingApplication {
  readonly id: string
}

/** The application of a client and the scopes; undefined when it cannot be used. */
export async function describeApplication(
  app: App,
  clientId: string,
  scope: string,
): Promise<AskingApplication | undefined> {
  const found = await activeApplicationOfClient(app, clientId)
  return found && { clientId, name: found.application.state.name, scopes: readScopes(scope) }
}

/** An authorization request that waits; undefined when there is none, or when it was answered. */
export async function describeRequest(app: App, id: string): Promise<DescribedRequest | undefined> {
  const request = await findRequest(app, id, app.clock())
  if (request?.state.status !== 'waiting' || request.state.isDenied === true) return undefined
  const { clientId, payload } = request.state
  const { scope } = (payload.params ?? {}) as { readonly scope?: string }
  const application = await describeApplication(app, clientId, scope ?? '')
  return application && { id, ...application }
}

/** The organization whose users the scopes ask for; undefined when they name none. */
export async function organizationOfScopes(
  app: App,
  { organizationIds, organizationDomains }: Scopes,
): Promise<string | undefined> {
  const [id] = organizationIds
  const [domain] = organizationDomains
  return id ?? (domain === undefined ? undefined : findOrganizationByDomain(app, domain))
}
