/** Refusals about metadata. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const metadataRefusals = {
  'metadata.not_found': ['not_found', 'The user has no metadata with this key.'],
  'metadata.key_invalid': ['invalid', 'The metadata key is invalid.'],
} as const satisfies Catalogue

/** A code of this module. */
export type MetadataRefusal = keyof typeof metadataRefusals
