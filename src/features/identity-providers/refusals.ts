/** Refusals about identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const identityProviderRefusals = {
  'identity_provider.not_found': ['not_found', 'The identity provider does not exist.'],
  'identity_provider.id_taken': ['conflict', 'The identity provider ID is already taken.'],
  'identity_provider.name_taken': ['conflict', 'The identity provider name is already taken.'],
  'identity_provider.unchanged': ['precondition', 'The request does not change the identity provider.'],
  'identity_provider.inactive': ['precondition', 'The identity provider is not active.'],
  'identity_provider.active': ['precondition', 'The identity provider is already active.'],
  'identity_provider.other_type': ['precondition', 'The identity provider has a different type.'],
  'identity_provider.other_owner': [
    'invalid',
    'The identity provider does not belong to the owner type in the request.',
  ],
  'identity_provider.issuer_invalid': ['invalid', 'The issuer URL is invalid.'],
  'identity_provider.linking_unsafe': [
    'invalid',
    'Accounts of any tenant cannot be linked automatically by an e-mail address that the tenant chose.',
  ],
  'identity_provider.field_invalid': ['invalid', 'The identity provider settings are invalid.'],
  'identity_provider.secret_needed': [
    'invalid',
    'The secret must be sent again when the issuer, a server or an endpoint changes.',
  ],
} as const satisfies Catalogue

/** A code of this module. */
export type IdentityProviderRefusal = keyof typeof identityProviderRefusals
