/** The only file that checks the tokens of providers whose users are known by a signed token, with jose. */
import { errors, jwtVerify } from 'jose'
import { hashSecret } from '../../../crypto/tokens.ts'
import type { App } from '../../../module/app.ts'
import type { JwtConnection } from '../../identity-providers/index.ts'
import type { FailureReason } from '../events.ts'
import { ALGORITHMS, type Claims, checkedClaims, checkedSubject, SKEW_SECONDS } from '../provider-claims.ts'
import type { ProviderAnswer } from '../relying-party.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { keysAt } from './key-set.ts'

/** Longer ones do not fit into the headers of a request. */
const LONGEST_TOKEN = 16_384
/** A token is for signing in now, whatever its end is. */
const OLDEST_SECONDS = 3600

const BY_CLAIM: Readonly<Record<string, FailureReason>> = {
  iss: 'issuer_mismatch',
  aud: 'audience_mismatch',
  exp: 'time_invalid',
  iat: 'time_invalid',
  nbf: 'time_invalid',
}

/** The reason as one of our codes. It never contains text of the token. */
function reasonOf(error: unknown): FailureReason {
  if (error instanceof errors.JWTExpired) return 'time_invalid'
  if (error instanceof errors.JWTClaimValidationFailed) return BY_CLAIM[error.claim] ?? 'token_invalid'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'algorithm_refused'
  if (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  ) {
    return 'signature_invalid'
  }
  return 'token_invalid'
}

async function verified(app: App, { keysEndpoint, issuer, audience }: JwtConnection, token: string): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, keysAt(app, keysEndpoint), {
      algorithms: [...ALGORITHMS],
      issuer,
      ...(audience !== undefined && { audience }),
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: OLDEST_SECONDS,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(app.clock()),
    })
    return payload
  } catch (error) {
    throw error instanceof SignInFailed ? error : new SignInFailed(reasonOf(error), { cause: error })
  }
}

/** What a token that names itself is remembered by, so that it signs in once; undefined for one that does not. */
function markOf(providerId: string, { jti }: Claims): string | undefined {
  if (jti === undefined) return undefined
  if (typeof jti !== 'string' || jti === '') throw new SignInFailed('token_invalid')
  return hashSecret(JSON.stringify([providerId, jti]))
}

/** The account whose token is in a header, with or without `Bearer`. Throws `SignInFailed`. */
export async function accountOfToken(
  app: App,
  { id, connection }: { readonly id: string; readonly connection: JwtConnection },
  header: string | undefined,
): Promise<ProviderAnswer> {
  const idToken = header?.trim().replace(/^Bearer(?: +|$)/i, '') ?? ''
  if (idToken === '') throw new SignInFailed('response_invalid')
  if (idToken.length > LONGEST_TOKEN) throw new SignInFailed('too_large')
  const claims = checkedClaims(await verified(app, connection, idToken))
  const subject = checkedSubject(claims.sub)
  const tokenMark = markOf(id, claims)
  // The sign-in ends with the token; what is left of it when clocks differ is a second.
  const endsAt = Math.max(Number(claims.exp) * 1000, app.clock() + 1000)
  return { subject, claims, accessToken: '', idToken, endsAt, ...(tokenMark !== undefined && { tokenMark }) }
}
