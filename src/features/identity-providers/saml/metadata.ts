/** Reads the metadata of an identity provider (SAML 2.0 Metadata §2.4.3). What the server does not use is dropped. Pure. */
import { childrenOf, type XmlElement } from '../../../crypto/xml/parse.ts'
import {
  entitiesIn,
  entityIdOf,
  isTrueInMetadata,
  keysOfRole,
  MetadataProblem,
  MOST_METADATA_KEYS,
  metadataAttribute,
  readMetadata,
  roleOf,
} from '../../../crypto/xml/saml-metadata.ts'
import { bindingNamed, METADATA } from '../../../kernel/saml-names.ts'
import { endpointProblem } from '../addresses.ts'
import type { SamlService, SamlUpstream } from '../events.ts'

const LONGEST_URL = 2048
const ROLE = 'IDPSSODescriptor'

function urlOf(text: string): string {
  const problem = text.length > LONGEST_URL ? 'must be shorter' : endpointProblem(text)
  if (problem !== undefined) throw new MetadataProblem(`have a location that ${problem}`)
  return text
}

/** The services of a name, the first of each binding. */
function servicesOf(role: XmlElement, name: string): readonly SamlService[] {
  const all = childrenOf(role, METADATA, name).flatMap((service): readonly SamlService[] => {
    const binding = bindingNamed(metadataAttribute(service, 'Binding'))
    if (binding === undefined) return []
    const answer = metadataAttribute(service, 'ResponseLocation')
    const url = urlOf(metadataAttribute(service, 'Location'))
    return [{ url, binding, ...(answer !== '' && { responseUrl: urlOf(answer) }) }]
  })
  return all.filter(({ binding }, at) => all.findIndex((one) => one.binding === binding) === at)
}

function signingCertificates(role: XmlElement): readonly string[] {
  const found = keysOfRole(role).flatMap(({ use, certificate }) => (use === 'encryption' ? [] : [certificate]))
  if (found.length === 0) throw new MetadataProblem('must have a key for signing')
  if (found.length > MOST_METADATA_KEYS) throw new MetadataProblem('have too many keys')
  return found
}

function upstreamIn(root: XmlElement): SamlUpstream {
  // Federations list all of their entities; the first that is an identity provider is meant.
  const entity = entitiesIn(root).find((one) => childrenOf(one, METADATA, ROLE).length > 0)
  if (entity === undefined) {
    throw new MetadataProblem('must describe an identity provider: an EntityDescriptor with an IDPSSODescriptor')
  }
  const role = roleOf(entity, ROLE)
  const signOnServices = servicesOf(role, 'SingleSignOnService')
  if (signOnServices.length === 0) {
    throw new MetadataProblem('must have a SingleSignOnService with the binding HTTP-Redirect or HTTP-POST')
  }
  return {
    entityId: entityIdOf(entity),
    signOnServices,
    logoutServices: servicesOf(role, 'SingleLogoutService'),
    signingCertificates: signingCertificates(role),
    wantsSignedRequests: isTrueInMetadata(metadataAttribute(role, 'WantAuthnRequestsSigned')),
  }
}

/** What metadata say about their identity provider. Throws `MetadataProblem`. */
export function readUpstream(xml: string): SamlUpstream {
  return readMetadata(xml, upstreamIn)
}
