/** Asks a SAML provider who the user is (SAML 2.0 Core §3.4, Bindings §3.4 and §3.5). */
import { createPrivateKey } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { signatureOf, signedQuery, type XmlSigningKey } from '../../../crypto/xml/sign.ts'
import { element, type Xml } from '../../../crypto/xml/write.ts'
import { SAML_PROVIDERS_PATH } from '../../../kernel/page-paths.ts'
import { ASSERTION, BINDING, FORMAT, PROTOCOL, samlTime } from '../../../kernel/saml-names.ts'
import type { App } from '../../../module/app.ts'
import type { OpenedProvider, SamlConnection } from '../../identity-providers/index.ts'
import type { Handshake } from '../relying-party.ts'

/** Where the browser goes: an address, or a form that it posts. */
export type NextStep =
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }

/** Where a SAML provider finds us. Each has addresses of its own, so that a response for one cannot be shown to another. */
export function addressesFor({ externalUrl }: Pick<App, 'externalUrl'>, providerId: string) {
  const at = (name: string) =>
    new URL(`${SAML_PROVIDERS_PATH}${encodeURIComponent(providerId)}/saml/${name}`, externalUrl).href
  return { entityId: at('metadata'), acs: at('acs') }
}

/** The ID of our request, which the response must name. An ID is a name in XML, which does not begin with a digit. */
export function requestIdOf({ nonce }: Handshake): string {
  return `_${nonce}`
}

/** The service that is asked: of the binding that was chosen, else redirect, if there is such a service. */
function serviceOf({ upstream, binding }: SamlConnection) {
  const offered = upstream.signOnServices
  const wanted = binding === 'unspecified' ? 'redirect' : binding
  return offered.find((one) => one.binding === wanted) ?? offered[0]
}

function signingKey({ clientSecret }: OpenedProvider, { own, signature }: SamlConnection): XmlSigningKey {
  const hash = signature === 'sha512' ? 'sha512' : 'sha256'
  return { privateKey: createPrivateKey(clientSecret), certificate: own.certificate, hash }
}

interface Asked {
  readonly id: string
  readonly destination: string
  readonly entityId: string
  readonly acs: string
  readonly at: number
  readonly nameIdFormat: SamlConnection['nameIdFormat']
}

function authnRequest({ id, destination, entityId, acs, at, nameIdFormat }: Asked, key?: XmlSigningKey): string {
  const attributes = {
    'xmlns:samlp': PROTOCOL,
    AssertionConsumerServiceURL: acs,
    Destination: destination,
    ID: id,
    IssueInstant: samlTime(at),
    ProtocolBinding: BINDING.post,
    Version: '2.0',
  }
  const written = (signature?: Xml) =>
    element('samlp:AuthnRequest', attributes, [
      element('saml:Issuer', { 'xmlns:saml': ASSERTION }, entityId),
      signature,
      element('samlp:NameIDPolicy', { AllowCreate: true, Format: FORMAT[nameIdFormat] }),
    ])
  return (key === undefined ? written() : written(signatureOf(written(), id, key))).xml
}

/** The first step of a sign-in at a SAML provider. The state comes back as RelayState. */
export function samlStep(app: App, provider: OpenedProvider, saml: SamlConnection, handshake: Handshake): NextStep {
  const service = serviceOf(saml)
  if (service === undefined) throw new Error('a SAML provider has no service')
  const { url, binding } = service
  const { entityId, acs } = addressesFor(app, provider.id)
  const { nameIdFormat } = saml
  const asked = { id: requestIdOf(handshake), destination: url, entityId, acs, at: app.clock(), nameIdFormat }
  const isSigned = saml.signsRequests || saml.upstream.wantsSignedRequests
  const key = isSigned ? signingKey(provider, saml) : undefined
  if (binding === 'post') {
    const SAMLRequest = Buffer.from(authnRequest(asked, key)).toString('base64')
    return { type: 'form', url, fields: { SAMLRequest, RelayState: handshake.state } }
  }
  // In an address, the signature is over the address.
  const message = deflateRawSync(Buffer.from(authnRequest(asked))).toString('base64')
  const parameters = [['SAMLRequest', message] as const, ['RelayState', handshake.state] as const]
  const query =
    key === undefined ? new URLSearchParams(parameters.map(([...pair]) => pair)) : signedQuery(parameters, key)
  return { type: 'redirect', url: `${url}${url.includes('?') ? '&' : '?'}${query}` }
}
