/** The ProjectService: projects, their roles and their grants. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectRoleFieldName } from '../../../contract/gen/signet/project/v2/query_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { isLivingProjectGrant } from './decisions/project-grant.ts'
import { findProjectGrant, projectGrants, projectRoles } from './documents.ts'
import {
  grantForOwner,
  isProjectInReach,
  lastRemovedGrant,
  projectForCaller,
  projectToAddTo,
  projectToExtend,
  removedProject,
} from './find-project.ts'
import { addProject } from './handlers/add-project.ts'
import { addGrant, changeGrant, removeGrant, setGrantState } from './handlers/change-grant.ts'
import { changeProject, removeProject, setProjectState } from './handlers/change-project.ts'
import { addRoles, changeRole, removeRole } from './handlers/change-role.ts'
import { listProjects } from './list-projects.ts'
import { grantsV2, projectV2, roleV2, settingsOfV2 } from './messages.ts'
import {
  grantFilterV2,
  grantSorting,
  readableAsGranted,
  readableAsOwner,
  roleFilterV2,
  roleSorting,
} from './queries.ts'

/** The methods about projects themselves. */
export function projectMethodsV2(app: App): readonly Method[] {
  return methods(ProjectService, {
    async createProject({ organizationId, projectId, ...message }, call) {
      call.authorize(organizationId)
      const settings = settingsOfV2(message)
      const { value, at } = await addProject(app, call, { organizationId, projectId, settings })
      return { projectId: value.id, creationDate: timestampFromMs(at) }
    },
    async updateProject({ projectId, ...message }, call) {
      await projectForCaller(app, call, projectId)
      const { value } = await changeProject(app, call, projectId, settingsOfV2(message))
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteProject({ projectId }, call) {
      const before = await removedProject(app, call, projectId)
      if (before !== undefined) return { deletionDate: timestampFromMs(before.changedAt) }
      if ((await projectToExtend(app, call, projectId)) === undefined) return {}
      const { at } = await removeProject(app, call, projectId)
      return { deletionDate: timestampFromMs(at) }
    },
    async getProject({ projectId }, call) {
      return { project: projectV2(await projectForCaller(app, call, projectId)) }
    },
    async listProjects(message, call) {
      const { total, limit, projects } = await listProjects(app, call, message)
      return { pagination: { totalResult: BigInt(total), appliedLimit: BigInt(limit) }, projects: [...projects] }
    },
    async deactivateProject({ projectId }, call) {
      await projectForCaller(app, call, projectId)
      const { at } = await setProjectState(app, call, projectId, 'deactivate')
      return { changeDate: timestampFromMs(at) }
    },
    async activateProject({ projectId }, call) {
      await projectForCaller(app, call, projectId)
      const { at } = await setProjectState(app, call, projectId, 'reactivate')
      return { changeDate: timestampFromMs(at) }
    },
  })
}

/** The methods about roles. */
export function roleMethodsV2(app: App): readonly Method[] {
  return methods(ProjectService, {
    async addProjectRole({ projectId, roleKey, displayName, group = '' }, call) {
      await projectToAddTo(app, call, projectId)
      const { at } = await addRoles(app, call, projectId, [{ key: roleKey, displayName, group }])
      return { creationDate: timestampFromMs(at) }
    },
    async updateProjectRole({ projectId, roleKey, displayName, group }, call) {
      await projectForCaller(app, call, projectId)
      const texts = { ...(displayName !== undefined && { displayName }), ...(group !== undefined && { group }) }
      const { value } = await changeRole(app, call, projectId, roleKey, texts)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async removeProjectRole({ projectId, roleKey }, call) {
      if ((await projectToExtend(app, call, projectId)) === undefined) return {}
      const { value } = await removeRole(app, call, projectId, roleKey)
      // A role that never existed has no events.
      return value.revision === 0 ? {} : { removalDate: timestampFromMs(value.changedAt) }
    },
    async listProjectRoles({ projectId, pagination, sortingColumn, filters }, call) {
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      if (!(await isProjectInReach(app, call, projectId))) return { pagination: { appliedLimit: BigInt(limit) } }
      const page = await app.store.find(projectRoles, {
        where: { all: [{ field: 'projectId', equals: projectId }, ...filters.map(roleFilterV2)] },
        orderBy: roleSorting(sortingColumn ?? ProjectRoleFieldName.UNSPECIFIED),
        offset,
        limit,
        descending,
      })
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        projectRoles: page.documents.flatMap(({ state, ...rest }) =>
          state.status === 'existing' ? [roleV2({ ...rest, state })] : [],
        ),
      }
    },
  })
}

/** The methods about grants. */
export function grantMethodsV2(app: App): readonly Method[] {
  return methods(ProjectService, {
    async createProjectGrant({ projectId, grantedOrganizationId, roleKeys }, call) {
      await projectToAddTo(app, call, projectId)
      const { at } = await addGrant(app, call, projectId, grantedOrganizationId, roleKeys)
      return { creationDate: timestampFromMs(at) }
    },
    async updateProjectGrant({ projectId, grantedOrganizationId, roleKeys }, call) {
      const { id } = await grantForOwner(app, call, projectId, grantedOrganizationId)
      const { value } = await changeGrant(app, call, id, roleKeys)
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async deleteProjectGrant({ projectId, grantedOrganizationId }, call) {
      const project = await projectToExtend(app, call, projectId)
      if (project === undefined) return {}
      const grant = await findProjectGrant(app, projectId, grantedOrganizationId)
      if (grant === undefined) {
        const removed = await lastRemovedGrant(app, project, grantedOrganizationId)
        return removed === undefined ? {} : { deletionDate: timestampFromMs(removed.changedAt) }
      }
      const { at } = await removeGrant(app, call, grant.id)
      return { deletionDate: timestampFromMs(at) }
    },
    async deactivateProjectGrant({ projectId, grantedOrganizationId }, call) {
      const { id } = await grantForOwner(app, call, projectId, grantedOrganizationId)
      const { value } = await setGrantState(app, call, id, 'deactivate')
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async activateProjectGrant({ projectId, grantedOrganizationId }, call) {
      const { id } = await grantForOwner(app, call, projectId, grantedOrganizationId)
      const { value } = await setGrantState(app, call, id, 'reactivate')
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async listProjectGrants({ pagination, sortingColumn, filters }, call) {
      const { offset, limit, descending } = pageOf(pagination, 'pagination')
      const readable = { any: [readableAsOwner(call), readableAsGranted(call)] }
      const page = await app.store.find(projectGrants, {
        where: { all: [readable, ...filters.map(grantFilterV2)] },
        orderBy: grantSorting(sortingColumn),
        offset,
        limit,
        descending,
      })
      const grants = page.documents.flatMap(({ state, ...rest }) =>
        isLivingProjectGrant(state) ? [{ ...rest, state }] : [],
      )
      return {
        pagination: { totalResult: BigInt(page.total), appliedLimit: BigInt(limit) },
        projectGrants: await grantsV2(app, call, grants),
      }
    },
  })
}
