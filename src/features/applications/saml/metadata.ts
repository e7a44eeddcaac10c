/** Reads the metadata of a service provider (SAML 2.0 Metadata §2.4). What the server does not use is dropped. Pure. */
import type { EncryptionKey } from '../../../crypto/xml/encrypt.ts'
import { childrenOf, textOf, type XmlElement } from '../../../crypto/xml/parse.ts'
import {
  metadataAttribute as attributeOf,
  entitiesIn,
  entityIdOf,
  isTrueInMetadata as isTrue,
  keysOfRole,
  MetadataProblem,
  MOST_METADATA_KEYS,
  readMetadata,
  roleOf,
} from '../../../crypto/xml/saml-metadata.ts'
import { bindingNamed, METADATA } from '../../../kernel/saml-names.ts'
import { endpointProblem } from '../addresses.ts'
import type { SamlLogoutService, SamlProvider, SamlResponseService } from '../events.ts'

const MOST_ENDPOINTS = 50
const MOST_FORMATS = 20

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
    const binding = bindingNamed(attributeOf(service, 'Binding'))
    if (binding === undefined) return []
    const url = urlOf(attributeOf(service, 'Location'))
    const index = indexOf(attributeOf(service, 'index'), position)
    return [{ url, binding, index, ...(isTrue(attributeOf(service, 'isDefault')) && { isDefault: true as const }) }]
  })
}

function logoutServices(descriptor: XmlElement): readonly SamlLogoutService[] {
  return childrenOf(descriptor, METADATA, 'SingleLogoutService').flatMap((service) => {
    const binding = bindingNamed(attributeOf(service, 'Binding'))
    if (binding === undefined) return []
    const answer = attributeOf(service, 'ResponseLocation')
    const url = urlOf(attributeOf(service, 'Location'))
    return [{ url, binding, ...(answer !== '' && { responseUrl: urlOf(answer) }) }]
  })
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
  for (const { certificate, key, use, descriptor: descriptorOfKey } of keysOfRole(descriptor)) {
    const canEncrypt = key.asymmetricKeyType === 'rsa'
    if (use === 'encryption' && !canEncrypt) throw new MetadataProblem('must have an RSA key for encryption')
    if (use !== 'encryption') signing.push(certificate)
    const cipher = use !== 'signing' && canEncrypt ? cipherFor(descriptorOfKey) : undefined
    if (cipher !== undefined) encryption ??= { certificate, cipher }
  }
  return { signingCertificates: signing, ...(encryption && encryptionOf(encryption)) }
}

function checkCounts(provider: SamlProvider): void {
  const { responseServices, logoutServices, nameIdFormats, signingCertificates, signsRequests } = provider
  if (responseServices.length === 0) {
    throw new MetadataProblem('must have an AssertionConsumerService with the binding HTTP-POST or HTTP-Redirect')
  }
  const isTooMuch =
    responseServices.length + logoutServices.length > MOST_ENDPOINTS ||
    nameIdFormats.length > MOST_FORMATS ||
    signingCertificates.length > MOST_METADATA_KEYS
  if (isTooMuch) throw new MetadataProblem('have too many endpoints, formats or keys')
  if (signsRequests && signingCertificates.length === 0) {
    throw new MetadataProblem('must have a key for signing, because they say that requests are signed')
  }
}

function providerIn(root: XmlElement): SamlProvider {
  const entities = entitiesIn(root).filter((one) => childrenOf(one, METADATA, 'SPSSODescriptor').length > 0)
  const [entity, ...others] = entities
  if (entity === undefined || others.length > 0) {
    throw new MetadataProblem('must describe one service provider: an EntityDescriptor with an SPSSODescriptor')
  }
  const entityId = entityIdOf(entity)
  const descriptor = roleOf(entity, 'SPSSODescriptor')
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
  return readMetadata(xml, providerIn)
}
