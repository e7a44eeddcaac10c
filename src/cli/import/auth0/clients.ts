/** The applications of a tenant, as `GET /api/v2/clients` lists them. */
import { createPublicKey } from 'node:crypto'
import {
  type GrantType,
  type OidcConfig,
  sortForeignAddresses,
  typeOfForeignClient,
} from '../../../features/applications/index.ts'
import { instant } from '../../../kernel/instant.ts'
import { derivedId } from '../derived-id.ts'
import type { KeyDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Decision, decide } from '../members/table.ts'
import { inactive, PAGES, type Read, remark, toDecide, undated } from '../read.ts'
import { onThisMachine, otherPorts } from '../this-machine.ts'
import { CLIENT } from './client-members.ts'
import type { KnownConnections } from './connections.ts'
import type { TenantPlace } from './place.ts'

/** The end of time, as keys without an expiry have it. */
const NEVER = instant(Date.UTC(9999, 11, 31, 23, 59, 59))

const GRANTS: Readonly<Record<string, GrantType>> = {
  authorization_code: 'authorization_code',
  implicit: 'implicit',
  refresh_token: 'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code': 'device_code',
}

/** Another method than a secret. */
function methodsOf(client: Members): readonly string[] {
  const methods = client.inner('client_authentication_methods')
  return methods.names().filter((name) => methods.has(name))
}

/** What it may ask for. */
function grantsOf(client: Members): readonly string[] {
  if (client.has('grant_types')) return client.texts('grant_types')
  const isMachine = client.maybeText('app_type') === 'non_interactive'
  return isMachine ? ['client_credentials'] : ['authorization_code', 'refresh_token']
}

function isPublic(client: Members): boolean {
  if (methodsOf(client).length > 0) return false
  const method = client.maybeText('token_endpoint_auth_method')
  return method === undefined ? /^(spa|native)$/.test(client.maybeText('app_type') ?? '') : method === 'none'
}

/** Whether a client gets tokens for itself. */
function isMachine(client: Members): boolean {
  const isOnlyMachine = client.maybeText('app_type') === 'non_interactive'
  return isOnlyMachine || (!isPublic(client) && grantsOf(client).includes('client_credentials'))
}

/** Whether a client signs users in, or would if it were allowed to. */
function isApplication(client: Members): boolean {
  return client.maybeText('app_type') !== 'non_interactive' || grantsOf(client).some((grant) => grant in GRANTS)
}

interface Credentials {
  readonly secret?: { readonly plain: string }
  readonly keys: readonly KeyDraft[]
}

const SECRET_METHODS: readonly (string | undefined)[] = [undefined, '', 'client_secret_post', 'client_secret_basic']

/** The public keys of a client, where the file has them: the Management API lists only their IDs. */
function keysOf(client: Members, place: TenantPlace): readonly KeyDraft[] {
  const credentials = client.inner('client_authentication_methods').inner('private_key_jwt').list('credentials')
  return credentials.flatMap((credential) => {
    const pem = credential.maybeText('pem')
    if (!pem) return []
    const ends = Date.parse(credential.maybeText('expires_at') ?? '')
    if (ends <= place.exportedAt) return []
    try {
      const publicKey = String(createPublicKey(pem).export({ format: 'pem', type: 'spki' }))
      const id = credential.maybeText('kid') || credential.maybeText('id') || derivedId('auth0 key', publicKey)
      return [{ id, publicKey, createdAt: place.exportedAt, expiresAt: Number.isFinite(ends) ? instant(ends) : NEVER }]
    } catch {
      throw credential.wrong('pem', 'a public key (PEM)')
    }
  })
}

/** What a client proves itself with. Nothing that Auth0 would not accept is accepted here. */
function credentialsOf(client: Members, place: TenantPlace, left: string[]): Credentials {
  if (isPublic(client)) return { keys: [] }
  const methods = methodsOf(client)
  const method = client.maybeText('token_endpoint_auth_method')
  if (methods.length === 0 && SECRET_METHODS.includes(method)) {
    const plain = client.maybeText('client_secret') ?? ''
    if (plain !== '') return { secret: { plain }, keys: [] }
    left.push('The file has no secret for it: create a new one.')
    return { keys: [] }
  }
  const names = methods.length > 0 ? methods : [method ?? '']
  const others = names.filter((name) => name !== 'private_key_jwt')
  for (const name of others)
    left.push(`It authenticates with ${name}, which is not offered here: give it a secret or a key.`)
  const keys = others.length > 0 ? [] : keysOf(client, place)
  if (others.length === 0 && keys.length === 0)
    left.push('It authenticates with a key that the file does not have: add its public key.')
  return { keys }
}

