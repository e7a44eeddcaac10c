/** Refusals about passkeys and second-factor keys. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const passkeyRefusals = {
  'passkey.not_found': ['not_found', 'The passkey or security key does not exist.'],
  'passkey.id_taken': ['conflict', 'The key ID is already taken.'],
  'passkey.already_registered': ['precondition', 'The registration is already complete.'],
  'passkey.registration_expired': ['precondition', 'The registration has expired. Start again.'],
  'passkey.attestation_invalid': ['invalid', 'The credential does not match the registration.'],
  'passkey.credential_taken': ['invalid', 'The credential is already registered.'],
  'passkey.name_invalid': ['invalid', 'The key name must be a single line of text.'],
  'passkey.assertion_invalid': ['invalid', 'The credential does not match the challenge.'],
  'passkey.challenge_expired': ['precondition', 'The challenge has expired. Request a new one.'],
  'passkey.none': ['precondition', 'The user has no key of this type for this domain.'],
  'passkey.domain_not_allowed': ['invalid', 'Passkeys cannot be used on this domain.'],
  'passkey.link_invalid': ['invalid', 'The URL template is invalid.'],
  'passkey.too_many': ['precondition', 'The user has too many keys. Remove one first.'],
} as const satisfies Catalogue

export type PasskeyRefusal = keyof typeof passkeyRefusals
