/** Every refusal about organizations. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const organizationRefusals = {
  'organization.not_found': ['not_found', 'There is no such organization.'],
  'organization.id_taken': ['conflict', 'This organization id is, or was, in use.'],
  'organization.id_invalid': ['invalid', 'This organization id cannot be used.'],
  'organization.name_taken': ['conflict', 'This organization name is already in use.'],
  'organization.name_invalid': ['invalid', 'This organization name cannot be used.'],
  'organization.name_unchanged': ['precondition', 'The organization already has this name.'],
  'organization.not_active': ['precondition', 'The organization is already deactivated.'],
  'organization.not_inactive': ['precondition', 'The organization is not deactivated.'],
  'organization.is_default': ['precondition', 'The default organization cannot be deactivated or removed.'],
  'organization.domain_invalid': ['invalid', 'This is not a domain name.'],
  'organization.domain_exists': ['conflict', 'The organization already has this domain.'],
  'organization.domain_taken': ['conflict', 'This domain belongs to another organization.'],
  'organization.domain_not_found': ['not_found', 'The organization has no such domain.'],
  'organization.domain_verified': ['precondition', 'The domain is already verified.'],
  'organization.domain_validation_missing': ['precondition', 'Ask for a validation token first.'],
  'organization.domain_validation_changed': ['precondition', 'A newer validation token has been asked for.'],
  'organization.domain_not_proven': ['precondition', 'The validation token was not found on the domain.'],
  'organization.too_many_domains': ['precondition', 'The organization has as many domains as it can have.'],
} as const satisfies Catalogue

/** A code of this module. */
export type OrganizationRefusal = keyof typeof organizationRefusals
