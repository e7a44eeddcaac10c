/** Base32 according to RFC 4648 §6, for the secrets of authenticator apps. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** Encodes bytes in capital letters and digits, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= BITS) {
      bits -= BITS
      text += ALPHABET[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET[(value << (BITS - bits)) & 31]
}

/** Decodes base32 as users type it: in any case, in groups, padded or not. Undefined when it is invalid. */
export function decodeBase32(typed: string): Uint8Array | undefined {
  const text = typed.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase()
  // With 1, 3 or 6 characters left over, the last one would start an incomplete byte.
  if (!/^[A-Z2-7]*$/.test(text) || [1, 3, 6].includes(text.length % 8)) return undefined
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    value = (value << BITS) | ALPHABET.indexOf(character)
    bits += BITS
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >>> bits)
    value &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}
