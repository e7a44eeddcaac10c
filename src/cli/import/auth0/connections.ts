/** The connections of a tenant, as `GET /api/v2/connections` lists them: those to social and company providers. */
import type { ProviderType } from '../../../features/identity-providers/index.ts'
import type { ProviderValues } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { type Read, remark, undated } from '../read.ts'
import type { TenantPlace } from './place.ts'

const TYPES: Readonly<Record<string, ProviderType>> = {
  'google-oauth2': 'google',
  github: 'github',
  windowslive: 'azure_ad',
  waad: 'azure_ad',
  oidc: 'oidc',
}

/** Names of Microsoft that stand for the accounts of many tenants. */
const MANY_TENANTS: readonly string[] = ['common', 'organizations', 'consumers']

/** Whose accounts can sign in; undefined if that would be everybody's. */
function tenantOf(connection: Members): string | undefined {
  if (connection.text('strategy') === 'windowslive') return 'consumers'
  const options = connection.inner('options')
  const named = ['tenantId', 'tenant_domain', 'domain'].map((name) => options.maybeText(name)?.trim() ?? '')
  return named.find((tenant) => tenant !== '' && !MANY_TENANTS.includes(tenant.toLowerCase()))
}

function typeOf(connection: Members): ProviderType | undefined {
  const type = TYPES[connection.text('strategy')]
  if (type === 'azure_ad' && tenantOf(connection) === undefined) return undefined
  return type === 'oidc' && !connection.inner('options').maybeText('issuer') ? undefined : type
}

function whyLeft(strategy: string): string {
  return TYPES[strategy] === 'azure_ad'
    ? 'It names no tenant of Microsoft: here, accounts of all tenants could sign in.'
    : `There is no provider of the type ${strategy}.`
}

const COMMON_ENDPOINT = ['useCommonEndpoint', 'use_common_endpoint', 'waad_common_endpoint']

function isForAllTenants(options: Members): boolean {
  return COMMON_ENDPOINT.some((name) => options.flag(name))
}

const MOST_NAMES = 5

function namesOf(ids: readonly string[]): string {
  return ids.slice(0, MOST_NAMES).join(', ') + (ids.length > MOST_NAMES ? ', …' : '')
}

/**
 * Why a connection is inactive: a provider is for all applications here, so it is active only if it is known that all of
 * them could use the connection.
 */
function* closingOf(connection: Members, applications: readonly string[]): Generator<string> {
  if (!connection.inner('authentication').flag('active', true)) yield 'its sign-in is disabled in the tenant'
  const enabled = connection.texts('enabled_clients')
  const missing = applications.filter((id) => !enabled.includes(id))
  if (!connection.has('enabled_clients') || (enabled.length > 0 && applications.length === 0))
    yield 'the files do not say whether all applications could use it'
  else if (enabled.length === 0) yield 'no application of the tenant can use it'
  else if (missing.length > 0)
    yield `it can be used only by some applications, not by ${namesOf(missing)}; here it would be for all applications`
}

export function providersByConnection(connections: readonly Members[]): ReadonlyMap<string, string> {
  const carried = connections.filter((connection) => typeOf(connection) !== undefined)
  return new Map(carried.map((connection) => [connection.text('name'), connection.text('id')]))
}

function valuesOf(type: ProviderType, connection: Members): ProviderValues {
  const given = connection.inner('options')
  const options = {
    isLinkingAllowed: true,
    isCreationAllowed: true,
    isAutoCreation: true,
    isAutoUpdate: true,
    autoLinking: 'none',
  } as const
  const scopes = (
    typeof given.raw('scope') === 'string' ? given.text('scope').split(/\s+/) : given.texts('scope')
  ).filter((scope) => scope !== '')
  if (type === 'oidc') return { options, scopes, issuer: given.text('issuer'), usesPkce: false }
  if (type !== 'azure_ad') return { options, scopes: [] }
  return { options, scopes: [], tenant: tenantOf(connection) ?? '', trustsEmail: false }
}

/** `applications`: the client IDs of those that sign users in. */
export function* providersOf(
  connections: readonly Members[],
  applications: readonly string[],
  place: TenantPlace,
): Generator<Read> {
  for (const connection of connections) {
    const [name, strategy, type] = [connection.text('name'), connection.text('strategy'), typeOf(connection)]
    // Users and passwords of Auth0 itself.
    if (strategy === 'auth0') continue
    const given = connection.inner('options')
    const clientId = given.maybeText('client_id') ?? ''
    if (type === undefined || clientId === '') {
      const why =
        type === undefined ? whyLeft(strategy) : 'It has no client of its own: the keys of Auth0 cannot be used here.'
      yield remark('identity-provider', name, why)
      continue
    }
    const clientSecret = given.maybeText('client_secret') || undefined
    const values = valuesOf(type, connection)
    const closing = [...closingOf(connection, applications)]
    yield {
      kind: 'identity-provider',
      id: connection.text('id'),
      organizationId: place.organizationId,
      ...undated(place),
      name: connection.maybeText('display_name') || name,
      isActive: closing.length === 0,
      type,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      values,
    }
    for (const reason of closing) yield remark('identity-provider', name, `It is inactive: ${reason}.`)
    if (isForAllTenants(given))
      yield remark(
        'identity-provider',
        name,
        `Accounts of all tenants of Microsoft could sign in; here only those of the tenant ${values.tenant} can.`,
      )
    if (clientSecret === undefined)
      yield remark('identity-provider', name, 'The file has no client secret: enter it before users sign in.')
  }
}