function typeOf(client: Members, redirectUris: readonly string[]): OidcConfig['applicationType'] {
  const type = client.maybeText('app_type')
  if (type === 'native') return 'native'
  if (type === 'spa') return 'user_agent'
  return isPublic(client) ? typeOfForeignClient(redirectUris) : 'web'
}

function addresses(uris: readonly string[], left: string[]): readonly string[] {
  const { usable, refused } = sortForeignAddresses(uris)
  for (const { uri, because } of refused) left.push(`The address ${uri} cannot be used here (${because}).`)
  return usable
}

function originsOf(client: Members, redirectUris: readonly string[]): readonly string[] {
  const own = new Set(redirectUris.map((uri) => URL.parse(uri)?.origin))
  const given = [...client.texts('allowed_origins'), ...client.texts('web_origins')]
  const origins = given.map((origin) => URL.parse(origin)?.origin ?? 'null')
  return [...new Set(origins)].filter((origin) => origin !== 'null' && !origin.includes('*') && !own.has(origin))
}

/** Whether users can sign in with these. The implicit flow is not offered. */
function signsIn(grants: readonly GrantType[]): boolean {
  return grants.includes('authorization_code') || grants.includes('device_code')
}

function authMethodOf(client: Members, method: string | undefined): OidcConfig['authMethod'] {
  if (isPublic(client)) return 'none'
  const methods = [...methodsOf(client), method]
  if (methods.includes('private_key_jwt')) return 'private_key_jwt'
  return method === 'client_secret_basic' ? 'basic' : 'post'
}

function configOf(client: Members, left: string[]): OidcConfig {
  const found = [addresses(client.texts('callbacks'), left), addresses(client.texts('allowed_logout_urls'), left)]
  const hasWildcard = found.flat().some((uri) => uri.includes('*'))
  const isOpen = (uri: string) => hasWildcard && onThisMachine(uri) !== undefined
  const [redirectUris = [], postLogoutRedirectUris = []] = found.map((uris) => uris.filter((uri) => !isOpen(uri)))
  left.push(...new Set(found.flat().filter(isOpen).map(otherPorts)))
  const asked = grantsOf(client)
  const known = asked.flatMap((grant) => (Object.hasOwn(GRANTS, grant) ? (GRANTS[grant] ?? []) : []))
  const [backChannelLogoutUri = ''] = ['oidc_logout', 'oidc_backchannel_logout'].flatMap((name) =>
    client.inner(name).texts('backchannel_logout_urls'),
  )
  const method = client.maybeText('token_endpoint_auth_method')
  if (hasWildcard) left.push('It is in development mode because of * in an address: enter the exact addresses.')
  if (known.includes('implicit')) left.push('The implicit flow is not offered: it must use codes with PKCE.')
  if (asked.some((grant) => /password/.test(grant))) left.push('The password grant is not offered.')
  return {
    type: 'oidc',
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins: originsOf(client, redirectUris),
    responseTypes: signsIn(known) ? ['code'] : [],
    grantTypes: known,
    applicationType: typeOf(client, redirectUris),
    authMethod: authMethodOf(client, method),
    developmentMode: hasWildcard,
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: true,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: true,
    clockSkewMs: 0,
    backChannelLogoutUri,
    skipNativeAppSuccessPage: false,
    isThirdParty: !client.flag('is_first_party', true),
    ...(client.flag('require_pushed_authorization_requests') && { requirePushedAuthorizationRequests: true }),
    ...(client.flag('require_proof_of_possession') && { requireDpop: true }),
  }
}

/** Clients of the tenant itself: `All Applications`, and the one of the Management API. */
function isOwn(client: Members): boolean {
  return client.flag('global')
}

