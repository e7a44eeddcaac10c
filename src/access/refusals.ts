/** Refusals about authorization. */
import type { Catalogue } from '../kernel/refusal.ts'

export const accessRefusals = {
  'access.unauthenticated': ['unauthenticated', 'A valid access token is required.'],
  'access.authorization_malformed': [
    'unauthenticated',
    'The Authorization header must be “Bearer”, a space and an access token.',
  ],
  'access.forbidden': ['forbidden', 'You do not have permission for this operation.'],
  'access.not_found': ['not_found', 'It does not exist, or you do not have permission for it.'],
  'access.scope_missing': ['forbidden', 'The access token does not have the scope that this operation needs.'],
  'access.sign_in_incomplete': [
    'forbidden',
    'The access token comes from a sign-in without the factors that are required for this API.',
  ],
  'access.actor_not_allowed': ['forbidden', 'Access tokens with an actor are not accepted by this API.'],
  'access.origin_not_allowed': [
    'forbidden',
    'The application of the access token does not allow calls from pages of this origin.',
  ],
  'access.consent_missing': [
    'forbidden',
    'The application belongs to another organization than the user. It can use this API for them only if they have allowed it on the consent page.',
  ],
  'access.organization_not_found': ['not_found', 'The organization does not exist.'],
  'access.membership_not_found': ['not_found', 'The organization does not exist, or you have no role in it.'],
  'access.sign_in_again': [
    'precondition',
    'Sign in again. This operation requires a sign-in within the last 15 minutes.',
  ],
  'access.password_change_required': [
    'precondition',
    'The password must be changed first. Until then only SetPassword can be called.',
  ],
  'access.organization_ambiguous': ['invalid', 'The headers name two different organizations.'],
} as const satisfies Catalogue

/** A refusal code of authorization. */
export type AccessRefusal = keyof typeof accessRefusals
