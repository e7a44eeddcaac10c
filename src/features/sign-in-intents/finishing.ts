/** The browser comes back from a provider: once, and whatever it brings, it is sent on or told that it did not work. */
import { hashSecret, matchesHash, newSecret } from '../../crypto/tokens.ts'
import { instant } from '../../kernel/instant.ts'
import { type RefusalKind, Refused } from '../../kernel/refusal.ts'
import type { Document, Origin } from '../../store/index.ts'
import type { Intent } from './decider.ts'
import { handshakePlace, identityPlace, intents } from './documents.ts'
import type { FailureReason, StartedIntent } from './events.ts'
import { type Follow, prepareFollowing } from './following.ts'
import { externalUserNameOf, type Identity } from './identity.ts'
import type { IntentsNeeds, Provider, ProviderState, Reader } from './needs.ts'
import { withParameters } from './redirects.ts'
import type { Handshake, ProviderAnswer } from './relying-party.ts'
import { SignInFailed } from './sign-in-failed.ts'
import { INTENT_MILLISECONDS, providerProblem } from './starting.ts'

/** What a browser brings back. */
export interface ReturnedBrowser {
  readonly parameters: URLSearchParams
  /** What it keeps in the cookie of our pages; undefined when it has none. */
  readonly browser: string | undefined
}

/** Where the browser goes on; `unknown`: there is no sign-in that it could go on with. */
export type Finished = { readonly type: 'redirect'; readonly url: string } | { readonly type: 'unknown' }

/** Who stands on the events: nobody has signed in yet. */
const VISITOR = 'visitor'

const LONGEST_STATE = 200
const UNKNOWN: Finished = { type: 'unknown' }

const OUTAGES: readonly FailureReason[] = ['unreachable', 'too_slow', 'provider_error']

/** What whoever began is told: that it was refused at the provider, that it may work later, or only that it failed. */
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

function failureUrl(id: string, { failureUrl: url }: StartedIntent, reason: FailureReason): Finished {
  return {
    type: 'redirect',
    url: withParameters(url, { id, ...errorOf(reason), token: undefined, user: undefined }),
  }
}

/** The intent that a state belongs to: the whole text must be right. */
async function findByState({ store }: IntentsNeeds, state: string | null): Promise<Document<Intent> | undefined> {
  if (state === null || state.length > LONGEST_STATE) return undefined
  const document = await store.get(intents, state.split('.', 1)[0] ?? '')
  if (document === undefined || document.state.status === 'unknown') return undefined
  return matchesHash(state, document.state.secret.state ?? '') ? document : undefined
}

/** Throws unless people can sign in with the provider now. */
async function requireProvider(needs: IntentsNeeds, reader: Reader, provider: ProviderState | undefined) {
  const problem = await providerProblem(needs, reader, provider)
  if (problem !== undefined) throw new SignInFailed(problem)
}

/** Asks the provider who it is; throws `SignInFailed`. */
async function askProvider(
  needs: IntentsNeeds,
  idpId: string,
  handshake: Handshake,
  parameters: URLSearchParams,
): Promise<{ readonly provider: Provider; readonly answer: ProviderAnswer }> {
  const provider = await needs.findProvider(idpId)
  await requireProvider(needs, needs.store, provider)
  if (provider === undefined) throw new SignInFailed('provider_inactive')
  return { provider, answer: await needs.relyingParty.redeem(provider, handshake, parameters) }
}

const nobody: Follow = async () => undefined

/** Does something else when a room said no; whatever else went wrong stays wrong. */
function ifRefused<Value>(otherwise: () => Promise<Value>) {
  return (error: unknown): Promise<Value> => {
    const kinds: readonly RefusalKind[] = ['invalid', 'conflict', 'precondition', 'not_found']
    if (error instanceof Refused && kinds.includes(error.kind)) return otherwise()
    throw error
  }
}

/** Writes who signed in, with a token that only whoever began will see. */
async function succeed(
  needs: IntentsNeeds,
  origin: Origin,
  id: string,
  started: StartedIntent,
  { provider, answer }: { readonly provider: Provider; readonly answer: ProviderAnswer },
): Promise<Finished> {
  const { subject, claims, accessToken, idToken, refreshToken } = answer
  const token = Buffer.from(newSecret()).toString('base64url')
  const identity: Identity = { claims, accessToken, idToken, refreshToken }
  const account = { provider, answer, organizationId: started.organizationId }
  const write = (follow: Follow) =>
    needs.store.write(origin, async (work) => {
      // It may have been deactivated while it answered.
      await requireProvider(needs, work, await needs.findProviderState(work, provider.id))
      const userId = await follow(work)
      const sealed = await needs.vault.seal(work, identityPlace(id), JSON.stringify(identity))
      await work.decide(intents, id, {
        type: 'succeed',
        externalUserId: subject,
        externalUserName: externalUserNameOf(claims, subject),
        ...(userId !== undefined && { userId }),
        expiresAt: instant(origin.at + INTENT_MILLISECONDS),
        secret: { token: hashSecret(token), identity: sealed },
      })
      return userId
    })
  const tryToFollow = async () => write(await prepareFollowing(needs, account))
  // The account may have been linked meanwhile by another sign-in of the same person: looked at again, it is known. What
  // another room refuses about somebody new for good (a name that is taken) leaves the account nobody's.
  const { value: userId } = await tryToFollow()
    .catch(ifRefused(tryToFollow))
    .catch(ifRefused(() => write(nobody)))
  return { type: 'redirect', url: withParameters(started.successUrl, { id, token, user: userId }) }
}

/** Finishes a sign-in. Every refusal of one that was begun is one event, and says nothing outside but that it failed. */
export async function finishIntent(needs: IntentsNeeds, { parameters, browser }: ReturnedBrowser): Promise<Finished> {
  const { store, vault, clock } = needs
  const states = parameters.getAll('state')
  const found = await findByState(needs, states.length === 1 ? (states[0] ?? null) : null)
  if (found === undefined) return UNKNOWN
  const { id, state } = found
  const origin: Origin = { actor: VISITOR, at: clock() }
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
    const asked = await askProvider(needs, state.idpId, handshake, parameters)
    return await succeed(needs, { ...origin, at: clock() }, id, state, asked)
  } catch (error) {
    if (!(error instanceof SignInFailed)) throw error
    const { reason } = error
    await store.write({ ...origin, at: clock() }, (work) => work.decide(intents, id, { type: 'fail', reason }))
    return failureUrl(id, state, reason)
  }
}
