/**
 * The clients of a realm. One that signs users in becomes an application; one that only gets tokens for itself becomes a
 * machine user; one that does both becomes both.
 */
import type { ApiConfig, GrantType, OidcConfig } from '../../../features/applications/index.ts'
import type { ApplicationDraft, KeyDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Decision, decide } from '../members/table.ts'
import { inactive, PAGES, type Read, remark, toDecide, undated } from '../read.ts'
import { addressesOf } from './client-addresses.ts'
import { keysOf } from './client-keys.ts'
import { CLIENT } from './client-members.ts'
import { RealmFlows } from './flows.ts'
import type { RealmPlace } from './place.ts'
import { rolesKeptFrom } from './role-scopes.ts'
import { isMaskedSecret } from './settings.ts'

/** The scope, and the role, of refresh tokens in Keycloak. */
const OFFLINE = 'offline_access'

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
  // Keycloak gives no tokens of their own to clients that cannot prove who they are.
  const isMachine = !isApi && !client.flag('publicClient') && client.flag('serviceAccountsEnabled')
  return { isApi, signsUsersIn: !isApi && signsUsersIn, isMachine }
}

/** Clients that speak OpenID Connect, and do something here. */
function isCarried(client: Members): boolean {
  return isApplication(client) || isMachine(client)
}

function isOpenId(client: Members): boolean {
  return (client.maybeText('protocol') ?? 'openid-connect') === 'openid-connect'
}

/** Whether a client has a service account that becomes a machine user. */
export function isMachine(client: Members): boolean {
  return isOpenId(client) && useOf(client).isMachine
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

/** What a confidential client proves itself with. Nothing that Keycloak would not accept is accepted here. */
export function credentialsOf(client: Members, realm: Members, place: RealmPlace): ClientCredentials {
  const none = (...left: string[]): ClientCredentials => ({ keys: [], left })
  const type = client.maybeText('clientAuthenticatorType') || 'client-secret'
  if (!new RealmFlows(realm).acceptsClientsWith(type))
    return none(`The realm does not accept clients that authenticate with ${type}: give it a secret or a key.`)
  if (type === 'client-jwt') {
    const found = keysOf(client, place)
    return 'keys' in found ? { keys: found.keys, left: [] } : none(found.left)
  }
  if (type === 'client-x509') return none('Client certificates are not accepted: give it a secret or a key.')
  if (type === 'client-secret-jwt')
    return none(
      'It authenticates with client-secret-jwt, and never sends its secret to Keycloak: give it another one, or a key.',
    )
  if (type !== 'client-secret')
    return none(`It authenticates with ${type}, which is not offered here: give it a secret or a key.`)
  const secret = client.maybeText('secret') ?? ''
  if (secret === '' || isMaskedSecret(secret)) return none('The export has no secret for it: create a new one.')
  const expiry = Number(client.inner('attributes').maybeText('client.secret.expiration.time') || 0) * 1_000
  if (!(expiry === 0 || expiry > Date.now())) return none('Its secret has expired: create a new one.')
  const expires = `Its secret expires in Keycloak (${new Date(expiry).toISOString().slice(0, 10)}), and never here: replace it by then.`
  return { secret: { plain: secret }, keys: [], left: expiry > 0 ? [expires] : [] }
}

/** Whether users of a client can stay signed in with refresh tokens: it needs the scope, and may have switched them off. */
function mayRefresh(client: Members, realm: Members): boolean {
  if (client.inner('attributes').maybeText('use.refresh.tokens') === 'false') return false
  const hasScopes = client.has('defaultClientScopes') || client.has('optionalClientScopes')
  const [holder, names] = hasScopes
    ? ([client, ['defaultClientScopes', 'optionalClientScopes']] as const)
    : ([realm, ['defaultDefaultClientScopes', 'defaultOptionalClientScopes']] as const)
  // Keycloak gives its usual scopes to what has none.
  return !names.some((name) => holder.has(name)) || names.some((name) => holder.texts(name).includes(OFFLINE))
}

function grantTypesOf(client: Members, attributes: Members, realm: Members): readonly GrantType[] {
  const isOn = (name: string) => attributes.maybeText(name) === 'true'
  return [
    ...(client.flag('standardFlowEnabled', true) ? (['authorization_code'] as const) : []),
    ...(client.flag('implicitFlowEnabled') ? (['implicit'] as const) : []),
    ...(mayRefresh(client, realm) ? (['refresh_token'] as const) : []),
    ...(isOn('oauth2.device.authorization.grant.enabled') ? (['device_code'] as const) : []),
    ...(isOn('standard.token.exchange.enabled') ? (['token_exchange'] as const) : []),
  ]
}

function oidcConfigOf(client: Members, { keys }: ClientCredentials, realm: Members, left: string[]): OidcConfig {
  const attributes = client.inner('attributes')
  const isPublic = client.flag('publicClient')
  const { left: leftAddresses, ...addresses } = addressesOf(client)
  left.push(...leftAddresses)
  const grantTypes = grantTypesOf(client, attributes, realm)
  const isSet = (name: string) => attributes.maybeText(name)?.toLowerCase() === 'true'
  const signs = client.maybeText('clientAuthenticatorType') === 'client-jwt' || keys.length > 0
  return {
    type: 'oidc',
    ...addresses,
    responseTypes:
      grantTypes.includes('authorization_code') || !grantTypes.includes('implicit') ? ['code'] : ['id_token_token'],
    grantTypes,
    authMethod: isPublic ? 'none' : signs ? 'private_key_jwt' : 'basic',
    // As tokens of Keycloak are: APIs read them without asking.
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: true,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: true,
    clockSkewMs: 0,
    backChannelLogoutUri: attributes.maybeText('backchannel.logout.url') ?? '',
    skipNativeAppSuccessPage: false,
    isThirdParty: client.flag('consentRequired'),
    ...(isSet('require.pushed.authorization.requests') && { requirePushedAuthorizationRequests: true }),
    ...(isSet('dpop.bound.access.tokens') && { requireDpop: true }),
    ...(attributes.maybeText('pkce.code.challenge.method') && { requirePkce: true }),
  }
}

/** Policies that restrict clients: whether they apply to one of them cannot be said here. */
function policiesOf(realm: Members): readonly string[] {
  const policies = realm.inner('clientPolicies').list('policies')
  const restricting = policies.filter((policy) => {
    const conditions = policy.list('conditions').map((one) => one.maybeText('condition') ?? '')
    // Conditions about who changes a client decide nothing about its use.
    const applies = conditions.length > 0 && !conditions.every((condition) => /^client-updater/.test(condition))
    return policy.flag('enabled', true) && policy.texts('profiles').length > 0 && applies
  })
  return restricting.map((policy) => policy.text('name'))
}

const MOST_NAMES = 5

function namesOf(names: readonly string[]): string {
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '')
}

