/** Writes what belongs to users, organizations and projects that are there: metadata and pictures. */
import {
  checkMetadataKeys,
  metadataId,
  organizationMetadata,
  setMetadata,
  setOrganizationEntries,
  userMetadata,
} from '../../../features/metadata/index.ts'
import { requireOrganization } from '../../../features/organizations/index.ts'
import { type BrandingSlot, importBrandAsset } from '../../../features/settings/index.ts'
import { isLiving, setPicture, userRefusals, users } from '../../../features/users/index.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { MetadataDraft, PictureDraft } from '../draft.ts'
import type { ChangeDraft, WriteDraft, WriteEnd } from './writing.ts'

const THERE: WriteEnd = { end: 'there' }
const CARRIED: WriteEnd = { end: 'carried' }

/** Sets an entry, whether there is one or not. */
export const setEntry: ChangeDraft<MetadataDraft> = async ({ app, work, draft }) => {
  const { of, objectId, key, value } = draft
  const entry = { key, value: Buffer.from(value, 'base64') }
  if (of === 'organization') {
    await requireOrganization(app, objectId, work)
    await setOrganizationEntries(work, objectId, [entry])
    return
  }
  const user = await work.get(users, objectId)
  if (user === undefined || !isLiving(user.state)) throw refused(userRefusals, 'user.not_found')
  await setMetadata(work, { userId: objectId, organizationId: user.owner }, [entry])
}

export const writeMetadata: WriteDraft<MetadataDraft> = async (writing) => {
  const { work, draft } = writing
  const { of, objectId, key } = draft
  const id = metadataId(objectId, key)
  checkMetadataKeys([draft], 'metadata')
  const before = await (of === 'user' ? work.get(userMetadata, id) : work.get(organizationMetadata, id))
  if (before?.state.status === 'set') return THERE
  await setEntry(writing)
  return CARRIED
}

export const SLOTS: Readonly<Record<Exclude<PictureDraft['of'], 'user'>, BrandingSlot>> = {
  logo: 'logo',
  'logo-dark': 'logoDark',
  icon: 'icon',
  'icon-dark': 'iconDark',
  font: 'font',
}

export const writePicture: WriteDraft<PictureDraft> = async ({ app, work, draft }) => {
  const { of, objectId, organizationId } = draft
  const bytes = Buffer.from(draft.bytes)
  if (of !== 'user') {
    const owner = organizationId === '' ? app.instanceId : organizationId
    await importBrandAsset(app, work, { owner, slot: SLOTS[of], bytes })
    return CARRIED
  }
  const user = await work.get(users, objectId)
  if (user !== undefined && 'avatar' in user.state && user.state.avatar !== undefined) return THERE
  await setPicture(app, work, objectId, bytes)
  return CARRIED
}
