/**
 * What follows when the engine has authenticated the client of an introspection or revocation: our own code looks at the
 * token, because the engine knows no signed ones. It only learns which client asks.
 */
import type { KoaContextWithOIDC } from 'oidc-provider'
import introspection from 'oidc-provider/lib/actions/introspection.js'
import revocation from 'oidc-provider/lib/actions/revocation.js'

type Step = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => unknown

/** The first step of both endpoints that is about the token; what comes before is about the client and the form. */
const FIRST_STEP_ABOUT_TOKEN = 'rejectStructuredTokens'

/** The steps of an endpoint up to the one that is about the token, and then ours. */
export function untilAuthenticated(steps: readonly Step[], then: Step): readonly Step[] {
  const at = steps.findIndex(({ name }) => name === FIRST_STEP_ABOUT_TOKEN)
  if (at < 0) throw new Error(`an endpoint of oidc-provider has no step ${FIRST_STEP_ABOUT_TOKEN}`)
  return [...steps.slice(0, at), then]
}

/** Lets both endpoints of all engines that are made later end with a step of ours. */
export function answerWhenAuthenticated(then: (ctx: KoaContextWithOIDC, clientId: string) => void): void {
  const step: Step = (ctx) => {
    ctx.status = 200
    ctx.body = ''
    if (ctx.oidc.client !== undefined) then(ctx, ctx.oidc.client.clientId)
  }
  for (const steps of [introspection, revocation] as Step[][]) {
    steps.splice(0, steps.length, ...untilAuthenticated(steps, step))
  }
}
