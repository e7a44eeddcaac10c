/** The v1 methods for the login policies of the instance and of the organization of the call. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import type { AddCustomLoginPolicyRequest } from '../../../../contract/gen/signet/management/v1/login_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../../access/call.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../../module/details.ts'
import type { Work } from '../../../store/index.ts'
import { type Holding, holdingSettings } from '../effective.ts'
import type { LoginSettings } from '../events.ts'
import { changeLogin } from '../handlers/change-settings.ts'
import { isOwn, settingsDetailsV1 } from './details.ts'
import {
  loginOf,
  loginV1,
  loginV2,
  multiFactorNumbers,
  multiFactorOf,
  secondFactorNumbers,
  secondFactorOf,
} from './messages-login.ts'
import { changes, ownChanges, readPolicy } from './policies.ts'

async function holdingLogin(app: App, owner: string): Promise<Holding<LoginSettings>> {
  return (await holdingSettings(app, owner)).login
}

/** The login policy of the instance or of an organization, with the providers that it offers. */
export async function loginPolicyV1(app: App, owner: string, offered: Parameters<typeof loginV1>[1]) {
  const { value, from } = await holdingLogin(app, owner)
  const isDefault = !isOwn(from, app.instanceId)
  return { details: settingsDetailsV1(from, app.instanceId), ...loginV1(value, offered), isDefault }
}

/** Adds the login policy of the organization of the call; `also` is part of the commit. */
export async function addLoginPolicyV1(
  app: App,
  call: Call,
  message: Omit<AddCustomLoginPolicyRequest, 'idps'>,
  also: (work: Work) => Promise<void>,
) {
  const secondFactors = [...new Set(message.secondFactors)].map(secondFactorOf)
  const multiFactors = [...new Set(message.multiFactors)].map(multiFactorOf)
  const draft = { ...loginOf(message), secondFactors, multiFactors }
  return { details: writtenV1(await changeLogin(app, call, call.organizationId, { manner: 'add', draft, also })) }
}

/** Factors have no documents of their own. The sequence is that of the settings that allow them. */
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

function adminMethods(app: App): readonly Method[] {
  const holding = () => holdingLogin(app, app.instanceId)
  const change = changes(app)
  return methods(AdminService, {
    async updateLoginPolicy(message, call) {
      const change = { manner: 'put', draft: loginOf(message) } as const
      return { details: writtenV1(await changeLogin(app, call, app.instanceId, change)) }
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

function managementMethods(app: App): readonly Method[] {
  const change = ownChanges(app)
  return methods(ManagementService, {
    async updateCustomLoginPolicy(message, call) {
      const change = { manner: 'change', draft: loginOf(message) } as const
      return { details: writtenV1(await changeLogin(app, call, call.organizationId, change)) }
    },
    async listLoginPolicySecondFactors(_, call) {
      return listSecondFactors(await holdingLogin(app, call.organizationId), call)
    },
    addSecondFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'change', factor: secondFactorOf(type) })
    },
    removeSecondFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'change', factor: secondFactorOf(type) })
    },
    async listLoginPolicyMultiFactors(_, call) {
      return listMultiFactors(await holdingLogin(app, call.organizationId), call)
    },
    addMultiFactorToLoginPolicy({ type }, call) {
      return change(call, { type: 'allow_factor', manner: 'change', factor: multiFactorOf(type) })
    },
    removeMultiFactorFromLoginPolicy({ type }, call) {
      return change(call, { type: 'forbid_factor', manner: 'change', factor: multiFactorOf(type) })
    },
  })
}

/** The v1 methods for login policies. */
export function loginMethodsV1(app: App): readonly Method[] {
  const shown = { v2: ['LoginSettings', loginV2] } as const
  return [
    ...methods(AuthService, {
      getMyLoginPolicy: async (_, { organizationId }) => ({ policy: await loginPolicyV1(app, organizationId, []) }),
    }),
    ...readPolicy(app, 'LoginPolicy', 'login', shown, { type: 'reset', section: 'login' }),
    ...adminMethods(app),
    ...managementMethods(app),
  ]
}
