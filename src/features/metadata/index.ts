/** Metadata: values that callers store about users and organizations under keys of their own. */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { removeMetadataOf, userMetadata } from './documents.ts'
import { organizationMetadata, removeOrganizationEntries } from './organization-metadata.ts'
import { metadataRefusals } from './refusals.ts'
import { organizationMetadataMethods } from './rpc-organizations.ts'
import { organizationMetadataMethodsV1 } from './rpc-organizations-v1.ts'

export const metadataModule = module({
  name: 'metadata',
  kinds: within('metadata', userMetadata, organizationMetadata),
  refusals: metadataRefusals,
  methods: (app) => [...organizationMetadataMethodsV1(app), ...organizationMetadataMethods(app)],
  whenUserRemoved: removeMetadataOf,
  whenOrganizationRemoved: removeOrganizationEntries,
})

export type { SetMetadata } from './decider.ts'
export {
  checkMetadataKeys,
  findMetadata,
  listMetadata,
  METADATA_KEY,
  METADATA_LIMIT,
  type MetadataField,
  metadataId,
  metadataWithin,
  type NewMetadata,
  removeMetadata,
  setMetadata,
  sizeOfMetadata,
  userMetadata,
} from './documents.ts'
export { EMAILS_KEY, LISTED_FIELDS } from './listed-values.ts'
export { organizationMetadata, setOrganizationEntries } from './organization-metadata.ts'
export { metadataRefusals } from './refusals.ts'
