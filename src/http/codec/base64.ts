/** Base64 as the contract accepts it: either alphabet, padded or not. */

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes of base64 or base64url text; undefined when it is neither. */
export function decodeBase64(text: string): Buffer | undefined {
  if (!BASE64.test(text)) return undefined
  const digits = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length
  const isPadded = digits < text.length
  return digits % 4 === 1 || (isPadded && text.length % 4 !== 0) ? undefined : Buffer.from(text, 'base64')
}
