/** Refusals about organizations. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const organizationRefusals = {
  'organization.not_found': ['not_found', 'The organization does not exist.'],
  'organization.id_taken': ['conflict', 'The organization ID is already taken.'],
  'organization.id_invalid': ['invalid', 'The organization ID is invalid.'],
  'organization.name_taken': ['conflict', 'The organization name is already taken.'],
  'organization.name_invalid': ['invalid', 'The organization name is invalid.'],
  'organization.not_active': ['precondition', 'The organization is already deactivated.'],
  'organization.not_inactive': ['precondition', 'The organization is not deactivated.'],
  'organization.is_default': ['precondition', 'The default organization cannot be deactivated or removed.'],
  'organization.domain_invalid': ['invalid', 'The domain name is invalid.'],
  'organization.domain_exists': ['conflict', 'The organization already has this domain.'],
  'organization.domain_taken': ['conflict', 'The domain belongs to another organization.'],
  'organization.domain_not_found': ['not_found', 'The organization does not have this domain.'],
  'organization.domain_not_verified': ['precondition', 'The domain is not verified.'],
  'organization.domain_verified': ['precondition', 'The domain is already verified.'],
  'organization.domain_validation_missing': ['precondition', 'Generate a validation token first.'],
  'organization.domain_validation_changed': ['precondition', 'The validation token was replaced by a newer one.'],
  'organization.domain_not_proven': ['precondition', 'The validation token was not found on the domain.'],
  'organization.too_many_domains': ['precondition', 'The organization has reached the maximum number of domains.'],
} as const satisfies Catalogue

/** A code of this module. */
export type OrganizationRefusal = keyof typeof organizationRefusals
