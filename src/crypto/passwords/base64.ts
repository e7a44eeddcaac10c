/** The base64 dialects of password hashes: PHC without padding, passlib with a dot, and crypt(3). */
import { timingSafeEqual } from 'node:crypto'

/** The alphabet of crypt(3), in the order of its values. */
export const CRYPT64 = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Decodes standard base64 or passlib's dialect (`.` for `+`), padded or not; undefined when it is neither. */
export function readBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+./]*={0,2}$/.test(text)) return undefined
  const bare = text.replace(/=+$/, '').replaceAll('.', '+')
  const bytes = Buffer.from(bare, 'base64')
  // A surplus character, or set bits after the last byte, would allow two texts for the same bytes.
  return writeBase64(bytes) === bare ? bytes : undefined
}

/** Standard base64 without padding, as PHC strings want it. */
export function writeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

/** crypt(3)'s base64: groups of three bytes, the lowest six bits first. */
export function writeCrypt64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.subarray(at, at + 3)
    let value = (group[0] ?? 0) | ((group[1] ?? 0) << 8) | ((group[2] ?? 0) << 16)
    for (let written = 0; written <= group.length; written++) {
      text += CRYPT64.charAt(value & 63)
      value >>= 6
    }
  }
  return text
}

/** The number written as crypt(3) base64 digits, the lowest first. */
export function readCrypt64Number(text: string): number {
  return [...text].reduceRight((value, digit) => value * 64 + CRYPT64.indexOf(digit), 0)
}

/** Compares secrets in a time that reveals only their lengths. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Like `sameBytes`, for texts. */
export function sameText(one: string, other: string): boolean {
  return sameBytes(Buffer.from(one), Buffer.from(other))
}
