/** The methods for the login settings of the instance and of the organization of the call, and for their factors. */
import type { DescService } from '@bufbuild/protobuf'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import type { Call } from '../../../access/call.ts'
import type { Method } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../../module/details.ts'
import type { Work } from '../../../store/index.ts'
import { holdingSettings } from '../effective.ts'
import { changeLogin } from '../handlers/change-settings.ts'
import { isOwn, settingsDetailsV1 } from './details.ts'
import { loginOf, loginV1, loginV2, multiFactors, secondFactors } from './login-policy.ts'
import { changes, ownChanges, readPolicy, served } from './policies.ts'

type LoginMessage = Parameters<typeof loginOf>[0]

/** The login policy of the instance or of an organization, with the providers that it offers. */
export async function loginPolicyV1<Link>(app: App, owner: string, idps: readonly Link[]) {
  const { value, from } = (await holdingSettings(app, owner)).login
  const isDefault = !isOwn(from, app.instanceId)
  return { details: settingsDetailsV1(from, app.instanceId), ...loginV1(value), idps: [...idps], isDefault }
}

/** Adds the login policy of the organization of the call; `also` is part of the commit. */
export async function addLoginPolicyV1(
  app: App,
  call: Call,
  message: LoginMessage,
  also: (work: Work) => Promise<void>,
) {
  const change = { manner: 'add', draft: loginOf(message), also } as const
  return { details: writtenV1(await changeLogin(app, call, call.organizationId, change)) }
}

const FACTORS = [
  ['SecondFactor', 'secondFactors', secondFactors],
  ['MultiFactor', 'multiFactors', multiFactors],
] as const

/** The methods of one service; `manner` says what a change does where nothing is set. */
function methodsIn(app: App, service: DescService, ownerOf: (call: Call) => string, manner: 'put' | 'change') {
  const change = manner === 'put' ? changes(app) : ownChanges(app)
  const update = async (message: LoginMessage, call: Call) => ({
    details: writtenV1(await changeLogin(app, call, ownerOf(call), { manner, draft: loginOf(message) })),
  })
  const factors = FACTORS.flatMap(([name, member, { list, read }]) => {
    const set = (type: 'allow_factor' | 'forbid_factor') => (message: { readonly type: number }, call: Call) =>
      change(call, { type, manner, factor: read(message.type) })
    // Factors have no documents of their own. The sequence is the one of the settings that allow them.
    const listed = async (_: unknown, call: Call) => {
      const { value, from } = (await holdingSettings(app, ownerOf(call))).login
      const result = list.show(value[member] as never)
      return { details: listDetailsV1({ total: result.length, sequence: from?.sequence ?? 0 }, call.at), result }
    }
    return [
      [`listLoginPolicy${name}s`, listed],
      [`add${name}ToLoginPolicy`, set('allow_factor')],
      [`remove${name}FromLoginPolicy`, set('forbid_factor')],
    ] as const
  })
  const updates = ['updateLoginPolicy', 'updateCustomLoginPolicy'].map((name) => [name, update] as const)
  return served(service, Object.fromEntries([...updates, ...factors]))
}

/** The methods for login policies. Those that name providers too are of their module. */
export function loginMethods(app: App): readonly Method[] {
  const getMyLoginPolicy = async (_: unknown, { organizationId }: Call) => ({
    policy: await loginPolicyV1(app, organizationId, []),
  })
  return [
    ...served(AuthService, { getMyLoginPolicy }),
    ...readPolicy(app, 'LoginPolicy', 'login', { v2: ['LoginSettings', loginV2] }, { type: 'reset', section: 'login' }),
    ...methodsIn(app, AdminService, () => app.instanceId, 'put'),
    ...methodsIn(app, ManagementService, ({ organizationId }) => organizationId, 'change'),
  ]
}
