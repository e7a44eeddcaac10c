/**
 * Handles the return of the browser from a provider: only once, and the browser is always redirected or gets an error.
 */

import { matchesHash } from '../../../crypto/tokens.ts'
import { VISITOR_ACTOR } from '../../../kernel/actor.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { type OpenedProvider, openProvider } from '../../identity-providers/index.ts'
import type { Intent } from '../decider.ts'
import { handshakePlace, intents } from '../documents.ts'
import type { FailureReason, StartedIntent } from '../events.ts'
import { accountOfToken } from '../jwt/token.ts'
import { withParameters } from '../redirects.ts'
import { type Handshake, type ProviderAnswer, redeemAnswer } from '../relying-party.ts'
import { SignInFailed } from '../sign-in-failed.ts'
import { formatState } from './start-intent.ts'
import { requireProvider, type SucceededSignIn, succeed } from './succeed-intent.ts'

/** The parameters and the cookie of a browser that returns. */
export interface ReturnedBrowser {
  readonly parameters: URLSearchParams
  /** The value in the cookie of the hosted pages; undefined when there is none. */
  readonly browser: string | undefined
  /** The headers of the request, where a provider sends a token in one of them. */
  readonly header?: (name: string) => string | undefined
}

/** Where the browser is redirected; `unknown`: it belongs to no current sign-in. */
export type Finished = { readonly type: 'redirect'; readonly url: string } | { readonly type: 'unknown' }

const LONGEST_STATE = 200
const UNKNOWN: Finished = { type: 'unknown' }

const OUTAGES: readonly FailureReason[] = ['unreachable', 'too_slow', 'provider_error']

/** The error for the client: the user denied it at the provider, it may work later, or just that it failed. */
function errorOf(reason: FailureReason) {
  if (reason === 'denied') {
    return { error: 'access_denied', error_description: 'The sign-in was denied at the identity provider.' }
  }
  if (OUTAGES.includes(reason)) {
    return {
      error: 'temporarily_unavailable',
      error_description: 'The identity provider is temporarily unavailable.',
    }
  }
  return { error: 'sign_in_failed', error_description: 'The sign-in with the identity provider failed.' }
}

/** Sends the browser to the client with the proof. */
export async function redirectAfter(
  { successUrl }: StartedIntent,
  succeeded: Promise<SucceededSignIn>,
): Promise<Finished> {
  const { id, token, userId } = await succeeded
  return { type: 'redirect', url: withParameters(successUrl, { id, token, user: userId }) }
}

function failureUrl(id: string, { failureUrl: url }: StartedIntent, reason: FailureReason): Finished {
  return {
    type: 'redirect',
    url: withParameters(url, { id, ...errorOf(reason), token: undefined, user: undefined }),
  }
}

/** The state that a browser brings back, whole or in two halves; a parameter that is there twice is none. */
function stateOf({ parameters, header }: ReturnedBrowser): string | null {
  const once = (name: string) => (parameters.getAll(name).length === 1 ? parameters.get(name) : null)
  if (header === undefined) return once('state')
  const [id, secret] = [once('authRequestID'), once('userAgentID')]
  return id === null || secret === null ? null : formatState(id, secret)
}

/** The intent of a state: the whole text must match. */
export async function findByState({ store }: App, state: string | null): Promise<Document<Intent> | undefined> {
  if (state === null || state.length > LONGEST_STATE) return undefined
  const document = await store.get(intents, state.split('.', 1)[0] ?? '')
  if (document === undefined || document.state.status === 'unknown') return undefined
  return matchesHash(state, document.state.secret.state ?? '') ? document : undefined
}

/** Asks the provider for the account; throws `SignInFailed`. */
async function askProvider(
  app: App,
  idpId: string,
  handshake: Handshake,
  { parameters, header }: ReturnedBrowser,
): Promise<{ readonly provider: OpenedProvider; readonly answer: ProviderAnswer }> {
  const provider = await openProvider(app, idpId, app.clock())
  await requireProvider(app, provider, app.store)
  if (provider === undefined) throw new SignInFailed('provider_inactive')
  const { jwt: connection } = provider
  // Each kind of provider leads back to a page of its own.
  if ((connection === undefined) !== (header === undefined)) throw new SignInFailed('response_invalid')
  const answer =
    connection === undefined
      ? await redeemAnswer(app, provider, handshake, parameters)
      : await accountOfToken(app, { id: idpId, connection }, header?.(connection.headerName.toLowerCase()))
  return { provider, answer }
}

/**
 * Completes a sign-in. Every failure after the start is recorded in one event; the client only learns that it failed.
 */
export async function finishIntent(app: App, returned: ReturnedBrowser): Promise<Finished> {
  const { store, vault, clock } = app
  const { browser } = returned
  const found = await findByState(app, stateOf(returned))
  if (found === undefined) return UNKNOWN
  const { id, state } = found
  const origin: Origin = { actor: VISITOR_ACTOR, at: clock() }
  const bound = state.status === 'started' ? state.secret.browser : undefined
  const isSameBrowser = bound === undefined || (browser !== undefined && matchesHash(browser, bound))
  try {
    await store.write(origin, (work) => work.decide(intents, id, { type: 'answer', at: origin.at, isSameBrowser }))
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'intent.answer_refused') throw error
    return state.status === 'started' ? failureUrl(id, state, 'other_browser') : UNKNOWN
  }
  if (state.status !== 'started') return UNKNOWN
  try {
    const handshake: Handshake = JSON.parse(await vault.open(handshakePlace(id), state.secret.handshake))
    const asked = await askProvider(app, state.idpId, handshake, returned)
    const now = { ...origin, at: clock() }
    return await redirectAfter(state, succeed(app, now, { id, organizationId: state.organizationId, ...asked }))
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const { reason } = error
    await store.write({ ...origin, at: clock() }, (work) => work.decide(intents, id, { type: 'fail', reason }))
    const { organizationId, idpId: providerId } = state
    const code = `intent.${reason}`
    await app.lifecycle.whenSignInRefused(app, { origin, check: 'intent', code, organizationId, providerId })
    return failureUrl(id, state, reason)
  }
}
