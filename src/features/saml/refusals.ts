/** Refusals about SAML: its keys, and requests of service providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const samlRefusals = {
  'saml_key.unusable': ['invalid', 'The key of the certificate cannot be used.'],
  'saml_key.not_found': ['not_found', 'The SAML key does not exist.'],
  'saml.name_unavailable': [
    'precondition',
    'The service provider asks for a name that the user does not have, such as a verified email address.',
  ],
  'saml_logout.not_found': ['not_found', 'The logout does not exist, or has ended.'],
  'saml_logout.out_of_turn': ['precondition', 'The logout does not wait for this.'],
} as const satisfies Catalogue

/** A code of this module. */
export type SamlRefusal = keyof typeof samlRefusals
