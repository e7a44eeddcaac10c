/**
 * Client data: the browser's description of the page that made the request. It is parsed strictly, because its bytes
 * are signed and two parsers must not read them differently (WebAuthn Level 3 §5.8.1). Pure.
 */

/** A credential or its client data are invalid. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential'
}

/** The bytes of base64url, with or without padding; throws for anything else. */
export function bytesOf(text: unknown): Buffer {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+={0,2}$/.test(text)) throw new BadCredential('is not base64url')
  const plain = text.replace(/=+$/, '')
  const bytes = Buffer.from(plain, 'base64url')
  // Unused bits would allow two forms of one credential.
  if (bytes.toString('base64url') !== plain) throw new BadCredential('is not base64url')
  return bytes
}

export interface ClientData {
  readonly type: string
  readonly challenge: string
  readonly origin: string
  readonly isCrossOrigin: boolean
  readonly topOrigin: string | undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// In JSON, quotes occur only around texts and, escaped, inside them.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs

/** Whether a JSON object has a duplicate member; nested objects are ignored. */
function hasMemberTwice(json: string): boolean {
  const names = new Set<string>()
  let depth = 0
  let last = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (token === ':' && depth === 1) {
      const name: string = JSON.parse(last)
      if (names.has(name)) return true
      names.add(name)
    }
    last = token
  }
  return false
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new BadCredential('lacks a text')
  return value
}

/** Parses client data. Throws when it is not JSON in UTF-8 without a byte order mark and without duplicate members. */
export function readClientData(bytes: Uint8Array): ClientData {
  const json = decoder.decode(bytes)
  const data: unknown = JSON.parse(json)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new BadCredential('is no object')
  if (hasMemberTwice(json)) throw new BadCredential('has a member twice')
  const { type, challenge, origin, crossOrigin, topOrigin } = data as Readonly<Record<string, unknown>>
  if (crossOrigin !== undefined && typeof crossOrigin !== 'boolean') throw new BadCredential('lacks a boolean')
  return {
    type: textOf(type),
    challenge: textOf(challenge),
    origin: textOf(origin),
    isCrossOrigin: crossOrigin === true,
    topOrigin: topOrigin === undefined ? undefined : textOf(topOrigin),
  }
}
