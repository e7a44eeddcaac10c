/** Refusals about links to accounts at identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const identityLinkRefusals = {
  'identity_link.taken': ['conflict', 'The external account is already linked to a user.'],
  'identity_link.user_above_provider': [
    'precondition',
    "The user has permissions outside the identity provider's organization, so only providers of the instance can be used.",
  ],
  'identity_link.not_found': ['not_found', 'The link does not exist.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IdentityLinkRefusal = keyof typeof identityLinkRefusals
