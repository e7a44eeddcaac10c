import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  AdministratorSearchFilterSchema,
  ResourceFilterSchema,
} from '../../../contract/gen/signet/internal_permission/v2/administrator_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectGrantState } from '../../../contract/gen/signet/project/v2/project_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import type { Caller } from '../../access/call.ts'
import { findProjectGrant, roleKeysOfProject } from './index.ts'

const v1 = ManagementService.method
const v2 = ProjectService.method
const permissions = InternalPermissionService.method

for (const engine of bothEngines) {
  suite(`roles and grants of projects on ${engine.name}`, () => {
    let world: World
    let projectId = ''
    let granted = ''
    let count = 0
    before(async () => {
      world = await openWorld({ engine, callers: (name) => (name === 'seller' ? seller() : undefined) })
      const organizationId = world.defaultOrganizationId
      projectId = (await world.call(v2.createProject, { organizationId, name: 'Shop' }, world.owner)).projectId
    })
    after(() => world.dispose())

    const seller = (): Caller => ({
      userId: 'seller',
      organizationId: world.defaultOrganizationId,
      grants: [{ scope: { organizationId: world.defaultOrganizationId }, roles: ['ORG_OWNER'] }],
    })
    const addRole = (roleKey: string) =>
      world.call(v2.addProjectRole, { projectId, roleKey, displayName: `The ${roleKey}` }, world.owner)
    const grant = async (...roleKeys: string[]) => {
      const name = `Customer ${++count}`
      granted = (await world.call(OrganizationService.method.addOrganization, { name }, world.owner)).organizationId
      const request = { projectId, grantedOrganizationId: granted, roleKeys }
      await world.call(v2.createProjectGrant, request, world.owner)
      return request
    }
    const grantedKeys = async () => [...((await findProjectGrant(world.app, projectId, granted))?.state.roleKeys ?? [])]

    test('roles have keys that are unique in the project', async () => {
      await addRole('unique')
      await assert.rejects(addRole('unique'), { code: 'project_role.exists' })
      await addRole('Unique')
      const role = { roleKey: 'a', displayName: 'A' }
      await assert.rejects(world.call(v2.addProjectRole, { projectId: 'none', ...role }, world.owner), {
        code: 'project.missing',
      })
      await assert.rejects(addRole('line\nbreak'), { code: 'project_role.key_invalid' })
    })

    test('roles are changed, listed, and removed more than once', async () => {
      await addRole('changing')
      const role = { projectId, roleKey: 'changing' }
      await world.call(v2.updateProjectRole, { ...role, group: 'staff' }, world.owner)
      const keyFilter = { case: 'roleKeyFilter', value: { key: 'CHANG', method: 3 } } as const
      const list = () => world.call(v2.listProjectRoles, { projectId, filters: [{ filter: keyFilter }] }, world.owner)
      const [found] = (await list()).projectRoles
      assert.deepEqual([found?.key, found?.displayName, found?.group], ['changing', 'The changing', 'staff'])
      await world.call(v2.removeProjectRole, role, world.owner)
      await world.call(v2.removeProjectRole, role, world.owner)
      await world.call(v2.removeProjectRole, { projectId: 'none', roleKey: 'a' }, world.owner)
      const never = { projectId, roleKey: 'never added' }
      await world.call(v2.removeProjectRole, never, world.owner)
      await assert.rejects(world.call(v1.removeProjectRole, never, world.owner), { code: 'project_role.not_found' })
      assert.equal((await list()).projectRoles.length, 0)
      await assert.rejects(world.call(v2.updateProjectRole, role, world.owner), { code: 'project_role.not_found' })
      await addRole('changing')
    })

    test('the name of the granted organization is told to those who may read it', async () => {
      await grant()
      const namesFor = async (request: CallOptions) => {
        const { projectGrants } = await world.call(v2.listProjectGrants, {}, request)
        const found = projectGrants.find(({ grantedOrganizationId }) => grantedOrganizationId === granted)
        return found?.grantedOrganizationName
      }
      assert.equal(await namesFor(world.owner), `Customer ${count}`)
      assert.equal(await namesFor({ bearer: 'seller' }), '')
    })

    test('several roles are added together or not at all', async () => {
      const roles = [
        { key: 'bulk-1', displayName: '1' },
        { key: 'bulk-2', displayName: '2' },
      ]
      await world.call(v1.bulkAddProjectRoles, { projectId, roles }, world.owner)
      const again = [{ key: 'bulk-3', displayName: '3' }, ...roles]
      await assert.rejects(world.call(v1.bulkAddProjectRoles, { projectId, roles: again }, world.owner), {
        code: 'project_role.exists',
      })
      const keys = await roleKeysOfProject(world.app, projectId, 100)
      assert.ok(keys?.includes('bulk-2') && !keys.includes('bulk-3'))
    })

    test('a project is granted once to another organization that exists, with roles that exist', async () => {
      await addRole('granted')
      const request = await grant('granted')
      await assert.rejects(world.call(v2.createProjectGrant, request, world.owner), { code: 'project_grant.exists' })
      const cases: [Partial<typeof request>, string][] = [
        [{ projectId: 'none' }, 'project.missing'],
        [{ grantedOrganizationId: world.defaultOrganizationId }, 'project_grant.own_organization'],
        [{ grantedOrganizationId: 'none' }, 'project_grant.organization_not_found'],
        [{ roleKeys: ['none'] }, 'project_grant.role_not_found'],
      ]
      for (const [change, code] of cases) {
        await assert.rejects(world.call(v2.createProjectGrant, { ...request, ...change }, world.owner), { code })
      }
    })

    test('a grant is changed, deactivated, activated and removed more than once', async () => {
      await addRole('x')
      await addRole('y')
      const request = await grant('x', 'y')
      const { projectId: id, grantedOrganizationId } = request
      const target = { projectId: id, grantedOrganizationId }
      await world.call(v2.updateProjectGrant, { ...target, roleKeys: ['y'] }, world.owner)
      assert.deepEqual(await grantedKeys(), ['y'])
      const state = async () => {
        const filter = { case: 'grantedOrganizationIdFilter', value: { id: granted } } as const
        const { projectGrants } = await world.call(v2.listProjectGrants, { filters: [{ filter }] }, world.owner)
        return projectGrants[0]?.state
      }
      for (let time = 0; time < 2; time++) await world.call(v2.deactivateProjectGrant, target, world.owner)
      assert.equal(await state(), ProjectGrantState.INACTIVE)
      for (let time = 0; time < 2; time++) await world.call(v2.activateProjectGrant, target, world.owner)
      assert.equal(await state(), ProjectGrantState.ACTIVE)
      for (let time = 0; time < 2; time++) await world.call(v2.deleteProjectGrant, target, world.owner)
      assert.equal(await state(), undefined)
      await assert.rejects(world.call(v2.updateProjectGrant, { ...target, roleKeys: [] }, world.owner), {
        code: 'project_grant.not_found',
      })
    })

    test('a removed role leaves the grants, and does not come back with its key', async () => {
      await addRole('fleeting')
      await grant('fleeting', 'x')
      await world.call(v2.removeProjectRole, { projectId, roleKey: 'fleeting' }, world.owner)
      assert.deepEqual(await grantedKeys(), ['x'])
      await addRole('fleeting')
      await world.runJobs()
      assert.deepEqual(await grantedKeys(), ['x'])
    })

    test('the granted organization reads the grant and appoints members, but cannot widen it', async () => {
      const request = await grant('x')
      const owner = await world.addMachine({ organizationId: granted, organizationRoles: ['ORG_OWNER'] })
      const grantId = (await findProjectGrant(world.app, projectId, granted))?.id ?? ''
      const target = { projectId, grantId }
      const { grantedProject } = await world.call(v1.getGrantedProjectByID, target, owner.request)
      assert.deepEqual([grantedProject?.projectName, grantedProject?.grantedRoleKeys], ['Shop', ['x']])
      const roles = await world.call(v1.listGrantedProjectRoles, target, owner.request)
      assert.deepEqual(
        roles.result.map(({ key }) => key),
        ['x'],
      )
      await assert.rejects(world.call(v2.updateProjectGrant, { ...request, roleKeys: ['x', 'y'] }, owner.request), {
        code: 'access.forbidden',
      })
      const { userId, request: member } = await world.addMachine({ organizationId: granted })
      await world.call(v1.addProjectGrantMember, { ...target, userId, roles: ['PROJECT_GRANT_OWNER'] }, owner.request)
      await world.call(v1.getGrantedProjectByID, target, member)
      await assert.rejects(world.call(v2.getProject, { projectId }, member), { code: 'access.forbidden' })
      const { result } = await world.call(v1.listProjectGrantMembers, target, member)
      assert.equal(result[0]?.userId, userId)
      await world.call(v2.deleteProjectGrant, request, world.owner)
      await assert.rejects(world.call(v1.getGrantedProjectByID, target, member), { code: 'access.forbidden' })
    })

    test('members of a grant are not managed by those who granted the project', async () => {
      await grant('x')
      const grantId = (await findProjectGrant(world.app, projectId, granted))?.id ?? ''
      const target = { projectId, grantId }
      const { userId } = await world.addMachine({ organizationId: granted })
      const { userId: projectOwnerId, request: projectOwner } = await world.addMachine()
      const onProject = { resource: { case: 'projectId', value: projectId } } as const
      const member = { userId: projectOwnerId, resource: onProject, roles: ['PROJECT_OWNER'] }
      await world.call(permissions.createAdministrator, member, world.owner)
      const { request: organizationOwner } = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      const roles = ['PROJECT_GRANT_OWNER']
      const resource = { resource: { case: 'projectGrant', value: { projectId, organizationId: granted } } } as const
      const forbidden = { code: 'access.forbidden' }
      for (const as of [projectOwner, organizationOwner]) {
        for (const id of [userId, projectOwnerId]) {
          await assert.rejects(world.call(v1.addProjectGrantMember, { ...target, userId: id, roles }, as), forbidden)
          const administrator = { userId: id, resource, roles }
          await assert.rejects(world.call(permissions.createAdministrator, administrator, as), forbidden)
        }
      }
      await world.call(v1.addProjectGrantMember, { ...target, userId, roles }, world.owner)
      for (const as of [projectOwner, organizationOwner]) {
        await assert.rejects(world.call(v1.updateProjectGrantMember, { ...target, userId, roles }, as), forbidden)
        await assert.rejects(world.call(v1.removeProjectGrantMember, { ...target, userId }, as), forbidden)
        await assert.rejects(world.call(permissions.updateAdministrator, { userId, resource, roles }, as), forbidden)
        await assert.rejects(world.call(permissions.deleteAdministrator, { userId, resource }, as), forbidden)
        assert.equal((await world.call(v1.listProjectGrantMembers, target, as)).result[0]?.userId, userId)
      }
    })

    test('administrators of projects and grants are managed like all others', async () => {
      await grant('x')
      const { userId } = await world.addMachine()
      const onProject = { resource: { case: 'projectId', value: projectId } } as const
      const pair = { projectId, organizationId: granted }
      const onGrant = { resource: { case: 'projectGrant', value: pair } } as const
      await world.call(
        permissions.createAdministrator,
        { userId, resource: onProject, roles: ['PROJECT_OWNER'] },
        world.owner,
      )
      const grantRoles = ['PROJECT_GRANT_OWNER']
      await world.call(permissions.createAdministrator, { userId, resource: onGrant, roles: grantRoles }, world.owner)
      await assert.rejects(
        world.call(permissions.createAdministrator, { userId, resource: onGrant, roles: ['ORG_OWNER'] }, world.owner),
        { code: 'membership.roles_invalid' },
      )
      const list = async (resource: MessageInitShape<typeof ResourceFilterSchema>) => {
        const filters: MessageInitShape<typeof AdministratorSearchFilterSchema>[] = [
          { filter: { case: 'resource', value: resource } },
          { filter: { case: 'inUserIdsFilter', value: { ids: [userId] } } },
        ]
        return (await world.call(permissions.listAdministrators, { filters }, world.owner)).administrators
      }
      assert.equal((await list(onProject))[0]?.resource.case, 'project')
      const [administrator] = await list(onGrant)
      assert.ok(administrator?.resource.case === 'projectGrant')
      assert.equal(administrator.resource.value.grantedOrganizationId, granted)
      assert.equal(administrator.resource.value.projectName, 'Shop')
      await world.call(
        permissions.updateAdministrator,
        { userId, resource: onProject, roles: ['PROJECT_OWNER_VIEWER'] },
        world.owner,
      )
      await world.call(permissions.deleteAdministrator, { userId, resource: onProject }, world.owner)
      assert.deepEqual(await list(onProject), [])
    })
  })
}
