/**
 * Nonces for DPoP proofs (RFC 9449 §8): signed times, so that every node knows its own and those of the others, and nothing
 * is stored. They bound how long before its use a proof can have been made.
 */
import { decodeJwt } from 'jose'
import type { App } from '../module/app.ts'
import { OAuthError } from './answers.ts'

const PURPOSE = ['dpop nonce']

const LIFETIME_MS = 5 * 60_000
/** A client gets a new nonce with an answer when the one it used is older than this. */
const RENEWED_AFTER_MS = 2 * 60_000

/** The nonce of the proof in a request. */
export interface ShownNonce {
  /** Undefined when the proof has none, or is no token. */
  readonly given: string | undefined
  readonly isValid: boolean
  /** The nonce that the client should use next: the same one while it is fresh. */
  readonly next: string
}

function nonceIn(proof: string): string | undefined {
  try {
    const { nonce } = decodeJwt(proof)
    return typeof nonce === 'string' ? nonce : undefined
  } catch {
    return undefined
  }
}

/** The nonce of a proof, which need not be valid; undefined for a request without one. */
export async function readNonce(app: App, proof: string | undefined): Promise<ShownNonce | undefined> {
  if (proof === undefined) return undefined
  const given = nonceIn(proof)
  const issued = given === undefined ? undefined : await app.vault.readSigned(PURPOSE, given)
  const age = app.clock() - Number(issued ?? Number.NaN)
  const isValid = age >= 0 && age < LIFETIME_MS
  const isFresh = isValid && age < RENEWED_AFTER_MS
  return { given, isValid, next: isFresh ? String(given) : await app.vault.sign(PURPOSE, String(app.clock())) }
}

/** Throws when there is a proof whose nonce is missing or does not count. */
export function requireNonce(nonce: ShownNonce | undefined): void {
  if (nonce === undefined || nonce.isValid) return
  const headers = { 'dpop-nonce': nonce.next }
  throw new OAuthError('use_dpop_nonce', 'The DPoP proof needs a nonce of the server.', 400, { headers })
}
