/**
 * Nonces of DPoP proofs: ours, in the place of the engine's own, whose secret every node would have to share from its start.
 * They are asked for where the application must bind its tokens; other clients get one only if they send one.
 */
import { randomBytes } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import instance from 'oidc-provider/lib/helpers/weak_cache.js'
import { currentContext, requestOf } from '../context.ts'
import type { Provider } from './index.ts'

function requiresNonce({ oidc }: KoaContextWithOIDC): boolean {
  return oidc.client?.dpopBoundAccessTokens === true
}

/** The configuration of the engine. The secret only makes it know nonces. */
export const DPOP_NONCES = { nonceSecret: randomBytes(32), requireNonce: requiresNonce }

const OWN = {
  /** The nonce for the client; undefined: the client is told of none. */
  nextChallenge(): string | undefined {
    const ctx = currentContext()
    const { nonce } = requestOf(ctx)
    return nonce?.given !== undefined || requiresNonce(ctx) ? nonce?.next : undefined
  },
  checkChallenge(text: string): boolean {
    const { nonce } = requestOf(currentContext())
    return nonce?.given === text && nonce.isValid
  },
}

/** Puts our nonces in the place of the engine's own. */
export function replaceNonces(provider: Provider): void {
  const members = instance(provider)
  for (const name of Object.keys(OWN)) {
    if (typeof members.DPoPNonces?.[name] !== 'function') throw new Error(`oidc-provider has no ${name} to replace`)
  }
  members.DPoPNonces = OWN
}
