/** What a file is, by its first bytes. Names and declared types are not trusted. Pure. */
import type { AssetFormat } from './events.ts'

/** The media type that a format is served with. */
export const MEDIA_TYPES: Readonly<Record<AssetFormat, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

interface Signature {
  readonly format: Exclude<AssetFormat, 'svg'>
  readonly at: number
  readonly bytes: string
}

const SIGNATURES: readonly Signature[] = [
  { format: 'png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { format: 'jpg', at: 0, bytes: '\xff\xd8\xff' },
  { format: 'webp', at: 8, bytes: 'WEBPVP8' },
  { format: 'gif', at: 0, bytes: 'GIF87a' },
  { format: 'gif', at: 0, bytes: 'GIF89a' },
  { format: 'woff2', at: 0, bytes: 'wOF2' },
  { format: 'woff', at: 0, bytes: 'wOFF' },
  { format: 'ttf', at: 0, bytes: '\x00\x01\x00\x00' },
  { format: 'ttf', at: 0, bytes: 'true' },
  { format: 'otf', at: 0, bytes: 'OTTO' },
]

/** The format of a file; undefined when it is none of ours. */
export function formatOf(bytes: Uint8Array): AssetFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const found = SIGNATURES.find((one) => head.startsWith(one.bytes, one.at))
  if (found !== undefined) return found.format
  return /^(\xef\xbb\xbf)?\s*(<\?xml\b|<!--|<!doctype\s+svg\b|<svg\b)/i.test(head) && /<svg\b/i.test(head)
    ? 'svg'
    : undefined
}

// Segments of a JPEG that say how to show it: JFIF, ICC profile and Adobe color transform. The others (EXIF with the
// place and the camera, comments) are left out.
const KEPT_JPEG_SEGMENTS = new Set([0xe0, 0xe2, 0xee])

/** A JPEG without the segments that tell where and with what it was taken. Unreadable ones are returned as they are. */
export function withoutMetadata(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // From the start of scan on, everything is picture.
    if (marker === 0xda) return Buffer.concat([...kept, bytes.subarray(at)])
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    const isAbout = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
    if (!isAbout || KEPT_JPEG_SEGMENTS.has(marker)) kept.push(bytes.subarray(at, end))
    at = end
  }
  return bytes
}
