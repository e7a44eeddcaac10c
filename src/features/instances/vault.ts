/**
 * Where modules seal what they must read again. Values are sealed with data keys, data keys with the master key. Every
 * value of a write that seals is guarded by the ring: when the active key is replaced before the commit, the write is
 * done again with the new key. So once a new key is there, nothing is ever committed under an old one.
 */

import type { Vault } from '../../access/app.ts'
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
import type { Document, Origin, Store, Work } from '../../store/index.ts'
import type { StoredKeyRing } from './decider.ts'
import { KEY_RING_ID, keyRings } from './documents.ts'

/** Where the master keys come from; asked again when the ring names one that is not known, as after a rotation. */
export type MasterKeys = () => Promise<KeyRing>

function placeOf(keyId: string): Place {
  return { kind: keyRings.name, id: KEY_RING_ID, member: keyId }
}

/** A new data key, sealed with the active master key. */
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

/** Reads a document as the table holds it, its state as JSON. */
type ReadRow = (kind: string, id: string) => Promise<{ readonly state: string } | undefined>

/** Whether the vault would open with these master keys; changes nothing in the database. */
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

/** Adds the first data key if there is none. Two nodes that start at once end up with the same one. */
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

/** Opens the vault; throws `SealBroken` when the given master keys are not those the data keys were sealed with. */
export async function openVault({ store, masterKeys, instanceId, origin }: VaultOptions): Promise<Vault> {
  let master = await masterKeys()
  await ensureRing(store, master, instanceId, origin)
  let opened: { readonly revision: number; readonly ring: KeyRing } | undefined

  const unwrap = async (document: Document<StoredKeyRing> | undefined): Promise<KeyRing> => {
    if (document === undefined) throw new Error('the key ring is missing')
    // One document read tells whether the ring changed; keys are unwrapped only when it did.
    if (opened?.revision === document.revision) return opened.ring
    const wrappings = Object.values(document.state.secret.wrapped).map(keyIdOf)
    if (wrappings.some((id) => id === undefined || master.find(id) === undefined)) master = await masterKeys()
    const ring = unwrapAll(master, document.state)
    // A value read just before its key left the ring can still be opened by this process.
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
