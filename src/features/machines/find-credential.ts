/** Finds the keys of machine users and compares their secrets, for the token endpoint. */

import { hashSecret, isForeignHash, matchesHash } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from './documents.ts'

/** A key with which a machine user signs. */
export interface FoundMachineKey {
  readonly userId: string
  /** SPKI in PEM. */
  readonly publicKey: string
  readonly expiresAt: Instant
}

/** The key with this ID, expired or not. */
export async function findMachineKey(app: App, keyId: string): Promise<FoundMachineKey | undefined> {
  const key = await app.store.get(machineKeys, keyId)
  return key?.state.status === 'active' ? key.state : undefined
}

/** A credential that a machine user has or had. A secret is named by its place in the history of the user's secrets. */
export interface MachineCredential {
  readonly type: 'key' | 'secret'
  readonly id: string
}

/** The secret of a machine user, if this is it. */
export async function findMachineSecret(
  app: App,
  userId: string,
  secret: string,
): Promise<MachineCredential | undefined> {
  const stored = await app.store.get(machineSecrets, userId)
  if (stored?.state.status !== 'set') return undefined
  const { hash: from } = stored.state.secret
  if (!isForeignHash(from)) {
    return matchesHash(secret, from) ? { type: 'secret', id: String(stored.revision) } : undefined
  }
  if (!(await app.hashing.verifySecret(from, secret, stored.owner))) return undefined
  const command = { type: 'rehash', from, hash: hashSecret(secret) } as const
  const { value } = await app.store.write({ actor: 'server', at: app.clock() }, (work) =>
    work.decide(machineSecrets, userId, command),
  )
  // Set anew since it was read: then it is another one.
  const isIt = value.state.status === 'set' && matchesHash(secret, value.state.secret.hash)
  return isIt ? { type: 'secret', id: String(value.revision) } : undefined
}

/** Whether a machine user still has a credential: it was neither removed nor replaced. */
export async function hasCredential(
  reader: Reader,
  userId: string,
  { type, id }: MachineCredential | { readonly type: 'token'; readonly id: string },
): Promise<boolean> {
  if (type !== 'secret') {
    const state = (await (type === 'key' ? reader.get(machineKeys, id) : reader.get(personalAccessTokens, id)))?.state
    return state?.status === 'active' && state.userId === userId
  }
  const secret = await reader.get(machineSecrets, userId)
  return secret?.state.status === 'set' && String(secret.revision) === id
}
