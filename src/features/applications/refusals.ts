/** Refusals about applications, their secrets and their keys. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const applicationRefusals = {
  'application.missing': ['precondition', 'The application does not exist. Create it first.'],
  'application.not_found': ['not_found', 'The application does not exist.'],
  'application.id_taken': ['precondition', 'The application ID is already taken.'],
  'application.id_invalid': ['invalid', 'The application ID is invalid.'],
  'application.client_id_taken': ['conflict', 'The client ID is already taken.'],
  'application.entity_id_taken': ['conflict', 'Another application has this entity ID.'],
  'application.registration_disabled': ['not_found', 'Clients cannot register themselves here.'],
  'application.registration_token_invalid': [
    'unauthenticated',
    'A registration token is needed, and this one does not count.',
  ],
  'application.too_many_registrations': ['exhausted', 'Too many clients registered themselves. Try again later.'],
  'application.name_taken': ['conflict', 'The project already has an application with this name.'],
  'application.name_invalid': ['invalid', 'The application name is invalid.'],
  'application.config_invalid': ['invalid', 'The configuration of the application is invalid.'],
  'application.other_type': ['invalid', 'The application is of another type.'],
  'application.unchanged': ['precondition', 'The request changes nothing.'],
  'application.not_active': ['precondition', 'The application is already deactivated.'],
  'application.not_inactive': ['precondition', 'The application is not deactivated.'],
  'application.is_console': ['precondition', 'The application of the console cannot be removed.'],
  'application.access_above_own': [
    'forbidden',
    'Only those who reach so far themselves can give an application this access to the API.',
  ],
  'application.key_not_found': ['not_found', 'The key does not exist.'],
  'application.key_id_taken': ['conflict', 'The key ID is already taken.'],
  'application.key_not_usable': [
    'precondition',
    'The application must have the authentication method PRIVATE_KEY_JWT to have keys.',
  ],
  'application.key_invalid': ['invalid', 'The public key of the application is invalid.'],
  'application.key_expiration_past': ['invalid', 'The expiration date must be in the future.'],
  'application.key_expiration_invalid': ['invalid', 'The expiration date must not be after the year 9999.'],
  'application.query_invalid': ['invalid', 'The search query is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type ApplicationRefusal = keyof typeof applicationRefusals
