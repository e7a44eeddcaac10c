/** The issuer: its configuration and keys, fetched when they are needed first, and again after a failure. */
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { allowInsecureRequests, type Configuration, discovery } from 'openid-client'
import type { Settings } from './settings.ts'

/** A token that does not count; the text is for the developer of the client. */
export class TokenError extends Error {}

export interface Issuer {
  configuration(): Promise<Configuration>
  /** The claims of a token that the issuer has signed; throws a `TokenError` for any other. */
  verify(token: string, rules: JWTVerifyOptions): Promise<JWTPayload>
}

export function issuerOf({ issuer, clientId, clientSecret, now }: Settings): Issuer {
  let found: Promise<Configuration> | undefined
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined
  const configuration = () => {
    // Plain http is for a server on this machine: the settings allow no other.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: 10 }).catch((error) => {
      found = undefined
      throw error
    })
    return found
  }
  return {
    configuration,
    async verify(token, rules) {
      keys ??= createRemoteJWKSet(new URL((await configuration()).serverMetadata().jwks_uri ?? ''))
      try {
        return (await jwtVerify(token, keys, { ...rules, issuer, currentDate: now() })).payload
      } catch (error) {
        // That the keys cannot be fetched says nothing about the token.
        const { code = '', message } = error as Error & { readonly code?: string }
        throw /^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT|JWKS_NO|JWKS_MULT)/.test(code) ? new TokenError(message) : error
      }
    },
  }
}
