/**
 * The clients of a realm. One that signs users in becomes an application; one that only gets tokens for itself becomes a
 * machine user; one that does both becomes both.
 */
import {
  type ApiConfig,
  type GrantType,
  type OidcConfig,
  typeOfForeignClient,
} from '../../../features/applications/index.ts'
import type { ApplicationDraft, KeyDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import { addressesOf } from './client-addresses.ts'
import { keysOf } from './client-keys.ts'
import type { RealmPlace } from './place.ts'
import { isOwnClient } from './roles.ts'
import { isMaskedSecret } from './settings.ts'

/** What a client does at the server. */
interface ClientUse {
  readonly signsUsersIn: boolean
  readonly isApi: boolean
  readonly isMachine: boolean
}

function useOf(client: Members): ClientUse {
  const isApi = client.flag('bearerOnly')
  const hasDevice = client.inner('attributes').maybeText('oauth2.device.authorization.grant.enabled') === 'true'
  const signsUsersIn = client.flag('standardFlowEnabled', true) || client.flag('implicitFlowEnabled') || hasDevice
  return { isApi, signsUsersIn: !isApi && signsUsersIn, isMachine: !isApi && client.flag('serviceAccountsEnabled') }
}

/** Clients that are not Keycloak's own, and speak OpenID Connect. */
export function isCarried(client: Members): boolean {
  const { isApi, signsUsersIn, isMachine } = useOf(client)
  return isOpenId(client) && (isApi || signsUsersIn || isMachine)
}

function isOpenId(client: Members): boolean {
  return (
    !isOwnClient(client.text('clientId')) && (client.maybeText('protocol') ?? 'openid-connect') === 'openid-connect'
  )
}

/** Whether a client is an application here; otherwise it is only the machine user of its service account. */
export function isApplication(client: Members): boolean {
  const { isApi, signsUsersIn } = useOf(client)
  return isOpenId(client) && (isApi || signsUsersIn)
}

export interface ClientCredentials {
  readonly secret?: { readonly plain: string }
  readonly keys: readonly KeyDraft[]
  /** One sentence for each that works no more. */
  readonly left: readonly string[]
}

/** What a confidential client proves itself with. */
export function credentialsOf(client: Members, place: RealmPlace): ClientCredentials {
  const type = client.maybeText('clientAuthenticatorType') ?? 'client-secret'
  if (type === 'client-jwt') {
    const found = keysOf(client, place)
    return 'keys' in found ? { keys: found.keys, left: [] } : { keys: [], left: [found.left] }
  }
  const secret = client.maybeText('secret') ?? ''
  if (type === 'client-x509')
    return { keys: [], left: ['Client certificates are not accepted: give it a secret or a key.'] }
  if (secret === '' || isMaskedSecret(secret))
    return { keys: [], left: ['The export has no secret for it: create a new one.'] }
  const left =
    type === 'client-secret-jwt' ? ['It must send its secret itself: assertions signed with it are not accepted.'] : []
  return { secret: { plain: secret }, keys: [], left }
}

function grantTypesOf(client: Members, attributes: Members): readonly GrantType[] {
  const isOn = (name: string) => attributes.maybeText(name) === 'true'
  return [
    ...(client.flag('standardFlowEnabled', true) ? (['authorization_code'] as const) : []),
    ...(client.flag('implicitFlowEnabled') ? (['implicit'] as const) : []),
    ...(attributes.maybeText('use.refresh.tokens') === 'false' ? [] : (['refresh_token'] as const)),
    ...(isOn('oauth2.device.authorization.grant.enabled') ? (['device_code'] as const) : []),
    ...(isOn('standard.token.exchange.enabled') ? (['token_exchange'] as const) : []),
  ]
}

function oidcConfigOf(client: Members, { keys }: ClientCredentials, left: string[]): OidcConfig {
  const attributes = client.inner('attributes')
  const isPublic = client.flag('publicClient')
  const { hasWildcard, left: leftAddresses, ...addresses } = addressesOf(client)
  left.push(...leftAddresses)
  const grantTypes = grantTypesOf(client, attributes)
  const signs = client.maybeText('clientAuthenticatorType') === 'client-jwt' || keys.length > 0
  return {
    type: 'oidc',
    ...addresses,
    responseTypes:
      grantTypes.includes('authorization_code') || !grantTypes.includes('implicit') ? ['code'] : ['id_token_token'],
    grantTypes,
    applicationType: isPublic ? typeOfForeignClient(addresses.redirectUris) : 'web',
    authMethod: isPublic ? 'none' : signs ? 'private_key_jwt' : 'basic',
    developmentMode: hasWildcard,
    // As tokens of Keycloak are: APIs read them without asking.
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: true,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: true,
    clockSkewMs: 0,
    backChannelLogoutUri: attributes.maybeText('backchannel.logout.url') ?? '',
    skipNativeAppSuccessPage: false,
    isThirdParty: client.flag('consentRequired'),
  }
}

const UNUSED_TEXTS = ['logoUri', 'policyUri', 'tosUri', 'access.token.lifespan', 'frontchannel.logout.url']

/** What a client can do in Keycloak and not here. */
function* leftOf(client: Members): Generator<string> {
  const attributes = client.inner('attributes')
  if (client.flag('implicitFlowEnabled')) yield 'The implicit flow is not offered: it must use codes with PKCE.'
  if (client.flag('directAccessGrantsEnabled') && !client.flag('bearerOnly'))
    yield 'Users cannot send their password through a client: the password grant is not offered.'
  const names = [
    ...(client.maybeText('description') ? ['description'] : []),
    ...UNUSED_TEXTS.filter((name) => attributes.maybeText(name)),
  ]
  if (names.length > 0) yield `It has no ${names.join(', ')} here.`
  const mappers = client.list('protocolMappers').map((mapper) => mapper.text('name'))
  if (mappers.length > 0) yield `The mappers ${mappers.join(', ')} stay behind: claims cannot be added per application.`
  if (!client.flag('fullScopeAllowed', true))
    yield 'Its tokens have all roles of the user in the project, also those that were not mapped to it.'
}

function apiConfigOf({ keys }: ClientCredentials): ApiConfig {
  return { type: 'api', authMethod: keys.length > 0 ? 'private_key_jwt' : 'basic' }
}

/** A name that no other application has. */
function nameOf(client: Members, taken: Set<string>): string {
  const clientId = client.text('clientId')
  const wished = client.maybeText('name') || clientId
  const name = taken.has(wished.toLowerCase()) ? `${wished} (${clientId})` : wished
  taken.add(name.toLowerCase())
  return name.slice(0, 200)
}

function* application(client: Members, place: RealmPlace, projectId: string, names: Set<string>): Generator<Read> {
  const clientId = client.text('clientId')
  const { isApi } = useOf(client)
  const isPublic = client.flag('publicClient') || isApi
  const credentials = isPublic ? { keys: [], left: [] } : credentialsOf(client, place)
  const left = [...credentials.left]
  const config = isApi ? apiConfigOf(credentials) : oidcConfigOf(client, credentials, left)
  const draft: ApplicationDraft = {
    kind: 'application',
    id: client.text('id'),
    organizationId: place.realmId,
    ...undated(place),
    projectId,
    name: nameOf(client, names),
    isActive: client.flag('enabled', true),
    clientId,
    ...('secret' in credentials && { secret: credentials.secret }),
    keys: credentials.keys,
    config,
  }
  yield draft
  if (config.authMethod === 'basic' && 'secret' in credentials)
    left.push(
      'It sends its secret in the header (client_secret_basic); change it to client_secret_post if it uses that.',
    )
  for (const reason of [...left, ...leftOf(client)]) yield remark('application', clientId, reason)
}

/** The applications of a realm. */
export function* applicationsOf(
  realm: Members,
  place: RealmPlace,
  projectOf: (clientId: string) => string,
): Generator<Read> {
  const names = new Map<string, Set<string>>()
  for (const client of realm.list('clients')) {
    const clientId = client.text('clientId')
    if (isOwnClient(clientId)) continue
    if (!isOpenId(client)) {
      yield remark(
        'application',
        clientId,
        `There are no applications of the protocol ${client.maybeText('protocol')}.`,
      )
      continue
    }
    if (!isCarried(client)) {
      yield remark('application', clientId, 'It only sends passwords of users, and the password grant is not offered.')
      continue
    }
    const projectId = projectOf(clientId)
    const taken = names.get(projectId) ?? new Set()
    names.set(projectId, taken)
    if (isApplication(client)) yield* application(client, place, projectId, taken)
    else for (const reason of leftOf(client)) yield remark('machine', clientId, reason)
  }
}
