/** Validates the configuration of a provider before anything is written. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { refused } from '../../kernel/refusal.ts'
import { endpointProblem, issuerProblem, scopeProblem } from './addresses.ts'
import { linksUnsafely, type ProviderChange } from './decider.ts'
import type { Connection } from './events.ts'
import { jwtProblems } from './jwt-connection.ts'
import { ldapProblems } from './ldap-connection.ts'
import { lineProblem, nameProblem } from './names.ts'
import { type IdentityProviderRefusal, identityProviderRefusals } from './refusals.ts'
import { samlProblems } from './saml/connection.ts'

type Problem = readonly [code: IdentityProviderRefusal, field: string, description: string | undefined]

const FIELD = 'identity_provider.field_invalid'

const TENANT = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
const APPLE_ID = /^[A-Za-z0-9]{10}$/

function oidcProblems(connection: Extract<Connection, { protocol: 'oidc' }>): readonly Problem[] {
  const { issuer, entra, apple, zitadel } = connection
  const isTenant = entra === undefined || TENANT.test(entra.tenant)
  const applePart = (id: string) => (APPLE_ID.test(id) ? undefined : 'must be ten letters or digits')
  return [
    // The issuer of a tenant is derived from its name and is valid if the name is.
    isTenant
      ? ['identity_provider.issuer_invalid', 'issuer', issuerProblem(issuer)]
      : [FIELD, 'tenant.tenantId', 'must be the ID or domain of a tenant'],
    [FIELD, 'teamId', apple && applePart(apple.teamId)],
    [FIELD, 'keyId', apple && applePart(apple.keyId)],
    ...(zitadel?.instanceRoles ?? []).flatMap(({ organizationId, organizationDomain }, index): readonly Problem[] => [
      [
        FIELD,
        `instanceRolesInfo[${index}].organizationId`,
        organizationId === '' ? 'must not be empty' : lineProblem(organizationId),
      ],
      [FIELD, `instanceRolesInfo[${index}].organizationDomain`, lineProblem(organizationDomain)],
    ]),
  ]
}

function connectionProblems(connection: Connection): readonly Problem[] {
  if (connection.protocol === 'ldap') return ldapProblems(connection).map(([field, problem]) => [FIELD, field, problem])
  if (connection.protocol === 'jwt') return jwtProblems(connection).map(([field, problem]) => [FIELD, field, problem])
  if (connection.protocol === 'saml') return samlProblems(connection).map(([field, problem]) => [FIELD, field, problem])
  return [
    [FIELD, 'clientId', lineProblem(connection.clientId)],
    ...connection.scopes.map((scope, index): Problem => [FIELD, `scopes[${index}]`, scopeProblem(scope)]),
    ...(connection.protocol === 'oidc'
      ? oidcProblems(connection)
      : ([
          [FIELD, 'authorizationEndpoint', endpointProblem(connection.authorizationEndpoint)],
          [FIELD, 'tokenEndpoint', endpointProblem(connection.tokenEndpoint)],
          [FIELD, 'userEndpoint', endpointProblem(connection.userEndpoint)],
          [FIELD, 'idAttribute', lineProblem(connection.idAttribute)],
        ] satisfies readonly Problem[])),
  ]
}

function refuseProblems(problems: readonly Problem[], prefix = ''): void {
  const found = problems.filter(([, , description]) => description !== undefined)
  const [first] = found
  if (first === undefined) return
  const violations = found.map(([, field, description = '']) => ({ field: `${prefix}${field}`, description }))
  throw refused(identityProviderRefusals, first[0], { violations })
}

/** Throws, naming every field after a prefix, unless a provider can be called and connected so, and links accounts safely. */
export function checkProvider(
  { name, connection, options }: Pick<ProviderChange, 'name' | 'connection'> & Partial<Pick<ProviderChange, 'options'>>,
  prefix = '',
): void {
  const isUnsafe = options !== undefined && linksUnsafely(connection, options)
  refuseProblems(
    [
      [FIELD, 'name', nameProblem(name)],
      ...connectionProblems(connection),
      [
        'identity_provider.linking_unsafe',
        'providerOptions.autoLinking',
        isUnsafe ? 'must be unspecified when the addresses of any tenant count as verified' : undefined,
      ],
    ],
    prefix,
  )
}

/** Does the same for a name alone. */
export function checkName(name: string): void {
  refuseProblems([[FIELD, 'name', nameProblem(name)]])
}

/** Where the secret of a provider, or what it is exchanged for, is sent. */
function addressesOf(connection: Connection): readonly (string | undefined)[] {
  if (connection.protocol === 'oidc') return [connection.issuer]
  if (connection.protocol === 'ldap') {
    // Whoever turned TLS off, or chose the certificates, could read the password on its way.
    return [connection.servers.join(' '), String(connection.startTls), connection.rootCa]
  }
  if (connection.protocol === 'jwt') return []
  // Nobody is told the key.
  if (connection.protocol === 'saml') return []
  const { authorizationEndpoint, tokenEndpoint, userEndpoint, emailsEndpoint } = connection
  return [authorizationEndpoint, tokenEndpoint, userEndpoint, emailsEndpoint]
}

/**
 * Throws when a stored secret would be sent to another address than the one it was set for. Otherwise a caller who
 * may change a provider, but never sees its secret, could have it sent to a server of their own.
 */
export function requireSameAddresses(before: Connection, after: Connection): void {
  const [known, wanted] = [addressesOf(before), addressesOf(after)]
  if (known.every((address, index) => address === wanted[index])) return
  const field = after.protocol === 'ldap' ? 'bindPassword' : 'clientSecret'
  refuseProblems([
    [
      'identity_provider.secret_needed',
      field,
      'is needed, because it would be sent to another place, or in another way',
    ],
  ])
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    // The error of OpenSSL could contain the key.
    return undefined
  }
}

/** The text of a private key of Apple. Throws unless it can sign ES256. Empty stays empty. */
export function appleKey(bytes: Uint8Array): string {
  if (bytes.length === 0) return ''
  const pem = Buffer.from(bytes).toString('utf8')
  const isGood = parseKey(pem)?.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  refuseProblems([[FIELD, 'privateKey', isGood ? undefined : 'must be a P-256 private key in PEM format']])
  return pem
}
