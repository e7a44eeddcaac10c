/** Requests on the back channel (OpenID Connect CIBA), as the engine asks about them. What users decide is not here. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { hashSecret } from '../../crypto/tokens.ts'
import {
  bindingMessageProblem,
  scopeProblem,
  takeAssertion,
  userOfHint,
} from '../../features/authorization-requests/index.ts'
import { instant } from '../../kernel/instant.ts'
import { originOf } from '../origin.ts'
import { DELIVERY_MODES, ROUTES } from '../routes.ts'
import { applicationOf, progressOf, requestOf } from './context.ts'
import { errors } from './library/index.ts'

type Features = NonNullable<Configuration['features']>
type Claims = Readonly<Record<string, unknown>>

/** In seconds: how long a user has to decide, unless the application asks for another time within bounds. */
const LIFETIME = { usual: 300, shortest: 30, longest: 600 } as const

/** How long a signed request may count (FAPI-CIBA §5.2.2). */
const LONGEST_SIGNED_S = 3600

/** Longer than any name or address. */
const LONGEST_HINT = 200

/** How long a request waits. */
export function approvalLifetime({ oidc: { params } }: KoaContextWithOIDC): number {
  const { requested_expiry: asked = LIFETIME.usual } = params ?? {}
  return Math.min(Math.max(Number(asked), LIFETIME.shortest), LIFETIME.longest)
}

/**
 * Checks a signed request beyond its signature; the engine checks whom it comes from and whom it is for. On the back
 * channel each counts once and for an hour at most (CIBA §7.1.1): it reaches a person every time.
 */
export async function checkSignedRequest(ctx: KoaContextWithOIDC, claims: Claims): Promise<void> {
  if (ctx.oidc.route !== 'backchannel_authentication') return
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    if (typeof claims[name] !== 'number') throw new errors.InvalidRequestObject(`the request has no ${name}`)
  }
  const { exp, nbf, jti } = claims as { readonly exp: number; readonly nbf: number; readonly jti: unknown }
  if (typeof jti !== 'string' || jti === '') throw new errors.InvalidRequestObject('the request has no jti')
  if (exp <= nbf || exp - nbf > LONGEST_SIGNED_S) {
    throw new errors.InvalidRequestObject('exp must be after nbf, by an hour at most')
  }
  progressOf(ctx).signedRequest = { jti, expiresAt: instant(exp * 1000) }
}

/** Takes a signed request, whose signature was verified by now; throws when it was used before, or is missing. */
async function takeSignedRequest(ctx: KoaContextWithOIDC): Promise<void> {
  const { app } = requestOf(ctx)
  const { clientId, config } = (await applicationOf(ctx)).state
  const { signedRequest } = progressOf(ctx)
  if (signedRequest === undefined) {
    if (config.ciba?.requireSignedRequests !== true) return
    throw new errors.InvalidRequest('requests of this client must be signed')
  }
  const { jti, expiresAt } = signedRequest
  const id = hashSecret(`${ROUTES.backchannel_authentication}\n${clientId}\n${jti}`)
  if (await takeAssertion(app, originOf(app), id, expiresAt)) return
  throw new errors.InvalidRequest('the signed request was used before')
}

async function checkScope(ctx: KoaContextWithOIDC): Promise<void> {
  const scope = String(ctx.oidc.params?.scope ?? '')
  const problem = await scopeProblem(requestOf(ctx).app, scope)
  if (problem !== undefined) throw new errors.InvalidScope(problem, scope)
}

export const BACKCHANNEL: NonNullable<Features['ciba']> = {
  enabled: true,
  deliveryModes: [...DELIVERY_MODES],
  /** Is asked for every request, whether it has this parameter, which we do not use, or not. */
  async validateRequestContext(ctx) {
    await takeSignedRequest(ctx)
    await checkScope(ctx)
  },
  async validateBindingMessage(_, message) {
    const problem = message === undefined ? undefined : bindingMessageProblem(message)
    if (problem !== undefined) throw new errors.InvalidBindingMessage(problem)
  },
  async processLoginHint(ctx, hint = '') {
    if (hint.length > LONGEST_HINT) return undefined
    return userOfHint(requestOf(ctx).app, ctx.oidc.client?.clientId ?? '', hint)
  },
  async processLoginHintToken() {
    throw new errors.InvalidRequest('login_hint_token is not supported, use login_hint or id_token_hint')
  },
  /** Users have none. */
  async verifyUserCode() {},
  /** The user was told in the commit that stored the request. */
  async triggerAuthenticationDevice() {},
}
