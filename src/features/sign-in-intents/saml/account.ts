/** What an assertion says about an account. Pure. */
import { childOf, childrenOf, textOf, type XmlElement } from '../../../crypto/xml/parse.ts'
import { ASSERTION, FORMAT } from '../../../kernel/saml-names.ts'
import type { SamlConnection } from '../../identity-providers/index.ts'
import { type Claims, checkedClaims, checkedSubject } from '../provider-claims.ts'
import { SignInFailed } from '../sign-in-failed.ts'

/** The attributes of an assertion by their names, each with all values. */
export type SamlAttributes = Readonly<Record<string, readonly string[]>>

/** An assertion as it was read. */
export interface AssertedXml {
  readonly xml: string
  readonly attributes: SamlAttributes
}

const CLAIM = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims/'
const OID = 'urn:oid:'

/**
 * The claims of OpenID Connect that attributes become, by the names that products and federations give them: plain ones,
 * those of Microsoft, and those of the X.500 attributes (SAML 2.0 Profiles §8.2). The first that has a value counts.
 */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'mail', 'emailaddress', 'email_address', `${CLAIM}emailaddress`, `${OID}0.9.2342.19200300.100.1.3`],
  email_verified: ['email_verified', 'emailverified'],
  given_name: ['given_name', 'givenname', 'firstname', 'first_name', `${CLAIM}givenname`, `${OID}2.5.4.42`],
  family_name: [
    'family_name',
    'familyname',
    'lastname',
    'last_name',
    'surname',
    'sn',
    `${CLAIM}surname`,
    `${OID}2.5.4.4`,
  ],
  name: [
    ...['displayname', 'display_name', 'fullname', 'full_name', 'cn', 'name', `${MICROSOFT}displayname`],
    ...[`${OID}2.16.840.1.113730.3.1.241`, `${OID}2.5.4.3`],
  ],
  preferred_username: [
    ...['preferred_username', 'username', 'user_name', 'uid', 'edupersonprincipalname', 'upn'],
    ...[`${CLAIM}upn`, `${CLAIM}name`, `${OID}1.3.6.1.4.1.5923.1.1.1.6`, `${OID}0.9.2342.19200300.100.1.1`],
  ],
  nickname: ['nickname', 'edupersonnickname', `${OID}1.3.6.1.4.1.5923.1.1.1.2`],
  locale: ['locale', 'preferredlanguage', `${OID}2.16.840.1.113730.3.1.39`],
}

/** The text of a value; some have one element with the text, such as a NameID. Others are left out. */
function readValue(value: XmlElement): string | undefined {
  const [child, ...others] = value.children
  if (child === undefined) return textOf(value)
  return others.length === 0 && child.children.length === 0 ? textOf(child) : undefined
}

function attributesOf(assertion: XmlElement): SamlAttributes {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, ASSERTION, 'Attribute')) {
      const name = attribute.attributes.get('Name') ?? ''
      const values = found.get(name) ?? []
      if (name !== '') found.set(name, values)
      for (const value of childrenOf(attribute, ASSERTION, 'AttributeValue')) {
        const text = readValue(value)
        if (text !== undefined) values.push(text)
      }
    }
  }
  return Object.fromEntries(found)
}

function toldBy(attributes: SamlAttributes): Claims {
  const byName = new Map(Object.entries(attributes).map(([name, values]) => [name.toLowerCase(), values]))
  const told = Object.entries(CLAIMS).flatMap(([claim, names]) => {
    const value = names.flatMap((name) => byName.get(name.toLowerCase()) ?? []).find((text) => text !== '')
    return value === undefined ? [] : [[claim, value] as const]
  })
  const { email_verified: verified, ...claims } = Object.fromEntries(told)
  return { ...claims, ...(verified !== undefined && { email_verified: /^(true|1)$/i.test(verified) }) }
}

/** The ID of the account: its name, unless that is another one each time. */
function subjectOf(name: XmlElement | undefined, attributes: SamlAttributes, { transientAttribute }: SamlConnection) {
  if (name !== undefined && name.attributes.get('Format') !== FORMAT.transient) return textOf(name)
  const isThere = transientAttribute !== undefined && Object.hasOwn(attributes, transientAttribute)
  const values = isThere ? (attributes[transientAttribute] ?? []) : []
  const [value] = values
  if (value === undefined || values.length !== 1) throw new SignInFailed('information_invalid')
  return value
}

export interface AssertedIdentity {
  readonly subject: string
  readonly claims: Claims
  readonly attributes: SamlAttributes
}

/** The account that an assertion is about. Throws `SignInFailed` unless exactly one value identifies it. */
export function accountOf(assertion: XmlElement, saml: SamlConnection): AssertedIdentity {
  const subject = childOf(assertion, ASSERTION, 'Subject')
  const name = subject && childOf(subject, ASSERTION, 'NameID')
  const attributes = attributesOf(assertion)
  const id = checkedSubject(subjectOf(name, attributes, saml))
  const isAddress = name?.attributes.get('Format') === FORMAT.email
  const claims = { ...(isAddress && { email: id }), ...toldBy(attributes), sub: id }
  checkedClaims({ claims, attributes })
  return { subject: id, claims, attributes }
}
