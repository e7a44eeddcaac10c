/** What a provider says about an account, checked where the library leaves it to its user. */
import { createHash } from 'node:crypto'
import type { FailureReason } from './events.ts'
import { SignInFailed } from './sign-in-failed.ts'

/** Claims, or whatever else a provider says about an account. */
export type Claims = Readonly<Record<string, unknown>>

/** Clocks may differ by so much. */
export const SKEW_SECONDS = 60

const LONGEST_SUBJECT = 255

/** So much of what a provider says is kept, and no more. */
const MOST_CHARACTERS = 100_000
const DEEPEST = 20

function isShallow(value: unknown, left: number): boolean {
  return typeof value !== 'object' || value === null
    ? true
    : left > 0 && Object.values(value).every((member) => isShallow(member, left - 1))
}

/** Throws unless it is an object that can be kept and shown. */
export function checkedClaims(claims: unknown, otherwise: FailureReason = 'information_invalid'): Claims {
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) throw new SignInFailed(otherwise)
  if (!isShallow(claims, DEEPEST) || JSON.stringify(claims).length > MOST_CHARACTERS) {
    throw new SignInFailed('too_large')
  }
  return claims as Claims
}

/** Throws unless it can be the id of an account. Some providers number their users. */
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

/** The left half of the hash that the token's algorithm goes with (OpenID Connect Core §3.1.3.6). */
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

/** Throws for an id token from the future, for another party, or that does not belong to its access token. */
export function checkIdToken({ claims, text, accessToken, clientId, nowInSeconds }: IdToken): void {
  const { iat, azp, at_hash: atHash } = claims
  if (typeof iat !== 'number' || iat > nowInSeconds + SKEW_SECONDS) throw new SignInFailed('time_invalid')
  if (azp !== undefined && azp !== clientId) throw new SignInFailed('audience_mismatch')
  if (atHash !== undefined && atHash !== halfHash(text, accessToken)) throw new SignInFailed('token_invalid')
}

/** Both together. An address and whether it is verified are told by one of them, never one half by each. */
export function mergeClaims(fromToken: Claims, information: Claims): Claims {
  const { email_verified: _, ...rest } = fromToken
  return 'email' in information ? { ...rest, ...information } : { ...fromToken, ...information }
}

/** What an account has for an address, in the list that GitHub and its like give: the primary one, or none. */
export function withPrimaryEmail(claims: Claims, list: unknown): Claims {
  const { email: _, email_verified: __, ...rest } = claims
  const primary = (Array.isArray(list) ? list : []).find((entry) => entry?.primary === true)
  return typeof primary?.email === 'string'
    ? { ...rest, email: primary.email, email_verified: primary.verified === true }
    : rest
}

/** Microsoft's endpoints for several tenants name none of them, or the one that a domain stands for. */
const ENTRA = /^https:\/\/login\.microsoftonline\.com\/(\{tenantid\}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\/v2\.0$/

/** Whether metadata are those of the provider that was set up: to the letter. */
export function isIssuer(
  { issuer, acceptsTenants }: { readonly issuer?: string | undefined; readonly acceptsTenants?: boolean | undefined },
  claimed: unknown,
): boolean {
  return issuer === claimed || (acceptsTenants === true && typeof claimed === 'string' && ENTRA.test(claimed))
}

/** What tokens may be signed with: nothing symmetric, and never nothing. */
const ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

function allowed(offered: unknown, fallback: readonly string[]): readonly string[] {
  return Array.isArray(offered) ? ALGORITHMS.filter((algorithm) => offered.includes(algorithm)) : fallback
}

/** Metadata in which only those algorithms are left that we accept. RS256 is the default (OpenID Connect Core §2). */
export function restrictedMetadata(metadata: Claims): Claims {
  return {
    ...metadata,
    id_token_signing_alg_values_supported: allowed(metadata.id_token_signing_alg_values_supported, ['RS256']),
    userinfo_signing_alg_values_supported: allowed(metadata.userinfo_signing_alg_values_supported, ['RS256']),
  }
}
