/** Uses a successful sign-in at a provider: to read the information of the provider, and to prove one session. */

import { matchesHash } from '../../../crypto/tokens.ts'
import type { Instant } from '../../../kernel/instant.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Reader, Work } from '../../../store/index.ts'
import { isLinked as isLinkedNow } from '../../identity-links/index.ts'
import { type OpenedProvider, openProvider } from '../../identity-providers/index.ts'
import { type Intent, proofProblem, type SucceededState } from '../decider.ts'
import { identityPlace, intentEndings, intents } from '../documents.ts'
import type { Identity } from '../identity.ts'
import { isOffered, type ProviderState, providerProblem, providerState } from '../provider-rules.ts'
import { intentRefusals } from '../refusals.ts'

/** What the holder of a sign-in shows: the token, and on a hosted page the cookie of the browser. */
export interface ShownIntent {
  readonly intentId: string
  readonly token: string
  /** The value in the cookie of the browser. Only hosted pages have it, and they always pass it. */
  readonly browser?: string
}

/**
 * Whether somebody shows what belongs to a sign-in: its token, and the browser that it was stored with. What a hosted page
 * started is of use in that browser only; what a client started is of no use on a hosted page. Otherwise a client could
 * start a sign-in, let another person complete it, and continue as that person.
 */
function isShown(state: Intent, { token, browser }: ShownIntent): boolean {
  if (state.status !== 'succeeded' || !matchesHash(token, state.secret.token)) return false
  const bound = state.secret.browser
  return bound === undefined || browser === undefined ? bound === browser : matchesHash(browser, bound)
}

/** Throws unless users can still sign in with the provider. Deactivating or removing it invalidates its intents. */
async function requireProvider(app: App, idpId: string, reader: Reader): Promise<ProviderState> {
  const provider = await providerState(app, idpId, reader)
  const problem = await providerProblem(app, provider, reader)
  if (provider === undefined || problem !== undefined) {
    throw refused(intentRefusals, `intent.${problem ?? 'provider_inactive'}`)
  }
  return provider
}

export interface IntentProof extends ShownIntent {
  /** The user of the session, already checked. */
  readonly userId: string
  /** The user's organization. */
  readonly owner: string
}

/** Uses up an intent as part of a write. Throws unless it belongs to this user and was not used before. */
export async function checkIntent(app: App, work: Work, { userId, owner, ...shown }: IntentProof): Promise<void> {
  const { intentId } = shown
  const document = await work.get(intents, intentId)
  if (document === undefined) throw refused(intentRefusals, 'intent.not_succeeded')
  const { state } = document
  const isToken = isShown(state, shown)
  let isLinked = false
  if (state.status === 'succeeded' && isToken) {
    const provider = await requireProvider(app, state.idpId, work)
    const { idpId, externalUserId } = state
    if (!(await isOffered(app, idpId, { userId, organizationId: owner }, work)))
      throw refused(intentRefusals, 'intent.provider_not_offered')
    const isOfOwner = provider.owner === owner || provider.owner === app.instanceId
    isLinked = isOfOwner && (await isLinkedNow(app, { userId, idpId, externalUserId }, work))
  }
  const generations = await intentEndings.now(work, { userId, organizationId: owner })
  const command = { type: 'consume', at: work.origin.at, isToken, userId, isLinked, generations } as const
  await work.decide(intents, intentId, command)
}

export interface RetrievedIntent {
  readonly intent: Document<SucceededState>
  readonly provider: OpenedProvider
  readonly identity: Identity
}

/** The information of the provider about the account, for the holder of the token. Does not use up the intent. */
export async function retrieveIntent(
  app: App,
  { at, ...shown }: ShownIntent & { readonly at: Instant },
): Promise<RetrievedIntent> {
  const { intentId } = shown
  const document = await app.store.get(intents, intentId)
  if (document === undefined) throw refused(intentRefusals, 'intent.not_succeeded')
  const { state } = document
  const problem = proofProblem(state, at, isShown(state, shown))
  if (problem !== undefined || state.status !== 'succeeded') {
    throw refused(intentRefusals, problem ?? 'intent.not_succeeded')
  }
  await requireProvider(app, state.idpId, app.store)
  const provider = await openProvider(app, state.idpId, app.clock())
  if (provider === undefined) throw refused(intentRefusals, 'intent.provider_inactive')
  const identity: Identity = JSON.parse(await app.vault.open(identityPlace(intentId), state.secret.identity))
  return { intent: { ...document, state }, provider, identity }
}
