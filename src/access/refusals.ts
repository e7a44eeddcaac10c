/** Refusals about authorization. */
import type { Catalogue } from '../kernel/refusal.ts'

export const accessRefusals = {
  'access.unauthenticated': ['unauthenticated', 'A valid access token is required.'],
  'access.forbidden': ['forbidden', 'You do not have permission for this operation.'],
  'access.organization_not_found': ['not_found', 'The organization does not exist.'],
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
