import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { PrivateLabelingSetting, ProjectState } from '../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ProjectFieldName, ProjectOrganizationIDFilter_Type } from '../../../contract/gen/signet/project/v2/query_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { memberships } from '../memberships/index.ts'
import { findProject, projectGrants, projectRoles } from './index.ts'

const v1 = ManagementService.method
const v2 = ProjectService.method

for (const engine of bothEngines) {
  suite(`projects on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const addOrganization = async () => {
      const added = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Organization ${++count}` },
        world.owner,
      )
      return added.organizationId
    }
    const addProject = async (organizationId = world.defaultOrganizationId, roles: readonly string[] = []) => {
      const name = `Project ${++count}`
      const { projectId } = await world.call(v2.createProject, { organizationId, name }, world.owner)
      for (const roleKey of roles) {
        await world.call(v2.addProjectRole, { projectId, roleKey, displayName: roleKey }, world.owner)
      }
      return projectId
    }
    const addMachine = (organizationId: string, ...organizationRoles: string[]) =>
      world.addMachine({ organizationId, ...(organizationRoles.length > 0 && { organizationRoles }) })

    test('are created, changed and read', async () => {
      const organizationId = world.defaultOrganizationId
      const { projectId } = await world.call(
        v2.createProject,
        { organizationId, projectId: 'chosen', name: 'Shop', projectRoleAssertion: true },
        world.owner,
      )
      assert.equal(projectId, 'chosen')
      const before = await world.call(v2.getProject, { projectId }, world.owner)
      world.clock.now = (world.clock.now + 1000) as typeof world.clock.now
      const same = await world.call(v2.updateProject, { projectId, name: 'Shop' }, world.owner)
      assert.deepEqual(same.changeDate, before.project?.changeDate)
      const change = {
        name: 'Web Shop',
        authorizationRequired: true,
        privateLabelingSetting: PrivateLabelingSetting.ENFORCE_PROJECT_RESOURCE_OWNER_POLICY,
      }
      await world.call(v2.updateProject, { projectId, ...change }, world.owner)
      const { project } = await world.call(v2.getProject, { projectId }, world.owner)
      assert.equal(project?.name, 'Web Shop')
      assert.equal(project?.projectRoleAssertion, true)
      assert.equal(project?.authorizationRequired, true)
      assert.equal(project?.projectAccessRequired, false)
      assert.equal(project?.privateLabelingSetting, change.privateLabelingSetting)
      assert.equal(project?.organizationId, organizationId)
      const old = await world.call(v1.getProjectByID, { id: projectId }, world.owner)
      assert.equal(old.project?.projectRoleCheck, true)
      assert.equal(old.project?.details?.resourceOwner, organizationId)
    })

    test('have names that are unique in their organization, and ids of their own', async () => {
      const organizationId = await addOrganization()
      const taken = { projectId: `own-${count}`, name: 'Same' }
      await world.call(v2.createProject, { organizationId, ...taken }, world.owner)
      await assert.rejects(world.call(v2.createProject, { organizationId, name: 'sAME' }, world.owner), {
        code: 'project.name_taken',
      })
      await assert.rejects(world.call(v2.createProject, { organizationId, ...taken, name: 'B' }, world.owner), {
        code: 'project.id_taken',
      })
      const other = await addOrganization()
      await world.call(v2.createProject, { organizationId: other, name: 'Same' }, world.owner)
      await assert.rejects(world.call(v2.createProject, { organizationId: 'none', name: 'A' }, world.owner), {
        code: 'project.organization_not_found',
      })
      await assert.rejects(world.call(v2.createProject, { organizationId, name: 'A', projectId: 'a b' }, world.owner), {
        code: 'project.id_invalid',
      })
    })

    test('are deactivated and activated once', async () => {
      const projectId = await addProject()
      await world.call(v2.deactivateProject, { projectId }, world.owner)
      await assert.rejects(world.call(v2.deactivateProject, { projectId }, world.owner), { code: 'project.not_active' })
      const { project } = await world.call(v2.getProject, { projectId }, world.owner)
      assert.equal(project?.state, ProjectState.INACTIVE)
      await world.call(v2.activateProject, { projectId }, world.owner)
      await assert.rejects(world.call(v2.activateProject, { projectId }, world.owner), { code: 'project.not_inactive' })
      await assert.rejects(world.call(v2.activateProject, { projectId: 'none' }, world.owner), {
        code: 'project.not_found',
      })
    })

    test('take their roles, grants and members along when they are removed', async () => {
      const projectId = await addProject(undefined, ['a', 'b'])
      const granted = await addOrganization()
      const { userId } = await addMachine(granted)
      const grant = { projectId, grantedOrganizationId: granted, roleKeys: ['a'] }
      await world.call(v2.createProjectGrant, grant, world.owner)
      await world.call(v1.addProjectMember, { projectId, userId, roles: ['PROJECT_OWNER'] }, world.owner)
      await world.call(v2.deleteProject, { projectId }, world.owner)
      assert.equal(await findProject(world.app, projectId), undefined)
      const where = { field: 'projectId', equals: projectId } as const
      assert.equal((await world.store.find(projectRoles, { where, limit: 1 })).total, 0)
      assert.equal((await world.store.find(projectGrants, { where, limit: 1 })).total, 0)
      assert.equal((await world.store.find(memberships, { where, limit: 1 })).total, 0)
      await world.call(v2.deleteProject, { projectId }, world.owner)
      await world.call(v2.deleteProject, { projectId: 'none' }, world.owner)
      await world.runJobs()
      assert.deepEqual(world.failures, [])
    })

    test('leave a name free when they are removed', async () => {
      const organizationId = await addOrganization()
      const { projectId } = await world.call(v2.createProject, { organizationId, name: 'Again' }, world.owner)
      await world.call(v2.deleteProject, { projectId }, world.owner)
      await world.call(v2.createProject, { organizationId, name: 'Again' }, world.owner)
    })

    test('of a removed organization are removed, and the grants to it', async () => {
      const organizationId = await addOrganization()
      const own = await addProject(organizationId, ['a'])
      const foreign = await addProject(undefined, ['a'])
      const grant = { projectId: foreign, grantedOrganizationId: organizationId, roleKeys: ['a'] }
      await world.call(v2.createProjectGrant, grant, world.owner)
      await world.call(OrganizationService.method.deleteOrganization, { organizationId }, world.owner)
      await world.runJobs()
      assert.equal(await findProject(world.app, own), undefined)
      const where = { field: 'grantedOrganizationId', equals: organizationId } as const
      assert.equal((await world.store.find(projectGrants, { where, limit: 1 })).total, 0)
    })

    test('are listed to those who can read them, with those that are granted', async () => {
      const [here, there] = [await addOrganization(), await addOrganization()]
      const [own, granted] = [await addProject(here), await addProject(there)]
      await world.call(v2.createProjectGrant, { projectId: granted, grantedOrganizationId: here }, world.owner)
      const { request } = await addMachine(here, 'ORG_OWNER_VIEWER')
      const list = async (type?: ProjectOrganizationIDFilter_Type) => {
        const filter = { case: 'organizationIdFilter', value: { organizationId: here, type: type ?? 0 } } as const
        const filters = type === undefined ? [] : [{ filter }]
        const page = { pagination: { asc: true }, sortingColumn: ProjectFieldName.CREATION_DATE, filters }
        const { projects, pagination } = await world.call(v2.listProjects, page, request)
        assert.equal(Number(pagination?.totalResult), projects.length)
        return projects.map(({ projectId, grantedOrganizationId }) => [projectId, grantedOrganizationId])
      }
      assert.deepEqual(await list(), [
        [own, undefined],
        [granted, here],
      ])
      assert.deepEqual(await list(ProjectOrganizationIDFilter_Type.OWNED), [[own, undefined]])
      assert.deepEqual(await list(ProjectOrganizationIDFilter_Type.GRANTED), [[granted, here]])
      const ofV1 = await world.call(v1.listProjects, {}, request)
      assert.deepEqual(
        ofV1.result.map(({ id }) => id),
        [own],
      )
      const grantedV1 = await world.call(v1.listGrantedProjects, {}, request)
      assert.deepEqual(
        grantedV1.result.map(({ projectId }) => projectId),
        [granted],
      )
      await assert.rejects(world.call(v2.getProject, { projectId: granted }, request), { code: 'access.forbidden' })
    })

    test('belong to a caller who may only create them', async () => {
      const organizationId = await addOrganization()
      const { request } = await addMachine(organizationId, 'ORG_PROJECT_CREATOR')
      const { id } = await world.call(v1.addProject, { name: 'Mine' }, request)
      await world.call(v1.addProjectRole, { projectId: id, roleKey: 'a', displayName: 'A' }, request)
      const other = await addProject(organizationId)
      await assert.rejects(world.call(v1.getProjectByID, { id: other }, request), { code: 'access.forbidden' })
      await world.call(v1.removeProject, { id }, request)
    })

    test('can be managed by their members alone', async () => {
      const [projectId, other] = [await addProject(), await addProject()]
      const { userId, request } = await addMachine(await addOrganization())
      await assert.rejects(world.call(v2.getProject, { projectId }, request), { code: 'access.forbidden' })
      const viewer = ['PROJECT_OWNER_VIEWER']
      await world.call(v1.addProjectMember, { projectId, userId, roles: viewer }, world.owner)
      await world.call(v2.getProject, { projectId }, request)
      await assert.rejects(world.call(v2.updateProject, { projectId, name: 'X' }, request), {
        code: 'access.forbidden',
      })
      await assert.rejects(
        world.call(v1.updateProjectMember, { projectId, userId, roles: ['PROJECT_OWNER'] }, request),
        { code: 'access.forbidden' },
      )
      await world.call(v1.updateProjectMember, { projectId, userId, roles: ['PROJECT_OWNER'] }, world.owner)
      await world.call(v2.updateProject, { projectId, name: `Renamed ${count}` }, request)
      await assert.rejects(world.call(v2.getProject, { projectId: other }, request), { code: 'access.forbidden' })
      const { result } = await world.call(v1.listProjectMembers, { projectId }, request)
      assert.deepEqual(
        result.map((member) => [member.userId, [...member.roles]]),
        [[userId, ['PROJECT_OWNER']]],
      )
      const { projects } = await world.call(v2.listProjects, {}, request)
      assert.deepEqual(
        projects.map((project) => project.projectId),
        [projectId],
      )
      await assert.rejects(
        world.call(v1.addProjectMember, { projectId, userId, roles: ['PROJECT_OWNER'] }, world.owner),
        { code: 'membership.exists' },
      )
      await world.call(v1.removeProjectMember, { projectId, userId }, world.owner)
      await assert.rejects(world.call(v2.getProject, { projectId }, request), { code: 'access.forbidden' })
    })

    test('with the id of an organization give no role in that organization', async () => {
      const victim = await addOrganization()
      const organizationId = await addOrganization()
      const { userId, request } = await addMachine(organizationId, 'ORG_OWNER')
      await world.call(v2.createProject, { organizationId, projectId: victim, name: 'Trap' }, request)
      await world.call(v1.addProjectMember, { projectId: victim, userId, roles: ['PROJECT_OWNER'] }, request)
      await assert.rejects(world.call(v2.createProject, { organizationId: victim, name: 'X' }, request), {
        code: 'access.forbidden',
      })
      const members = await world.call(v1.listOrgMembers, {}, { ...world.owner, organizationId: victim })
      assert.ok(!members.result.some((member) => member.userId === userId))
    })
  })
}
