/** The settings of a SAML provider, as forms have them, and back. */
import {
  SAMLBinding,
  type SAMLConfig,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from '../../../../contract/gen/signet/idp/v1/config_pb.ts'

export const SAML_BINDINGS = {
  any: SAMLBinding.SAML_BINDING_UNSPECIFIED,
  redirect: SAMLBinding.SAML_BINDING_REDIRECT,
  post: SAMLBinding.SAML_BINDING_POST,
} as const

export const NAME_FORMATS = {
  persistent: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT,
  email: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_EMAIL_ADDRESS,
  unspecified: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED,
  transient: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT,
} as const

export interface SamlValues {
  readonly metadataSource: 'url' | 'xml'
  readonly metadataUrl: string
  readonly metadataXml: string
  readonly samlBinding: keyof typeof SAML_BINDINGS
  readonly withSignedRequest: boolean
  readonly nameIdFormat: keyof typeof NAME_FORMATS
  readonly transientMappingAttributeName: string
  /** Not in the form: they stay. */
  readonly signatureAlgorithm: SAMLSignatureAlgorithm
  readonly federatedLogoutEnabled: boolean
}

/** The values of a new provider. */
export const NEW_SAML: SamlValues = {
  metadataSource: 'url',
  metadataUrl: '',
  metadataXml: '',
  samlBinding: 'any',
  withSignedRequest: true,
  nameIdFormat: 'persistent',
  transientMappingAttributeName: '',
  signatureAlgorithm: SAMLSignatureAlgorithm.SAML_SIGNATURE_UNSPECIFIED,
  federatedLogoutEnabled: false,
}

function nameOf<Name extends string>(numbers: Readonly<Record<Name, number>>, sought: number, usual: Name): Name {
  return (Object.keys(numbers) as Name[]).find((name) => numbers[name] === sought) ?? usual
}

/** The values of a provider. Where its metadata came from is not known any more. */
export function samlValuesOf(config: SAMLConfig): SamlValues {
  return {
    metadataSource: 'xml',
    metadataUrl: '',
    metadataXml: new TextDecoder().decode(config.metadataXml),
    samlBinding: nameOf(SAML_BINDINGS, config.binding, 'any'),
    withSignedRequest: config.withSignedRequest,
    nameIdFormat: nameOf(NAME_FORMATS, config.nameIdFormat, 'persistent'),
    transientMappingAttributeName: config.transientMappingAttributeName ?? '',
    signatureAlgorithm: config.signatureAlgorithm,
    federatedLogoutEnabled: config.federatedLogoutEnabled ?? false,
  }
}

/** The members of a request that describe a SAML provider. */
export function samlRequest(values: SamlValues): Record<string, unknown> {
  const { metadataSource, metadataUrl, metadataXml, samlBinding, nameIdFormat } = values
  const metadata =
    metadataSource === 'url'
      ? ({ case: 'metadataUrl', value: metadataUrl.trim() } as const)
      : ({ case: 'metadataXml', value: new TextEncoder().encode(metadataXml) } as const)
  return { metadata, binding: SAML_BINDINGS[samlBinding], nameIdFormat: NAME_FORMATS[nameIdFormat] }
}
