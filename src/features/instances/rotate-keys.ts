/**
 * Key rotation while the server runs: adds a new data key, encrypted with the active master key; encrypts all encrypted
 * values of documents and jobs again with it; then removes the old data keys from the ring.
 *
 * The log is append-only and keeps the old encrypted texts and data keys. They are never folded again (the newest text
 * wins), and old data keys are never encrypted with a new master key. So once the old master key is destroyed, nothing
 * in the log that was encrypted under it can be decrypted.
 */

import { newKey } from '../../crypto/key-ring.ts'
import { openMasterKeyFile, writeMasterKeyFile } from '../../crypto/master-key.ts'
import { keyIdOf } from '../../crypto/seal.ts'
import type { App, Vault } from '../../module/app.ts'
import type { SealedJobs } from '../../module/module.ts'
import type { AnyKind, Origin } from '../../store/index.ts'
import { KEY_RING_ID, keyRings } from './documents.ts'
import { type MasterKeys, newWrappedKey, openVault } from './vault.ts'

/** The options of the rotation. It runs without an app, because it replaces the keys of an app's vault. */
export interface RotationOptions extends Pick<App, 'store' | 'instanceId' | 'clock' | 'kinds'> {
  readonly masterKeys: MasterKeys
  /** All kinds of jobs with an encrypted value, of all modules. */
  readonly sealedJobs: readonly SealedJobs[]
  /** Updated while the rotation runs. */
  readonly progress?: RotationProgress
}

/** How many documents and jobs that can have encrypted values were visited. */
export interface RotationProgress {
  done: number
  total: number
}

export interface Rotation {
  readonly activeKeyId: string
  readonly resealed: number
  readonly removedKeyIds: readonly string[]
}

const PAGE_SIZE = 100

/** The data of the key ring that re-encryption needs. */
interface Resealing extends Pick<RotationOptions, 'store' | 'clock'> {
  readonly vault: Vault
  readonly progress: RotationProgress
  /**
   * Whether a text was encrypted with a key that will be removed from the ring. A text of an unknown key cannot be
   * decrypted at all.
   */
  isOld(sealed: string): boolean
}

function originOf({ clock }: Pick<RotationOptions, 'clock'>): Origin {
  return { actor: 'server', at: clock() }
}

/** Encrypts the values of one document again, and returns how many there were. */
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
 * Encrypts the values of all documents of a kind again. Visits each document once, in the order of IDs; documents that
 * are added behind the current position already use the new key.
 */
async function resealKind(resealing: Resealing, kind: AnyKind): Promise<number> {
  if (kind.sealed === undefined) return 0
  const { store, isOld, progress } = resealing
  let resealed = 0
  for (let last = ''; ; ) {
    const where = { field: 'id', above: last } as const
    const { documents } = await store.find(kind, { where, orderBy: 'id', limit: PAGE_SIZE })
    const concerned = documents.filter(({ state }) => kind.sealed?.(state).some(({ text }) => isOld(text)))
    const counts = await Promise.all(concerned.map(({ id }) => resealDocument(resealing, kind, id)))
    for (const count of counts) resealed += count
    progress.done += documents.length
    if (documents.length < PAGE_SIZE) return resealed
    last = documents.at(-1)?.id ?? ''
  }
}

/** Encrypts the values of all waiting and parked jobs of a kind again. */
async function resealJobs(resealing: Resealing, { kind, member }: SealedJobs): Promise<number> {
  const { store, vault, isOld, progress } = resealing
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
    progress.done += jobs.length
    if (jobs.length < PAGE_SIZE) return resealed
    from = jobs.at(-1)?.id
  }
}

async function countSealed({ store, kinds, sealedJobs }: RotationOptions): Promise<number> {
  let total = 0
  for (const kind of kinds) if (kind.sealed !== undefined) total += (await store.find(kind, { limit: 0 })).total
  for (const { kind } of sealedJobs) {
    const { waiting, parked } = await store.jobs.count(kind)
    total += waiting + parked
  }
  return total
}

/** Rotates the data key. After an interruption, run it again to complete the rest. */
export async function rotateDataKey(options: RotationOptions): Promise<Rotation> {
  const { store, instanceId, kinds, sealedJobs, clock, progress = { done: 0, total: 0 } } = options
  const vault = await openVault({ ...options, origin: originOf(options) })
  const master = await options.masterKeys()
  const added = await store.write(originOf(options), (work) =>
    work.decide(keyRings, KEY_RING_ID, { type: 'add_key', ...newWrappedKey(master) }, instanceId),
  )
  const { keyIds } = added.value.state
  const activeKeyId = keyIds.at(-1) ?? ''
  const removedKeyIds = keyIds.slice(0, -1)

  const isOld = (sealed: string): boolean => removedKeyIds.includes(keyIdOf(sealed) ?? '')
  const resealing: Resealing = { store, clock, vault, isOld, progress }
  progress.total = await countSealed(options)
  let resealed = 0
  for (const kind of kinds) resealed += await resealKind(resealing, kind)
  for (const jobs of sealedJobs) resealed += await resealJobs(resealing, jobs)

  for (const keyId of removedKeyIds) {
    await store.write(originOf(options), (work) => work.decide(keyRings, KEY_RING_ID, { type: 'remove_key', keyId }))
  }
  return { activeKeyId, resealed, removedKeyIds }
}

/**
 * Rotates the master key and the data key of an embedded database: adds a new master key before the old one in the data
 * folder, rotates the data key, and removes the old master key. A running server reads the file again when it finds the
 * new key. After an interruption, run it again: the file contains both keys until everything is done.
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
