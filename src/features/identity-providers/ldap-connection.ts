/** LDAP directories: from a request to the connection that is stored, its checks, and back to a message. */
import { X509Certificate } from 'node:crypto'
import type { Duration } from '@bufbuild/protobuf/wkt'
import type { LDAPAttributes, LDAPConfig } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { type Codec, duration, mapped, same, texts, utf8 } from '../../module/mapped.ts'
import type { LdapConnection, LdapField } from './events.ts'
import { lineProblem } from './names.ts'

const USUAL_TIMEOUT_MS = 10_000
const LONGEST_TIMEOUT_MS = 60_000

/** The names of the fields in the contract. */
const FIELDS = {
  id: 'idAttribute',
  firstName: 'firstNameAttribute',
  lastName: 'lastNameAttribute',
  displayName: 'displayNameAttribute',
  nickName: 'nickNameAttribute',
  preferredUsername: 'preferredUsernameAttribute',
  email: 'emailAttribute',
  emailVerified: 'emailVerifiedAttribute',
  phone: 'phoneAttribute',
  phoneVerified: 'phoneVerifiedAttribute',
  preferredLanguage: 'preferredLanguageAttribute',
  avatarUrl: 'avatarUrlAttribute',
  profile: 'profileAttribute',
} as const satisfies Record<LdapField, keyof LDAPAttributes>

const EACH_FIELD = Object.entries(FIELDS) as readonly (readonly [LdapField, (typeof FIELDS)[LdapField]])[]

const timeout: Codec<number, Duration> = {
  ...duration,
  read: (given) => Math.min(Math.max(0, duration.read(given)) || USUAL_TIMEOUT_MS, LONGEST_TIMEOUT_MS),
  absent: USUAL_TIMEOUT_MS,
}

type Named = Readonly<Partial<Record<(typeof FIELDS)[LdapField], string>>>

const attributes: Codec<LdapConnection['attributes'], Named> = {
  show: (known) => Object.fromEntries(EACH_FIELD.map(([field, name]) => [name, known[field] ?? ''])),
  read: (named) =>
    Object.fromEntries(EACH_FIELD.flatMap(([field, name]) => (named[name] ? [[field, named[name]]] : []))),
  absent: {},
}

const table = mapped<Omit<LdapConnection, 'protocol'>, LDAPConfig>()({
  servers: ['servers', texts],
  startTls: ['startTls', same],
  baseDn: ['baseDn', same],
  bindDn: ['bindDn', same],
  userBase: ['userBase', same],
  userObjectClasses: ['userObjectClasses', texts],
  userFilters: ['userFilters', texts],
  timeoutMs: ['timeout', timeout],
  attributes: ['attributes', attributes as Codec<LdapConnection['attributes'], LDAPAttributes>],
  rootCa: ['rootCa', utf8],
})

/** The members of requests that describe a directory. */
export type GivenDirectory = Parameters<typeof table.read>[0] & { readonly bindPassword: string }

/** The connection that a request describes. */
export function directory(given: GivenDirectory): LdapConnection {
  const { rootCa = '', ...connection } = table.read(given)
  return { protocol: 'ldap', ...connection, ...(rootCa !== '' && { rootCa }) }
}

/** A directory as a message, which is the same in the v1 and v2 services. */
export const ldapMessage = table.show

function serverProblem(text: string): string | undefined {
  const url = /^ldaps?:\/\/[^/\\\s]+\/?$/i.test(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '') return 'must be an ldap or ldaps URL of a host, without a path'
  return url.username === '' && url.password === '' ? undefined : 'must not contain a username or password'
}

/** A descriptor or a numeric object identifier, with options (RFC 4512 §1.4, §2.5). */
const ATTRIBUTE = /^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)(?:;[A-Za-z0-9-]+)*$/

function attributeProblem(text: string): string | undefined {
  return ATTRIBUTE.test(text) ? undefined : 'must be the name of an attribute'
}

/** A bind with a name that is no distinguished name is anonymous, or means something else. */
function dnProblem(text: string): string | undefined {
  return text.includes('=') ? lineProblem(text) : 'must be a distinguished name'
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}

function certificateProblem(pem: string | undefined): string | undefined {
  if (pem === undefined) return undefined
  const found = pem.match(CERTIFICATE) ?? []
  return found.length > 0 && found.every(isCertificate) ? undefined : 'must be certificates in PEM format'
}

/** Each field of a request with its problem, if it has one. */
export function ldapProblems(connection: LdapConnection): readonly (readonly [string, string | undefined])[] {
  const { servers, userObjectClasses, userFilters, attributes, baseDn, bindDn, userBase, rootCa } = connection
  return [
    ...servers.map((server, index) => [`servers[${index}]`, serverProblem(server)] as const),
    ['baseDn', dnProblem(baseDn)],
    ['bindDn', dnProblem(bindDn)],
    ['userBase', lineProblem(userBase)],
    ...userObjectClasses.map((name, index) => [`userObjectClasses[${index}]`, attributeProblem(name)] as const),
    ...userFilters.map((name, index) => [`userFilters[${index}]`, attributeProblem(name)] as const),
    ...Object.entries(attributes).map(
      ([field, name]) => [`attributes.${FIELDS[field as LdapField]}`, attributeProblem(name)] as const,
    ),
    ['rootCa', certificateProblem(rootCa)],
  ]
}
