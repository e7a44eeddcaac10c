/** A sign-in at an identity provider as the pages run it: the way there, the way back, and whose the account is. */
import type { App } from '../../../access/app.ts'
import { VISITOR_ACTOR } from '../../../kernel/actor.ts'
import { Refused } from '../../../kernel/refusal.ts'
import { findLinkedUser } from '../../identity-links/index.ts'
import { findProvider } from '../../identity-providers/index.ts'
import {
  finishIntent,
  type RetrievedIntent,
  type ReturnedBrowser,
  retrieveIntent,
  startIntent,
} from '../../sign-in-intents/index.ts'
import { type Failure, failureOf } from '../outcomes.ts'
import { homeOf, isProviderAllowed, isProviderFor } from '../providers.ts'
import type { ExternalProof } from './continue-session.ts'
import type { Person } from './find-person.ts'
import { knownOf, type Registration } from './join-external-account.ts'

export interface NewProviderSignIn {
  readonly idpId: string
  /** The organization that the visit is about. */
  readonly organizationId: string | undefined
  /** What the browser keeps in its cookie. */
  readonly browser: string
  readonly successUrl: string
  readonly failureUrl: string
}

/** Begins a sign-in at a provider. `unavailable`: the provider does not answer as it should. */
export async function startProviderSignIn(
  app: App,
  { idpId, organizationId, ...urls }: NewProviderSignIn,
): Promise<
  { readonly outcome: 'started'; readonly url: string } | { readonly outcome: 'refused' | 'unavailable' | 'busy' }
> {
  const owner = (await findProvider(app, idpId))?.owner
  if (owner === undefined) return { outcome: 'refused' }
  const home = await homeOf(app, owner)
  const visited = owner === app.instanceId ? (organizationId ?? home) : owner
  if (!(await isProviderAllowed(app, visited, idpId))) return { outcome: 'refused' }
  try {
    const origin = { actor: VISITOR_ACTOR, at: app.clock() }
    const { authUrl } = await startIntent(app, origin, { idpId, organizationId: home, ...urls })
    return { outcome: 'started', url: authUrl }
  } catch (error) {
    if (error instanceof Refused && error.code === 'intent.provider_failed') return { outcome: 'unavailable' }
    return { outcome: failureOf(error).outcome === 'busy' ? 'busy' : 'refused' }
  }
}

/** Where a browser that comes back is sent; `unknown`: it belongs to no sign-in under way. */
export type FinishedSignIn =
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'unknown' }
  | { readonly type: 'busy' }

/** The browser is back from a provider. */
export async function finishProviderSignIn(app: App, returned: ReturnedBrowser): Promise<FinishedSignIn> {
  try {
    return await finishIntent(app, returned)
  } catch (error) {
    return { type: failureOf(error).outcome === 'busy' ? 'busy' : 'unknown' }
  }
}

/** The account at a provider of a sign-in that has just succeeded. */
export interface ExternalAccount {
  readonly outcome: 'read'
  readonly providerName: string
  /** Its name at the provider. */
  readonly accountName: string
  /** The user whom it is linked to; undefined: none yet. */
  readonly userId: string | undefined
  /** Whether the policy lets an existing user link it; a person who is signed in must be one that the provider is for. */
  readonly mayLink: boolean
  /** Whether the policy lets a new user register with it. */
  readonly mayRegister: boolean
  /** What the provider says about a new user; empty where it says nothing. */
  readonly known: Registration
}

/** The user whom the account is linked to now: the intent may be an hour old, and links change. */
function linkedUser(app: App, { intent }: RetrievedIntent): Promise<string | undefined> {
  return findLinkedUser(app, intent.state)
}

/** The account of a sign-in; reading it does not use the proof up. */
export async function readExternalAccount(
  app: App,
  proof: ExternalProof,
  person: Person | undefined,
): Promise<ExternalAccount | Failure> {
  try {
    const retrieved = await retrieveIntent(app, { ...proof, at: app.clock() })
    const { intent, provider } = retrieved
    const { isLinkingAllowed, isCreationAllowed } = provider.options
    const home = await homeOf(app, provider.owner)
    const isForPerson = person === undefined || isProviderFor(app, provider.owner, person.organizationId)
    const linksTo = person?.organizationId ?? home
    return {
      outcome: 'read',
      providerName: provider.name,
      accountName: intent.state.externalUserName,
      userId: await linkedUser(app, retrieved),
      mayLink: isLinkingAllowed && isForPerson && (await isProviderAllowed(app, linksTo, provider.id)),
      mayRegister: isCreationAllowed && (await isProviderAllowed(app, home, provider.id)),
      known: knownOf(retrieved),
    }
  } catch (error) {
    return failureOf(error)
  }
}
