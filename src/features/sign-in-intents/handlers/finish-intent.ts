/**
 * Handles the return of the browser from a provider: only once, and the browser is always redirected or gets an error.
 */

import { matchesHash } from '../../../crypto/tokens.ts'
import { Refused } from '../../../kernel/refusal.ts'
import type { App, Whereabouts } from '../../../module/app.ts'
import type { Document, Origin } from '../../../store/index.ts'
import { type OpenedProvider, openProvider } from '../../identity-providers/index.ts'
import type { Intent } from '../decider.ts'
import { handshakePlace, intents } from '../documents.ts'
import type { FailureReason, StartedIntent } from '../events.ts'
import { accountOfToken } from '../jwt/token.ts'
import { withParameters } from '../redirects.ts'
import { type Handshake, type ProviderAnswer, redeemAnswer } from '../relying-party.ts'
import { addressesFor, requestIdOf } from '../saml/request.ts'
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
  /** Where it comes from, for the record of a failed sign-in. */
  readonly from?: Whereabouts
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

/** Asks the provider for the account, or reads what the browser brought; throws `SignInFailed`. */
type Redeem = (provider: OpenedProvider, handshake: Handshake) => Promise<ProviderAnswer>

async function redeemWith(app: App, idpId: string, handshake: Handshake, redeem: Redeem) {
  const provider = await openProvider(app, idpId, app.clock())
  await requireProvider(app, provider, app.store)
  if (provider === undefined) throw new SignInFailed('provider_inactive')
  return { provider, answer: await redeem(provider, handshake) }
}

/**
 * Completes a sign-in. Every failure after the start is recorded in one event; the client only learns that it failed.
 */
async function complete(
  app: App,
  { id, state }: Document<Intent>,
  { isSameBrowser, from }: { readonly isSameBrowser: boolean; readonly from: Whereabouts | undefined },
  redeem: Redeem,
): Promise<Finished> {
  const { store, vault, clock } = app
  const origin: Origin = { actor: 'visitor', at: clock() }
  try {
    await store.write(origin, (work) => work.decide(intents, id, { type: 'answer', at: origin.at, isSameBrowser }))
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'intent.answer_refused') throw error
    return state.status === 'started' ? failureUrl(id, state, 'other_browser') : UNKNOWN
  }
  if (state.status !== 'started') return UNKNOWN
  const { organizationId, visitedId } = state
  try {
    const handshake: Handshake = JSON.parse(await vault.open(handshakePlace(id), state.secret.handshake))
    const redeemed = await redeemWith(app, state.idpId, handshake, redeem)
    const now = { ...origin, at: clock() }
    return await redirectAfter(state, succeed(app, now, { id, organizationId, visitedId, ...redeemed }))
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const { reason } = error
    await store.write({ ...origin, at: clock() }, (work) => work.decide(intents, id, { type: 'fail', reason }))
    const { idpId: providerId } = state
    const code = `intent.${reason}`
    await app.lifecycle.whenSignInRefused(app, { origin, check: 'intent', code, organizationId, providerId, from })
    return failureUrl(id, state, reason)
  }
}

function boundBrowser({ state }: Document<Intent>): string | undefined {
  return state.status === 'started' ? state.secret.browser : undefined
}

/** Completes the sign-in of a browser that brings the parameters of a provider, or a signed token in a header. */
export async function finishIntent(app: App, returned: ReturnedBrowser): Promise<Finished> {
  const { parameters, browser, header, from } = returned
  const found = await findByState(app, stateOf(returned))
  if (found === undefined) return UNKNOWN
  const bound = boundBrowser(found)
  const isSameBrowser = bound === undefined || (browser !== undefined && matchesHash(browser, bound))
  return complete(app, found, { isSameBrowser, from }, (provider, handshake) => {
    const { id, jwt: connection } = provider
    // Each kind of provider leads back to a page of its own.
    if ((connection === undefined) !== (header === undefined)) throw new SignInFailed('response_invalid')
    return connection === undefined
      ? redeemAnswer(app, provider, handshake, parameters)
      : accountOfToken(app, { id, connection }, header?.(connection.headerName.toLowerCase()))
  })
}

/** A browser that a SAML provider had post its response. */
export interface PostedResponse {
  /** The provider whose address for responses it is. */
  readonly providerId: string
  readonly relayState: string | null
  readonly response: string
  /** As above. A form from another site usually comes without the cookie. */
  readonly browser: string | undefined
  readonly from?: Whereabouts
}

/**
 * Completes the sign-in of a browser that posts a response. Without a cookie the browser is unknown here, so it is compared
 * when the proof is used: a hosted page uses it only in the browser that started.
 */
export async function finishSamlIntent(app: App, posted: PostedResponse): Promise<Finished> {
  const { providerId, relayState, response, browser, from } = posted
  const found = await findByState(app, relayState)
  if (found === undefined || !('idpId' in found.state) || found.state.idpId !== providerId) return UNKNOWN
  const bound = boundBrowser(found)
  const isSameBrowser = bound === undefined || browser === undefined || matchesHash(browser, bound)
  return complete(app, found, { isSameBrowser, from }, async ({ saml }, handshake) => {
    if (saml === undefined) throw new SignInFailed('response_invalid')
    const { redeemResponse } = await import('../saml/response.ts')
    const { acs, entityId } = addressesFor(app, providerId)
    return redeemResponse(saml, response, { requestId: requestIdOf(handshake), acs, entityId, at: app.clock() })
  })
}
