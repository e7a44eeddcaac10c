/** Whose share of the server a request counts for, known before its caller is authenticated. */
import type { IdentifiedCaller } from '../../access/current-caller.ts'
import { sourceOf } from '../client-address.ts'
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
    const source = sourceOf(request.client)
    return { group: source, caller: source }
  }

  /** Remembers the caller of a request whose token was valid. */
  learn(request: ShareSource, [group, caller]: IdentifiedCaller): void {
    const { credentialsDigest } = request
    if (credentialsDigest === undefined || this.#known.has(credentialsDigest)) return
    const oldest = this.#known.size >= MOST_TOKENS ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(credentialsDigest, { group, caller })
  }
}
