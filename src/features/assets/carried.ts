/** How uploaded files are carried; what refers to one names it by its ID. */
import { declare } from '../../module/carried.ts'
import { ASSET_USES, checkAsset } from './check-asset.ts'
import { type Asset, assets, type StoredAsset } from './documents.ts'
import { formatOf } from './formats.ts'

export const carriedAssets = declare(assets, {
  as: 'asset',
  after: ['organization'],
  lives: (state: Asset): state is StoredAsset => state.format !== 'none',
  // The rest follows from them. Base64.
  describe: ({ bytes }) => ({ bytes }),
  async put({ work, id, owner, draft }, before) {
    if (before !== undefined) return
    const bytes = Buffer.from(draft.bytes, 'base64')
    const isFont = ASSET_USES.font.formats.some((format) => format === formatOf(bytes))
    await work.decide(assets, id, checkAsset(isFont ? 'font' : 'image', bytes), owner)
  },
  remove: 'with its holder',
})
