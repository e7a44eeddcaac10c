/** The parts of the v1 services about how people sign in: on the instance, and in the organization of the call. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../access/call.ts'
import { listDetailsV1, writtenV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { changeInstanceSettings, changeLogin, changeOrganizationSettings } from './changes.ts'
import type { SettingsCommand } from './decider.ts'
import { type Holding, holdingSettings } from './effective.ts'
import type { LoginSettings } from './events.ts'
import {
  loginOf,
  loginV1,
  multiFactorNumbers,
  multiFactorOf,
  secondFactorNumbers,
  secondFactorOf,
} from './login-messages.ts'
import type { SettingsNeeds } from './needs.ts'

async function holdingLogin({ store, instanceId }: SettingsNeeds, owner: string): Promise<Holding<LoginSettings>> {
  return (await holdingSettings(store, owner, instanceId)).login
}

/** The factors are no documents of their own: what the list has seen is what says that they count. */
function listed<Item>(result: Item[], { from }: Holding<LoginSettings>, { at }: Call) {
  return {
    details: listDetailsV1({ total: result.length, sequence: from?.sequence ?? 0 }, at),
    result,
  }
}

function listSecondFactors(holding: Holding<LoginSettings>, call: Call) {
  return listed(secondFactorNumbers(holding.value.secondFactors), holding, call)
}

function listMultiFactors(holding: Holding<LoginSettings>, call: Call) {
  return listed(multiFactorNumbers(holding.value.multiFactors), holding, call)
}

function adminMethods(needs: SettingsNeeds): readonly Method[] {
  const holding = () => holdingLogin(needs, needs.instanceId)
  const change = async ({ origin }: Call, command: SettingsCommand) => ({
    details: writtenV1(await changeInstanceSettings(needs, origin, command)),
  })
  return methods(AdminService, {
    async getLoginPolicy() {
      return { policy: loginV1(await holding(), needs.instanceId) }
    },
    async updateLoginPolicy(message, { origin }) {
      const change = { manner: 'put', draft: loginOf(message) } as const
      return { details: writtenV1(await changeLogin(needs, origin, needs.instanceId, change)) }
    },
    async listLoginPolicySecondFactors(_, call) {
      return listSecondFactors(await holding(), call)
    },
    addSecondFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'put', factor: secondFactorOf(type) })
    },
    removeSecondFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'put', factor: secondFactorOf(type) })
    },
    async listLoginPolicyMultiFactors(_, call) {
      return listMultiFactors(await holding(), call)
    },
    addMultiFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'put', factor: multiFactorOf(type) })
    },
    removeMultiFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'put', factor: multiFactorOf(type) })
    },
  })
}

function managementMethods(needs: SettingsNeeds): readonly Method[] {
  const change = async ({ origin, organizationId }: Call, command: SettingsCommand) => ({
    details: writtenV1(await changeOrganizationSettings(needs, origin, organizationId, command)),
  })
  return methods(ManagementService, {
    async getLoginPolicy(_, { organizationId }) {
      const policy = loginV1(await holdingLogin(needs, organizationId), needs.instanceId)
      return { policy, isDefault: policy.isDefault === true }
    },
    async getDefaultLoginPolicy() {
      return { policy: loginV1(await holdingLogin(needs, needs.instanceId), needs.instanceId) }
    },
    async addCustomLoginPolicy(message, { origin, organizationId }) {
      const secondFactors = [...new Set(message.secondFactors)].map(secondFactorOf)
      const multiFactors = [...new Set(message.multiFactors)].map(multiFactorOf)
      const draft = { ...loginOf(message), secondFactors, multiFactors }
      return { details: writtenV1(await changeLogin(needs, origin, organizationId, { manner: 'add', draft })) }
    },
    async updateCustomLoginPolicy(message, { origin, organizationId }) {
      const change = { manner: 'change', draft: loginOf(message) } as const
      return { details: writtenV1(await changeLogin(needs, origin, organizationId, change)) }
    },
    resetLoginPolicyToDefault(_, call) {
      return change(call, { type: 'reset_login' })
    },
    async listLoginPolicySecondFactors(_, call) {
      return listSecondFactors(await holdingLogin(needs, call.organizationId), call)
    },
    addSecondFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'change', factor: secondFactorOf(type) })
    },
    removeSecondFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'change', factor: secondFactorOf(type) })
    },
    async listLoginPolicyMultiFactors(_, call) {
      return listMultiFactors(await holdingLogin(needs, call.organizationId), call)
    },
    addMultiFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'change', factor: multiFactorOf(type) })
    },
    removeMultiFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'change', factor: multiFactorOf(type) })
    },
  })
}

/** The v1 methods about how people sign in. */
export function loginMethodsV1(needs: SettingsNeeds): readonly Method[] {
  return [...adminMethods(needs), ...managementMethods(needs)]
}
