/** The connections of a tenant, as `GET /api/v2/connections` lists them: those to social and company providers. */
import type { ProviderOptions, ProviderType, ProviderValues } from '../../../features/identity-providers/index.ts'
import type { Members } from '../json/members.ts'
import { leadsElsewhere } from '../members/same-server.ts'
import { decide } from '../members/table.ts'
import { inactive, PAGES, type Read, remark, toDecide, undated } from '../read.ts'
import { tableOf } from './connection-members.ts'
import type { TenantPlace } from './place.ts'

const TYPES: Readonly<Record<string, ProviderType>> = {
  'google-oauth2': 'google',
  github: 'github',
  windowslive: 'azure_ad',
  waad: 'azure_ad',
  oidc: 'oidc',
}

/** The strategy of users and passwords in Auth0 itself. */
export const DATABASE = 'auth0'

/** Names of Microsoft that stand for the accounts of many tenants. */
const MANY_TENANTS: readonly string[] = ['common', 'organizations', 'consumers']

/** Whose accounts can sign in; undefined if that would be everybody's. */
function tenantOf(connection: Members): string | undefined {
  if (connection.text('strategy') === 'windowslive') return 'consumers'
  const options = connection.inner('options')
  const named = ['tenantId', 'tenant_domain', 'domain'].map((name) => options.maybeText(name)?.trim() ?? '')
  return named.find((tenant) => tenant !== '' && !MANY_TENANTS.includes(tenant.toLowerCase()))
}

const TRUSTS: Readonly<Record<string, ProviderOptions['emailTrust']>> = {
  always_set_emails_as_verified: 'always',
  never_set_emails_as_verified: 'never',
}

function optionsOf(connection: Members, type: ProviderType): ProviderOptions {
  const given = connection.inner('options')
  const trust = given.maybeText('should_trust_email_verified_connection') ?? ''
  // What company connections of Microsoft say is not believed unless somebody chose it.
  const usual = type === 'azure_ad' ? 'never' : undefined
  const emailTrust = Object.hasOwn(TRUSTS, trust) ? TRUSTS[trust] : usual
  return {
    isLinkingAllowed: true,
    isCreationAllowed: true,
    isAutoCreation: true,
    isAutoUpdate: (given.maybeText('set_user_root_attributes') || 'on_each_login') === 'on_each_login',
    autoLinking: 'none',
    ...(emailTrust !== undefined && { emailTrust }),
    ...(!connection.flag('show_as_button', true) && { isHidden: true }),
  }
}

interface Carried {
  readonly type: ProviderType
  readonly clientId: string
  readonly values: ProviderValues
}

/** A connection as a provider, or why it stays behind together with its links. */
function readConnection(connection: Members): Carried | { readonly left: string } {
  const [strategy, given] = [connection.text('strategy'), connection.inner('options')]
  const type = Object.hasOwn(TYPES, strategy) ? TYPES[strategy] : undefined
  const issuer = given.maybeText('issuer') ?? ''
  if (type === undefined) return { left: `There is no provider of the type ${strategy}.` }
  if (type === 'oidc' && issuer === '') return { left: 'It has no issuer, so nothing says whose tokens they are.' }
  const clientId = given.maybeText('client_id') ?? ''
  if (clientId === '') return { left: 'It has no client of its own: the keys of Auth0 cannot be used here.' }
  const options = optionsOf(connection, type)
  const scopes = (
    typeof given.raw('scope') === 'string' ? given.text('scope').split(/\s+/) : given.texts('scope')
  ).filter((scope) => scope !== '')
  if (type !== 'azure_ad' && type !== 'oidc') return { type, clientId, values: { options, scopes: [] } }
  if (type === 'oidc') {
    const values = { options, scopes, issuer, usesPkce: false }
    const left = leadsElsewhere(given.maybeText('authorization_endpoint'), { type, values })
    return left === undefined ? { type, clientId, values } : { left }
  }
  const tenant = tenantOf(connection)
  if (tenant === undefined)
    return { left: 'It names no tenant of Microsoft: here, accounts of all tenants could sign in.' }
  return { type, clientId, values: { options, scopes: [], tenant, trustsEmail: false } }
}

