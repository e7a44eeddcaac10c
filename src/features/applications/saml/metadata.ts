/** Reads the metadata of a service provider (SAML 2.0 Metadata §2.4). What the server does not use is dropped. Pure. */
import { keyOfCertificate } from '../../../crypto/certificate.ts'
import { DSIG, isUsableKey } from '../../../crypto/xml/algorithms.ts'
import type { EncryptionKey } from '../../../crypto/xml/encrypt.ts'
import { childrenOf, parseXml, textOf, type XmlElement, XmlRefused } from '../../../crypto/xml/parse.ts'
import { endpointProblem } from '../addresses.ts'
import type { SamlBinding, SamlLogoutService, SamlProvider, SamlResponseService } from '../events.ts'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const BINDINGS: Readonly<Record<string, SamlBinding>> = {
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST': 'post',
  'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect': 'redirect',
}

/** Those of real products have some kilobytes. Every list of applications contains them. */
export const MOST_METADATA_CHARACTERS = 100_000
const MOST_ENDPOINTS = 50
const MOST_KEYS = 10
const MOST_FORMATS = 20
/** SAML 2.0 Core §8.3.6. */
const LONGEST_ENTITY_ID = 1024

/** What is wrong with the metadata, as the end of a sentence about them. */
export class MetadataProblem extends Error {
  override readonly name = 'MetadataProblem'
}

function attributeOf({ attributes }: XmlElement, name: string): string {
  return (attributes.get(name) ?? '').trim()
}

function isTrue(text: string): boolean {
  return text === 'true' || text === '1'
}

function urlOf(text: string): string {
  if (text.length > 2048 || endpointProblem(text) !== undefined) {
    throw new MetadataProblem('must have locations that are absolute URLs with https or http, and no fragment')
  }
  return text
}

function indexOf(text: string, position: number): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : position
}

function responseServices(descriptor: XmlElement): readonly SamlResponseService[] {
  return childrenOf(descriptor, METADATA, 'AssertionConsumerService').flatMap((service, position) => {
    const binding = BINDINGS[attributeOf(service, 'Binding')]
    if (binding === undefined) return []
    const url = urlOf(attributeOf(service, 'Location'))
    const index = indexOf(attributeOf(service, 'index'), position)
    return [{ url, binding, index, ...(isTrue(attributeOf(service, 'isDefault')) && { isDefault: true as const }) }]
  })
}

function logoutServices(descriptor: XmlElement): readonly SamlLogoutService[] {
  return childrenOf(descriptor, METADATA, 'SingleLogoutService').flatMap((service) => {
    const binding = BINDINGS[attributeOf(service, 'Binding')]
    if (binding === undefined) return []
    const answer = attributeOf(service, 'ResponseLocation')
    const url = urlOf(attributeOf(service, 'Location'))
    return [{ url, binding, ...(answer !== '' && { responseUrl: urlOf(answer) }) }]
  })
}

