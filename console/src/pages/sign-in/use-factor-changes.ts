/** Adds and removes the factors of a login policy, which have methods of their own. */
import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf'
import { callUnaryMethod, useTransport } from '@connectrpc/connect-query'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { MultiFactorType } from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import { type LoginValues, SECOND_FACTORS, type SecondFactor } from './login-values.ts'

type AnyMethod = DescMethodUnary<DescMessage, DescMessage>

/** The two steps: factors are added before a policy may require them, and removed after it no longer does. */
export interface FactorChanges {
  addMissing(before: LoginValues, after: LoginValues): Promise<void>
  removeOthers(before: LoginValues, after: LoginValues): Promise<void>
}

/** Prepares the calls for the instance or for the chosen organization. */
export function useFactorChanges(isInstance: boolean): FactorChanges {
  const transport = useTransport()
  const service = isInstance ? AdminService.method : ManagementService.method
  const call = async (method: AnyMethod, type: number) => {
    await callUnaryMethod(transport, method, { type } as never)
  }
  const differing = (one: LoginValues, other: LoginValues) =>
    one.secondFactors
      .filter((name) => !other.secondFactors.includes(name))
      .map((name) => SECOND_FACTORS[name as SecondFactor])
  return {
    async addMissing(before, after) {
      for (const type of differing(after, before)) await call(service.addSecondFactorToLoginPolicy, type)
      if (after.passkeyIsEnough && !before.passkeyIsEnough) {
        await call(service.addMultiFactorToLoginPolicy, MultiFactorType.U2F_WITH_VERIFICATION)
      }
    },
    async removeOthers(before, after) {
      for (const type of differing(before, after)) await call(service.removeSecondFactorFromLoginPolicy, type)
      if (before.passkeyIsEnough && !after.passkeyIsEnough) {
        await call(service.removeMultiFactorFromLoginPolicy, MultiFactorType.U2F_WITH_VERIFICATION)
      }
    },
  }
}
