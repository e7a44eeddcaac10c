/** SAML providers: from a request to the connection that is stored, its checks, and back to a message. */
import {
  SAMLBinding,
  SAMLNameIDFormat,
  SAMLSignatureAlgorithm,
} from '../../../../contract/gen/signet/idp/v1/config_pb.ts'
import { MetadataProblem } from '../../../crypto/xml/saml-metadata.ts'
import { type Refused, refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { type GivenMetadata, readMetadata } from '../../../module/given-metadata.ts'
import type { SamlConnection, SamlSettings } from '../events.ts'
import { lineProblem } from '../names.ts'
import { identityProviderRefusals } from '../refusals.ts'
import { readUpstream } from './metadata.ts'

/** The members of requests that describe a SAML provider. */
export interface GivenSaml {
  readonly metadata: GivenMetadata | { readonly case: undefined; readonly value?: undefined }
  readonly binding: SAMLBinding
  readonly withSignedRequest: boolean
  readonly nameIdFormat?: SAMLNameIDFormat | undefined
  readonly transientMappingAttributeName?: string | undefined
  readonly federatedLogoutEnabled?: boolean | undefined
  readonly signatureAlgorithm: SAMLSignatureAlgorithm
}

/** The v2 services have the same numbers. */
const FORMATS = {
  unspecified: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED,
  email: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_EMAIL_ADDRESS,
  persistent: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT,
  transient: SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT,
} as const satisfies Record<SamlSettings['nameIdFormat'], SAMLNameIDFormat>

const BINDINGS = {
  unspecified: SAMLBinding.SAML_BINDING_UNSPECIFIED,
  post: SAMLBinding.SAML_BINDING_POST,
  redirect: SAMLBinding.SAML_BINDING_REDIRECT,
} as const satisfies Record<SamlSettings['binding'], SAMLBinding>

const ALGORITHMS = {
  unspecified: SAMLSignatureAlgorithm.SAML_SIGNATURE_UNSPECIFIED,
  sha256: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA256,
  sha512: SAMLSignatureAlgorithm.SAML_SIGNATURE_RSA_SHA512,
} as const satisfies Record<SamlSettings['signature'], SAMLSignatureAlgorithm>

function wrong(field: string, description: string): Refused {
  return refused(identityProviderRefusals, 'identity_provider.field_invalid', { violations: [{ field, description }] })
}

function wordOf<Word extends string>(
  numbers: Readonly<Record<Word, number>>,
  sought: number,
  refusal: () => Refused,
): Word {
  for (const [word, number] of Object.entries(numbers)) if (number === sought) return word as Word
  throw refusal()
}

function settingsOf(given: GivenSaml): SamlSettings {
  const { binding, withSignedRequest, nameIdFormat, transientMappingAttributeName: attribute = '' } = given
  const format = nameIdFormat ?? SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT
  return {
    binding: wordOf(BINDINGS, binding, () => wrong('binding', 'must be POST or redirect: artifacts are not supported')),
    signsRequests: withSignedRequest,
    nameIdFormat: wordOf(FORMATS, format, () => wrong('nameIdFormat', 'is not known')),
    signature: wordOf(ALGORITHMS, given.signatureAlgorithm, () =>
      wrong('signatureAlgorithm', 'must be RSA with SHA-256 or SHA-512: SHA-1 is not safe'),
    ),
    ...(attribute !== '' && { transientAttribute: attribute }),
    ...(given.federatedLogoutEnabled === true && { logsOut: true as const }),
  }
}

/** Reads, or fetches, the metadata of a request. Call it outside of writes. */
export async function samlConnection(app: App, given: GivenSaml): Promise<Omit<SamlConnection, 'own'>> {
  const settings = settingsOf(given)
  const { metadata } = given
  // The limits of the contract allow no message without.
  if (metadata.case === undefined) throw wrong('metadataXml', 'must be given, or a URL')
  try {
    const { from, said } = await readMetadata(app, metadata, readUpstream)
    return { protocol: 'saml', ...from, upstream: said, ...settings }
  } catch (error) {
    throw error instanceof MetadataProblem ? wrong(metadata.case, error.message) : error
  }
}

/** Each field of a request with its problem, if it has one. */
export function samlProblems({
  upstream,
  binding,
  transientAttribute = '',
}: Omit<SamlConnection, 'own'>): readonly (readonly [string, string | undefined])[] {
  const isOffered = binding === 'unspecified' || upstream.signOnServices.some((one) => one.binding === binding)
  return [
    ['binding', isOffered ? undefined : 'must be one that the metadata offer'],
    ['transientMappingAttributeName', lineProblem(transientAttribute)],
  ]
}

/** A SAML provider as a message, which is the same in the v1 and v2 services. */
export function samlMessage(connection: SamlConnection) {
  const { metadataXml, binding, signsRequests, nameIdFormat, signature, transientAttribute, logsOut } = connection
  return {
    metadataXml: Buffer.from(metadataXml),
    binding: BINDINGS[binding],
    withSignedRequest: signsRequests,
    nameIdFormat: FORMATS[nameIdFormat],
    ...(transientAttribute !== undefined && { transientMappingAttributeName: transientAttribute }),
    federatedLogoutEnabled: logsOut === true,
    signatureAlgorithm: ALGORITHMS[signature],
  }
}
