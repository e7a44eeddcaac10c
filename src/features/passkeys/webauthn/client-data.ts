/**
 * Client data: what the browser says about the page that asked. It is read strictly, because its bytes are signed and two
 * readers must not read them differently (WebAuthn Level 3 §5.8.1). Pure.
 */

/** The members of a credential or of its client data are not what they should be. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential'
}

/** The bytes of base64url, with or without padding; throws for anything else. */
export function bytesOf(text: unknown): Buffer {
  if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+={0,2}$/.test(text)) throw new BadCredential('is not base64url')
  const plain = text.replace(/=+$/, '')
  const bytes = Buffer.from(plain, 'base64url')
  // Bits left over would give one credential two spellings.
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
// In JSON a quote stands only around texts and, escaped, inside of them.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs

/** Whether an object in JSON has a member twice; what is inside of its members does not matter. */
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

/** Reads client data; throws when they are not JSON in UTF-8, without a byte order mark, each member once. */
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
