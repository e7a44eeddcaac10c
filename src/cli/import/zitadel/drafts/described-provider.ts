/** Providers that are described whole: directories (LDAP), signed tokens (JWT) and other ZITADELs. */
import { type Connection, oidcConnection } from '../../../../features/identity-providers/index.ts'
import { clientOf, LDAP_FIELDS, type ProviderState } from '../folds/providers.ts'

/** As long as a directory is waited for. */
const USUAL_TIMEOUT_MS = 10_000
const LONGEST_TIMEOUT_MS = 60_000

function directory({ values }: ProviderState): Connection {
  const { servers = [], timeout = 0, rootCA = '' } = values
  const attributes = Object.entries(LDAP_FIELDS).flatMap(([name, field]) => {
    const attribute = values[name as keyof typeof LDAP_FIELDS]
    return attribute ? [[field, attribute] as const] : []
  })
  return {
    protocol: 'ldap',
    servers,
    startTls: values.startTLS ?? false,
    baseDn: values.baseDN ?? '',
    bindDn: values.bindDN ?? '',
    userBase: values.userBase ?? '',
    userObjectClasses: values.userObjectClasses ?? [],
    userFilters: values.userFilters ?? [],
    timeoutMs: timeout > 0 ? Math.min(timeout, LONGEST_TIMEOUT_MS) : USUAL_TIMEOUT_MS,
    attributes: Object.fromEntries(attributes),
    ...(rootCA !== '' && { rootCa: Buffer.from(rootCA, 'base64').toString('utf8') }),
  }
}

/** How such a provider is reached; undefined for the types that have members of their own in a draft. */
export function describedConnection(provider: ProviderState): Connection | undefined {
  const { type, values } = provider
  if (type === 'ldap' || type === 'ldap.v2') return directory(provider)
  const { issuer = '', audience = '', scopes = [] } = values
  if (type === 'jwt') {
    const { jwtEndpoint = '', keysEndpoint = '', headerName = '' } = values
    return { protocol: 'jwt', issuer, jwtEndpoint, keysEndpoint, headerName, ...(audience !== '' && { audience }) }
  }
  if (type !== 'zitadel') return undefined
  const { clientId } = clientOf(provider)
  return oidcConnection('zitadel', { clientId, issuer, scopes, instanceRoles: values.instanceRolesInfo ?? [] })
}

/** Why such a provider cannot be carried. Directories had another form before they had several servers. */
export function describedProblem({ type, values }: ProviderState): string | undefined {
  if ((type === 'ldap' || type === 'ldap.v2') && (values.servers ?? []).length === 0) return 'it names no server'
  return undefined
}
