/** Levels of authentication that an application requires with the `claims` parameter (OpenID Connect Core §5.5.1.1). */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { ACR, acrFor, askedAcr, requiredAcrs } from '../../features/authorization-requests/index.ts'
import { errors } from './library/index.ts'

const SUPPORTED: readonly unknown[] = Object.values(ACR)

/** The error for a sign-in that does not have the level (OpenID Connect Core Unmet Authentication Requirements 1.0). */
export function unmetLevel(description: string): Error {
  return new errors.UnmetAuthenticationRequirements(description)
}

function claimsOf({ oidc }: KoaContextWithOIDC): string | undefined {
  const claims = oidc.params?.claims
  return typeof claims === 'string' ? claims : undefined
}

/** Throws for a request that names a level in a wrong form, or requires only levels that do not exist here. */
export function checkAskedLevel(ctx: KoaContextWithOIDC): void {
  const claims = claimsOf(ctx)
  const { value, values } = askedAcr(claims) ?? {}
  if (value !== undefined && typeof value !== 'string') {
    throw new errors.InvalidRequest('claims.id_token.acr.value should be a string')
  }
  if (values !== undefined && !Array.isArray(values)) {
    throw new errors.InvalidRequest('claims.id_token.acr.values should be an array')
  }
  const required = requiredAcrs(claims)
  if (required !== undefined && !required.some((one) => SUPPORTED.includes(one))) {
    throw unmetLevel('none of the required levels of authentication is supported')
  }
}

/** Whether the application prefers or requires a sign-in with two factors. */
export function asksForTwo(ctx: KoaContextWithOIDC): boolean {
  const { acr_values: asked } = ctx.oidc.params ?? {}
  const preferred = typeof asked === 'string' ? asked.split(' ') : []
  return preferred.includes(ACR.multi) || requiredAcrs(claimsOf(ctx))?.includes(ACR.multi) === true
}

/**
 * Whether the user is asked to sign in again because the application prefers a level (`acr_values`, RFC 9470 §4): only
 * once in a flow, and only a user who can reach it. Who cannot goes on with what they have, which the token says.
 */
export function prefersOtherLevel(ctx: KoaContextWithOIDC, acr: string | undefined, canReach: boolean): boolean {
  const { acr_values: asked, prompt } = ctx.oidc.params ?? {}
  if (typeof asked !== 'string' || !canReach || prompt === 'none') return false
  const preferred = asked.split(' ').filter((one) => SUPPORTED.includes(one))
  return preferred.length > 0 && acrFor(acr ?? '', preferred) === undefined
}

/** Whether the user must sign in again to reach the level. Throws when they did so in this flow and did not reach it. */
export function needsOtherLevel(ctx: KoaContextWithOIDC, acr: string | undefined, isSignedInForThis: boolean): boolean {
  if (acrFor(acr ?? '', requiredAcrs(claimsOf(ctx))) !== undefined) return false
  if (isSignedInForThis) throw unmetLevel('the sign-in does not have the required level of authentication')
  return true
}
