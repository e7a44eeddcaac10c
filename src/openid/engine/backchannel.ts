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
import { applicationOf, progressOf, requestOf, rulesOf } from './context.ts'
import { errors } from './library/index.ts'

type Features = NonNullable<Configuration['features']>
type Claims = Readonly<Record<string, unknown>>

/** In seconds: how long a user has to decide, unless the application asks for another time within bounds. */
const LIFETIME = { usual: 300, shortest: 30, longest: 600 } as const

/** How long a signed request may count (FAPI-CIBA §5.2.2, FAPI 2.0 Message Signing §5.3.1). */
const LONGEST_SIGNED_S = 3600

/** Longer than any name or address. */
const LONGEST_HINT = 200

/** How long a request waits. */
export function approvalLifetime({ oidc: { params } }: KoaContextWithOIDC): number {
  const { requested_expiry: asked = LIFETIME.usual } = params ?? {}
  return Math.min(Math.max(Number(asked), LIFETIME.shortest), LIFETIME.longest)
}

function numberIn(claims: Claims, name: string): number {
  const value = claims[name]
  if (typeof value !== 'number') throw new errors.InvalidRequestObject(`the request has no ${name}`)
  return value
}

/** When a signed request ends, if it counts for an hour at most; the engine refuses it before `nbf` and after `exp`. */
function endOfSigned(claims: Claims): number {
  const [exp, nbf] = [numberIn(claims, 'exp'), numberIn(claims, 'nbf')]
  if (exp > nbf && exp - nbf <= LONGEST_SIGNED_S) return exp
  throw new errors.InvalidRequestObject('exp must be after nbf, by an hour at most')
}

/**
 * Checks a signed request beyond its signature; the engine checks whom it comes from and whom it is for. It counts for an hour at
 * most on the back channel (CIBA §7.1.1), and where the FAPI 2.0 Security Profile applies. On the back channel it also counts
 * once: it reaches a person every time. A pushed request was checked when it was pushed.
 */
export async function checkSignedRequest(ctx: KoaContextWithOIDC, claims: Claims): Promise<void> {
  const { route, client, entities } = ctx.oidc
  if (route !== 'backchannel_authentication') {
    const isChecked = entities.PushedAuthorizationRequest !== undefined
    if (!isChecked && rulesOf(client).isHighAssurance) endOfSigned(claims)
    return
  }
  const exp = endOfSigned(claims)
  numberIn(claims, 'iat')
  const { jti } = claims
  if (typeof jti !== 'string' || jti === '') throw new errors.InvalidRequestObject('the request has no jti')
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
