/** The settings of LDAP directories, as forms have them, and back. */
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import type { LDAPConfig } from '../../../../contract/gen/signet/idp/v1/config_pb.ts'

/** What an attribute says about a user, in the order of the form. */
export const ATTRIBUTES = [
  'idAttribute',
  'preferredUsernameAttribute',
  'firstNameAttribute',
  'lastNameAttribute',
  'displayNameAttribute',
  'nickNameAttribute',
  'emailAttribute',
  'emailVerifiedAttribute',
  'phoneAttribute',
  'phoneVerifiedAttribute',
  'preferredLanguageAttribute',
  'avatarUrlAttribute',
  'profileAttribute',
] as const

export type Attribute = (typeof ATTRIBUTES)[number]

export interface DirectoryValues {
  readonly servers: string[]
  readonly startTls: boolean
  readonly baseDn: string
  readonly bindDn: string
  /** Empty in an update: it stays. */
  readonly bindPassword: string
  /** Not shown, and kept: it has no effect. */
  readonly userBase: string
  readonly userObjectClasses: string[]
  readonly userFilters: string[]
  readonly timeoutSeconds: number | string
  readonly attributes: Readonly<Record<Attribute, string>>
  /** Certificates in PEM format. */
  readonly rootCa: string
}

/** The usual names in OpenLDAP; those of Active Directory differ. */
const USUAL: Readonly<Partial<Record<Attribute, string>>> = {
  idAttribute: 'entryUUID',
  preferredUsernameAttribute: 'uid',
  firstNameAttribute: 'givenName',
  lastNameAttribute: 'sn',
  emailAttribute: 'mail',
}

function attributesFrom(given: Readonly<Partial<Record<Attribute, string>>>): DirectoryValues['attributes'] {
  return Object.fromEntries(ATTRIBUTES.map((name) => [name, given[name] ?? ''])) as DirectoryValues['attributes']
}

/** The values of a new directory. */
export function newDirectory(): DirectoryValues {
  return {
    servers: [],
    startTls: false,
    baseDn: '',
    bindDn: '',
    bindPassword: '',
    userBase: '',
    userObjectClasses: ['inetOrgPerson'],
    userFilters: ['uid'],
    timeoutSeconds: 10,
    attributes: attributesFrom(USUAL),
    rootCa: '',
  }
}

/** The values of a directory. */
export function directoryOf(config: LDAPConfig): DirectoryValues {
  const { servers, startTls, baseDn, bindDn, userBase, userObjectClasses, userFilters, timeout, attributes } = config
  return {
    ...{ startTls, baseDn, bindDn, userBase, bindPassword: '' },
    servers: [...servers],
    userObjectClasses: [...userObjectClasses],
    userFilters: [...userFilters],
    timeoutSeconds: timeout === undefined ? 10 : durationMs(timeout) / 1000,
    attributes: attributesFrom(attributes ?? {}),
    rootCa: new TextDecoder().decode(config.rootCa),
  }
}

/** The fields of the request that are not as the form has them. */
export function directoryRequest({ baseDn, bindDn, timeoutSeconds, attributes, rootCa }: DirectoryValues) {
  const seconds = Number(timeoutSeconds)
  return {
    baseDn: baseDn.trim(),
    bindDn: bindDn.trim(),
    ...(seconds > 0 && { timeout: durationFromMs(Math.round(seconds * 1000)) }),
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, value.trim()])),
    rootCa: new TextEncoder().encode(rootCa.trim()),
  }
}
