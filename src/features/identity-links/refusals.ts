/** Refusals about links to accounts at identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const identityLinkRefusals = {
  'identity_link.taken': ['conflict', 'The external account is already linked to a user.'],
  'identity_link.user_above_provider': [
    'precondition',
    'The user has more permissions than whoever changed the identity provider last. An owner of its organization can save it again; who has permissions outside the organization can only use providers of the instance.',
  ],
  'identity_link.not_found': ['not_found', 'The link does not exist.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IdentityLinkRefusal = keyof typeof identityLinkRefusals
