/** The metadata of a service provider, as forms have them and as requests do. */

/** How the metadata are given. */
export type MetadataSource = 'url' | 'xml'

export const METADATA_FIELDS = { url: 'metadataUrl', xml: 'metadataXml' } as const

/** For `useServerForm`: where the server says what is wrong with them. */
export const METADATA_PATHS = {
  metadataUrl: 'samlConfiguration.metadataUrl',
  metadataXml: 'samlConfiguration.metadataXml',
} as const

export interface MetadataValues {
  readonly metadataUrl: string
  readonly metadataXml: string
}

/** The metadata in a request. */
export function metadataOf(source: MetadataSource, { metadataUrl, metadataXml }: MetadataValues) {
  return source === 'url'
    ? ({ case: 'metadataUrl', value: metadataUrl.trim() } as const)
    : ({ case: 'metadataXml', value: new TextEncoder().encode(metadataXml.trim()) } as const)
}

/** Metadata for products that show an entity ID and an ACS URL, and publish none. */
export const METADATA_TEMPLATE = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="ENTITY_ID">
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>
    <AssertionConsumerService index="0"
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
      Location="ACS_URL"/>
  </SPSSODescriptor>
</EntityDescriptor>`