/** Why a client must not be active here as it is, and what else has to be said of it. */
function decideClient(client: Members, realm: Members): Decision {
  const { closed, left } = decide(client, CLIENT)
  const more = rolesKeptFrom(client, realm)
  const policies = policiesOf(realm).map(
    (name) => `The client policy “${name}” can restrict it; policies have no equivalent.`,
  )
  const roles = `Keycloak keeps the roles ${namesOf(more)} out of its tokens (fullScopeAllowed); here they have all roles of the user in the project. Move it to a project of its own before you activate it.`
  return { closed: [...closed, ...(more.length > 0 ? [roles] : []), ...policies], left }
}

/** Why the machine user of a client must not be active. */
export function machineClosedBy(client: Members, realm: Members): readonly string[] {
  const isBound = client.inner('attributes').maybeText('dpop.bound.access.tokens')?.toLowerCase() === 'true'
  const bound = 'Keycloak binds its tokens to a key (DPoP); machine users here have bearer tokens.'
  return [...decideClient(client, realm).closed, ...(isBound ? [bound] : [])]
}

const CHECK = ' Check that before you activate it.'

/** What is to be decided about an application or a machine user before anybody uses it. */
export function* decisionsOf(
  about: { readonly kind: 'application' | 'machine'; readonly id: string; readonly page: string },
  closed: readonly string[],
  credentials: ClientCredentials,
): Generator<Read> {
  const { kind, id, page } = about
  for (const reason of closed) yield inactive(page, kind, id, `${reason}${CHECK}`)
  const isMissing = credentials.secret === undefined && credentials.keys.length === 0
  for (const reason of credentials.left)
    yield isMissing ? toDecide('secret', page, kind, id, reason) : remark(kind, id, reason)
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

interface ApplicationContext {
  readonly realm: Members
  readonly place: RealmPlace
  projectOf(clientId: string): string
}

function* application(client: Members, context: ApplicationContext, names: Set<string>): Generator<Read> {
  const { realm, place } = context
  const clientId = client.text('clientId')
  const { isApi } = useOf(client)
  const isPublic = client.flag('publicClient') && !isApi
  const credentials = isPublic ? { keys: [], left: [] } : credentialsOf(client, realm, place)
  const decision = decideClient(client, realm)
  const left: string[] = []
  const config = isApi ? apiConfigOf(credentials) : oidcConfigOf(client, credentials, realm, left)
  const draft: ApplicationDraft = {
    kind: 'application',
    id: client.text('id'),
    organizationId: place.realmId,
    ...undated(place),
    projectId: context.projectOf(clientId),
    name: nameOf(client, names),
    isActive: client.flag('enabled', true) && decision.closed.length === 0,
    clientId,
    ...('secret' in credentials && { secret: credentials.secret }),
    keys: credentials.keys,
    config,
  }
  yield draft
  const page = PAGES.application(draft.projectId, draft.id)
  yield* decisionsOf({ kind: 'application', id: clientId, page }, decision.closed, credentials)
  if (config.authMethod === 'basic' && 'secret' in credentials)
    left.push(
      'It sends its secret in the header (client_secret_basic); change it to client_secret_post if it uses that.',
    )
  if (config.type === 'oidc' && !config.grantTypes.includes('refresh_token'))
    left.push('It gets no refresh tokens: it has switched them off in Keycloak, or has no scope offline_access.')
  for (const reason of [...left, ...decision.left]) yield remark('application', clientId, reason)
}

/** The applications among the clients of a realm. */
export function* applicationsOf(clients: Iterable<Members>, context: ApplicationContext): Generator<Read> {
  const names = new Map<string, Set<string>>()
  for (const client of clients) {
    const clientId = client.text('clientId')
    if (!isOpenId(client)) {
      yield remark('application', clientId, `Clients of the protocol ${client.maybeText('protocol')} are not carried.`)
      continue
    }
    if (!isCarried(client)) {
      yield remark('application', clientId, 'It only sends passwords of users, and the password grant is not offered.')
      continue
    }
    const projectId = context.projectOf(clientId)
    const taken = names.get(projectId) ?? new Set()
    names.set(projectId, taken)
    if (isApplication(client)) yield* application(client, context, taken)
    else for (const reason of decideClient(client, context.realm).left) yield remark('machine', clientId, reason)
  }
}
