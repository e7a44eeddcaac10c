/** SAML providers as drafts. They keep their key and certificate, so that nothing has to be changed at the provider. */
import { X509Certificate } from 'node:crypto'
import type { SamlDescription } from '../../../../features/identity-providers/index.ts'
import { instant } from '../../../../kernel/instant.ts'
import { bindingNamed } from '../../../../kernel/saml-names.ts'
import type { ProviderState } from '../folds/providers.ts'

const FORMATS = ['unspecified', 'email', 'persistent', 'transient'] as const

function readCertificate(base64: string | undefined): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64 ?? '', 'base64'))
  } catch {
    return undefined
  }
}

/** What is known of a SAML provider; undefined when its metadata or its certificate are missing. */
export function samlDescription({ values }: ProviderState): SamlDescription | undefined {
  const certificate = readCertificate(values.certificate)
  const metadataXml = Buffer.from(values.metadata ?? '', 'base64').toString('utf8')
  if (certificate === undefined || metadataXml === '') return undefined
  const { signatureAlgorithm = '', transientMappingAttributeName: attribute = '' } = values
  return {
    metadataXml,
    binding: bindingNamed(values.binding ?? '') ?? 'unspecified',
    signsRequests: values.withSignedRequest ?? false,
    signature: signatureAlgorithm.endsWith('rsa-sha512') ? 'sha512' : 'unspecified',
    nameIdFormat: FORMATS[values.nameIDFormat ?? 2] ?? 'persistent',
    ...(attribute !== '' && { transientAttribute: attribute }),
    ...(values.federatedLogoutEnabled === true && { logsOut: true as const }),
    own: { certificate: certificate.raw.toString('base64'), expiresAt: instant(certificate.validToDate.getTime()) },
  }
}

/** What changes for those who sign in with it; undefined when nothing does. */
export function samlRemark({ values }: ProviderState): string | undefined {
  const isWeak = values.withSignedRequest === true && !/rsa-sha(?:256|512)$/.test(values.signatureAlgorithm ?? '')
  return isWeak ? 'Its requests were signed with RSA and SHA-1: they are signed with SHA-256 here.' : undefined
}
