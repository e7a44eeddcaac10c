/** The methods of the AgentAccessService. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { AgentAccessService } from '../../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { userToChange } from '../users/index.ts'
import type { AgentApproval } from './approvals.ts'
import {
  type AccessOfAgent,
  agentAccessIn,
  approvalsOf,
  approveAgent,
  withdrawApproval,
} from './handlers/agent-access.ts'
import { takeAccessBack } from './handlers/manage-access.ts'

function accessV2({ grant, user, application }: AccessOfAgent) {
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
  }
}

interface ApprovalDocument {
  readonly state: AgentApproval
  readonly createdAt: number
  readonly changedAt: number
}

function approvalV2({ state, createdAt, changedAt }: ApprovalDocument) {
  if (state.status !== 'given') return []
  const { applicationId, clientId, resource, scopes } = state
  const dates = { creationDate: timestampFromMs(createdAt), changeDate: timestampFromMs(changedAt) }
  return [{ applicationId, clientId, resource, scopes: [...scopes], ...dates }]
}

/** The v2 methods of this module. */
export function agentAccessMethods(app: App): readonly Method[] {
  return methods(AgentAccessService, {
    async listAgentAccess({ organizationId, pagination }, call) {
      call.authorize(organizationId)
      const page = pageOf(pagination, 'pagination')
      const { access, total } = await agentAccessIn(app, organizationId, page)
      const counted = { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) }
      return { pagination: counted, access: access.map(accessV2) }
    },

    async removeAgentAccess({ userId, applicationId }, call) {
      await userToChange(app, call, userId)
      await takeAccessBack(app, call.origin, userId, applicationId, 'requested')
      return { deletionDate: timestampFromMs(call.at) }
    },

    async listAgentApprovals({ organizationId, pagination }, call) {
      call.authorize(organizationId)
      const page = pageOf(pagination, 'pagination')
      const { documents, total } = await approvalsOf(app, organizationId, page)
      const counted = { totalResult: BigInt(total), appliedLimit: BigInt(page.limit) }
      return { pagination: counted, approvals: documents.flatMap(approvalV2) }
    },

    async approveAgent({ organizationId, applicationId, resource, scopes }, call) {
      call.authorize(organizationId)
      const { changedAt } = await approveAgent(app, call.origin, { organizationId, applicationId, resource, scopes })
      return { approvalDate: timestampFromMs(changedAt) }
    },

    async withdrawAgentApproval({ organizationId, applicationId, resource }, call) {
      call.authorize(organizationId)
      await withdrawApproval(app, call.origin, { organizationId, applicationId, resource })
      return { withdrawalDate: timestampFromMs(call.at) }
    },
  })
}
