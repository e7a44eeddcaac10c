/** What a sign-in that succeeded is good for: to tell who it was, and once, to prove a session. */
import { matchesHash } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Reader, Work } from '../../store/index.ts'
import { identityLinkId, identityLinks } from '../identity-links/index.ts'
import { type Intent, proofProblem, type SucceededState } from './decider.ts'
import { identityPlace, intents } from './documents.ts'
import type { Identity } from './identity.ts'
import type { IntentsNeeds, Provider, ProviderState } from './needs.ts'
import { intentRefusals } from './refusals.ts'
import { providerProblem } from './starting.ts'

function isTokenOf(state: Intent, token: string): boolean {
  return state.status === 'succeeded' && matchesHash(token, state.secret.token)
}

/** Throws unless people can still sign in with the provider: deactivated or removed, it ends its intents too. */
async function requireProvider(needs: IntentsNeeds, reader: Reader, idpId: string): Promise<ProviderState> {
  const provider = await needs.findProviderState(reader, idpId)
  const problem = await providerProblem(needs, reader, provider)
  if (provider === undefined || problem !== undefined) {
    throw refused(intentRefusals, `intent.${problem ?? 'provider_inactive'}`)
  }
  return provider
}

export interface IntentProof {
  readonly intentId: string
  readonly token: string
  /** The user of the session, checked before. */
  readonly userId: string
  /** The user's organization. */
  readonly owner: string
}

/** Uses up an intent as part of a write; throws unless this user signed in with it, and it was not used before. */
export async function checkIntent(
  needs: IntentsNeeds,
  work: Work,
  { intentId, token, userId, owner }: IntentProof,
): Promise<void> {
  const document = await work.get(intents, intentId)
  if (document === undefined) throw refused(intentRefusals, 'intent.not_succeeded')
  const { state } = document
  const isToken = isTokenOf(state, token)
  let isLinked = false
  if (state.status === 'succeeded' && isToken) {
    const provider = await requireProvider(needs, work, state.idpId)
    const { idpId, externalUserId } = state
    if (!(await needs.isOffered(work, idpId, owner))) throw refused(intentRefusals, 'intent.provider_not_offered')
    const link = await work.get(identityLinks, identityLinkId({ userId, idpId, externalUserId }))
    const isOfOwner = provider.owner === owner || provider.owner === needs.instanceId
    isLinked = isOfOwner && link?.state.status === 'linked'
  }
  await work.decide(intents, intentId, { type: 'consume', at: work.origin.at, isToken, userId, isLinked })
}

export interface RetrievedIntent {
  readonly intent: Document<SucceededState>
  readonly provider: Provider
  readonly identity: Identity
}

/** What the provider told, for whoever has the token; the intent is not used up by that. */
export async function retrieveIntent(
  needs: IntentsNeeds,
  { intentId, token, at }: { readonly intentId: string; readonly token: string; readonly at: Instant },
): Promise<RetrievedIntent> {
  const document = await needs.store.get(intents, intentId)
  if (document === undefined) throw refused(intentRefusals, 'intent.not_succeeded')
  const { state } = document
  const problem = proofProblem(state, at, isTokenOf(state, token))
  if (problem !== undefined || state.status !== 'succeeded') {
    throw refused(intentRefusals, problem ?? 'intent.not_succeeded')
  }
  await requireProvider(needs, needs.store, state.idpId)
  const provider = await needs.findProvider(state.idpId)
  if (provider === undefined) throw refused(intentRefusals, 'intent.provider_inactive')
  const identity: Identity = JSON.parse(await needs.vault.open(identityPlace(intentId), state.secret.identity))
  return { intent: { ...document, state }, provider, identity }
}
