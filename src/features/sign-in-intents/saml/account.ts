/** What an assertion says about an account. Pure. */
import { createHash } from 'node:crypto'
import { childOf, childrenOf, exactTextOf, type XmlElement } from '../../../crypto/xml/parse.ts'
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

/** The exact text of a value, which can identify the user; some have one element with it, such as a NameID. Others are left out. */
function readValue(value: XmlElement): string | undefined {
  const [child, ...others] = value.children
  if (child === undefined) return exactTextOf(value)
  return others.length === 0 && child.children.length === 0 ? exactTextOf(child) : undefined
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
    const values = names.flatMap((name) => byName.get(name.toLowerCase()) ?? [])
    const value = values.map((text) => text.trim()).find((text) => text !== '')
    return value === undefined ? [] : [[claim, value] as const]
  })
  const { email_verified: verified, ...claims } = Object.fromEntries(told)
  return { ...claims, ...(verified !== undefined && { email_verified: /^(true|1)$/i.test(verified) }) }
}

/** What a response must be about. */
export interface Asked {
  readonly saml: SamlConnection
  /** Our name at the provider. */
  readonly entityId: string
}

/** A name, with everything that makes it another one. */
interface AccountName {
  readonly format: string
  /** The domains of the name at the provider and on our side; undefined where they say nothing new. */
  readonly qualifiers: readonly (string | undefined)[]
  readonly value: string
}

/** Begins the ID of an account that is not identified by its text alone. No text can begin like this. */
const DERIVED = 'urn:signet:account:'

/**
 * The ID of an account: its name, exactly as it is, if it has the format that the provider is configured for and no
 * qualifiers. Other names are other accounts, even where their texts are equal.
 */
function accountKey({ format, qualifiers, value }: AccountName, configured: string): string {
  if (value !== value.trim() || value.startsWith(DERIVED)) throw new SignInFailed('information_invalid')
  if (format === configured && qualifiers.every((qualifier) => qualifier === undefined)) return value
  const hash = createHash('sha256').update(JSON.stringify([format, ...qualifiers]))
  return `${DERIVED}${hash.digest('base64url')}:${value}`
}

/**
 * Throws unless the provider was asked for names of this format: an unsigned request that is changed on its way must not
 * make somebody another user. Without a wanted format, providers send one that has no setting, or none.
 */
function requireAsked(format: string, asked: string): void {
  const hasSetting = Object.values<string>(FORMAT).includes(format)
  if (format !== asked && (asked !== FORMAT.unspecified || hasSetting)) throw new SignInFailed('name_format_mismatch')
}

/** The name of the account. A transient one is another each time, so that an attribute takes its place. */
function nameOf(name: XmlElement | undefined, attributes: SamlAttributes, { saml, entityId }: Asked): AccountName {
  const asked = FORMAT[saml.nameIdFormat]
  const format = name === undefined ? asked : (name.attributes.get('Format') ?? FORMAT.unspecified)
  requireAsked(format, asked)
  if (name !== undefined && asked !== FORMAT.transient) {
    const told = (attribute: string, usual: string) => {
      const qualifier = name.attributes.get(attribute)
      return qualifier === usual ? undefined : qualifier
    }
    const qualifiers = [told('NameQualifier', saml.upstream.entityId), told('SPNameQualifier', entityId)]
    return { format, qualifiers, value: exactTextOf(name) }
  }
  const { transientAttribute = '' } = saml
  const [value, ...others] = Object.hasOwn(attributes, transientAttribute) ? (attributes[transientAttribute] ?? []) : []
  const isOne = asked === FORMAT.transient && others.length === 0
  if (value === undefined || !isOne) throw new SignInFailed('information_invalid')
  return { format, qualifiers: [], value }
}

export interface AssertedIdentity {
  readonly subject: string
  readonly claims: Claims
  readonly attributes: SamlAttributes
}

/** The account that an assertion is about. Throws `SignInFailed` unless exactly one value identifies it. */
export function accountOf(assertion: XmlElement, asked: Asked): AssertedIdentity {
  const subject = childOf(assertion, ASSERTION, 'Subject')
  const attributes = attributesOf(assertion)
  const name = nameOf(subject && childOf(subject, ASSERTION, 'NameID'), attributes, asked)
  const id = checkedSubject(accountKey(name, FORMAT[asked.saml.nameIdFormat]))
  const isAddress = name.format === FORMAT.email
  const claims = { ...(isAddress && { email: name.value }), ...toldBy(attributes), sub: id }
  checkedClaims({ claims, attributes })
  return { subject: id, claims, attributes }
}
