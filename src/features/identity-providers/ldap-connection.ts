/** LDAP directories: from a request to the connection that is stored, its checks, and back to a message. */
import { X509Certificate } from 'node:crypto'
import type { Duration } from '@bufbuild/protobuf/wkt'
import type { LDAPAttributes } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import type { LdapConnection, LdapField } from './events.ts'
import { lineProblem } from './names.ts'

/** The members of requests that describe a directory. */
export interface GivenDirectory {
  readonly servers: readonly string[]
  readonly startTls: boolean
  readonly baseDn: string
  readonly bindDn: string
  readonly bindPassword: string
  readonly userBase: string
  readonly userObjectClasses: readonly string[]
  readonly userFilters: readonly string[]
  readonly timeout?: Duration | undefined
  readonly attributes?: LDAPAttributes | undefined
  readonly rootCa: Uint8Array
}

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

function timeoutOf(timeout: Duration | undefined): number {
  if (timeout === undefined) return USUAL_TIMEOUT_MS
  const milliseconds = Number(timeout.seconds) * 1000 + Math.round(timeout.nanos / 1_000_000)
  return milliseconds > 0 ? Math.min(milliseconds, LONGEST_TIMEOUT_MS) : USUAL_TIMEOUT_MS
}

/** The connection that a request describes. */
export function directory(given: GivenDirectory): LdapConnection {
  const attributes = EACH_FIELD.flatMap(([field, name]) => {
    const attribute = given.attributes?.[name] ?? ''
    return attribute === '' ? [] : [[field, attribute] as const]
  })
  const rootCa = Buffer.from(given.rootCa).toString('utf8')
  return {
    protocol: 'ldap',
    servers: [...given.servers],
    startTls: given.startTls,
    baseDn: given.baseDn,
    bindDn: given.bindDn,
    userBase: given.userBase,
    userObjectClasses: [...given.userObjectClasses],
    userFilters: [...given.userFilters],
    timeoutMs: timeoutOf(given.timeout),
    attributes: Object.fromEntries(attributes),
    ...(rootCa !== '' && { rootCa }),
  }
}

/** A directory as a message, which is the same in the v1 and v2 services. */
export function ldapMessage(connection: LdapConnection) {
  const { servers, startTls, baseDn, bindDn, userBase, userObjectClasses, userFilters, timeoutMs, rootCa } = connection
  return {
    servers: [...servers],
    startTls,
    baseDn,
    bindDn,
    userBase,
    userObjectClasses: [...userObjectClasses],
    userFilters: [...userFilters],
    timeout: { seconds: BigInt(Math.floor(timeoutMs / 1000)), nanos: (timeoutMs % 1000) * 1_000_000 },
    attributes: Object.fromEntries(EACH_FIELD.map(([field, name]) => [name, connection.attributes[field] ?? ''])),
    rootCa: Buffer.from(rootCa ?? ''),
  }
}

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
