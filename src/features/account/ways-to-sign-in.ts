/**
 * The ways to sign in that a user has, and the rule that users cannot remove the last one. Passkeys and links call it
 * before a removal, so the rule applies to the API and to the pages.
 */

import { actingUser } from '../../kernel/actor.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App, SignInMethod } from '../../module/app.ts'
import type { Reader, Work } from '../../store/index.ts'
import { findLinkedUser, identityLinkId, listIdentityLinks } from '../identity-links/index.ts'
import { findProvider } from '../identity-providers/index.ts'
import { keysOf, passkeys } from '../passkeys/index.ts'
import { passwords } from '../passwords/index.ts'
import { settingsOfUser } from '../settings/index.ts'
import { isProviderUsable } from '../sign-in/index.ts'
import { users } from '../users/index.ts'
import { accountRefusals } from './refusals.ts'

/** How many links are read; far more than a user has. */
const MOST_LINKS = 100

/** A way to sign in. The ID of a password is that of its user. */
export interface WayToSignIn {
  readonly type: SignInMethod['type'] | 'password'
  readonly id: string
}

async function usableLinks(
  app: App,
  userId: string,
  organizationId: string,
  reader: Reader,
): Promise<readonly WayToSignIn[]> {
  const { documents } = await listIdentityLinks(app, userId, { limit: MOST_LINKS })
  const found = documents.map(async ({ state }): Promise<readonly WayToSignIn[]> => {
    const id = identityLinkId(state)
    const provider = await findProvider(app, state.idpId, reader)
    const isUsable = provider !== undefined && (await isProviderUsable(app, provider, organizationId, reader))
    const isOwn = isUsable && (await findLinkedUser(app, state, reader)) === userId
    return isOwn ? [{ type: 'identity_link', id }] : []
  })
  return (await Promise.all(found)).flat()
}

/**
 * The ways to sign in that a user has and that their organization allows. Read through a work, all documents are
 * guarded until the commit.
 */
export async function waysToSignIn(
  app: App,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  reader: Reader = app.store,
): Promise<readonly WayToSignIn[]> {
  const { login } = await settingsOfUser(app, { userId, organizationId }, reader)
  const password = await reader.get(passwords, userId)
  const keys = login.allowsPasskeys ? await keysOf(app, userId, 'passkey') : []
  const found = keys.map(async ({ id }): Promise<readonly WayToSignIn[]> => {
    const key = await reader.get(passkeys, id)
    return key?.state.status === 'ready' ? [{ type: 'passkey', id }] : []
  })
  return [
    ...(login.allowsPassword && password?.state.status === 'set' ? [{ type: 'password', id: userId } as const] : []),
    ...(await Promise.all(found)).flat(),
    ...(await usableLinks(app, userId, organizationId, reader)),
  ]
}

/** Whether no other way to sign in is left. */
export function isLastWay(ways: readonly WayToSignIn[], { type, id }: SignInMethod): boolean {
  return ways.every((way) => way.type === type && way.id === id)
}

/**
 * Throws when users would remove their own last way to sign in. The documents are guarded until the commit, so that one
 * of two concurrent removals is refused. Administrators may remove the last way of another user.
 */
export async function requireAnotherWayToSignIn(
  app: App,
  work: Work,
  userId: string,
  without: SignInMethod,
): Promise<void> {
  if (actingUser(work.origin.actor) !== userId) return
  const user = await work.get(users, userId)
  if (user === undefined) return
  const ways = await waysToSignIn(app, { userId, organizationId: user.owner }, work)
  if (isLastWay(ways, without)) throw refused(accountRefusals, 'account.last_sign_in_method')
}
