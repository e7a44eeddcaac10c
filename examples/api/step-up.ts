/**
 * How an API asks for a stronger or a newer sign-in (RFC 9470). The access token says how the user signed in: `acr` is the
 * level, `auth_time` the time. Both are in signed tokens for a resource, and in the answer of introspection.
 */

/** What an operation demands. */
export interface Demand {
  /** `urn:signet:acr:2`: two factors, or a passkey. */
  readonly acr?: string
  /** How many seconds ago the user signed in at most. */
  readonly maxAge?: number
}

/** The value of `WWW-Authenticate` for an answer with status 401; undefined when the sign-in is good enough. */
export function challengeFor(
  { acr, auth_time: at }: Readonly<Record<string, unknown>>,
  demand: Demand,
  now = Date.now(),
): string | undefined {
  const isLevel = demand.acr === undefined || acr === demand.acr
  const isRecent = demand.maxAge === undefined || (typeof at === 'number' && now / 1000 - at <= demand.maxAge)
  if (isLevel && isRecent) return undefined
  const parts = [
    'error="insufficient_user_authentication"',
    'error_description="A different sign-in is required"',
    ...(demand.acr === undefined ? [] : [`acr_values="${demand.acr}"`]),
    ...(demand.maxAge === undefined ? [] : [`max_age="${demand.maxAge}"`]),
  ]
  return `Bearer ${parts.join(', ')}`
}
