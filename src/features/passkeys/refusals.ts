/** Every refusal about passkeys and second-factor keys. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const passkeyRefusals = {
  'passkey.not_found': ['not_found', 'There is no such key.'],
  'passkey.id_taken': ['conflict', 'This key id is, or was, in use.'],
  'passkey.already_registered': ['precondition', 'This registration is finished already.'],
  'passkey.registration_expired': ['precondition', 'The registration took longer than five minutes. Begin it again.'],
  'passkey.attestation_invalid': ['invalid', 'The credential does not answer this registration.'],
  'passkey.credential_taken': ['invalid', 'This credential is registered already.'],
  'passkey.name_invalid': ['invalid', 'The name of a key is one line of text.'],
  'passkey.assertion_invalid': ['invalid', 'The credential does not answer this challenge.'],
  'passkey.challenge_expired': ['precondition', 'The challenge has expired. Ask for another one.'],
  'passkey.none': ['precondition', 'The user has no key of this kind for this domain.'],
  'passkey.domain_not_allowed': ['invalid', 'Passkeys cannot be used on this domain.'],
  'passkey.link_invalid': ['invalid', 'The link in the mail cannot be made from this template.'],
  'passkey.too_many': ['precondition', 'The user has too many keys. Remove one first.'],
  'passkey.above_own': ['forbidden', 'You cannot get hold of a credential of a user who may do more than you.'],
} as const satisfies Catalogue

export type PasskeyRefusal = keyof typeof passkeyRefusals
