/**
 * Proofs of possession (DPoP, RFC 9449), where they are checked without the engine: for tokens of machines, at userinfo,
 * and at our own API. A token that is bound to a key counts only with a proof that this key signed for the request.
 */
import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose'
import type { Caller, ShownProof } from '../access/call.ts'
import { hashSecret } from '../crypto/tokens.ts'
import { takeAssertion } from '../features/authorization-requests/index.ts'
import { identifyBearer } from '../features/sign-in/index.ts'
import { type Instant, instant } from '../kernel/instant.ts'
import type { App } from '../module/app.ts'
import { originOf } from './origin.ts'

/** The algorithms that proofs are signed with. */
export const DPOP_ALGS = ['ES256', 'EdDSA', 'Ed25519']

/** How far the time of a proof may be from ours. */
const WINDOW_S = 300

/** The request that a proof is for. */
export type ProofRequest = { readonly proof: string | undefined } & Omit<ShownProof, 'proof'>

export interface Proof {
  /** Identifies the key (RFC 7638). */
  readonly thumbprint: string
  readonly id: string
  readonly expiresAt: Instant
}

/** Whether an address is that of the request, without its query (RFC 9449 §4.3). */
function isAddress(text: unknown, expected: string): boolean {
  const url = typeof text === 'string' ? URL.parse(text) : null
  return url !== null && `${url.origin}${url.pathname}` === expected && `${url.username}${url.password}` === ''
}

/**
 * Verifies the proof of a request (RFC 9449 §4.3); undefined when it is not valid. With an access token, the proof must be
 * for that token. Whether it was used before is for `takeProof`.
 */
export async function verifyProof(
  app: App,
  { proof, verb, path, isAgain = false }: ProofRequest,
  accessToken?: string,
): Promise<Proof | undefined> {
  if (proof === undefined) return undefined
  const at = app.clock()
  const clockTolerance = isAgain ? Number.MAX_SAFE_INTEGER : 0
  const options = { algorithms: DPOP_ALGS, typ: 'dpop+jwt', currentDate: new Date(at), clockTolerance }
  const verified = await jwtVerify(proof, EmbeddedJWK, options).catch(() => undefined)
  const jwk = verified?.protectedHeader.jwk
  if (verified === undefined || jwk === undefined) return undefined
  const { htm, htu, jti, iat, ath } = verified.payload
  const isRecent = typeof iat === 'number' && (isAgain || Math.abs(at / 1000 - iat) <= WINDOW_S)
  if (!isRecent || typeof jti !== 'string' || jti === '') return undefined
  if (htm !== verb || !isAddress(htu, new URL(`${app.externalUrl}${path}`).href)) return undefined
  if (accessToken !== undefined && ath !== createHash('sha256').update(accessToken).digest('base64url'))
    return undefined
  return { thumbprint: await calculateJwkThumbprint(jwk), id: jti, expiresAt: instant((iat + WINDOW_S) * 1000) }
}

/** Whether a proof was not used before; marks it as used, on all nodes. */
export function takeProof(app: App, { thumbprint, id, expiresAt }: Proof, userId: string): Promise<boolean> {
  return takeAssertion(app, originOf(app, userId), hashSecret(`${thumbprint}\n${id}`), expiresAt)
}

/** The caller of our own API by a token that is bound to a key; undefined when the token or the proof does not count. */
export async function identifyByProof(
  app: App,
  token: string,
  at: Instant,
  { shown, origin }: { readonly shown: ShownProof; readonly origin?: string | undefined },
): Promise<Caller | undefined> {
  const proof = await verifyProof(app, shown, token)
  const caller = proof && (await identifyBearer(app, token, at, { origin, dpopKey: proof.thumbprint }))
  if (proof === undefined || caller === undefined || shown.isAgain === true) return caller
  return (await takeProof(app, proof, caller.userId)) ? caller : undefined
}
