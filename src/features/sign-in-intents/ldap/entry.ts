/** What an entry of a directory says about an account. Pure. */
import type { LdapConnection, LdapField } from '../../identity-providers/index.ts'
import { type Claims, checkedClaims, checkedSubject } from '../provider-claims.ts'
import { SignInFailed } from '../sign-in-failed.ts'

/** The attributes of an entry by their names, each with all values. */
export type EntryAttributes = Readonly<Record<string, readonly string[]>>

/** What a directory returned: the distinguished name, and attributes with the bytes of their values. */
export interface FoundEntry {
  readonly dn: string
  readonly attributes: ReadonlyMap<string, readonly Uint8Array[]>
}

/** Text where it is printable text, else Base64: `objectGUID` and pictures are bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!/[\p{Cc}\p{Cn}]/u.test(text.replaceAll(/[\t\r\n]/g, ''))) return text
  } catch {
    // It is no text.
  }
  return Buffer.from(bytes).toString('base64')
}

/** The claims of OpenID Connect that fields of a directory become. */
const CLAIMS: Readonly<Partial<Record<LdapField, string>>> = {
  firstName: 'given_name',
  lastName: 'family_name',
  displayName: 'name',
  nickName: 'nickname',
  preferredUsername: 'preferred_username',
  email: 'email',
  phone: 'phone_number',
  preferredLanguage: 'locale',
  avatarUrl: 'picture',
  profile: 'profile',
}

/** Whether a directory says so: true, yes or 1, as people write it. */
function saysYes(text: string | undefined): boolean {
  return text !== undefined && /^(true|yes|1)$/i.test(text.trim())
}

export interface EntryAccount {
  readonly subject: string
  readonly claims: Claims
  readonly attributes: EntryAttributes
}

/** The account of an entry. Throws `SignInFailed` unless exactly one value identifies it. */
export function accountOf({ attributes: mapped }: LdapConnection, { dn, attributes }: FoundEntry): EntryAccount {
  // Names of attributes are compared without case (RFC 4512 §2.5).
  const byName = new Map([...attributes].map(([name, values]) => [name.toLowerCase(), values.map(textOf)]))
  const valuesOf = (field: LdapField) => byName.get(mapped[field]?.toLowerCase() ?? '') ?? []
  const ids = mapped.id === undefined ? [dn] : valuesOf('id')
  const [id] = ids
  if (id === undefined || ids.length !== 1) throw new SignInFailed('information_invalid')
  const told = Object.entries(CLAIMS).flatMap(([field, claim]) => {
    const [value] = valuesOf(field as LdapField)
    return value === undefined ? [] : [[claim, value] as const]
  })
  const claims = {
    sub: id,
    ...Object.fromEntries(told),
    ...(mapped.emailVerified !== undefined && { email_verified: saysYes(valuesOf('emailVerified')[0]) }),
    ...(mapped.phoneVerified !== undefined && { phone_number_verified: saysYes(valuesOf('phoneVerified')[0]) }),
  }
  const shown = Object.fromEntries([...attributes].map(([name, values]) => [name, values.map(textOf)]))
  checkedClaims({ claims, shown })
  return { subject: checkedSubject(id), claims, attributes: shown }
}

/** The claims of an account under the names that clients of directories know. */
export function rawInformationOf(claims: Claims): Claims {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  return {
    id: text('sub'),
    firstName: text('given_name'),
    lastName: text('family_name'),
    displayName: text('name'),
    nickName: text('nickname'),
    preferredUsername: text('preferred_username'),
    email: text('email'),
    emailVerified: claims.email_verified === true,
    phone: text('phone_number'),
    phoneVerified: claims.phone_number_verified === true,
    preferredLanguage: text('locale'),
    avatarURL: text('picture'),
    profile: text('profile'),
  }
}
