/** What the metadata of service providers and of identity providers have in common (SAML 2.0 Metadata §2). Pure. */
import type { KeyObject } from 'node:crypto'
import { METADATA, PROTOCOL } from '../../kernel/saml-names.ts'
import { keyOfCertificate } from '../certificate.ts'
import { DSIG, isUsableKey } from './algorithms.ts'
import { childrenOf, parseXml, textOf, type XmlElement, XmlRefused } from './parse.ts'

/** Those of real products have some kilobytes. Every list of applications or providers contains them. */
export const MOST_METADATA_CHARACTERS = 100_000
export const MOST_METADATA_KEYS = 10
/** SAML 2.0 Core §8.3.6. */
const LONGEST_ENTITY_ID = 1024

/** What is wrong with the metadata, as the end of a sentence about them. */
export class MetadataProblem extends Error {
  override readonly name = 'MetadataProblem'
}

export function metadataAttribute({ attributes }: XmlElement, name: string): string {
  return (attributes.get(name) ?? '').trim()
}

export function isTrueInMetadata(text: string): boolean {
  return text === 'true' || text === '1'
}

/** The entities of a document: one, or a list of them. */
export function entitiesIn(root: XmlElement): readonly XmlElement[] {
  if (root.namespace !== METADATA) return []
  if (root.name === 'EntityDescriptor') return [root]
  return root.name === 'EntitiesDescriptor' ? childrenOf(root, METADATA, 'EntityDescriptor') : []
}

export function entityIdOf(entity: XmlElement): string {
  const entityId = metadataAttribute(entity, 'entityID')
  if (!/^[\x21-\x7e]+$/.test(entityId) || entityId.length > LONGEST_ENTITY_ID) {
    throw new MetadataProblem('must have an entityID of printable ASCII characters')
  }
  return entityId
}

/** What an entity says about a role of it in SAML 2.0. */
export function roleOf(entity: XmlElement, name: 'SPSSODescriptor' | 'IDPSSODescriptor'): XmlElement {
  const role = childrenOf(entity, METADATA, name).find((one) =>
    metadataAttribute(one, 'protocolSupportEnumeration').split(/\s+/).includes(PROTOCOL),
  )
  if (role === undefined) throw new MetadataProblem('must support SAML 2.0')
  return role
}

/** A certificate as base64 of DER, with what it is for. */
export interface MetadataKey {
  readonly certificate: string
  readonly key: KeyObject
  readonly use: string
  readonly descriptor: XmlElement
}

function certificatesOf(descriptor: XmlElement): readonly string[] {
  return childrenOf(descriptor, DSIG, 'KeyInfo')
    .flatMap((info) => childrenOf(info, DSIG, 'X509Data'))
    .flatMap((data) => childrenOf(data, DSIG, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replace(/\s/g, ''))
}

/** The keys of a role. Throws for one that cannot be used. */
export function keysOfRole(role: XmlElement): readonly MetadataKey[] {
  return childrenOf(role, METADATA, 'KeyDescriptor').flatMap((descriptor) =>
    certificatesOf(descriptor).map((certificate) => {
      const key = keyOfCertificate(certificate)
      if (key === undefined || !isUsableKey(key)) {
        throw new MetadataProblem('must have certificates of RSA keys with 2048 bits or more, or of ECDSA keys')
      }
      return { certificate, key, use: metadataAttribute(descriptor, 'use'), descriptor }
    }),
  )
}

/** Reads metadata. Throws `MetadataProblem`, also where they are no XML that is read here. */
export function readMetadata<Read>(xml: string, read: (root: XmlElement) => Read): Read {
  try {
    return read(parseXml(xml, { mostCharacters: MOST_METADATA_CHARACTERS, allowsComments: true }))
  } catch (error) {
    if (error instanceof XmlRefused) throw new MetadataProblem(`cannot be read: ${error.message}`)
    throw error
  }
}
