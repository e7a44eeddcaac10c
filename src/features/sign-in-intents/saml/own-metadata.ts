/** What a SAML provider must know about us: our metadata, and the certificate alone (SAML 2.0 Metadata §2.4.4). */
import { DSIG } from '../../../crypto/xml/algorithms.ts'
import { element } from '../../../crypto/xml/write.ts'
import { BINDING, FORMAT, METADATA, PROTOCOL, samlTime } from '../../../kernel/saml-names.ts'
import type { App } from '../../../module/app.ts'
import { findProvider, type SamlConnection } from '../../identity-providers/index.ts'
import { addressesFor } from './request.ts'

/** Our side of a SAML provider. */
export interface OwnSide {
  readonly providerId: string
  readonly connection: SamlConnection
}

/** Our side of a provider, active or not; undefined when it is no SAML provider. */
export async function ownSide(app: App, providerId: string): Promise<OwnSide | undefined> {
  const connection = (await findProvider(app, providerId))?.state.connection
  return connection?.protocol === 'saml' ? { providerId, connection } : undefined
}

/** Our metadata for one provider, as XML. They are valid until the certificate ends. */
export function ownMetadata(app: App, { providerId, connection }: OwnSide): string {
  const { entityId, acs } = addressesFor(app, providerId)
  const { own, signsRequests, upstream, nameIdFormat } = connection
  const certificate = element('ds:X509Data', {}, element('ds:X509Certificate', {}, own.certificate))
  const key = element('ds:KeyInfo', { 'xmlns:ds': DSIG }, certificate)
  const descriptor = element(
    'md:SPSSODescriptor',
    {
      AuthnRequestsSigned: signsRequests || upstream.wantsSignedRequests,
      WantAssertionsSigned: true,
      protocolSupportEnumeration: PROTOCOL,
    },
    [
      element('md:KeyDescriptor', { use: 'signing' }, key),
      element('md:NameIDFormat', {}, FORMAT[nameIdFormat]),
      element('md:AssertionConsumerService', { Binding: BINDING.post, Location: acs, index: 0, isDefault: true }),
    ],
  )
  const attributes = { 'xmlns:md': METADATA, entityID: entityId, validUntil: samlTime(own.expiresAt) }
  return element('md:EntityDescriptor', attributes, descriptor).xml
}
