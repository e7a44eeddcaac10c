/** The metadata of a service provider of SAML. */
import { startSamlRequest } from '../../src/features/authorization-requests/index.ts'
import type { App } from '../../src/module/app.ts'

const SAML = 'urn:oasis:names:tc:SAML:2.0'

export interface ProviderParts {
  /** Certificates as base64. */
  readonly signing?: readonly string[]
  readonly encryption?: string
  readonly signsRequests?: boolean
  readonly formats?: readonly string[]
  /** Elements in place of the usual services. */
  readonly services?: string
}

function key(use: string, certificate: string): string {
  const data = `<ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>`
  return `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${data}</ds:KeyInfo></md:KeyDescriptor>`
}

/** Services at `<entity ID>/acs` and `/slo`, without keys unless some are given. */
export function serviceProvider(entityId: string, parts: ProviderParts = {}): string {
  const { signing = [], encryption, signsRequests = false, formats = [] } = parts
  const service = (name: string, binding: string, path: string, more = '') =>
    `<md:${name} Binding="${SAML}:bindings:HTTP-${binding}" Location="${entityId}/${path}"${more}/>`
  const services =
    parts.services ??
    [
      service('SingleLogoutService', 'Redirect', 'slo'),
      ...formats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`),
      service('AssertionConsumerService', 'POST', 'acs', ' index="0" isDefault="true"'),
    ].join('')
  const keys = [...signing.map((one) => key('signing', one)), ...(encryption ? [key('encryption', encryption)] : [])]
  const attributes = `AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="${SAML}:protocol"`
  return `<?xml version="1.0"?><!-- a comment --><md:EntityDescriptor xmlns:md="${SAML}:metadata" entityID="${entityId}"><md:SPSSODescriptor ${attributes}>${keys.join('')}${services}</md:SPSSODescriptor></md:EntityDescriptor>`
}

/** The metadata as requests have them. */
export function spMetadata(entityId: string, parts: ProviderParts = {}) {
  return { metadata: { case: 'metadataXml', value: Buffer.from(serviceProvider(entityId, parts)) } } as const
}

type NewProvider = { readonly name: string } & ReturnType<typeof spMetadata>

/** Adds an application by this call, and a request of it that waits; returns their IDs. */
export async function addServiceProvider(
  app: App,
  add: (message: NewProvider) => Promise<{ readonly appId: string }>,
  entityId = 'https://sp.example.com',
) {
  const { appId } = await add({ name: 'SAML', ...spMetadata(entityId) })
  const asked = { applicationId: appId, clientId: '', responseUrl: `${entityId}/acs`, binding: 'post' } as const
  const id = await startSamlRequest(app, { actor: 'server', at: app.clock() }, asked, '')
  return { samlId: appId, samlRequestId: `V2_${id}` }
}
