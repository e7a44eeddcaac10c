/** Finds the keys of a user. */

import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { MOST_KEYS, passkeyRegistrations, passkeys, registrationId } from './documents.ts'
import type { KeyUse } from './events.ts'

/** Each further process can exceed the limit by what it adds in the same moment. */
export const SEARCH_LIMIT = 10 * MOST_KEYS

/** The data of a key for other modules. */
export interface KnownKey {
  readonly id: string
  readonly use: KeyUse
  readonly name: string
  readonly rpId: string
  readonly credentialId: string
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly createdAt: Instant
  readonly changedAt: Instant
  /** When it was last used, to the day. */
  readonly usedAt: Instant | undefined
}

/** The keys of a user, oldest first; only of one use if it is given. */
export async function keysOf(app: App, userId: string, use?: KeyUse): Promise<readonly KnownKey[]> {
  const where = { field: 'userId', equals: userId } as const
  const { documents } = await app.store.find(passkeys, { where, limit: SEARCH_LIMIT })
  return documents.flatMap(({ id, state, createdAt, changedAt }) => {
    if (state.status !== 'ready' || (use !== undefined && state.use !== use)) return []
    const { use: own, name, rpId, credentialId, transports, isBackedUp, usedAt } = state
    return [{ id, use: own, name, rpId, credentialId, transports, isBackedUp, createdAt, changedAt, usedAt }]
  })
}

/** The ids of the keys whose registration was begun and can still be finished. */
export async function findPendingKeys(app: App, userId: string, use: KeyUse): Promise<readonly string[]> {
  const state = (await app.store.get(passkeyRegistrations, registrationId(userId, use)))?.state
  const at = app.clock()
  return (state?.open ?? []).filter(({ expiresAt }) => at < expiresAt).map(({ passkeyId }) => passkeyId)
}

const METHODS = { passkey: 'passkey', second_factor: 'u2f' } as const satisfies Record<KeyUse, string>

/**
 * Whether a user can sign in with a passkey, or with a key as a second factor; with `domain`, only with keys of that
 * domain.
 */
export async function findPasskeyMethods(
  app: App,
  userId: string,
  domain?: { readonly name: string },
): Promise<readonly ('passkey' | 'u2f')[]> {
  const keys = (await keysOf(app, userId)).filter(({ rpId }) => domain === undefined || rpId === domain.name)
  return [...new Set(keys.map(({ use }) => METHODS[use]))]
}
