/** Decides what is kept of an uploaded file: its size, its format by its contents, and for drawings only what is harmless. Pure. */
import { createHash } from 'node:crypto'
import { refused } from '../../kernel/refusal.ts'
import type { StoredAsset } from './documents.ts'
import type { AssetFormat } from './events.ts'
import { formatOf, withoutMetadata } from './formats.ts'
import { assetRefusals } from './refusals.ts'
import { sanitizeSvg } from './sanitize-svg.ts'

/** What a file is for. */
export type AssetUse = 'image' | 'font' | 'portrait'

const KILOBYTE = 1024

/** The largest file and the formats of each use. */
export const ASSET_USES: Readonly<
  Record<AssetUse, { readonly maxBytes: number; readonly formats: readonly AssetFormat[] }>
> = {
  image: { maxBytes: 512 * KILOBYTE, formats: ['png', 'jpg', 'webp', 'gif', 'svg'] },
  font: { maxBytes: 512 * KILOBYTE, formats: ['woff2', 'woff', 'ttf', 'otf'] },
  portrait: { maxBytes: 256 * KILOBYTE, formats: ['png', 'jpg', 'webp'] },
}

function contentsOf(bytes: Buffer, format: AssetFormat): Buffer {
  switch (format) {
    case 'svg':
      return Buffer.from(sanitizeSvg(bytes.toString('utf8')))
    case 'jpg':
      return withoutMetadata(bytes)
    default:
      return bytes
  }
}

/** The file as it is stored. Throws when it is too large, or of another format. */
export function checkAsset(use: AssetUse, bytes: Buffer): StoredAsset {
  const { maxBytes, formats } = ASSET_USES[use]
  const violation = (description: string) => ({ violations: [{ field: 'file', description }] })
  if (bytes.length > maxBytes) {
    throw refused(assetRefusals, 'asset.too_large', violation(`must have at most ${maxBytes / KILOBYTE} kB`))
  }
  const format = formatOf(bytes)
  if (format === undefined || !formats.includes(format)) {
    throw refused(assetRefusals, 'asset.format_unsupported', violation(`must be one of ${formats.join(', ')}`))
  }
  const contents = contentsOf(bytes, format)
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 32)
  return { format, hash, bytes: contents.toString('base64') }
}
