/** Which keys somebody has, and what goes with the person. */
import type { Instant } from '../../kernel/instant.ts'
import type { Document, Store, Work } from '../../store/index.ts'
import type { FindAuthenticationMethods } from '../users/index.ts'
import type { Passkey, ReadyPasskey } from './decider.ts'
import { passkeyRegistrations, passkeys, registrationId } from './documents.ts'
import type { KeyUse } from './events.ts'

/** How many keys a person can have: far more than anybody needs. */
export const MOST_KEYS = 100

/** Some may be registered at the very same moment. */
export const SEARCH_LIMIT = 10 * MOST_KEYS

/** A key, as far as others need to know. */
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
}

function isReady(document: Document<Passkey>): document is Document<ReadyPasskey> {
  return document.state.status === 'ready'
}

async function findKeys(store: Pick<Store, 'find'>, userId: string): Promise<readonly Document<ReadyPasskey>[]> {
  const { documents } = await store.find(passkeys, { where: { field: 'userId', equals: userId }, limit: SEARCH_LIMIT })
  return documents.filter(isReady)
}

/** The keys of a user, the oldest first; of one use when it is given. */
export async function keysOf(store: Pick<Store, 'find'>, userId: string, use?: KeyUse): Promise<readonly KnownKey[]> {
  return (await findKeys(store, userId))
    .filter(({ state }) => use === undefined || state.use === use)
    .map(({ id, state, createdAt, changedAt }) => {
      const { use: own, name, rpId, credentialId, transports, isBackedUp } = state
      return { id, use: own, name, rpId, credentialId, transports, isBackedUp, createdAt, changedAt }
    })
}

const METHODS = { passkey: 'passkey', second_factor: 'u2f' } as const satisfies Record<KeyUse, string>

/** Tells whether a user can sign in with a passkey, or with a key as a second factor. */
export function findPasskeyMethods(store: Pick<Store, 'find'>): FindAuthenticationMethods {
  return async (userId, domain) => {
    const keys = await keysOf(store, userId)
    const there = keys.filter(({ rpId }) => domain === undefined || rpId === domain.name)
    return [...new Set(there.map(({ use }) => METHODS[use]))]
  }
}

/** Removes all keys of a user in the commit that removes the user; does nothing when nothing is left. */
export function removePasskeysOf(store: Pick<Store, 'find'>) {
  return async (work: Work, userId: string): Promise<void> => {
    for (const { id } of await findKeys(store, userId)) {
      if (await work.get(passkeys, id)) await work.decide(passkeys, id, { type: 'remove' })
    }
    for (const use of ['passkey', 'second_factor'] as const) {
      const id = registrationId(userId, use)
      if (await work.get(passkeyRegistrations, id)) await work.decide(passkeyRegistrations, id, { type: 'remove' })
    }
  }
}
