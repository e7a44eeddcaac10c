/** Finds the keys of machine users and compares their secrets, for the token endpoint. */
import type { App } from '../../access/app.ts'
import { matchesHash } from '../../crypto/tokens.ts'
import type { Instant } from '../../kernel/instant.ts'
import { machineKeys, machineSecrets } from './documents.ts'

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

/** Whether this is the secret of a machine user. */
export async function matchesMachineSecret(app: App, userId: string, secret: string): Promise<boolean> {
  const stored = await app.store.get(machineSecrets, userId)
  return stored?.state.status === 'set' && matchesHash(secret, stored.state.secret.hash)
}
