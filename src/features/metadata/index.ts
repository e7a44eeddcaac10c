/** Metadata: values that callers store for users under custom keys. The methods are in `humans`. */
import { module } from '../../access/module.ts'
import { removeMetadataOf, userMetadata } from './documents.ts'
import { metadataRefusals } from './refusals.ts'

export const metadataModule = module({
  name: 'metadata',
  kinds: [userMetadata],
  refusals: metadataRefusals,
  whenUserRemoved: removeMetadataOf,
})

export type { SetMetadata } from './decider.ts'
export {
  checkMetadataKeys,
  findMetadata,
  listMetadata,
  METADATA_KEY,
  type MetadataField,
  metadataId,
  type NewMetadata,
  removeMetadata,
  setMetadata,
  userMetadata,
} from './documents.ts'
export { metadataRefusals } from './refusals.ts'
