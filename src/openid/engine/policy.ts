/**
 * When the engine asks the user for something, and on which page. The answers are read from the session, the stored
 * choice and the consent; the engine itself remembers nothing about users.
 */

import type { KoaContextWithOIDC, interactionPolicy as policies } from 'oidc-provider'
import {
  askedOf,
  describeApplication,
  findRequest,
  isForThisRequest,
  isFreshEnough,
  ownLoginBase,
  readScopes,
  scopeProblem,
} from '../../features/authorization-requests/index.ts'
import { hasConsent } from '../../features/grants/index.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import { areDetailsAllowed, detailsOf } from './authorization-details.ts'
import { clientOf, progressOf, requestOf } from './context.ts'
import { asksForTwo, needsOtherLevel, prefersOtherLevel } from './level.ts'
import { flowStartOf } from './library/flow-start.ts'
import { errors, interactionPolicy } from './library/index.ts'

type Interaction = NonNullable<KoaContextWithOIDC['oidc']['entities']['Interaction']>

/**
 * The base of the login pages of the caller's own, where there are such. A client that nobody prepared is shown on our own
 * pages: users must see what it is.
 */
async function ownBase(ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const { app, loginClientId } = requestOf(ctx)
  const { config, isAgent } = await clientOf(ctx)
  return isAgent ? undefined : ownLoginBase(app, config, loginClientId)
}

/** When the user was first asked for something in this flow; undefined before that. */
async function flowStart(ctx: KoaContextWithOIDC): Promise<Instant | undefined> {
  const interaction = ctx.oidc.entities.Interaction
  return interaction && flowStartOf(interaction as object)
}

/** Whether the user signed in after this flow had begun. */
async function isSignedInForThis(ctx: KoaContextWithOIDC): Promise<boolean> {
  return isForThisRequest(progressOf(ctx).signedInAt, await flowStart(ctx))
}

/** `prompt` and `max_age` as the request gave them. */
function asked(ctx: KoaContextWithOIDC) {
  const { prompt, max_age: maxAge } = ctx.oidc.params ?? {}
  const prompts = new Set(typeof prompt === 'string' ? prompt.split(' ') : [])
  return { prompts, maxAge: maxAge === undefined ? undefined : Number(maxAge) }
}

/** The users that the `claims` parameter names: tokens of others must not be issued (OpenID Connect Core §5.5.1). */
function subjectsAskedFor(claims: unknown): readonly unknown[] {
  if (typeof claims !== 'string') return []
  const parsed = JSON.parse(claims) as Readonly<Record<string, { readonly sub?: { readonly value?: unknown } | null }>>
  return [parsed.id_token?.sub?.value, parsed.userinfo?.sub?.value]
}

/** Whether the user must sign in, or sign in again. */
async function needsSignIn(ctx: KoaContextWithOIDC): Promise<boolean> {
  if ((await ownBase(ctx)) !== undefined) {
    progressOf(ctx).isLeftToOwnPage = true
    return true
  }
  const { app } = requestOf(ctx)
  const { session, params } = ctx.oidc
  if (session?.accountId === undefined) return true
  const { prompts, maxAge } = asked(ctx)
  const fresh = { isForced: prompts.has('login'), maxAge, since: await flowStart(ctx) }
  if (!isFreshEnough(progressOf(ctx).signedInAt, fresh, app.clock())) return true
  const isForThis = await isSignedInForThis(ctx)
  if (needsOtherLevel(ctx, session.acr, isForThis)) return true
  const canReach = !isForThis && requestOf(ctx).person?.provesWith.includes('passkey') === true
  if (prefersOtherLevel(ctx, session.acr, canReach)) return true
  const users = [ctx.oidc.entities.IdTokenHint?.payload.sub, ...subjectsAskedFor(params?.claims)]
  if (users.some((id) => id !== undefined && id !== session.accountId)) return true
  return isOfAnotherOrganization(ctx, String(params?.scope ?? ''))
}

/** Whether the scopes ask for a user of another organization than the one who is signed in. */
async function isOfAnotherOrganization(ctx: KoaContextWithOIDC, scope: string): Promise<boolean> {
  const { person } = requestOf(ctx)
  const { organizationIds } = readScopes(scope)
  return organizationIds.some((id) => id !== person?.organizationId)
}

