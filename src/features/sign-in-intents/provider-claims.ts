/** Checks of the claims about an account that the library leaves to its caller. */
import { createHash } from 'node:crypto'
import type { FailureReason } from './events.ts'
import { SignInFailed } from './sign-in-failed.ts'

/** Claims, or other information of a provider about an account. */
export type Claims = Readonly<Record<string, unknown>>

/** The accepted clock difference. */
export const SKEW_SECONDS = 60

const LONGEST_SUBJECT = 255

/** The maximum size of stored claims. */
const MOST_CHARACTERS = 100_000
const DEEPEST = 20

function isShallow(value: unknown, left: number): boolean {
  return typeof value !== 'object' || value === null
    ? true
    : left > 0 && Object.values(value).every((member) => isShallow(member, left - 1))
}

/** Throws unless it is an object that can be stored and shown. */
export function checkedClaims(claims: unknown, otherwise: FailureReason = 'information_invalid'): Claims {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) throw new SignInFailed(otherwise)
  if (!isShallow(claims, DEEPEST) || JSON.stringify(claims).length > MOST_CHARACTERS) {
    throw new SignInFailed('too_large')
  }
  return claims as Claims
}

/** Throws unless it is a valid ID of an account. Some providers use numbers. */
export function checkedSubject(subject: unknown): string {
  const text = typeof subject === 'number' && Number.isSafeInteger(subject) ? String(subject) : subject
  const isId =
    typeof text === 'string' &&
    text.length <= LONGEST_SUBJECT &&
    text.isWellFormed() &&
    text.trim() !== '' &&
    /^[^\p{Cc}\p{Zl}\p{Zp}]+$/u.test(text)
  if (!isId) throw new SignInFailed('information_invalid')
  return text
}

/** The left half of the hash for the algorithm of the token (OpenID Connect Core §3.1.3.6). */
function halfHash(idToken: string, accessToken: string): string {
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
  const bits = String(alg).startsWith('Ed') ? '512' : String(alg).slice(-3)
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

export interface IdToken {
  readonly claims: Claims
  readonly text: string
  readonly accessToken: string
  readonly clientId: string
  readonly nowInSeconds: number
}

/** Throws for an ID token from the future, for another client, or for another access token. */
export function checkIdToken({ claims, text, accessToken, clientId, nowInSeconds }: IdToken): void {
  const { iat, azp, at_hash: atHash } = claims
  if (typeof iat !== 'number' || iat > nowInSeconds + SKEW_SECONDS) throw new SignInFailed('time_invalid')
  if (azp !== undefined && azp !== clientId) throw new SignInFailed('audience_mismatch')
  if (atHash !== undefined && atHash !== halfHash(text, accessToken)) throw new SignInFailed('token_invalid')
}

/** Merges claims. The address and its verification always come from the same source. */
export function mergeClaims(fromToken: Claims, information: Claims): Claims {
  const { email_verified: _, ...rest } = fromToken
  return 'email' in information ? { ...rest, ...information } : { ...fromToken, ...information }
}

/** The primary address in the list of GitHub and similar providers, or none. */
export function withPrimaryEmail(claims: Claims, list: unknown): Claims {
  const { email: _, email_verified: __, ...rest } = claims
  const primary = (Array.isArray(list) ? list : []).find((entry) => entry?.primary === true)
  return typeof primary?.email === 'string'
    ? { ...rest, email: primary.email, email_verified: primary.verified === true }
    : rest
}

/** The issuer of Microsoft's endpoints for several tenants has a placeholder, or the tenant of a domain. */
const ENTRA = /^https:\/\/login\.microsoftonline\.com\/(\{tenantid\}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0$/

/** Whether the metadata belong to the configured provider, by exact comparison. */
export function isIssuer(
  { issuer, acceptsTenants }: { readonly issuer?: string | undefined; readonly acceptsTenants?: boolean | undefined },
  claimed: unknown,
): boolean {
  return issuer === claimed || (acceptsTenants === true && typeof claimed === 'string' && ENTRA.test(claimed))
}

/** The accepted signature algorithms: asymmetric ones only, and never none. */
export const ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

function allowed(offered: unknown, fallback: readonly string[]): readonly string[] {
  return Array.isArray(offered) ? ALGORITHMS.filter((algorithm) => offered.includes(algorithm)) : fallback
}

/** Metadata with only the algorithms that we accept. RS256 is the default (OpenID Connect Core §2). */
export function restrictedMetadata(metadata: Claims): Claims {
  return {
    ...metadata,
    id_token_signing_alg_values_supported: allowed(metadata.id_token_signing_alg_values_supported, ['RS256']),
    userinfo_signing_alg_values_supported: allowed(metadata.userinfo_signing_alg_values_supported, ['RS256']),
  }
}
