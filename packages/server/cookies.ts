/**
 * Encrypted cookies. Keys belong to one application and one purpose, so a cookie of another application that has the same
 * secret, or one that was made for something else, is none. What is too long for one cookie is cut into parts.
 */
import { hkdfSync, webcrypto } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import type { Settings } from './settings.ts'

const { subtle } = webcrypto
type CryptoKey = webcrypto.CryptoKey

/** Browsers keep 4,096 bytes with name and attributes. */
const PART = 3800
const MOST_PARTS = 5

export interface SealedCookie {
  /** What the cookie says; undefined when there is none, or none of ours. */
  read(header: string): Promise<JWTPayload | undefined>
  /** The values of `set-cookie`; throws when it is too large. */
  write(payload: JWTPayload, seconds: number, header: string): Promise<readonly string[]>
  /** The values of `set-cookie` that remove it. */
  clear(header: string): readonly string[]
}

function parse(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) found.set(part.slice(0, at).trim(), part.slice(at + 1).trim())
  }
  return found
}

/** The cookie for a purpose. */
export function sealedCookie({ appUrl, clientId, issuer, now, secrets }: Settings, purpose: string): SealedCookie {
  const isSecure = appUrl?.protocol === 'https:'
  // Browsers send cookies to every port of a host; with the prefix they keep those that only this host has set.
  const name = `${isSecure ? '__Host-' : ''}signet-${clientId.replaceAll(/[^\w.-]/g, '_')}-${purpose}`
  const info = JSON.stringify([issuer, clientId, purpose])
  // Imported once: the library would import bytes for each cookie.
  const keys = secrets.map((secret) => {
    const bytes = hkdfSync('sha256', secret, 'signet session', info, 32)
    return subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
  })
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const remove = (part: string) => `${part}=; Max-Age=0${attributes}`
  /** The parts that the browser has. */
  const present = (header: string) => [...parse(header).keys()].filter((one) => one.startsWith(`${name}.`))

  return {
    async read(header) {
      const cookies = parse(header)
      const [, count = '', first = ''] = /^(\d+)\.(.*)$/.exec(cookies.get(`${name}.0`) ?? '') ?? []
      if (count === '' || Number(count) > MOST_PARTS) return undefined
      const rest = Array.from({ length: Number(count) - 1 }, (_, index) => cookies.get(`${name}.${index + 1}`))
      if (rest.includes(undefined)) return undefined
      const text = first + rest.join('')
      for (const key of keys) {
        const options = {
          currentDate: now(),
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        }
        const opened = await jwtDecrypt(text, await key, options).catch(() => undefined)
        if (opened !== undefined) return opened.payload
      }
      return undefined
    },
    async write(payload, seconds, header) {
      const at = Math.floor(now().getTime() / 1000)
      const text = await new EncryptJWT(payload)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuedAt(at)
        .setExpirationTime(at + seconds)
        .encrypt(await (keys[0] as Promise<CryptoKey>))
      const count = Math.ceil((text.length + 2) / PART)
      if (count > MOST_PARTS)
        throw new Error(`The session needs ${text.length} bytes; ${MOST_PARTS} cookies hold ${MOST_PARTS * PART - 2}.`)
      const whole = `${count}.${text}`
      const parts = Array.from({ length: count }, (_, index) => whole.slice(index * PART, (index + 1) * PART))
      const set = parts.map((value, index) => `${name}.${index}=${value}; Max-Age=${seconds}${attributes}`)
      const written = parts.map((_, index) => `${name}.${index}`)
      return [
        ...set,
        ...present(header)
          .filter((one) => !written.includes(one))
          .map(remove),
      ]
    },
    clear: (header) => [...new Set([...present(header), `${name}.0`])].map(remove),
  }
}
