/** Refusals about the keys that sign tokens. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const webKeyRefusals = {
  'web_key.not_found': ['not_found', 'The web key does not exist.'],
  'web_key.id_taken': ['conflict', 'The key ID is already taken.'],
  'web_key.active': ['precondition', 'The active web key cannot be deleted. Activate another one first.'],
  'web_key.only_verifies': ['precondition', 'The web key comes from another product and cannot sign.'],
  'web_key.unusable': ['invalid', 'The web key is not of a supported type.'],
  'web_key.too_many': ['precondition', 'There are too many web keys. Delete some first.'],
} as const satisfies Catalogue

/** A code of this module. */
export type WebKeyRefusal = keyof typeof webKeyRefusals
