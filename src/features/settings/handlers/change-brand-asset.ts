/** Replaces or withdraws a file of the look of pages; it applies after the activation of the draft. */
import type { App } from '../../../module/app.ts'
import type { Document, Origin, Written } from '../../../store/index.ts'
import { storeAsset } from '../../assets/index.ts'
import { requireOrganization } from '../../organizations/index.ts'
import type { Settings } from '../decider.ts'
import type { BrandingSlot } from '../values.ts'
import { decideSettings } from './change-settings.ts'

/** A file of the draft of an organization or of the instance; without bytes it is withdrawn. */
export interface BrandAssetChange {
  readonly owner: string
  readonly slot: BrandingSlot
  readonly bytes: Buffer | undefined
}

/** Changes a file. An organization needs a draft of its own, as for every other change of it. */
export function changeBrandAsset(
  app: App,
  origin: Origin,
  { owner, slot, bytes }: BrandAssetChange,
): Promise<Written<Document<Settings>>> {
  const isInstance = owner === app.instanceId
  const manner = isInstance ? 'put' : 'change'
  return app.store.write(origin, async (work) => {
    if (!isInstance) await requireOrganization(app, owner, work)
    const use = slot === 'font' ? 'font' : 'image'
    const asset = bytes && (await storeAsset(app, work, { use, bytes, owner }))
    return decideSettings(work, owner, { type: 'draft_asset', manner, slot, ...(asset && { asset }) })
  })
}
