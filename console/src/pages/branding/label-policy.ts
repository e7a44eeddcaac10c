/** The methods of the draft of a look. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'

const admin = AdminService.method
const management = ManagementService.method

export const LABEL_POLICY = {
  instance: { get: admin.getPreviewLabelPolicy, update: admin.updateLabelPolicy },
  organization: {
    get: management.getPreviewLabelPolicy,
    add: management.addCustomLabelPolicy,
    update: management.updateCustomLabelPolicy,
    reset: management.resetLabelPolicyToDefault,
  },
} as const