function certificatesOf(key: XmlElement): readonly string[] {
  return childrenOf(key, DSIG, 'KeyInfo')
    .flatMap((info) => childrenOf(info, DSIG, 'X509Data'))
    .flatMap((data) => childrenOf(data, DSIG, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replace(/\s/g, ''))
}

/**
 * With which cipher a service provider can read what is encrypted for this key. Those who can only read CBC get assertions
 * that are signed and not encrypted: see crypto/xml/encrypt.ts.
 */
function cipherFor(key: XmlElement): EncryptionKey['cipher'] | undefined {
  const named = childrenOf(key, METADATA, 'EncryptionMethod').map((method) => attributeOf(method, 'Algorithm'))
  const ciphers = named.flatMap((name) => /#(?:aes\d+-(?:gcm|cbc)|tripledes-cbc)$/.exec(name)?.[0].slice(1) ?? [])
  if (ciphers.length === 0) return 'aes256-gcm'
  return (['aes256-gcm', 'aes128-gcm'] as const).find((cipher) => ciphers.includes(cipher))
}

function encryptionOf({ certificate, cipher }: EncryptionKey) {
  return { encryptionCertificate: certificate, ...(cipher === 'aes128-gcm' && { encryptionCipher: cipher }) }
}

function keysOf(
  descriptor: XmlElement,
): Pick<SamlProvider, 'signingCertificates' | 'encryptionCertificate' | 'encryptionCipher'> {
  const signing: string[] = []
  let encryption: EncryptionKey | undefined
  for (const descriptorOfKey of childrenOf(descriptor, METADATA, 'KeyDescriptor')) {
    const use = attributeOf(descriptorOfKey, 'use')
    for (const certificate of certificatesOf(descriptorOfKey)) {
      const key = keyOfCertificate(certificate)
      if (key === undefined || !isUsableKey(key)) {
        throw new MetadataProblem('must have certificates of RSA keys with 2048 bits or more, or of ECDSA keys')
      }
      const canEncrypt = key.asymmetricKeyType === 'rsa'
      if (use === 'encryption' && !canEncrypt) throw new MetadataProblem('must have an RSA key for encryption')
      if (use !== 'encryption') signing.push(certificate)
      const cipher = use !== 'signing' && canEncrypt ? cipherFor(descriptorOfKey) : undefined
      if (cipher !== undefined) encryption ??= { certificate, cipher }
    }
  }
  return { signingCertificates: signing, ...(encryption && encryptionOf(encryption)) }
}

function descriptorsIn(root: XmlElement): readonly XmlElement[] {
  if (root.namespace !== METADATA) return []
  if (root.name === 'EntityDescriptor') return [root]
  return root.name === 'EntitiesDescriptor' ? childrenOf(root, METADATA, 'EntityDescriptor') : []
}

function checkCounts(provider: SamlProvider): void {
  const { responseServices, logoutServices, nameIdFormats, signingCertificates, signsRequests } = provider
  if (responseServices.length === 0) {
    throw new MetadataProblem('must have an AssertionConsumerService with the binding HTTP-POST or HTTP-Redirect')
  }
  const isTooMuch =
    responseServices.length + logoutServices.length > MOST_ENDPOINTS ||
    nameIdFormats.length > MOST_FORMATS ||
    signingCertificates.length > MOST_KEYS
  if (isTooMuch) throw new MetadataProblem('have too many endpoints, formats or keys')
  if (signsRequests && signingCertificates.length === 0) {
    throw new MetadataProblem('must have a key for signing, because they say that requests are signed')
  }
}

function providerIn(root: XmlElement): SamlProvider {
  const entities = descriptorsIn(root).filter((one) => childrenOf(one, METADATA, 'SPSSODescriptor').length > 0)
  const [entity, ...others] = entities
  if (entity === undefined || others.length > 0) {
    throw new MetadataProblem('must describe one service provider: an EntityDescriptor with an SPSSODescriptor')
  }
  const entityId = attributeOf(entity, 'entityID')
  if (!/^[\x21-\x7e]+$/.test(entityId) || entityId.length > LONGEST_ENTITY_ID) {
    throw new MetadataProblem('must have an entityID of printable ASCII characters')
  }
  const descriptor = childrenOf(entity, METADATA, 'SPSSODescriptor').find((one) =>
    attributeOf(one, 'protocolSupportEnumeration').split(/\s+/).includes(PROTOCOL),
  )
  if (descriptor === undefined) throw new MetadataProblem('must support SAML 2.0')
  const provider = {
    entityId,
    responseServices: responseServices(descriptor),
    logoutServices: logoutServices(descriptor),
    nameIdFormats: childrenOf(descriptor, METADATA, 'NameIDFormat').map(textOf),
    ...keysOf(descriptor),
    wantsAssertionsSigned: isTrue(attributeOf(descriptor, 'WantAssertionsSigned')),
    signsRequests: isTrue(attributeOf(descriptor, 'AuthnRequestsSigned')),
  }
  checkCounts(provider)
  return provider
}

/** What metadata say about their service provider. Throws `MetadataProblem`. */
export function readProvider(xml: string): SamlProvider {
  try {
    return providerIn(parseXml(xml, { mostCharacters: MOST_METADATA_CHARACTERS, allowsComments: true }))
  } catch (error) {
    if (error instanceof XmlRefused) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error
  }
}
