/** Every refusal about links to accounts at identity providers. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const identityLinkRefusals = {
  'identity_link.taken': ['conflict', 'This account at the identity provider is already linked.'],
  'identity_link.not_found': ['not_found', 'The user has no such link.'],
} as const satisfies Catalogue

/** A code of this module. */
export type IdentityLinkRefusal = keyof typeof identityLinkRefusals
