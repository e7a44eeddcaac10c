/** Verifies security event tokens of a trusted transmitter (RFC 8417, SSF §4): strictly, and before anything is believed. */
import { createPublicKey } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload, jwtVerify, type ProtectedHeaderParameters } from 'jose'
import type { App } from '../../module/app.ts'
import { isStorableText } from '../../store/index.ts'
import { keysFor } from '../applications/index.ts'
import type { LivingTransmitter } from './decider.ts'

/** How far the clock of a transmitter may be ahead. */
const LEEWAY_S = 60
/** Older ones are refused: for so long the IDs of those that came are remembered. */
export const LONGEST_S = 7 * 86_400
/** Public keys only: a secret that both know would let each speak for the other. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Why a token does not count, in the words of RFC 8935 §2.4. */
export class WrongEvent extends Error {
  override readonly name = 'WrongEvent'
  readonly err: 'invalid_request' | 'invalid_key' | 'invalid_issuer' | 'invalid_audience' | 'access_denied'

  constructor(err: WrongEvent['err'], description: string) {
    super(description)
    this.err = err
  }
}

/** A verified token. */
export interface VerifiedEvent {
  readonly jti: string
  readonly iat: number
  /** The URI of its event. */
  readonly uri: string
  readonly subject: unknown
}

function headerOf(text: string): ProtectedHeaderParameters {
  let header: ProtectedHeaderParameters
  try {
    header = decodeProtectedHeader(text)
  } catch {
    throw new WrongEvent('invalid_request', 'The body is not a signed JSON Web Token.')
  }
  const typ = typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : ''
  if (typ !== 'secevent+jwt') throw new WrongEvent('invalid_request', 'Its typ must be secevent+jwt.')
  if (!ALGORITHMS.includes(header.alg ?? '')) throw new WrongEvent('invalid_key', 'Its alg is not supported.')
  if (typeof header.kid !== 'string' || header.kid === '') throw new WrongEvent('invalid_key', 'Its kid is missing.')
  return header
}

/** The claims, if one of the keys of the transmitter signed them. */
async function signedClaims(app: App, { jwksUri }: LivingTransmitter, text: string): Promise<JWTPayload> {
  const { kid, alg = '' } = headerOf(text)
  const keys = await keysFor(app, { uri: jwksUri }, { keyId: kid, algorithm: alg }, () => true)
  if (typeof keys === 'string') throw new WrongEvent('invalid_key', 'The keys of the issuer could not be read.')
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(text, createPublicKey(key), { algorithms: [alg], currentDate: new Date(0) })
      return payload
    } catch {
      // Another key of this name may fit.
    }
  }
  throw new WrongEvent('invalid_key', 'It is not signed with a key of the issuer.')
}

function checkTimes({ iat, exp, nbf }: JWTPayload, now: number): number {
  if (exp !== undefined || nbf !== undefined) throw new WrongEvent('invalid_request', 'It must have no exp and no nbf.')
  if (typeof iat !== 'number' || !Number.isFinite(iat)) throw new WrongEvent('invalid_request', 'Its iat is missing.')
  if (iat > now + LEEWAY_S) throw new WrongEvent('invalid_request', 'Its iat is in the future.')
  if (iat < now - LONGEST_S) throw new WrongEvent('invalid_request', 'It was issued more than seven days ago.')
  return iat
}

/** Verifies a token; throws `WrongEvent`. */
export async function verifyEvent(app: App, transmitter: LivingTransmitter, text: string): Promise<VerifiedEvent> {
  const claims = await signedClaims(app, transmitter, text)
  const { iss, aud, jti, sub, events, sub_id: subject } = claims
  if (iss !== transmitter.issuer) throw new WrongEvent('invalid_issuer', 'Its iss is not the one that is trusted.')
  if (![aud].flat().includes(transmitter.audience)) throw new WrongEvent('invalid_audience', 'It is for somebody else.')
  const iat = checkTimes(claims, app.clock() / 1000)
  if (typeof jti !== 'string' || jti === '' || jti.length > 500 || !isStorableText(jti)) {
    throw new WrongEvent('invalid_request', 'Its jti is missing or too long.')
  }
  if (sub !== undefined) throw new WrongEvent('invalid_request', 'It must have sub_id instead of sub.')
  const uris = typeof events === 'object' && events !== null && !Array.isArray(events) ? Object.keys(events) : []
  const [uri] = uris
  if (uri === undefined || uris.length > 1) throw new WrongEvent('invalid_request', 'It must have one event.')
  return { jti, iat, uri, subject }
}
