/** Our own metadata, and the certificate alone for those who copy it by hand (SAML 2.0 Metadata §2.4.3). */
import { randomUUID } from 'node:crypto'
import { pemOf } from '../crypto/certificate.ts'
import { DSIG } from '../crypto/xml/algorithms.ts'
import { signatureOf } from '../crypto/xml/sign.ts'
import { element, type Xml } from '../crypto/xml/write.ts'
import { samlAddresses, samlSigning } from '../features/saml/index.ts'
import type { PageAnswer } from '../http/page.ts'
import { BINDING, FORMAT, METADATA, PROTOCOL, samlTime } from '../kernel/saml-names.ts'
import type { App } from '../module/app.ts'

/** How long service providers may rely on a copy: much shorter than a certificate is published before it signs. */
const VALID_MS = 7 * 86_400_000

function keyElement(certificate: string): Xml {
  const data = element('ds:X509Data', {}, element('ds:X509Certificate', {}, certificate))
  return element('md:KeyDescriptor', { use: 'signing' }, element('ds:KeyInfo', { 'xmlns:ds': DSIG }, data))
}

/** The metadata as XML, signed. All published certificates are in them, the one in use first. */
export async function ownMetadata(app: App): Promise<string> {
  const { published, ...key } = await samlSigning(app)
  const { entityId, sso, slo } = samlAddresses(app.externalUrl)
  const id = `_${randomUUID()}`
  const service = (name: string, url: string) =>
    (['redirect', 'post'] as const).map((binding) => element(name, { Binding: BINDING[binding], Location: url }))
  const formats = [FORMAT.email, FORMAT.persistent, FORMAT.transient, FORMAT.unspecified]
  const descriptor = element(
    'md:IDPSSODescriptor',
    { WantAuthnRequestsSigned: false, protocolSupportEnumeration: PROTOCOL },
    [
      published.map(keyElement),
      service('md:SingleLogoutService', slo),
      formats.map((format) => element('md:NameIDFormat', {}, format)),
      service('md:SingleSignOnService', sso),
    ],
  )
  const attributes = { 'xmlns:md': METADATA, ID: id, entityID: entityId, validUntil: samlTime(app.clock() + VALID_MS) }
  const written = (signature?: Xml) => element('md:EntityDescriptor', attributes, [signature, descriptor])
  return written(signatureOf(written(), id, key)).xml
}

export async function metadataAnswer(app: App): Promise<PageAnswer> {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${await ownMetadata(app)}`
  return { status: 200, contentType: 'application/samlmetadata+xml', body }
}

export async function certificateAnswer(app: App): Promise<PageAnswer> {
  const { certificate } = await samlSigning(app)
  const headers = { 'content-disposition': 'attachment; filename="idp.crt"' }
  return { status: 200, contentType: 'application/x-pem-file', body: pemOf(certificate), headers }
}
