/** The methods of each kind of sign-in settings. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'

const admin = AdminService.method
const management = ManagementService.method

export const LOGIN_POLICY = {
  instance: { get: admin.getLoginPolicy, update: admin.updateLoginPolicy },
  organization: {
    get: management.getLoginPolicy,
    add: management.addCustomLoginPolicy,
    update: management.updateCustomLoginPolicy,
    reset: management.resetLoginPolicyToDefault,
  },
} as const

export const COMPLEXITY_POLICY = {
  instance: { get: admin.getPasswordComplexityPolicy, update: admin.updatePasswordComplexityPolicy },
  organization: {
    get: management.getPasswordComplexityPolicy,
    add: management.addCustomPasswordComplexityPolicy,
    update: management.updateCustomPasswordComplexityPolicy,
    reset: management.resetPasswordComplexityPolicyToDefault,
  },
} as const

export const AGE_POLICY = {
  instance: { get: admin.getPasswordAgePolicy, update: admin.updatePasswordAgePolicy },
  organization: {
    get: management.getPasswordAgePolicy,
    add: management.addCustomPasswordAgePolicy,
    update: management.updateCustomPasswordAgePolicy,
    reset: management.resetPasswordAgePolicyToDefault,
  },
} as const

export const LOCKOUT_POLICY = {
  instance: { get: admin.getLockoutPolicy, update: admin.updateLockoutPolicy },
  organization: {
    get: management.getLockoutPolicy,
    add: management.addCustomLockoutPolicy,
    update: management.updateCustomLockoutPolicy,
    reset: management.resetLockoutPolicyToDefault,
  },
} as const
