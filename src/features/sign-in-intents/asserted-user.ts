/** Users whom another authorization server vouches for, as the identity provider that it is here, without a sign-in. */
import type { App } from '../../module/app.ts'
import type { Origin, Reader } from '../../store/index.ts'
import { findLinkedUser } from '../identity-links/index.ts'
import { openProvider } from '../identity-providers/index.ts'
import { type KnownAccount, prepareKnownUser } from './handlers/find-or-add-user.ts'
import { isOffered, providerProblem, providerState } from './provider-rules.ts'

/** An account at a provider. */
export interface AssertedAccount {
  readonly providerId: string
  readonly externalId: string
}

/**
 * The ID of the user whose account at a provider this is: it is linked, or it is linked now because the provider links
 * accounts by an address that both sides have verified. Undefined for all others; nobody is added.
 */
export async function assertedUser(
  app: App,
  origin: Origin,
  providerId: string,
  answer: KnownAccount['answer'],
): Promise<string | undefined> {
  const provider = await openProvider(app, providerId, origin.at)
  if (provider === undefined || (await providerProblem(app, provider)) !== undefined) return undefined
  const find = await prepareKnownUser(app, { provider, answer })
  return (await app.store.write(origin, find)).value
}

/** Whether an account is that of a user now, and the user may sign in with the provider. */
export async function isAccountOf(
  app: App,
  { providerId, externalId }: AssertedAccount,
  user: { readonly userId: string; readonly organizationId: string },
  reader: Reader,
): Promise<boolean> {
  const [state, linkedId] = await Promise.all([
    providerState(app, providerId, reader),
    findLinkedUser(app, { idpId: providerId, externalUserId: externalId }, reader),
  ])
  if (linkedId !== user.userId || (await providerProblem(app, state, reader)) !== undefined) return false
  return isOffered(app, providerId, user, reader)
}
