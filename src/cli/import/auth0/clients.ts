/** The applications of a tenant, as `GET /api/v2/clients` lists them. */
import {
  type GrantType,
  type OidcConfig,
  sortForeignAddresses,
  typeOfForeignClient,
} from '../../../features/applications/index.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import type { TenantPlace } from './place.ts'

const GRANTS: Readonly<Record<string, GrantType>> = {
  authorization_code: 'authorization_code',
  implicit: 'implicit',
  refresh_token: 'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code': 'device_code',
}

/** Whether a client only gets tokens for itself. */
function isMachine(client: Members): boolean {
  return client.maybeText('app_type') === 'non_interactive'
}

function isPublic(client: Members): boolean {
  const method = client.maybeText('token_endpoint_auth_method')
  return method === undefined ? /^(spa|native)$/.test(client.maybeText('app_type') ?? '') : method === 'none'
}

function secretOf(client: Members, left: string[]): { readonly secret?: { readonly plain: string } } {
  const plain = client.maybeText('client_secret') ?? ''
  if (plain !== '') return { secret: { plain } }
  left.push('The file has no secret for it: create a new one.')
  return {}
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

function configOf(client: Members, left: string[]): OidcConfig {
  const redirectUris = addresses(client.texts('callbacks'), left)
  const postLogoutRedirectUris = addresses(client.texts('allowed_logout_urls'), left)
  const asked = client.has('grant_types') ? client.texts('grant_types') : ['authorization_code', 'refresh_token']
  const known = asked.flatMap((grant) => GRANTS[grant] ?? [])
  const hasCode = known.includes('authorization_code') || known.includes('device_code')
  const grantTypes: readonly GrantType[] = hasCode ? known : ['authorization_code', ...known]
  const [backChannelLogoutUri = ''] = client.inner('oidc_logout').texts('backchannel_logout_urls')
  const method = client.maybeText('token_endpoint_auth_method')
  const hasWildcard = [...redirectUris, ...postLogoutRedirectUris].join().includes('*')
  if (hasWildcard) left.push('It is in development mode because of * in an address: enter the exact addresses.')
  if (known.includes('implicit')) left.push('The implicit flow is not offered: it must use codes with PKCE.')
  if (asked.some((grant) => /password/.test(grant))) left.push('The password grant is not offered.')
  if (client.inner('jwt_configuration').maybeText('alg') === 'HS256')
    left.push('Its tokens are signed with a key of the server (RS256), not with its secret.')
  return {
    type: 'oidc',
    redirectUris,
    postLogoutRedirectUris,
    additionalOrigins: originsOf(client, redirectUris),
    responseTypes: ['code'],
    grantTypes,
    applicationType: typeOf(client, redirectUris),
    authMethod: isPublic(client) ? 'none' : method === 'client_secret_basic' ? 'basic' : 'post',
    developmentMode: hasWildcard,
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: true,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: true,
    clockSkewMs: 0,
    backChannelLogoutUri,
    skipNativeAppSuccessPage: false,
    isThirdParty: !client.flag('is_first_party', true),
  }
}

/** Clients of the tenant itself: `All Applications`, and the one of the Management API. */
function isOwn(client: Members): boolean {
  return client.flag('global')
}

/** Those that sign users in. */
export function interactive(clients: readonly Members[]): readonly Members[] {
  return clients.filter((one) => !isOwn(one) && !isMachine(one))
}

/** Machine users: the `sub` of their tokens stays `<client_id>@clients`. */
export function* machinesOf(clients: readonly Members[], place: TenantPlace): Generator<Read> {
  for (const client of clients.filter((one) => !isOwn(one) && isMachine(one))) {
    const left: string[] = []
    const clientId = client.text('client_id')
    yield {
      kind: 'machine',
      id: `${clientId}@clients`,
      organizationId: place.organizationId,
      ...undated(place),
      userName: clientId,
      state: 'active',
      name: client.text('name').slice(0, 200),
      description: (client.maybeText('description') ?? '').slice(0, 500),
      accessTokenType: 'jwt',
      ...secretOf(client, left),
      keys: [],
      tokens: [],
    }
    left.push('Which APIs it may call is not part of the file: authorize it for a project.')
    for (const reason of left) yield remark('machine', clientId, reason)
  }
}

/** Applications that sign users in. */
export function* applicationsOf(clients: readonly Members[], place: TenantPlace): Generator<Read> {
  const names = new Set<string>()
  for (const client of interactive(clients)) {
    const left: string[] = []
    const clientId = client.text('client_id')
    const wished = client.text('name')
    const name = names.has(wished.toLowerCase()) ? `${wished} (${clientId})` : wished
    names.add(name.toLowerCase())
    yield {
      kind: 'application',
      id: clientId,
      organizationId: place.organizationId,
      ...undated(place),
      projectId: place.projectId,
      name: name.slice(0, 200),
      isActive: true,
      clientId,
      ...(!isPublic(client) && secretOf(client, left)),
      keys: [],
      config: configOf(client, left),
    }
    if (client.maybeText('token_endpoint_auth_method') === undefined && !isPublic(client))
      left.push('It sends its secret in the body (client_secret_post); change that if it uses the header.')
    for (const reason of left) yield remark('application', clientId, reason)
  }
}
