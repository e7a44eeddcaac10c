/** Refusals about uploaded files. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const assetRefusals = {
  'asset.exists': ['conflict', 'The file is already stored.'],
  'asset.not_found': ['not_found', 'There is no such file.'],
  'asset.too_large': ['invalid', 'The file is too large.'],
  'asset.missing': ['invalid', 'The request contains no file. Send it as the part "file" of a multipart form.'],
  'asset.format_unsupported': ['invalid', 'The format of the file is not supported.'],
  'asset.svg_invalid': ['invalid', 'The SVG file is not well-formed.'],
} as const satisfies Catalogue

/** A code of this module. */
export type AssetRefusal = keyof typeof assetRefusals
