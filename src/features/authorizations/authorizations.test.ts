import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { State } from '../../../contract/gen/signet/authorization/v2/authorization_pb.ts'
import { AuthorizationService } from '../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { findProject, findProjectGrant, projectRoleId, projectRoles } from '../projects/index.ts'
import { hasAuthorization, hasProjectAccess, rolesOfUser } from './held-roles.ts'

const v1 = ManagementService.method
const v2 = AuthorizationService.method
const projectsV2 = ProjectService.method

for (const engine of bothEngines) {
  suite(`authorizations on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    /** A project with the roles a and b, granted to a customer with the role a. */
    const setUp = async () => {
      const organizationId = world.defaultOrganizationId
      const name = `Project ${++count}`
      const { projectId } = await world.call(projectsV2.createProject, { organizationId, name }, world.owner)
      for (const roleKey of ['a', 'b']) {
        await world.call(projectsV2.addProjectRole, { projectId, roleKey, displayName: roleKey }, world.owner)
      }
      const customer = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Customer ${count}` },
        world.owner,
      )
      const grant = { projectId, grantedOrganizationId: customer.organizationId, roleKeys: ['a'] }
      await world.call(projectsV2.createProjectGrant, grant, world.owner)
      const { userId } = await world.addMachine({ organizationId: customer.organizationId })
      return { organizationId, projectId, customerId: customer.organizationId, userId, grant }
    }
    const give = async (userId: string, projectId: string, organizationId: string, ...roleKeys: string[]) =>
      (await world.call(v2.createAuthorization, { userId, projectId, organizationId, roleKeys }, world.owner)).id
    const held = async (userId: string, projectId: string) =>
      (await rolesOfUser(world.app, userId, [projectId])).map(({ roleKey }) => roleKey)
    const listed = async (id: string, request = world.owner) => {
      const filters = [{ filter: { case: 'authorizationIds' as const, value: { ids: [id] } } }]
      return (await world.call(v2.listAuthorizations, { filters }, request)).authorizations[0]
    }

    test('give a user roles, of the owner of the project and of the organization it is granted to', async () => {
      const { organizationId, projectId, customerId, userId } = await setUp()
      const own = await give(userId, projectId, organizationId, 'b')
      await give(userId, projectId, customerId, 'a')
      const roles = await rolesOfUser(world.app, userId, [projectId, 'none'])
      assert.deepEqual(
        [...roles].sort((one, other) => (one.roleKey < other.roleKey ? -1 : 1)),
        [
          { projectId, roleKey: 'a', organizationId: customerId },
          { projectId, roleKey: 'b', organizationId },
        ],
      )
      const authorization = await listed(own)
      assert.equal(authorization?.project?.name, `Project ${count}`)
      assert.equal(authorization?.user?.id, userId)
      assert.equal(authorization?.user?.organizationId, customerId)
      assert.equal(authorization?.roles[0]?.displayName, 'b')
      assert.equal(authorization?.state, State.ACTIVE)
    })

    test('are one for each organization, user and project, and need all that they name', async () => {
      const { organizationId, projectId, customerId, userId } = await setUp()
      await give(userId, projectId, organizationId)
      const unrelated = await world.call(
        OrganizationService.method.addOrganization,
        { name: `Unrelated ${count}` },
        world.owner,
      )
      const cases: [() => Promise<string>, string][] = [
        [() => give(userId, projectId, organizationId, 'a'), 'authorization.exists'],
        [() => give('none', projectId, organizationId), 'authorization.user_not_found'],
        [() => give(userId, 'none', organizationId), 'authorization.project_not_found'],
        [() => give(userId, projectId, unrelated.organizationId), 'authorization.project_not_granted'],
        [() => give(userId, projectId, customerId, 'b'), 'authorization.role_not_found'],
      ]
      for (const [attempt, code] of cases) await assert.rejects(attempt(), { code })
    })

    test('are changed, deactivated, activated and removed more than once', async () => {
      const { organizationId, projectId, userId } = await setUp()
      const id = await give(userId, projectId, organizationId, 'a')
      for (let time = 0; time < 2; time++)
        await world.call(v2.updateAuthorization, { id, roleKeys: ['b'] }, world.owner)
      assert.deepEqual(await held(userId, projectId), ['b'])
      await assert.rejects(world.call(v1.updateUserGrant, { userId, grantId: id, roleKeys: ['b'] }, world.owner), {
        code: 'authorization.unchanged',
      })
      for (let time = 0; time < 2; time++) await world.call(v2.deactivateAuthorization, { id }, world.owner)
      assert.deepEqual(await held(userId, projectId), [])
      assert.equal(await hasAuthorization(world.app, userId, projectId), false)
      for (let time = 0; time < 2; time++) await world.call(v2.activateAuthorization, { id }, world.owner)
      assert.equal(await hasAuthorization(world.app, userId, projectId), true)
      for (let time = 0; time < 2; time++) await world.call(v2.deleteAuthorization, { id }, world.owner)
      assert.deepEqual(await held(userId, projectId), [])
      await assert.rejects(world.call(v2.updateAuthorization, { id, roleKeys: [] }, world.owner), {
        code: 'authorization.not_found',
      })
    })

    test('of a removed role, narrowed grant, removed grant or project end with it', async () => {
      const { organizationId, projectId, customerId, userId, grant } = await setUp()
      const own = await give(userId, projectId, organizationId, 'a', 'b')
      const theirs = await give(userId, projectId, customerId, 'a')
      await world.call(projectsV2.removeProjectRole, { projectId, roleKey: 'b' }, world.owner)
      assert.deepEqual(
        (await listed(own))?.roles.map(({ key }) => key),
        ['a'],
      )
      await world.call(projectsV2.updateProjectGrant, { ...grant, roleKeys: [] }, world.owner)
      assert.deepEqual((await listed(theirs))?.roles, [])
      await world.call(projectsV2.deleteProjectGrant, grant, world.owner)
      assert.equal(await listed(theirs), undefined)
      await world.call(projectsV2.deleteProject, { projectId }, world.owner)
      assert.equal(await listed(own), undefined)
      await world.runJobs()
      assert.deepEqual(world.failures, [])
    })

    test('of a role that is gone count for nothing even before they are narrowed', async () => {
      const { organizationId, projectId, userId } = await setUp()
      await give(userId, projectId, organizationId, 'a', 'b')
      await world.store.write(world.origin(), (work) =>
        work.decide(projectRoles, projectRoleId(projectId, 'b'), { type: 'remove' }),
      )
      assert.deepEqual(await held(userId, projectId), ['a'])
      await world.call(projectsV2.addProjectRole, { projectId, roleKey: 'b', displayName: 'b' }, world.owner)
      assert.deepEqual(await held(userId, projectId), ['a'])
    })

    test('count only in active projects and by active grants', async () => {
      const { projectId, customerId, userId, grant } = await setUp()
      await give(userId, projectId, customerId, 'a')
      const project = await findProject(world.app, projectId)
      assert.ok(project)
      assert.equal(await hasProjectAccess(world.app, customerId, project), true)
      await world.call(projectsV2.deactivateProjectGrant, grant, world.owner)
      assert.deepEqual(await held(userId, projectId), [])
      assert.equal(await hasProjectAccess(world.app, customerId, project), false)
      await world.call(projectsV2.activateProjectGrant, grant, world.owner)
      await world.call(projectsV2.deactivateProject, { projectId }, world.owner)
      assert.deepEqual(await held(userId, projectId), [])
    })

    test('of a removed user and of a removed organization are removed', async () => {
      const { organizationId, projectId, customerId, userId } = await setUp()
      const own = await give(userId, projectId, organizationId, 'a')
      await world.call(UserService.method.deleteUser, { userId }, world.owner)
      assert.equal(await listed(own), undefined)
      const { userId: other } = await world.addMachine()
      const theirs = await give(other, projectId, customerId, 'a')
      await world.call(OrganizationService.method.deleteOrganization, { organizationId: customerId }, world.owner)
      await world.runJobs()
      assert.equal(await listed(theirs), undefined)
    })

    test('by a grant are managed by the granted organization and the members of the grant alone', async () => {
      const { organizationId, projectId, customerId, userId } = await setUp()
      const addManager = async (id: string) =>
        (await world.addMachine({ organizationId: id, organizationRoles: ['ORG_USER_PERMISSION_EDITOR'] })).request
      const [ours, theirs] = [await addManager(organizationId), await addManager(customerId)]
      const request = { userId, projectId, organizationId: customerId, roleKeys: ['a'] }
      await assert.rejects(world.call(v2.createAuthorization, request, ours), { code: 'access.forbidden' })
      const { id } = await world.call(v2.createAuthorization, request, theirs)
      await assert.rejects(world.call(v2.deactivateAuthorization, { id }, ours), { code: 'access.forbidden' })
      assert.equal(await listed(id, ours), undefined)
      const grantId = (await findProjectGrant(world.app, projectId, customerId))?.id ?? ''
      const member = await world.addMachine({ organizationId })
      const roles = ['PROJECT_GRANT_OWNER']
      await world.call(v1.addProjectGrantMember, { projectId, grantId, userId: member.userId, roles }, world.owner)
      assert.equal((await listed(id, member.request))?.id, id)
      await world.call(v2.deleteAuthorization, { id }, member.request)
    })

    test('of themself can be listed by every user', async () => {
      const { organizationId, projectId } = await setUp()
      const { userId, request } = await world.addMachine()
      const { userId: other } = await world.addMachine()
      const id = await give(userId, projectId, organizationId, 'a')
      await give(other, projectId, organizationId, 'a')
      const { authorizations } = await world.call(v2.listAuthorizations, {}, request)
      assert.deepEqual(
        authorizations.map((one) => one.id),
        [id],
      )
    })

    test('are the user grants of v1', async () => {
      const { projectId, customerId, userId } = await setUp()
      const here = { ...world.owner, organizationId: customerId }
      const grantId = (await findProjectGrant(world.app, projectId, customerId))?.id ?? ''
      await assert.rejects(world.call(v1.addUserGrant, { userId, projectId, projectGrantId: 'none' }, here), {
        code: 'authorization.project_not_granted',
      })
      const added = { userId, projectId, projectGrantId: grantId, roleKeys: ['a'] }
      const { userGrantId } = await world.call(v1.addUserGrant, added, here)
      const { userGrant } = await world.call(v1.getUserGrantByID, { userId, grantId: userGrantId }, here)
      assert.equal(userGrant?.orgName, `Customer ${count}`)
      assert.equal(userGrant?.projectGrantId, grantId)
      assert.deepEqual(userGrant?.roleKeys, ['a'])
      const queries = [
        { query: { case: 'orgNameQuery', value: { orgName: 'customer', method: 3 } } as const },
        { query: { case: 'roleKeyQuery', value: { roleKey: 'A', method: 1 } } as const },
      ]
      const { result } = await world.call(v1.listUserGrants, { queries: queries as never[] }, here)
      assert.deepEqual(
        result.map(({ id }) => id),
        [userGrantId],
      )
      await assert.rejects(world.call(v1.getUserGrantByID, { userId: 'other', grantId: userGrantId }, here), {
        code: 'authorization.not_found',
      })
      await world.call(v1.bulkRemoveUserGrant, { grantId: [userGrantId, 'none'] }, here)
      assert.equal((await world.call(v1.listUserGrants, {}, here)).result.length, 0)
    })
  })
}
