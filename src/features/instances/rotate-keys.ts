/**
 * Rotation, while the server runs: a new data key, sealed with the active master key, is added; every sealed value of
 * every document is sealed again with it; then the old data keys leave the ring.
 *
 * The log is append-only and keeps the old sealed texts and the old wrapped keys. They are never folded again (the
 * newest sealed text wins), and old data keys are never wrapped with a new master key: once the old master key is
 * destroyed, nothing in the log that was sealed under it can be opened by anybody.
 */

import type { Vault } from '../../access/app.ts'
import { newKey } from '../../crypto/key-ring.ts'
import { openMasterKeyFile, writeMasterKeyFile } from '../../crypto/master-key.ts'
import type { Origin, Store } from '../../store/index.ts'
import { KEY_RING_ID, keyRings } from './documents.ts'
import { type MasterKeys, newWrappedKey, openVault } from './vault.ts'

/** What a room with sealed values gives to the rotation. */
export interface Resealer {
  /** The kind whose documents hold sealed values, for messages. */
  readonly kind: string
  /** Seals up to `limit` values again that are not sealed with `keyId`; answers how many it found. */
  reseal(vault: Vault, keyId: string, limit: number): Promise<number>
}

export interface RotationNeeds {
  readonly store: Store
  readonly masterKeys: MasterKeys
  readonly instanceId: string
  readonly origin: Origin
  readonly resealers: readonly Resealer[]
}

export interface Rotation {
  readonly activeKeyId: string
  readonly resealed: number
  readonly removedKeyIds: readonly string[]
}

const BATCH = 100

/** Rotates the data key. Can be run again after it was interrupted: what is left is found and finished. */
export async function rotateDataKey(needs: RotationNeeds): Promise<Rotation> {
  const { store, origin, resealers, instanceId } = needs
  const vault = await openVault(needs)
  const master = await needs.masterKeys()
  const added = await store.write(origin, (work) =>
    work.decide(keyRings, KEY_RING_ID, { type: 'add_key', ...newWrappedKey(master) }, instanceId),
  )
  const { keyIds } = added.value.state
  const activeKeyId = keyIds.at(-1) ?? ''

  let resealed = 0
  for (const resealer of resealers) {
    for (let found = -1; found !== 0; resealed += found) found = await resealer.reseal(vault, activeKeyId, BATCH)
  }

  const removedKeyIds = keyIds.slice(0, -1)
  for (const keyId of removedKeyIds) {
    await store.write(origin, (work) => work.decide(keyRings, KEY_RING_ID, { type: 'remove_key', keyId }))
  }
  return { activeKeyId, resealed, removedKeyIds }
}

/**
 * Rotates master and data key of an embedded database: a new master key is put before the old one in the data folder,
 * the data key is rotated, and the old master key is taken out. A server that runs meanwhile reads the file again when
 * it meets the new key. Interrupted, it is simply run again: the file holds both keys until everything is done.
 */
export async function rotateMasterKeyFile(
  needs: Omit<RotationNeeds, 'masterKeys'> & { readonly dataDir: string },
): Promise<Rotation> {
  const { dataDir, ...rest } = needs
  const before = await openMasterKeyFile(dataDir)
  const next = newKey()
  await writeMasterKeyFile(dataDir, [next, ...before.keys])
  const rotation = await rotateDataKey({ ...rest, masterKeys: () => openMasterKeyFile(dataDir) })
  await writeMasterKeyFile(dataDir, [next])
  return rotation
}
