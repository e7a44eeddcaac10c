/** Starts a sign-in with a provider, for the API and for the hosted pages. */

import { hashSecret, newSecret } from '../../../crypto/tokens.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { PATHS } from '../../../kernel/page-paths.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Written } from '../../../store/index.ts'
import { type OpenedProvider, openProvider } from '../../identity-providers/index.ts'
import type { Intent } from '../decider.ts'
import { handshakePlace, intents } from '../documents.ts'
import type { FailureReason } from '../events.ts'
import { providerProblem } from '../provider-rules.ts'
import { checkRedirects, withParameters } from '../redirects.ts'
import { intentRefusals } from '../refusals.ts'
import { authorizationUrl, type Handshake } from '../relying-party.ts'
import { type NextStep, samlStep } from '../saml/request.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { type Starter, takeStart } from '../unfinished.ts'

/** From the start to the response, and from the response to the session. */
export const INTENT_MILLISECONDS = 3_600_000

/** A sign-in to start. */
export interface NewIntent {
  /** Whose share of unfinished sign-ins it takes. */
  readonly by: Starter
  readonly idpId: string
  /** The organization of a new user, when the provider belongs to the instance. */
  readonly organizationId: string
  /** The organization whose pages the person visits, if it is another one. */
  readonly visitedId?: string | undefined
  readonly successUrl: string
  readonly failureUrl: string
  readonly loginHint?: string
  /**
   * The value in the cookie of the browser, if a hosted page starts the sign-in: only that browser can continue, and use it.
   * Without it, only the state binds the response to the intent, and the client must check that the browser at the
   * success URL is the one that it redirected.
   */
  readonly browser?: string | undefined
}

export interface StartedSignIn {
  readonly intent: Written<Document<Intent>>
  /** Where the browser goes. */
  readonly next: NextStep
}

function random(): string {
  return Buffer.from(newSecret()).toString('base64url')
}

/** The parameter `state`: the ID of the intent, and a secret. */
export function formatState(intentId: string, secret: string): string {
  return `${intentId}.${secret}`
}

/** Our own page, which asks for the name and password of an account in a directory. */
function directoryUrl({ externalUrl }: App, state: string): string {
  const url = new URL(PATHS.directory, externalUrl)
  url.searchParams.set('state', state)
  return url.href
}

/** The page of the provider that sends the browser back with a token, and the two halves of the state, which it passes on. */
function tokenPageUrl(jwtEndpoint: string, state: string): string {
  const [authRequestID = '', userAgentID = ''] = state.split('.')
  return withParameters(jwtEndpoint, { authRequestID, userAgentID })
}

/** Where the browser goes. Throws `SignInFailed`. */
async function firstStep(
  app: App,
  provider: OpenedProvider,
  handshake: Handshake,
  loginHint: string | undefined,
): Promise<NextStep> {
  if (provider.ldap !== undefined) return { type: 'redirect', url: directoryUrl(app, handshake.state) }
  if (provider.jwt !== undefined)
    return { type: 'redirect', url: tokenPageUrl(provider.jwt.jwtEndpoint, handshake.state) }
  if (provider.saml !== undefined) return samlStep(app, provider, provider.saml, handshake)
  return { type: 'redirect', url: await authorizationUrl(app, provider, handshake, loginHint) }
}

/** Starts a sign-in. Any error of the provider is one refusal for the caller and one event in the log. */
export async function startIntent(
  app: App,
  origin: Origin,
  { by, idpId, organizationId, visitedId, successUrl, failureUrl, loginHint, browser }: NewIntent,
  fieldPrefix = '',
): Promise<StartedSignIn> {
  const { store, vault, instanceId } = app
  checkRedirects({ successUrl, failureUrl }, app.config.allowedRedirects, fieldPrefix)
  const provider = await openProvider(app, idpId, app.clock())
  if (provider === undefined) throw refused(intentRefusals, 'intent.provider_not_found')
  const id = app.newId()
  takeStart(app, by, id)
  const giveUp = (reason: FailureReason) =>
    store.write(origin, (work) => work.decide(intents, id, { type: 'give_up', idpId, reason }, provider.owner))

  const problem = await providerProblem(app, provider)
  if (problem !== undefined) {
    await giveUp(problem)
    throw refused(intentRefusals, `intent.${problem}`)
  }
  const handshake: Handshake = { state: formatState(id, random()), nonce: random(), verifier: random() }
  let next: NextStep
  try {
    next = await firstStep(app, provider, handshake, loginHint)
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    await giveUp(error.reason)
    throw refused(intentRefusals, 'intent.provider_failed')
  }
  const expiresAt: Instant = instant(origin.at + INTENT_MILLISECONDS)
  const intent = await store.write(origin, async (work) => {
    const sealed = await vault.seal(work, handshakePlace(id), JSON.stringify(handshake))
    return work.decide(
      intents,
      id,
      {
        type: 'start',
        idpId,
        organizationId: provider.owner === instanceId ? organizationId : provider.owner,
        ...(visitedId !== undefined && provider.owner === instanceId && { visitedId }),
        successUrl,
        failureUrl,
        expiresAt,
        secret: {
          state: hashSecret(handshake.state),
          handshake: sealed,
          ...(browser !== undefined && { browser: hashSecret(browser) }),
        },
      },
      provider.owner,
    )
  })
  return { intent, next }
}
