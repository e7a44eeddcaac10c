/** The v1 methods for projects and their roles. */
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { RoleQuery } from '../../../contract/gen/signet/project/v1/project_pb.ts'
import type { ListQuery } from '../../../contract/gen/signet/v1/object_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { removeOnce } from '../../module/remove-once.ts'
import type { Filter } from '../../store/index.ts'
import { isLivingProject } from './decisions/project.ts'
import { type ProjectRoleField, projectRoles, projects } from './documents.ts'
import { grantForCaller, projectForCaller, projectToAddTo, removedProject } from './find-project.ts'
import { addProject } from './handlers/add-project.ts'
import { changeProject, removeProject, setProjectState } from './handlers/change-project.ts'
import { addRoles, changeRole, removeRole } from './handlers/change-role.ts'
import { projectV1, roleDetails, roleV1, settingsV1 } from './messages.ts'
import { projectFilterV1, readableProjects, roleFilterV1 } from './queries.ts'
import { projectRoleRefusals } from './refusals.ts'

/** The methods about projects themselves. */
export function projectMethodsV1(app: App): readonly Method[] {
  return methods(ManagementService, {
    async getProjectByID({ id }, call) {
      return { project: projectV1(await projectForCaller(app, call, id)) }
    },
    async listProjects({ query, queries }, call) {
      const own = { field: 'owner', equals: call.organizationId } as const
      const page = await app.store.find(projects, {
        where: { all: [own, readableProjects(call), ...queries.map(projectFilterV1)] },
        orderBy: 'createdAt',
        ...pageOf(query, 'query'),
      })
      return {
        details: listDetailsV1(page, call.at),
        result: page.documents.flatMap(({ state, ...rest }) =>
          isLivingProject(state) ? [projectV1({ ...rest, state })] : [],
        ),
      }
    },
    async addProject(message, call) {
      const { organizationId } = call
      call.authorize(organizationId)
      const { value } = await addProject(app, call, { organizationId, settings: settingsV1.read(message) })
      return { id: value.id, details: detailsV1(value) }
    },
    async updateProject({ id, ...message }, call) {
      await projectForCaller(app, call, id)
      return { details: writtenV1(await changeProject(app, call, id, settingsV1.read(message))) }
    },
    async deactivateProject({ id }, call) {
      await projectForCaller(app, call, id)
      return { details: writtenV1(await setProjectState(app, call, id, 'deactivate')) }
    },
    async reactivateProject({ id }, call) {
      await projectForCaller(app, call, id)
      return { details: writtenV1(await setProjectState(app, call, id, 'reactivate')) }
    },
    async removeProject({ id }, call) {
      const removed = await removeOnce<unknown>(
        () => removedProject(app, call, id),
        async () => {
          await projectForCaller(app, call, id)
          return (await removeProject(app, call, id)).value
        },
      )
      return { details: detailsV1(removed) }
    },
  })
}

/** The methods about roles. */
export function roleMethodsV1(app: App): readonly Method[] {
  const list = async (
    call: Call,
    among: readonly Filter<ProjectRoleField>[],
    query: ListQuery | undefined,
    queries: readonly RoleQuery[],
  ) => {
    const page = await app.store.find(projectRoles, {
      where: { all: [...among, ...queries.map(roleFilterV1)] },
      orderBy: 'addedAt',
      ...pageOf(query, 'query'),
    })
    return {
      details: listDetailsV1(page, call.at),
      result: page.documents.flatMap(({ state, ...rest }) =>
        state.status === 'existing' ? [roleV1({ ...rest, state })] : [],
      ),
    }
  }

  return methods(ManagementService, {
    async listProjectRoles({ projectId, query, queries }, call) {
      await projectForCaller(app, call, projectId)
      return list(call, [{ field: 'projectId', equals: projectId }], query, queries)
    },
    async listGrantedProjectRoles({ projectId, grantId, query, queries }, call) {
      const { state } = await grantForCaller(app, call, projectId, grantId)
      const granted = [
        { field: 'projectId', equals: projectId },
        { field: 'typedKey', in: state.roleKeys },
      ] as const
      return list(call, granted, query, queries)
    },
    async addProjectRole({ projectId, roleKey, displayName, group }, call) {
      await projectToAddTo(app, call, projectId)
      const { value } = await addRoles(app, call, projectId, [{ key: roleKey, displayName, group }])
      return value === undefined ? {} : { details: roleDetails(value) }
    },
    async bulkAddProjectRoles({ projectId, roles }, call) {
      const project = await projectToAddTo(app, call, projectId)
      const added = roles.map(({ key, displayName, group }) => ({ key, displayName, group }))
      const { value } = await addRoles(app, call, projectId, added, (index) => `roles[${index}].key`)
      return { details: value === undefined ? detailsV1(project) : roleDetails(value) }
    },
    async updateProjectRole({ projectId, roleKey, displayName, group }, call) {
      await projectForCaller(app, call, projectId)
      const { value } = await changeRole(app, call, projectId, roleKey, { displayName, group })
      return { details: roleDetails(value) }
    },
    async removeProjectRole({ projectId, roleKey }, call) {
      await projectForCaller(app, call, projectId)
      const { value } = await removeRole(app, call, projectId, roleKey)
      // A role that never existed has no details.
      if (value.revision === 0) throw refused(projectRoleRefusals, 'project_role.not_found')
      return { details: roleDetails(value) }
    },
  })
}
