/** The front of this room: values that callers keep about users. The methods that serve them are in the room of users. */
export type { MetadataCommand, SetMetadata } from './decider.ts'
export {
  checkMetadataKeys,
  findMetadata,
  listMetadata,
  METADATA_KEY,
  type MetadataField,
  metadataId,
  type NewMetadata,
  removeMetadata,
  removeMetadataOf,
  setMetadata,
  userMetadata,
} from './documents.ts'
export type { MetadataEvent } from './events.ts'
export { type MetadataRefusal, metadataRefusals } from './refusals.ts'
