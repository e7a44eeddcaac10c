/** A sign-in at an identity provider on the hosted pages: the redirect, the return, and the user of the account. */

import { Refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { findLinkedUser } from '../../identity-links/index.ts'
import { findProvider } from '../../identity-providers/index.ts'
import {
  answerWithCredentials,
  type Credentials,
  type DirectoryVisit,
  finishIntent,
  finishSamlIntent,
  type NextStep,
  type PostedResponse,
  type RetrievedIntent,
  type ReturnedBrowser,
  retrieveIntent,
  startIntent,
  visitorFrom,
  waitingDirectory,
} from '../../sign-in-intents/index.ts'
import { type Failure, failureOf } from '../outcomes.ts'
import { homeOf, isProviderAllowed, isProviderFor } from '../providers.ts'
import type { ExternalProof } from './continue-session.ts'
import type { Person } from './find-person.ts'
import { knownOf, type Registration } from './join-external-account.ts'
import { type ProposedUser, proposedFor } from './proposed-for.ts'

export interface NewProviderSignIn {
  /** Where the request comes from, as it is counted. */
  readonly source: string
  readonly idpId: string
  /** The organization of the visit. */
  readonly organizationId: string | undefined
  /** The value in the cookie of the browser. */
  readonly browser: string
  readonly successUrl: string
  readonly failureUrl: string
}

/** Starts a sign-in at a provider. `unavailable`: the provider does not respond as it should. */
export async function startProviderSignIn(
  app: App,
  { source, idpId, organizationId, ...urls }: NewProviderSignIn,
): Promise<{ readonly outcome: 'started'; readonly next: NextStep } | { readonly outcome: 'unavailable' } | Failure> {
  const owner = (await findProvider(app, idpId))?.owner
  if (owner === undefined) return { outcome: 'refused' }
  const home = await homeOf(app, owner)
  const visited = owner === app.instanceId ? (organizationId ?? home) : owner
  if (!(await isProviderAllowed(app, visited, idpId))) return { outcome: 'refused' }
  try {
    const origin = { actor: 'visitor', at: app.clock() } as const
    const by = visitorFrom(source)
    const visit = { organizationId: home, visitedId: organizationId, ...urls }
    const { next } = await startIntent(app, origin, { by, idpId, ...visit })
    return { outcome: 'started', next }
  } catch (error) {
    if (error instanceof Refused && error.code === 'intent.provider_failed') return { outcome: 'unavailable' }
    return failureOf(error)
  }
}

/** Where a returning browser is redirected; `unknown`: it belongs to no current sign-in. */
export type FinishedSignIn =
  | { readonly type: 'redirect'; readonly url: string }
  | { readonly type: 'unknown' }
  | { readonly type: 'busy' }

/** Handles the return of the browser from a provider. */
export async function finishProviderSignIn(app: App, returned: ReturnedBrowser): Promise<FinishedSignIn> {
  try {
    return await finishIntent(app, returned)
  } catch (error) {
    return { type: failureOf(error).outcome === 'busy' ? 'busy' : 'unknown' }
  }
}

/** Handles a response that a SAML provider had the browser post. */
export async function finishSamlSignIn(app: App, posted: PostedResponse): Promise<FinishedSignIn> {
  try {
    return await finishSamlIntent(app, posted)
  } catch (error) {
    return { type: failureOf(error).outcome === 'busy' ? 'busy' : 'unknown' }
  }
}

/** The name of the directory whose password a browser is asked for; undefined when it belongs to no current sign-in. */
export function directoryToAsk(app: App, visit: DirectoryVisit): Promise<string | undefined> {
  return waitingDirectory(app, visit)
}

/** Completes a sign-in with a name and password for a directory. After `refused` the person can try again. */
export async function answerDirectory(
  app: App,
  visit: DirectoryVisit,
  typed: Credentials,
): Promise<
  { readonly outcome: 'done'; readonly url: string } | { readonly outcome: 'unknown' | 'unavailable' } | Failure
> {
  try {
    const answered = await answerWithCredentials(app, visit, typed)
    if (answered.type === 'redirect') return { outcome: 'done', url: answered.url }
    return { outcome: answered.type === 'wrong' ? 'refused' : answered.type }
  } catch (error) {
    return failureOf(error)
  }
}

/** The account at a provider after a successful sign-in. */
export interface ExternalAccount {
  readonly outcome: 'read'
  readonly providerId: string
  readonly providerName: string
  /** The account name at the provider. */
  readonly accountName: string
  /** The linked user; undefined when there is none yet. */
  readonly userId: string | undefined
  /** Whether the policy lets an existing user link it. A signed-in user must be one that the provider is for. */
  readonly mayLink: boolean
  /** Whether the policy lets a new user register with it. */
  readonly mayRegister: boolean
  /** The data of the provider about a new user; empty where it has none. */
  readonly known: Registration
  /** Users of the visited organization, which says that the account is theirs. */
  readonly proposed: readonly ProposedUser[]
}

/** The user that the account is linked to now: the intent may be an hour old, and links change. */
function linkedUser(app: App, { intent }: RetrievedIntent): Promise<string | undefined> {
  return findLinkedUser(app, intent.state)
}

/** The account of a sign-in. Reading it does not use up the proof. */
export async function readExternalAccount(
  app: App,
  proof: ExternalProof,
  person: Person | undefined,
  visitedId: string | undefined,
): Promise<ExternalAccount | Failure> {
  try {
    const retrieved = await retrieveIntent(app, { ...proof, at: app.clock() })
    const { intent, provider } = retrieved
    const { isLinkingAllowed, isCreationAllowed } = provider.options
    const home = await homeOf(app, provider.owner)
    const isForPerson = person === undefined || isProviderFor(app, provider.owner, person.organizationId)
    const linksTo = person?.organizationId ?? home
    const userId = await linkedUser(app, retrieved)
    return {
      outcome: 'read',
      providerId: provider.id,
      providerName: provider.name,
      accountName: intent.state.externalUserName,
      userId,
      mayLink: isLinkingAllowed && isForPerson && (await isProviderAllowed(app, linksTo, provider.id)),
      mayRegister: isCreationAllowed && (await isProviderAllowed(app, home, provider.id)),
      known: knownOf(retrieved),
      proposed: userId === undefined ? await proposedFor(app, retrieved, visitedId) : [],
    }
  } catch (error) {
    return failureOf(error)
  }
}
