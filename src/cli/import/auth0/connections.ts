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

function typeOf(connection: Members): ProviderType | undefined {
  const type = TYPES[connection.text('strategy')]
  return type === 'oidc' && !connection.inner('options').maybeText('issuer') ? undefined : type
}

export function providersByConnection(connections: readonly Members[]): ReadonlyMap<string, string> {
  const carried = connections.filter((connection) => typeOf(connection) !== undefined)
  return new Map(carried.map((connection) => [connection.text('name'), connection.text('id')]))
}

function valuesOf(type: ProviderType, strategy: string, given: Members): ProviderValues {
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
  const tenant = given.maybeText('tenant_domain') || (strategy === 'waad' ? 'organizations' : 'consumers')
  return { options, scopes: [], tenant, trustsEmail: false }
}

export function* providersOf(connections: readonly Members[], place: TenantPlace): Generator<Read> {
  for (const connection of connections) {
    const [name, strategy, type] = [connection.text('name'), connection.text('strategy'), typeOf(connection)]
    // Users and passwords of Auth0 itself.
    if (strategy === 'auth0') continue
    const given = connection.inner('options')
    const clientId = given.maybeText('client_id') ?? ''
    if (type === undefined || clientId === '') {
      const why =
        type === undefined
          ? `There is no provider of the type ${strategy}.`
          : 'It has no client of its own: the keys of Auth0 cannot be used here.'
      yield remark('identity-provider', name, why)
      continue
    }
    const clientSecret = given.maybeText('client_secret') || undefined
    yield {
      kind: 'identity-provider',
      id: connection.text('id'),
      organizationId: place.organizationId,
      ...undated(place),
      name: connection.maybeText('display_name') || name,
      isActive: true,
      type,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      values: valuesOf(type, strategy, given),
    }
    if (clientSecret === undefined)
      yield remark('identity-provider', name, 'The file has no client secret: enter it before users sign in.')
  }
}
