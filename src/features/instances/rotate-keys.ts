/**
 * Rotation, while the server runs: a new data key, sealed with the active master key, is added; every sealed value of
 * every document and job is sealed again with it; then the old data keys leave the ring.
 *
 * The log is append-only and keeps the old sealed texts and the old wrapped keys. They are never folded again (the
 * newest sealed text wins), and old data keys are never wrapped with a new master key: once the old master key is
 * destroyed, nothing in the log that was sealed under it can be opened any more.
 */

import type { App, Vault } from '../../access/app.ts'
import type { SealedJobs } from '../../access/module.ts'
import { newKey } from '../../crypto/key-ring.ts'
import { openMasterKeyFile, writeMasterKeyFile } from '../../crypto/master-key.ts'
import { keyIdOf } from '../../crypto/seal.ts'
import { SYSTEM_ACTOR } from '../../kernel/actor.ts'
import type { AnyKind, Origin } from '../../store/index.ts'
import { KEY_RING_ID, keyRings } from './documents.ts'
import { type MasterKeys, newWrappedKey, openVault } from './vault.ts'

/** What the rotation is given. It runs without an app, because the keys of an app's vault are what it replaces. */
export interface RotationOptions extends Pick<App, 'store' | 'instanceId' | 'clock' | 'kinds'> {
  readonly masterKeys: MasterKeys
  /** Every kind of job that holds a sealed value, of all modules. */
  readonly sealedJobs: readonly SealedJobs[]
}

export interface Rotation {
  readonly activeKeyId: string
  readonly resealed: number
  readonly removedKeyIds: readonly string[]
}

const PAGE_SIZE = 100

/** What sealing again needs to know of the ring. */
interface Resealing extends Pick<RotationOptions, 'store' | 'clock'> {
  readonly vault: Vault
  /** Whether a text was sealed with a key that leaves the ring. What no key of the ring sealed cannot be opened at all. */
  isOld(sealed: string): boolean
}

function originOf({ clock }: Pick<RotationOptions, 'clock'>): Origin {
  return { actor: SYSTEM_ACTOR, at: clock() }
}

/** Seals the values of one document again; answers how many there were. */
async function resealDocument(resealing: Resealing, kind: AnyKind, id: string): Promise<number> {
  const { store, vault, isOld } = resealing
  const { value } = await store.write(originOf(resealing), async (work) => {
    const document = await work.get(kind, id)
    // It may have been removed since it was found.
    const old = document === undefined ? [] : (kind.sealed?.(document.state) ?? []).filter(({ text }) => isOld(text))
    for (const { member, text, reseal } of old) {
      const place = { kind: kind.name, id, member }
      const after = await vault.seal(work, place, await vault.open(place, text))
      await work.decide(kind, id, reseal(after))
    }
    return old.length
  })
  return value
}

/**
 * Seals the values of all documents of a kind again. They are walked in the order of their ids, each once: what is added
 * behind the walk is already sealed with the new key.
 */
async function resealKind(resealing: Resealing, kind: AnyKind): Promise<number> {
  if (kind.sealed === undefined) return 0
  const { store, isOld } = resealing
  let resealed = 0
  for (let last = ''; ; ) {
    const where = { field: 'id', above: last } as const
    const { documents } = await store.find(kind, { where, orderBy: 'id', limit: PAGE_SIZE })
    const concerned = documents.filter(({ state }) => kind.sealed?.(state).some(({ text }) => isOld(text)))
    const counts = await Promise.all(concerned.map(({ id }) => resealDocument(resealing, kind, id)))
    for (const count of counts) resealed += count
    if (documents.length < PAGE_SIZE) return resealed
    last = documents.at(-1)?.id ?? ''
  }
}

/** Seals the values of all waiting and parked jobs of a kind again. */
async function resealJobs(resealing: Resealing, { kind, member }: SealedJobs): Promise<number> {
  const { store, vault, isOld } = resealing
  let resealed = 0
  for (let from: string | undefined; ; ) {
    const jobs = await store.jobs.list({ kind, limit: PAGE_SIZE, ...(from === undefined ? {} : { from }) })
    for (const { id, data } of jobs) {
      const stored = data as { readonly secret: { readonly values: string } }
      if (!isOld(stored.secret.values)) continue
      const place = { kind, id, member }
      const plain = await vault.open(place, stored.secret.values)
      const { value: values } = await store.write(originOf(resealing), (work) => vault.seal(work, place, plain))
      await store.jobs.rewrite(id, { ...stored, secret: { values } })
      resealed++
    }
    if (jobs.length < PAGE_SIZE) return resealed
    from = jobs.at(-1)?.id
  }
}

/** Rotates the data key. Can be run again after it was interrupted: what is left is found and finished. */
export async function rotateDataKey(options: RotationOptions): Promise<Rotation> {
  const { store, instanceId, kinds, sealedJobs, clock } = options
  const vault = await openVault({ ...options, origin: originOf(options) })
  const master = await options.masterKeys()
  const added = await store.write(originOf(options), (work) =>
    work.decide(keyRings, KEY_RING_ID, { type: 'add_key', ...newWrappedKey(master) }, instanceId),
  )
  const { keyIds } = added.value.state
  const activeKeyId = keyIds.at(-1) ?? ''
  const removedKeyIds = keyIds.slice(0, -1)

  const isOld = (sealed: string): boolean => removedKeyIds.includes(keyIdOf(sealed) ?? '')
  const resealing: Resealing = { store, clock, vault, isOld }
  let resealed = 0
  for (const kind of kinds) resealed += await resealKind(resealing, kind)
  for (const jobs of sealedJobs) resealed += await resealJobs(resealing, jobs)

  for (const keyId of removedKeyIds) {
    await store.write(originOf(options), (work) => work.decide(keyRings, KEY_RING_ID, { type: 'remove_key', keyId }))
  }
  return { activeKeyId, resealed, removedKeyIds }
}

/**
 * Rotates master and data key of an embedded database: a new master key is put before the old one in the data folder,
 * the data key is rotated, and the old master key is taken out. A server that runs meanwhile reads the file again when
 * it meets the new key. After an interruption it is run again: the file holds both keys until everything is done.
 */
export async function rotateMasterKeyFile(
  options: Omit<RotationOptions, 'masterKeys'> & { readonly dataDir: string },
): Promise<Rotation> {
  const { dataDir, ...rest } = options
  const before = await openMasterKeyFile(dataDir)
  const next = newKey()
  await writeMasterKeyFile(dataDir, [next, ...before.keys])
  const rotation = await rotateDataKey({ ...rest, masterKeys: () => openMasterKeyFile(dataDir) })
  await writeMasterKeyFile(dataDir, [next])
  return rotation
}
