/** Every refusal of authorization. */
import type { Catalogue } from '../kernel/refusal.ts'

export const accessRefusals = {
  'access.unauthenticated': ['unauthenticated', 'A valid access token is needed.'],
  'access.forbidden': ['forbidden', 'You do not have the permission for this.'],
  'access.organization_not_found': ['not_found', 'There is no such organization.'],
  'access.sign_in_again': ['precondition', 'Sign in again: this needs a sign-in of the last 15 minutes.'],
  'access.organization_ambiguous': ['invalid', 'The headers name two different organizations.'],
} as const satisfies Catalogue

/** A refusal code of authorization. */
export type AccessRefusal = keyof typeof accessRefusals
