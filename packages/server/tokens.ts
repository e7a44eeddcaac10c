/** Access tokens that callers send: signed ones are verified here, Signet is asked about opaque ones. Never an ID token. */
import { createHash } from 'node:crypto'
import { decodeProtectedHeader, type JWTPayload } from 'jose'
import { tokenIntrospection } from 'openid-client'
import { type Issuer, TokenError } from './issuer.ts'
import type { Settings } from './settings.ts'

const MOST_REMEMBERED = 10_000

function isSigned(token: string): boolean {
  try {
    return token.split('.').length === 3 && decodeProtectedHeader(token).alg !== undefined
  } catch {
    return false
  }
}

/** Reads a token; throws a `TokenError` when it does not count here. */
export function tokenReader(settings: Settings, issuer: Issuer): (token: string) => Promise<JWTPayload> {
  const { audience, clientId, introspectionSeconds, now } = settings

  const verify = (token: string): Promise<JWTPayload> => {
    if (audience === undefined)
      throw new TokenError('This app takes no signed tokens: its setting audience is missing.')
    // RFC 9068 §4: the type is what tells an access token from an ID token of the same issuer.
    return issuer.verify(token, { typ: 'at+jwt', audience, requiredClaims: ['sub', 'exp', 'client_id'] })
  }

  const ask = async (token: string): Promise<JWTPayload> => {
    const found = await tokenIntrospection(await issuer.configuration(), token)
    return found.active ? (found as unknown as JWTPayload) : {}
  }

  /** By a hash: a dump of the memory has no tokens in it. */
  const remembered = new Map<string, { readonly answer: Promise<JWTPayload>; readonly until: number }>()
  const askOnce = (token: string): Promise<JWTPayload> => {
    if (introspectionSeconds === 0) return ask(token)
    const key = createHash('sha256').update(token).digest('base64url')
    const at = now().getTime()
    const known = remembered.get(key)
    if (known !== undefined && at < known.until) return known.answer
    const answer = ask(token)
    remembered.delete(key)
    remembered.set(key, { answer, until: at + introspectionSeconds * 1000 })
    answer.catch(() => remembered.delete(key))
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
    return answer
  }

  const introspect = async (token: string): Promise<JWTPayload> => {
    const claims = await askOnce(token)
    const { aud = [], exp = 0, sub } = claims
    if (sub === undefined || exp * 1000 <= now().getTime()) throw new TokenError('The token is not active.')
    // Signet answers about all tokens of our project, those for its other APIs too.
    if (![aud].flat().some((one) => one === clientId || one === audience))
      throw new TokenError('The token is for somebody else.')
    return claims
  }

  return async (token) => (isSigned(token) ? verify(token) : introspect(token))
}
