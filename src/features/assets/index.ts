/** Uploaded files: checked when they are stored, removed with what refers to them, and served under `/assets/v1`. */
import { module } from '../../module/module.ts'
import { carriedAssets } from './carried.ts'
import { assetRefusals } from './refusals.ts'

export const assetsModule = module({ name: 'assets', kinds: [carriedAssets], refusals: assetRefusals })

export { ASSET_USES } from './check-asset.ts'
export { assetRefusals } from './refusals.ts'
export {
  ASSET_PATH,
  assetPath,
  isSameAsset,
  readAsset,
  removeAsset,
  requireAsset,
  storeAsset,
} from './store-asset.ts'