/** Whether the accounts of a connection have the same identifiers here. For Microsoft, it is `sub` of the ID token. */
function hasSameAccounts(connection: Members, { type }: Carried): boolean {
  return type !== 'azure_ad' || connection.inner('options').maybeText('userid_attribute') === 'sub'
}

const MOST_NAMES = 5

function namesOf(ids: readonly string[]): string {
  return ids.slice(0, MOST_NAMES).join(', ') + (ids.length > MOST_NAMES ? ', …' : '')
}

/**
 * Why a connection is not active: a provider is for all applications here, so it is active only if it is known that all of
 * them could use the connection. `applications`: the client IDs of those that sign users in.
 */
function* closingOf(connection: Members, applications: readonly string[]): Generator<string> {
  if (!connection.inner('authentication').flag('active', true)) yield 'Its sign-in is disabled in the tenant.'
  const enabled = connection.texts('enabled_clients')
  const missing = applications.filter((id) => !enabled.includes(id))
  if (!connection.has('enabled_clients') || (enabled.length > 0 && applications.length === 0))
    yield 'The files do not say whether all applications could use it.'
  else if (enabled.length === 0) yield 'No application of the tenant can use it.'
  else if (missing.length > 0)
    yield `It can be used only by some applications, not by ${namesOf(missing)}; here it would be for all applications.`
}

/** What the other files need to know of the connections. */
export interface KnownConnections {
  /** The ID of the provider here, by the name of the connection: users are linked with these. */
  readonly providers: ReadonlyMap<string, string>
  /** The databases whose users cannot sign in with their password. */
  readonly closedDatabases: ReadonlySet<string>
  /** The databases in use, each with the clients that their users can sign in to. */
  readonly databases: ReadonlyMap<string, readonly string[]>
}

export function knownConnections(connections: readonly Members[]): KnownConnections {
  const databases = connections.filter((connection) => connection.text('strategy') === DATABASE)
  const isClosed = (connection: Members) =>
    !connection.inner('authentication').flag('active', true) ||
    (connection.has('enabled_clients') && connection.texts('enabled_clients').length === 0)
  const open = databases.filter((connection) => !isClosed(connection) && connection.has('enabled_clients'))
  return {
    providers: new Map(
      connections.flatMap((connection) => {
        const found = readConnection(connection)
        if ('left' in found || !hasSameAccounts(connection, found)) return []
        return [[connection.text('name'), connection.text('id')] as const]
      }),
    ),
    closedDatabases: new Set(databases.filter(isClosed).map((connection) => connection.text('name'))),
    databases: new Map(
      open.map((connection) => [connection.text('name'), connection.texts('enabled_clients')] as const),
    ),
  }
}

export function* providersOf(
  connections: readonly Members[],
  applications: readonly string[],
  place: TenantPlace,
): Generator<Read> {
  // Users and passwords of Auth0 itself are no provider.
  for (const connection of connections.filter((one) => one.text('strategy') !== DATABASE)) {
    const [name, found] = [connection.text('name'), readConnection(connection)]
    if ('left' in found) {
      yield toDecide('check', PAGES.providers, 'identity-provider', name, found.left)
      continue
    }
    const clientSecret = connection.inner('options').maybeText('client_secret') || undefined
    const decision = decide(connection, tableOf(connection.text('strategy')) ?? { closes: true, members: {} })
    const closed = [...closingOf(connection, applications), ...decision.closed]
    yield {
      kind: 'identity-provider',
      id: connection.text('id'),
      organizationId: place.organizationId,
      ...undated(place),
      name: connection.maybeText('display_name') || name,
      isActive: closed.length === 0,
      ...found,
      ...(clientSecret !== undefined && { clientSecret }),
    }
    const page = PAGES.provider(connection.text('id'))
    for (const reason of closed) yield inactive(page, 'identity-provider', name, reason)
    for (const reason of decision.left) yield remark('identity-provider', name, reason)
    if (!hasSameAccounts(connection, found))
      yield remark(
        'identity-provider',
        name,
        'Its links stay behind: Auth0 knows its accounts by another identifier than the one in ID tokens (sub).',
      )
    if (clientSecret === undefined)
      yield toDecide(
        'secret',
        page,
        'identity-provider',
        name,
        'The file has no client secret: enter it before users sign in.',
      )
  }
}
