/** What pages tell a user about a request: which application asks, for what, and in which organization. */
import { visibleName } from '../../../kernel/visible-text.ts'
import type { App } from '../../../module/app.ts'
import { type ActiveApplication, hostOfRedirect, nameWithoutHost, shownHost } from '../../applications/index.ts'
import { type Picture, pictureOf } from '../../grants/index.ts'
import { apiProjectId } from '../../instances/index.ts'
import { findOrganizationByDomain } from '../../organizations/index.ts'
import { type ResourceScope, resourceAt, resourceFor, scopesAt } from '../../resources/index.ts'
import { oidcLifetimes } from '../../settings/index.ts'
import { type DescribedDetail, describeDetails } from '../authorization-details.ts'
import { clientOfRequest } from '../client-of-request.ts'
import { findSamlRequest } from '../saml/keep-saml-request.ts'
import { readScopes, type Scopes, signInScope } from '../scopes.ts'
import { findRequest } from './keep-request.ts'

/** The cookie by which a browser is recognized as the one that came with a request; its value is the ID of the request. */
export const REQUEST_COOKIE = 'signet_request'

/** An application that asks for access. */
export interface AskingApplication {
  readonly clientId: string
  /** The name that the user sees. */
  readonly name: string
  /** What it is called in lists. */
  readonly knownAs: string
  readonly scopes: Scopes
  /** The API that tokens are for, with what is asked for there; undefined: for the application. */
  readonly resource?: { readonly uri: string; readonly scopes: readonly ResourceScope[] }
  /** Set for an unregistered client. */
  readonly unverified?: true
}

/** An authorization request that waits for its user. */
export interface DescribedRequest extends AskingApplication {
  readonly id: string
  readonly redirectUri: string
  /** The host that users are sent to; undefined: an app on their device. */
  readonly redirectHost: string | undefined
  /** For how long the access lasts at most, and without use; without the latter it ends with the session. */
  readonly lasts: { readonly longestMs: number; readonly unusedMs?: number }
  /** What exactly is asked for at the resource; it is allowed for this request alone. */
  readonly details: readonly DescribedDetail[]
}

/** The application of a client and the scopes; undefined when it cannot be used. */
export async function describeApplication(
  app: App,
  clientId: string,
  scope: string,
  uri?: string,
): Promise<AskingApplication | undefined> {
  const found = await clientOfRequest(app, { clientId, resource: uri })
  return found && describeClient(app, found, { clientId, scope, resource: uri })
}

/** The scopes as users are told them: our own API can also be named by the ID of its project. */
function withApi(scopes: Scopes, apiProject: string): Scopes {
  if (!scopes.projectIds.includes(apiProject)) return scopes
  return { ...scopes, isForApi: true, projectIds: scopes.projectIds.filter((id) => id !== apiProject) }
}

interface AskedOfResource {
  readonly clientId: string
  readonly scope: string
  readonly resource?: string | undefined
}

/** What a client that was found asks for; undefined when the resource is not there. */
export async function describeClient(
  app: App,
  { application, project }: ActiveApplication,
  { clientId, scope, resource: uri }: AskedOfResource,
): Promise<AskingApplication | undefined> {
  const { name, agent } = application.state
  const asking = {
    clientId,
    name: visibleName(name),
    knownAs: name,
    scopes: withApi(readScopes(agent && uri === undefined ? signInScope(scope) : scope), await apiProjectId(app)),
    ...(agent && { unverified: true as const }),
  }
  if (uri === undefined) return asking
  const resource = await resourceFor(app, uri, project.owner)
  if (resource === undefined) return undefined
  const keys = scopesAt(resource, scope)
  const scopes = resource.scopes.filter(({ key }) => keys.includes(key))
  return { ...asking, resource: { uri: resource.uri, scopes } }
}

/** What an application asks a user to allow, and how that looks; `redirectUri`: where the code goes, if there is one. */
export function askedOf({ clientId, knownAs: name, scopes, resource }: AskingApplication, redirectUri?: string) {
  const shown = [...scopes.known.map((key) => ({ key })), ...(resource?.scopes ?? [])]
  const redirectUris = redirectUri === undefined ? [] : [redirectUri]
  const picture: Picture = pictureOf({ clientId, name, redirectUris, scopes: shown, resource: resource?.uri })
  return { clientId, scopes: shown.map(({ key }) => key), resource: resource?.uri, picture }
}

/** An authorization request that waits; undefined when there is none, or when it was answered. */
export async function describeRequest(app: App, id: string): Promise<DescribedRequest | undefined> {
  const request = await findRequest(app, id, app.clock())
  if (request === undefined) return describeSamlRequest(app, id)
  if (request.state.status !== 'waiting' || request.state.isDenied === true) return undefined
  const { clientId, secret } = request.state
  const params = (secret.payload.params ?? {}) as Readonly<Record<string, string>>
  const { scope, resource, redirect_uri: uri = '', authorization_details: details } = params
  const application = await describeApplication(app, clientId, scope ?? '', resource)
  if (application === undefined) return undefined
  const found = resource === undefined ? undefined : await resourceAt(app, resource)
  return {
    id,
    ...application,
    // Users see one host: the one that the code goes to.
    ...(application.unverified && { name: nameWithoutHost(application.knownAs) ?? shownHost(uri) }),
    redirectUri: uri,
    redirectHost: hostOfRedirect(uri),
    lasts: await lastsOf(app, application),
    details: details === undefined || found === undefined ? [] : describeDetails(details, found),
  }
}

/** A request of a SAML service provider, which asks for nothing but a sign-in. */
async function describeSamlRequest(app: App, id: string): Promise<DescribedRequest | undefined> {
  const request = await findSamlRequest(app.store, id, app.clock())
  if (request?.state.status !== 'waiting') return undefined
  const { clientId, responseUrl } = request.state
  const application = await describeApplication(app, clientId, '')
  const rest = {
    redirectUri: responseUrl,
    redirectHost: hostOfRedirect(responseUrl),
    lasts: { longestMs: 0 },
    details: [],
  }
  return application && { id, ...application, ...rest }
}

/** For how long an application has what it asks for. */
async function lastsOf(app: App, { scopes }: AskingApplication): Promise<DescribedRequest['lasts']> {
  const { accessTokenMs, refreshIdleMs, refreshAbsoluteMs } = await oidcLifetimes(app)
  const isOffline = scopes.known.includes('offline_access')
  return isOffline ? { longestMs: refreshAbsoluteMs, unusedMs: refreshIdleMs } : { longestMs: accessTokenMs }
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
