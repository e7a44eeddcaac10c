/** Every refusal about identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const identityProviderRefusals = {
  'identity_provider.not_found': ['not_found', 'There is no such identity provider.'],
  'identity_provider.id_taken': ['conflict', 'This id of an identity provider is, or was, in use.'],
  'identity_provider.name_taken': ['conflict', 'An identity provider of this name exists already.'],
  'identity_provider.unchanged': ['precondition', 'The identity provider is already set so.'],
  'identity_provider.inactive': ['precondition', 'The identity provider is not active.'],
  'identity_provider.active': ['precondition', 'The identity provider is already active.'],
  'identity_provider.other_type': ['precondition', 'The identity provider is of another type.'],
  'identity_provider.other_owner': ['invalid', 'The identity provider belongs to somebody else than the request says.'],
  'identity_provider.issuer_invalid': ['invalid', 'This cannot be the issuer of an identity provider.'],
  'identity_provider.field_invalid': ['invalid', 'The identity provider cannot be set so.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IdentityProviderRefusal = keyof typeof identityProviderRefusals
