/** Stores and removes files in the write of what refers to them, and reads them for the pages that serve them. */

import type { AssetReference } from '../../kernel/asset-reference.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Work } from '../../store/index.ts'
import { type AssetUse, checkAsset } from './check-asset.ts'
import { assets, type StoredAsset } from './documents.ts'
import { MEDIA_TYPES } from './formats.ts'
import { assetRefusals } from './refusals.ts'

/** Where files are served. */
export const ASSET_PATH = '/assets/v1'

/** The path of a file on this server. Another content has another path, so that browsers may keep it indefinitely. */
export function assetPath({ id, file }: AssetReference): string {
  return `${ASSET_PATH}/${id}/${file}`
}

function fileOf({ hash, format }: StoredAsset): string {
  return `${hash}.${format}`
}

/** Stores a file for an owner. Throws when it may not be used for that. */
export async function storeAsset(
  app: App,
  work: Work,
  { use, bytes, owner }: { readonly use: AssetUse; readonly bytes: Buffer; readonly owner: string },
): Promise<AssetReference> {
  const checked = checkAsset(use, bytes)
  const id = await work.unusedId(assets, app.newId)
  await work.decide(assets, id, checked, owner)
  return { id, file: fileOf(checked) }
}

/** Whether a stored file has these bytes. */
export function isSameAsset({ file }: AssetReference, use: AssetUse, bytes: Buffer): boolean {
  return fileOf(checkAsset(use, bytes)) === file
}

/** Throws unless there is such a file. */
export async function requireAsset(work: Work, { id, file }: AssetReference): Promise<void> {
  const state = (await work.get(assets, id))?.state
  if (state === undefined || state.format === 'none' || fileOf(state) !== file) {
    throw refused(assetRefusals, 'asset.not_found')
  }
}

/** Removes a file permanently; another event of the same write records that it is no longer used. */
export async function removeAsset(work: Work, { id }: AssetReference): Promise<void> {
  if ((await work.get(assets, id)) !== undefined) await work.removeStream(assets, id)
}

/** A file as it is served; undefined when there is none of this name. */
export async function readAsset(
  app: App,
  { id, file }: AssetReference,
): Promise<{ readonly contentType: string; readonly bytes: Buffer } | undefined> {
  const state = (await app.store.get(assets, id))?.state
  if (state === undefined || state.format === 'none' || fileOf(state) !== file) return undefined
  return { contentType: MEDIA_TYPES[state.format], bytes: Buffer.from(state.bytes, 'base64') }
}