async function needsConsent(ctx: KoaContextWithOIDC): Promise<boolean> {
  const { clientId, config } = await clientOf(ctx)
  const { prompts } = asked(ctx)
  const userId = ctx.oidc.session?.accountId
  if (userId === undefined) return false
  if (detailsOf(ctx) !== undefined && !(await areDetailsAllowed(ctx, userId))) return true
  if (!config.isThirdParty && !prompts.has('consent')) return false
  const since = prompts.has('consent') ? ((await flowStart(ctx)) ?? requestOf(ctx).app.clock()) : instant(0)
  const { app, person } = requestOf(ctx)
  const organizationId = person?.organizationId ?? ''
  const { scope = '', resource, redirect_uri: redirectUri } = ctx.oidc.params ?? {}
  const uri = typeof resource === 'string' ? resource : undefined
  const described = await describeApplication(app, clientId, String(scope), uri)
  if (described === undefined) return true
  const shown = askedOf(described, typeof redirectUri === 'string' ? redirectUri : undefined)
  return !(await hasConsent(app, { ...shown, userId, organizationId, since }))
}

async function needsChoice(ctx: KoaContextWithOIDC): Promise<boolean> {
  if (!asked(ctx).prompts.has('select_account')) return false
  if (await isSignedInForThis(ctx)) return false
  const id = ctx.oidc.entities.Interaction?.uid
  const { app, person } = requestOf(ctx)
  const request = id === undefined ? undefined : await findRequest(app, id, app.clock())
  return request?.state.chosenSessionId === undefined || request.state.chosenSessionId !== person?.sessionId
}

/** Whether the user came to register, and has not done so in this flow. */
async function needsRegistration(ctx: KoaContextWithOIDC): Promise<boolean> {
  if (!asked(ctx).prompts.has('create')) return false
  return !(await isSignedInForThis(ctx))
}

/** Throws without a scope, because no default is documented (RFC 6749 §3.3), and for scopes that no user can meet. */
async function checkScopes(ctx: KoaContextWithOIDC): Promise<void> {
  const scope = String(ctx.oidc.params?.scope ?? '')
  if (scope === '') throw new errors.InvalidRequest('The parameter scope is missing.')
  const problem = await scopeProblem(requestOf(ctx).app, scope)
  if (problem !== undefined) throw new errors.InvalidScope(problem, scope)
}

/** The first one also checks what the engine does not know of. */
const PROMPTS = [
  ['create', 'interaction_required', (ctx) => checkScopes(ctx).then(() => needsRegistration(ctx))],
  ['login', 'login_required', needsSignIn],
  ['select_account', 'account_selection_required', needsChoice],
  ['consent', 'consent_required', needsConsent],
] as const satisfies readonly (readonly [string, string, (ctx: KoaContextWithOIDC) => Promise<boolean>])[]

/** What is asked for, in this order. */
export function promptPolicy(): policies.DefaultPolicy {
  const policy = interactionPolicy.base()
  policy.clear()
  for (const [name, error, check] of PROMPTS) {
    const prompt = new interactionPolicy.Prompt({ name, requestable: true })
    // The engine's own check asks whether it was answered in this flow; ours reads the answer.
    prompt.checks.clear()
    prompt.checks.add(new interactionPolicy.Check(`${name}_needed`, `${name} is needed`, error, check))
    policy.add(prompt)
  }
  return policy
}

function address(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `${path}?${new URLSearchParams(given)}`
}

/** The page that asks the user. */
export async function pageFor(ctx: KoaContextWithOIDC, { uid, prompt }: Interaction): Promise<string> {
  const { params = {}, urlFor } = { params: ctx.oidc.params, urlFor: ctx.oidc.urlFor.bind(ctx.oidc) }
  const own = await ownBase(ctx)
  if (own !== undefined) return `${own}/login?authRequest=V2_${uid}`
  const next = new URL(urlFor('resume', { uid })).pathname
  const { person } = requestOf(ctx)
  const { organizationIds, providerId } = readScopes(String(params.scope ?? ''))
  const language = typeof params.ui_locales === 'string' ? params.ui_locales.split(' ')[0] : undefined
  const kept = { next, authRequest: uid, lang: language, orgId: organizationIds[0] }
  switch (prompt.name) {
    case 'create':
      return address(PATHS.register, kept)
    case 'select_account':
      return address(PATHS.accounts, kept)
    case 'consent':
      return address(PATHS.consent, kept)
    default: {
      const hint = typeof params.login_hint === 'string' ? params.login_hint : undefined
      const subject = ctx.oidc.entities.IdTokenHint?.payload.sub
      const isOther =
        (hint !== undefined && person?.userName !== hint) ||
        (subject !== undefined && person?.userId !== subject) ||
        organizationIds.some((id) => id !== person?.organizationId)
      // What the API demands may be one factor away from what the session has (RFC 9470).
      if (!isOther && person?.step === 'second_factor' && asksForTwo(ctx)) return address(PATHS.secondFactor, kept)
      // A user who is signed in only adds a factor; another one gets the whole form.
      const how = person?.step !== 'none' ? {} : isOther ? { other: 'yes' } : { again: 'yes' }
      return address(PATHS.signIn, { ...kept, userName: hint, ...how, idp: providerId })
    }
  }
}
