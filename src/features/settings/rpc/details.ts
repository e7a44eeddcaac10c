/** Whose settings apply, in messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { DetailsSchema } from '../../../../contract/gen/signet/object/v2/object_pb.ts'
import { ResourceOwnerType } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import type { ObjectDetailsSchema } from '../../../../contract/gen/signet/v1/object_pb.ts'
import { detailsV1, detailsV2 } from '../../../module/details.ts'
import type { Document } from '../../../store/index.ts'
import type { Settings } from '../decider.ts'

/** Built-in settings belong to the instance and were never changed. */
export function settingsDetailsV1(
  from: Document<Settings> | undefined,
  instanceId: string,
): MessageInitShape<typeof ObjectDetailsSchema> {
  return from ? detailsV1(from) : { resourceOwner: instanceId }
}

/** As above, for the v2 services. */
export function settingsDetailsV2(
  from: Document<Settings> | undefined,
  instanceId: string,
): MessageInitShape<typeof DetailsSchema> {
  return from ? detailsV2(from) : { resourceOwner: instanceId }
}

/** Whether the organization has its own setting. */
export function isOwn(from: Document<Settings> | undefined, instanceId: string): boolean {
  return from !== undefined && from.id !== instanceId
}

/** The level on which the applied setting is set, for the v2 services. */
export function ownerType(from: Document<Settings> | undefined, instanceId: string): ResourceOwnerType {
  return isOwn(from, instanceId) ? ResourceOwnerType.ORG : ResourceOwnerType.INSTANCE
}
