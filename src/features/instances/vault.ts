/**
 * Encrypts values that modules must read again. Data keys encrypt values; the master key encrypts data keys. A write
 * that encrypts a value guards the key ring: if the active key is replaced before the commit, the write runs again with
 * the new key. So no value is committed with an old key once there is a new one.
 */

import { hashShortCode, matchesShortCode } from '../../crypto/codes.ts'
import { type Key, type KeyRing, keyOf, keyRing, newKey } from '../../crypto/key-ring.ts'
import {
  keyIdOf,
  openBytes,
  open as openText,
  type Place,
  SealBroken,
  sealBytes,
  seal as sealText,
} from '../../crypto/seal.ts'
import { readSignedText, signText } from '../../crypto/signed-text.ts'
import type { Vault } from '../../module/app.ts'
import type { Document, Origin, Store, Work } from '../../store/index.ts'
import type { StoredKeyRing } from './decider.ts'
import { KEY_RING_ID, keyRings } from './documents.ts'

/** Returns the master keys. Called again when the ring contains an unknown one, as after a rotation. */
export type MasterKeys = () => Promise<KeyRing>

function placeOf(keyId: string): Place {
  return { kind: keyRings.name, id: KEY_RING_ID, member: keyId }
}

/** A new data key, encrypted with the active master key. */
export function newWrappedKey(master: KeyRing): { readonly keyId: string; readonly wrapped: string } {
  const key = newKey()
  return { keyId: key.id, wrapped: sealBytes(master, placeOf(key.id), key.bytes) }
}

function unwrapAll(master: KeyRing, { keyIds, secret }: StoredKeyRing): KeyRing {
  const keys = keyIds
    .toReversed()
    .map((keyId): Key => keyOf(openBytes(master, placeOf(keyId), secret.wrapped[keyId] ?? '')))
  const [active, ...others] = keys
  if (active === undefined) throw new Error('the key ring is empty')
  return keyRing([active, ...others])
}

/** Reads the row of a document, with its state as JSON. */
type ReadRow = (kind: string, id: string) => Promise<{ readonly state: string } | undefined>

/** Whether the vault opens with these master keys. Changes nothing in the database. */
export async function opensVault(master: KeyRing, read: ReadRow): Promise<boolean> {
  const row = await read(keyRings.name, KEY_RING_ID)
  if (row === undefined) return true
  try {
    unwrapAll(master, JSON.parse(row.state) as StoredKeyRing)
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

/** Opens sealed values of a database that is only read. Throws `SealBroken` when the master keys are others. */
export async function openReadOnlyVault(
  master: KeyRing,
  read: ReadRow,
): Promise<(place: Place, sealed: string) => string> {
  const row = await read(keyRings.name, KEY_RING_ID)
  // Without a ring nothing was ever sealed.
  const ring = row === undefined ? master : unwrapAll(master, JSON.parse(row.state) as StoredKeyRing)
  return (place, sealed) => openText(ring, place, sealed)
}

/** Adds the first data key if there is none. Two nodes that start at the same time get the same one. */
async function ensureRing(store: Store, master: KeyRing, owner: string, origin: Origin): Promise<void> {
  if ((await store.get(keyRings, KEY_RING_ID)) !== undefined) return
  await store.write(origin, async (work) => {
    if ((await work.get(keyRings, KEY_RING_ID)) !== undefined) return
    await work.decide(keyRings, KEY_RING_ID, { type: 'add_key', ...newWrappedKey(master) }, owner)
  })
}

export interface VaultOptions {
  readonly store: Store
  readonly masterKeys: MasterKeys
  readonly instanceId: string
  readonly origin: Origin
}

/** Opens the vault. Throws `SealBroken` when the data keys were encrypted with other master keys. */
export async function openVault({ store, masterKeys, instanceId, origin }: VaultOptions): Promise<Vault> {
  let master = await masterKeys()
  await ensureRing(store, master, instanceId, origin)
  let opened: { readonly revision: number; readonly ring: KeyRing } | undefined

  const unwrap = async (document: Document<StoredKeyRing> | undefined): Promise<KeyRing> => {
    if (document === undefined) throw new Error('the key ring is missing')
    // Reading one document shows whether the ring changed. Keys are decrypted only if it did.
    if (opened?.revision === document.revision) return opened.ring
    const wrappings = Object.values(document.state.secret.wrapped).map(keyIdOf)
    if (wrappings.some((id) => id === undefined || master.find(id) === undefined)) master = await masterKeys()
    const ring = unwrapAll(master, document.state)
    // This process can still decrypt a value that was read just before its key was removed from the ring.
    const former = opened?.ring.keys.filter(({ id }) => ring.find(id) === undefined) ?? []
    opened = { revision: document.revision, ring: keyRing([ring.active, ...ring.keys.slice(1), ...former]) }
    return opened.ring
  }

  const currentRing = async (): Promise<KeyRing> => unwrap(await store.get(keyRings, KEY_RING_ID))
  const guardedRing = async (work: Work): Promise<KeyRing> => unwrap(await work.get(keyRings, KEY_RING_ID))

  await currentRing()
  return {
    seal: async (work, place, plain) => sealText(await guardedRing(work), place, plain),
    open: async (place, sealed) => openText(await currentRing(), place, sealed),
    hashCode: async (work, purpose, code) => hashShortCode(await guardedRing(work), purpose, code),
    matchesCode: async (purpose, code, hash) => matchesShortCode(await currentRing(), purpose, code, hash),
    // Not guarded: nothing is committed under the key.
    sign: async (purpose, text) => signText(await currentRing(), purpose, text),
    readSigned: async (purpose, signed) => readSignedText(await currentRing(), purpose, signed),
  }
}
