/** Uploaded files: checked when they are stored, removed with what refers to them, and served under `/assets/v1`. */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { assets } from './documents.ts'
import { assetRefusals } from './refusals.ts'

export const assetsModule = module({ name: 'assets', kinds: within('asset', assets), refusals: assetRefusals })

export { ASSET_USES } from './check-asset.ts'
export { assets } from './documents.ts'
export { assetRefusals } from './refusals.ts'
export {
  ASSET_PATH,
  assetPath,
  isSameAsset,
  readAsset,
  removeAsset,
  requireAsset,
  restoreAsset,
  storeAsset,
} from './store-asset.ts'
