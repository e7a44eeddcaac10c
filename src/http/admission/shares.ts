/** Whose share of the server a request counts for, known before its caller is authenticated. */
import type { Share } from './fair-queue.ts'

/** The part of a request that tells its share. */
export interface ShareSource {
  /** Address of the client, behind the proxies that are trusted. */
  readonly client: string
  /** A digest of the credentials, if it has any: tokens are not kept in clear. */
  readonly credentialsDigest: string | undefined
}

/** Tokens that are remembered; the oldest are forgotten first. */
const MOST_TOKENS = 10_000

/**
 * A request counts for the caller of its token, if the token was valid before. Any other request counts for the address
 * that it comes from, or invented tokens would get a share each.
 */
export class Shares {
  readonly #known = new Map<string, Share>()

  of(request: ShareSource): Share {
    const { credentialsDigest } = request
    const known = credentialsDigest === undefined ? undefined : this.#known.get(credentialsDigest)
    if (known !== undefined) return known
    const network = networkOf(request.client)
    return { group: network, caller: network }
  }

  /** Remembers the caller of a request whose token was valid. */
  learn(request: ShareSource, userId: string, organizationId: string): void {
    const { credentialsDigest } = request
    if (credentialsDigest === undefined || this.#known.has(credentialsDigest)) return
    const oldest = this.#known.size >= MOST_TOKENS ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(credentialsDigest, { group: organizationId, caller: userId })
  }
}

/** An IPv6 client has a whole /64 network of addresses (RFC 4291 §2.5.1): all of them are one client. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined || before.length >= 4) return `${before.slice(0, 4).join(':')}::/64`
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}
