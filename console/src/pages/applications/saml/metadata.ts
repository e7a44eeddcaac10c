/** The metadata of a service provider, as forms have them and as requests do. */

/** How the metadata are given: by an address, as two fields that a product shows, or as text. */
export type MetadataSource = 'url' | 'fields' | 'xml'

export interface MetadataValues {
  readonly metadataUrl: string
  readonly entityId: string
  readonly acsUrl: string
  readonly metadataXml: string
}

/** The fields of each way, all of them required. The first is the one that is taken where an entity ID is. */
export const METADATA_FIELDS = {
  url: ['metadataUrl'],
  fields: ['entityId', 'acsUrl'],
  xml: ['metadataXml'],
} as const satisfies Readonly<Record<MetadataSource, readonly (keyof MetadataValues)[]>>

/** For `useServerForm`: where the server says what is wrong with them. Two fields are sent as one text. */
export function metadataPaths(source: MetadataSource) {
  const xml = 'samlConfiguration.metadataXml'
  return {
    metadataUrl: 'samlConfiguration.metadataUrl',
    ...(source === 'fields' ? { acsUrl: xml } : { metadataXml: xml }),
  }
}

const escaped = (text: string) =>
  text.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The metadata of a product that shows an entity ID and an ACS URL, and publishes none. */
export function metadataOfFields({ entityId, acsUrl }: Pick<MetadataValues, 'entityId' | 'acsUrl'>): string {
  return `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(entityId)}">
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <AssertionConsumerService index="0"
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
      Location="${escaped(acsUrl)}"/>
  </SPSSODescriptor>
</EntityDescriptor>`
}

/** The two fields of metadata that were made of them; undefined for others, which say more. */
export function fieldsOf(xml: string): Pick<MetadataValues, 'entityId' | 'acsUrl'> | undefined {
  const [entityId, acsUrl] = [/entityID="([^"]*)"/, /Location="([^"]*)"/].map((one) =>
    unescaped(one.exec(xml)?.[1] ?? ''),
  )
  const fields = { entityId: entityId ?? '', acsUrl: acsUrl ?? '' }
  return metadataOfFields(fields) === xml ? fields : undefined
}

/** The metadata in a request. */
export function metadataOf(source: MetadataSource, values: MetadataValues) {
  if (source === 'url') return { case: 'metadataUrl', value: values.metadataUrl.trim() } as const
  const xml = source === 'fields' ? metadataOfFields(values) : values.metadataXml.trim()
  return { case: 'metadataXml', value: new TextEncoder().encode(xml) } as const
}
