/** The v1 methods for the grants of projects to other organizations. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Filter } from '../../store/index.ts'
import { isLivingProjectGrant, type LivingProjectGrant } from './decisions/project-grant.ts'
import { type ProjectGrantField, projectGrants, readProjectGrant } from './documents.ts'
import { grantForCaller, projectForCaller, projectToAddTo } from './find-project.ts'
import { addGrant, changeGrant, removeGrant, setGrantState } from './handlers/change-grant.ts'
import { grantsV1 } from './messages.ts'
import { grantedProjectFilterV1, grantFilterV1, readableAsGranted, readableAsOwner } from './queries.ts'
import { projectGrantRefusals } from './refusals.ts'

/** The methods about grants. */
export function grantMethodsV1(app: App): readonly Method[] {
  /** The grant, for a method of the project's administrators. */
  const ownGrant = async (call: Call, projectId: string, grantId: string): Promise<Document<LivingProjectGrant>> => {
    await projectForCaller(app, call, projectId)
    const grant = await readProjectGrant(app, grantId)
    if (grant?.state.projectId !== projectId) throw refused(projectGrantRefusals, 'project_grant.not_found')
    return grant
  }

  const list = async (call: Call, where: readonly Filter<ProjectGrantField>[], query: ListQuery | undefined) => {
    const page = await app.store.find(projectGrants, {
      where: { all: where },
      orderBy: 'createdAt',
      ...pageOf(query, 'query'),
    })
    const grants = page.documents.flatMap(({ state, ...rest }) =>
      isLivingProjectGrant(state) ? [{ ...rest, state }] : [],
    )
    return { details: listDetailsV1(page, call.at), result: await grantsV1(app, call, grants) }
  }

  return methods(ManagementService, {
    async getGrantedProjectByID({ projectId, grantId }, call) {
      const [grantedProject] = await grantsV1(app, call, [await grantForCaller(app, call, projectId, grantId)])
      return grantedProject === undefined ? {} : { grantedProject }
    },
    async listGrantedProjects({ query, queries }, call) {
      const toUs = { field: 'grantedOrganizationId', equals: call.organizationId } as const
      return list(call, [toUs, readableAsGranted(call), ...queries.map(grantedProjectFilterV1)], query)
    },
    async getProjectGrantByID({ projectId, grantId }, call) {
      const [projectGrant] = await grantsV1(app, call, [await ownGrant(call, projectId, grantId)])
      return projectGrant === undefined ? {} : { projectGrant }
    },
    async listProjectGrants({ projectId, query, queries }, call) {
      await projectForCaller(app, call, projectId)
      return list(call, [{ field: 'projectId', equals: projectId }, ...queries.map(grantFilterV1)], query)
    },
    async listAllProjectGrants({ query, queries }, call) {
      const own = { field: 'owner', equals: call.organizationId } as const
      return list(call, [own, readableAsOwner(call), ...queries.map(grantFilterV1)], query)
    },
    async addProjectGrant({ projectId, grantedOrgId, roleKeys }, call) {
      await projectToAddTo(app, call, projectId)
      const { value } = await addGrant(app, call, projectId, grantedOrgId, roleKeys)
      return { grantId: value.id, details: detailsV1(value) }
    },
    async updateProjectGrant({ projectId, grantId, roleKeys }, call) {
      await ownGrant(call, projectId, grantId)
      return { details: writtenV1(await changeGrant(app, call, grantId, roleKeys)) }
    },
    async deactivateProjectGrant({ projectId, grantId }, call) {
      await ownGrant(call, projectId, grantId)
      return { details: writtenV1(await setGrantState(app, call, grantId, 'deactivate')) }
    },
    async reactivateProjectGrant({ projectId, grantId }, call) {
      await ownGrant(call, projectId, grantId)
      return { details: writtenV1(await setGrantState(app, call, grantId, 'reactivate')) }
    },
    async removeProjectGrant({ projectId, grantId }, call) {
      await ownGrant(call, projectId, grantId)
      return { details: writtenV1(await removeGrant(app, call, grantId)) }
    },
  })
}
