/** Beginning a sign-in through a provider, for the API and for our own pages alike. */
import { hashSecret, newSecret } from '../../crypto/tokens.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Origin, Reader, Written } from '../../store/index.ts'
import { organizations } from '../organizations/index.ts'
import type { Intent } from './decider.ts'
import { handshakePlace, intents } from './documents.ts'
import type { FailureReason } from './events.ts'
import type { IntentsNeeds, ProviderState } from './needs.ts'
import { checkRedirects } from './redirects.ts'
import { intentRefusals } from './refusals.ts'
import type { Handshake } from './relying-party.ts'
import { SignInFailed } from './sign-in-failed.ts'

/** From the start to the answer, and from the answer to the session. */
export const INTENT_MILLISECONDS = 3_600_000

/** A sign-in to begin. */
export interface NewIntent {
  readonly idpId: string
  /** Where somebody who is new would belong, when the provider is the instance's. */
  readonly organizationId: string
  readonly successUrl: string
  readonly failureUrl: string
  readonly loginHint?: string
  /**
   * What the browser keeps in a cookie, when one of our pages begins: only that browser can go on. Without it the
   * answer is bound to the intent by its state alone, and whoever began must see to it that the browser at the success
   * URL is the one that was sent away.
   */
  readonly browser?: string | undefined
}

export interface BegunIntent {
  readonly intent: Written<Document<Intent>>
  /** Where the browser must go. */
  readonly authUrl: string
}

function random(): string {
  return Buffer.from(newSecret()).toString('base64url')
}

/** The parameter `state`: which intent it is, and a secret of its own. */
export function formatState(intentId: string, secret: string): string {
  return `${intentId}.${secret}`
}

/** Why nobody can sign in with a provider now; undefined when it can be done. */
export async function providerProblem(
  { instanceId }: Pick<IntentsNeeds, 'instanceId'>,
  reader: Reader,
  provider: ProviderState | undefined,
): Promise<'provider_inactive' | 'organization_inactive' | undefined> {
  if (provider?.state !== 'active') return 'provider_inactive'
  const { owner } = provider
  if (owner === instanceId) return undefined
  const organization = await reader.get(organizations, owner)
  return organization?.state.status === 'active' ? undefined : 'organization_inactive'
}

/** Begins; throws what the room refuses. Whatever the provider does wrong is one refusal outside and one event inside. */
export async function startIntent(
  needs: IntentsNeeds,
  origin: Origin,
  { idpId, organizationId, successUrl, failureUrl, loginHint, browser }: NewIntent,
  fieldPrefix = '',
): Promise<BegunIntent> {
  const { store, vault, findProvider, relyingParty, instanceId } = needs
  checkRedirects({ successUrl, failureUrl }, needs.allowedRedirects, fieldPrefix)
  const provider = await findProvider(idpId)
  if (provider === undefined) throw refused(intentRefusals, 'intent.provider_not_found')
  const id = needs.newId()
  const giveUp = (reason: FailureReason) =>
    store.write(origin, (work) => work.decide(intents, id, { type: 'give_up', idpId, reason }, provider.owner))

  const problem = await providerProblem(needs, store, provider)
  if (problem !== undefined) {
    await giveUp(problem)
    throw refused(intentRefusals, `intent.${problem}`)
  }
  const handshake: Handshake = { state: formatState(id, random()), nonce: random(), verifier: random() }
  let authUrl: string
  try {
    authUrl = await relyingParty.authorizationUrl(provider, handshake, loginHint)
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
  return { intent, authUrl }
}