/** Those that sign users in. */
export function interactive(clients: readonly Members[]): readonly Members[] {
  return clients.filter((one) => !isOwn(one) && isApplication(one))
}

/** Why a client must not be active here as it is, and what else has to be said of it. */
function decideClient(client: Members, nothingLeft: boolean): Decision {
  const { closed, left } = decide(client, CLIENT)
  const none = `Nothing that it may ask for is offered here (grant_types: ${grantsOf(client).join(', ') || 'none'}).`
  return { closed: [...(nothingLeft ? [none] : []), ...closed], left }
}

/** Machine users: the `sub` of their tokens stays `<client_id>@clients`. */
export function* machinesOf(clients: readonly Members[], place: TenantPlace): Generator<Read> {
  for (const client of clients.filter((one) => !isOwn(one) && isMachine(one))) {
    const left: string[] = []
    const clientId = client.text('client_id')
    const id = `${clientId}@clients`
    const userName = isApplication(client) ? id : clientId
    const decision = decideClient(client, !grantsOf(client).includes('client_credentials'))
    const bound = 'Its tokens are bound to a key; machine users here have bearer tokens.'
    const closed = [...decision.closed, ...(client.flag('require_proof_of_possession') ? [bound] : [])]
    const missing: string[] = []
    const { secret, keys } = credentialsOf(client, place, missing)
    yield {
      kind: 'machine',
      id,
      organizationId: place.organizationId,
      ...undated(place),
      userName,
      state: closed.length === 0 ? 'active' : 'inactive',
      name: client.text('name').slice(0, 200),
      description: (client.maybeText('description') ?? '').slice(0, 500),
      accessTokenType: 'jwt',
      ...(secret !== undefined && { secret }),
      keys,
      tokens: [],
    }
    for (const reason of closed) yield inactive(PAGES.user(id), 'machine', clientId, reason)
    for (const reason of missing) yield toDecide('secret', PAGES.user(id), 'machine', clientId, reason)
    if (userName === id) left.push(`It gets tokens for itself under the client ID ${id}.`)
    left.push('Which APIs it may call is not part of the file: authorize it for a project.')
    const said = isApplication(client) ? left : [...left, ...decision.left]
    for (const reason of said) yield remark('machine', clientId, reason)
  }
}

/** Why users of a database could sign in to an application here, but not in the source. */
function* closedByDatabases(clientId: string, { databases }: KnownConnections): Generator<string> {
  for (const [name, enabled] of databases)
    if (!enabled.includes(clientId))
      yield `Users of the database “${name}” cannot sign in to it; here all users of the tenant could.`
}

/** Applications that sign users in. */
export function* applicationsOf(
  clients: readonly Members[],
  connections: KnownConnections,
  place: TenantPlace,
): Generator<Read> {
  const names = new Set<string>()
  for (const client of interactive(clients)) {
    const left: string[] = []
    const clientId = client.text('client_id')
    const wished = client.text('name')
    const name = names.has(wished.toLowerCase()) ? `${wished} (${clientId})` : wished
    names.add(name.toLowerCase())
    const missing: string[] = []
    const credentials = credentialsOf(client, place, missing)
    const config = configOf(client, left)
    const decision = decideClient(client, config.responseTypes.length === 0)
    const closed = [...decision.closed, ...closedByDatabases(clientId, connections)]
    yield {
      kind: 'application',
      id: clientId,
      organizationId: place.organizationId,
      ...undated(place),
      projectId: place.projectId,
      name: name.slice(0, 200),
      isActive: closed.length === 0,
      clientId,
      ...credentials,
      config,
    }
    const page = PAGES.application(place.projectId, clientId)
    for (const reason of closed) yield inactive(page, 'application', clientId, reason)
    for (const reason of missing) yield toDecide('secret', page, 'application', clientId, reason)
    if (client.maybeText('token_endpoint_auth_method') === undefined && credentials.secret !== undefined)
      left.push('It sends its secret in the body (client_secret_post); change that if it uses the header.')
    for (const reason of [...left, ...decision.left]) yield remark('application', clientId, reason)
  }
}
