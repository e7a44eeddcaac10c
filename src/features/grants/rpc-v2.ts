/** The methods of the AgentAccessService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AgentAccessService } from '../../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { activeApplication, agentClientKind } from '../applications/index.ts'
import { findOrganization } from '../organizations/index.ts'
import { userToChange } from '../users/index.ts'
import {
  type AccessOfAgent,
  agentAccessIn,
  approvalsOf,
  approveAgent,
  type GivenApproval,
  type Organizations,
  withdrawApproval,
} from './handlers/agent-access.ts'
import { takeAccessBack } from './handlers/manage-access.ts'

async function organizationOf(app: App, organizationId: string) {
  const organizationName = (await findOrganization(app.store, organizationId))?.state.name ?? ''
  return { organizationId, organizationName }
}

async function accessV2(app: App, { grant, user, application }: AccessOfAgent) {
  const { subject } = grant.state
  return {
    userId: user.id,
    userName: user.state.userName,
    applicationId: subject.applicationId,
    clientId: subject.clientId,
    name: application.name,
    resource: subject.resource?.uri ?? '',
    scopes: subject.scope.split(' '),
    firstUseDate: timestampFromMs(grant.createdAt),
    lastUseDate: timestampFromMs(grant.changedAt),
    ...(await organizationOf(app, user.owner)),
    projectId: application.projectId,
    agentClientKind: agentClientKind(subject.clientId),
  }
}

async function approvalV2(app: App, { organizationId, state, createdAt, changedAt }: GivenApproval) {
  const { applicationId, clientId, resource, scopes } = state
  const served = await activeApplication(app, applicationId)
  return {
    ...(await organizationOf(app, organizationId)),
    applicationId,
    clientId,
    name: served?.application.state.name ?? '',
    projectId: served?.project.id ?? '',
    agentClientKind: agentClientKind(clientId),
    resource,
    scopes: [...scopes],
    creationDate: timestampFromMs(createdAt),
    changeDate: timestampFromMs(changedAt),
  }
}

/** The organization that the caller names, or all in which they have the permission of the method. */
function organizationsFor(call: Call, organizationId: string): Organizations {
  if (organizationId === '') return call.visibleOwners()
  call.authorize(organizationId)
  return [organizationId]
}

/** The v2 methods of this module. */
export function agentAccessMethods(app: App): readonly Method[] {
  return methods(AgentAccessService, {
    async listAgentAccess({ organizationId, pagination }, call) {
      const organizations = organizationsFor(call, organizationId)
      const page = pageOf(pagination, 'pagination')
      const { access, total } = await agentAccessIn(app, organizations, page)
      const counted = { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) }
      return { pagination: counted, access: await Promise.all(access.map((one) => accessV2(app, one))) }
    },

    async removeAgentAccess({ userId, applicationId }, call) {
      await userToChange(app, call, userId)
      const { at, hasChanged } = await takeAccessBack(app, call.origin, userId, applicationId, 'requested')
      return hasChanged ? { deletionDate: timestampFromMs(at) } : {}
    },

    async listAgentApprovals({ organizationId, pagination }, call) {
      const organizations = organizationsFor(call, organizationId)
      const page = pageOf(pagination, 'pagination')
      const { approvals, total } = await approvalsOf(app, organizations, page)
      const counted = { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) }
      return { pagination: counted, approvals: await Promise.all(approvals.map((one) => approvalV2(app, one))) }
    },

    async approveAgent({ organizationId, applicationId, resource, scopes }, call) {
      call.authorize(organizationId)
      const { changedAt } = await approveAgent(app, call, { organizationId, applicationId, resource, scopes })
      return { approvalDate: timestampFromMs(changedAt) }
    },

    async withdrawAgentApproval({ organizationId, applicationId, resource }, call) {
      call.authorize(organizationId)
      await withdrawApproval(app, call.origin, { organizationId, applicationId, resource })
      return { withdrawalDate: timestampFromMs(call.at) }
    },
  })
}
