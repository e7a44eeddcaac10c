import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { AuthorizationService } from '../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { GroupService } from '../../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { hasAuthorization, rolesOfUser } from './held-roles.ts'
import { authorizations } from './index.ts'

const v2 = AuthorizationService.method
const groupsV2 = GroupService.method
const projectsV2 = ProjectService.method

for (const engine of bothEngines) {
  suite(`authorizations of groups on ${engine.name}`, () => {
    let world: World
    let count = 0
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const addOrganization = async () =>
      (await world.call(OrganizationService.method.addOrganization, { name: `Customer ${++count}` }, world.owner))
        .organizationId
    /** A project with the roles a and b, granted to a customer with the role a, who has a group with one user. */
    const setUp = async () => {
      const organizationId = await addOrganization()
      const created = { organizationId, name: `Project ${++count}` }
      const { projectId } = await world.call(projectsV2.createProject, created, world.owner)
      for (const roleKey of ['a', 'b']) {
        await world.call(projectsV2.addProjectRole, { projectId, roleKey, displayName: roleKey }, world.owner)
      }
      const customerId = await addOrganization()
      const grant = { projectId, grantedOrganizationId: customerId }
      await world.call(projectsV2.createProjectGrant, { ...grant, roleKeys: ['a'] }, world.owner)
      const member = await world.addMachine({ organizationId: customerId })
      const { id: groupId } = await world.call(
        groupsV2.createGroup,
        { organizationId: customerId, name: `Group ${++count}` },
        world.owner,
      )
      const users = { id: groupId, userIds: [member.userId] }
      await world.call(groupsV2.addUsersToGroup, users, world.owner)
      return { organizationId, projectId, customerId, member, groupId, grant, users }
    }
    const give = async (groupId: string, projectId: string, organizationId: string, ...roleKeys: string[]) =>
      (await world.call(v2.createAuthorization, { groupId, projectId, organizationId, roleKeys }, world.owner)).id
    const held = async (userId: string, projectId: string) =>
      (await rolesOfUser(world.app, userId, [projectId])).map(({ roleKey }) => roleKey).sort()
    const ofUser = async (userId: string, request = world.owner) => {
      const filters = [{ filter: { case: 'inUserIds' as const, value: { ids: [userId] } } }]
      return (await world.call(v2.listAuthorizations, { filters }, request)).authorizations
    }

    test('give their users roles, who have them through the group while they are in it', async () => {
      const { organizationId, projectId, customerId, member, groupId, users } = await setUp()
      await give(groupId, projectId, organizationId, 'b')
      await give(groupId, projectId, customerId, 'a')
      assert.deepEqual(await held(member.userId, projectId), ['a', 'b'])
      const through = await rolesOfUser(world.app, member.userId, [projectId])
      assert.ok(through.every((role) => role.groupId === groupId))
      assert.equal(await hasAuthorization(world.app, member.userId, projectId), true)
      await world.call(groupsV2.removeUsersFromGroup, users, world.owner)
      assert.deepEqual(await held(member.userId, projectId), [])
      assert.equal(await hasAuthorization(world.app, member.userId, projectId), false)
      await world.call(groupsV2.addUsersToGroup, users, world.owner)
      assert.deepEqual(await held(member.userId, projectId), ['a', 'b'])
    })

    test('need one holder that exists, and are one for each organization, group and project', async () => {
      const { organizationId, projectId, customerId, member, groupId } = await setUp()
      await give(groupId, projectId, organizationId, 'a')
      await assert.rejects(give(groupId, projectId, organizationId, 'b'), { code: 'authorization.group_exists' })
      await assert.rejects(give('none', projectId, organizationId), { code: 'authorization.group_not_found' })
      await assert.rejects(give(groupId, projectId, customerId, 'b'), { code: 'authorization.role_not_found' })
      const both = { userId: member.userId, groupId, projectId, organizationId }
      for (const request of [both, { projectId, organizationId }]) {
        await assert.rejects(world.call(v2.createAuthorization, request, world.owner), {
          code: 'authorization.holder_invalid',
        })
      }
    })

    test('end with whatever they depend on', async () => {
      const ends: readonly [string, (scene: Awaited<ReturnType<typeof setUp>>, id: string) => Promise<unknown>][] = [
        ['the authorization, deactivated', (_, id) => world.call(v2.deactivateAuthorization, { id }, world.owner)],
        ['the authorization, removed', (_, id) => world.call(v2.deleteAuthorization, { id }, world.owner)],
        ['the group', ({ groupId: id }) => world.call(groupsV2.deleteGroup, { id }, world.owner)],
        ['the grant', ({ grant }) => world.call(projectsV2.deleteProjectGrant, grant, world.owner)],
        ['the grant, deactivated', ({ grant }) => world.call(projectsV2.deactivateProjectGrant, grant, world.owner)],
        ['the project', ({ projectId }) => world.call(projectsV2.deactivateProject, { projectId }, world.owner)],
        [
          'the organization of the project',
          ({ organizationId }) =>
            world.call(OrganizationService.method.deactivateOrganization, { organizationId }, world.owner),
        ],
        [
          'the organization of the group',
          ({ customerId }) =>
            world.call(OrganizationService.method.deactivateOrganization, { organizationId: customerId }, world.owner),
        ],
      ]
      for (const [name, end] of ends) {
        const scene = await setUp()
        const { projectId, customerId, member, groupId } = scene
        const id = await give(groupId, projectId, customerId, 'a')
        assert.deepEqual(await held(member.userId, projectId), ['a'], name)
        await end(scene, id)
        assert.deepEqual(await held(member.userId, projectId), [], name)
        assert.equal(await hasAuthorization(world.app, member.userId, projectId), false, name)
      }
    })

    test('of a deactivated organization give nothing to users of others', async () => {
      const { projectId, customerId } = await setUp()
      const { userId } = await world.addMachine({ organizationId: await addOrganization() })
      const given = { userId, projectId, organizationId: customerId, roleKeys: ['a'] }
      await world.call(v2.createAuthorization, given, world.owner)
      assert.deepEqual(await held(userId, projectId), ['a'])
      const closed = { organizationId: customerId }
      await world.call(OrganizationService.method.deactivateOrganization, closed, world.owner)
      assert.deepEqual(await held(userId, projectId), [])
    })

    test('are removed with their group by a job', async () => {
      const { organizationId, projectId, groupId } = await setUp()
      const id = await give(groupId, projectId, organizationId, 'a')
      await world.call(groupsV2.deleteGroup, { id: groupId }, world.owner)
      await world.runJobs()
      assert.equal(await world.app.store.get(authorizations, id), undefined)
      assert.deepEqual(world.failures, [])
    })

    test('are in the lists of their users, which name the group', async () => {
      const { organizationId, projectId, customerId, member, groupId } = await setUp()
      const id = await give(groupId, projectId, organizationId, 'a')
      const own = { userId: member.userId, projectId, organizationId, roleKeys: ['b'] }
      const { id: ownId } = await world.call(v2.createAuthorization, own, world.owner)
      for (const request of [world.owner, member.request]) {
        const list = await ofUser(member.userId, request)
        assert.deepEqual(list.map((one) => [one.id, one.user?.id, one.group?.name ?? '']).sort(), [
          [id, member.userId, `Group ${count}`],
          [ownId, member.userId, ''],
        ])
      }
      const filters = [{ filter: { case: 'inGroupIds' as const, value: { ids: [groupId] } } }]
      const [row] = (await world.call(v2.listAuthorizations, { filters }, world.owner)).authorizations
      assert.deepEqual([row?.id, row?.user, row?.group?.organizationId], [id, undefined, customerId])
      const mine = await world.call(AuthService.method.listMyUserGrants, {}, member.request)
      assert.deepEqual(
        mine.result.map((grant) => [grant.grantId, grant.userId, grant.groupId]).sort(),
        [
          [id, member.userId, groupId],
          [ownId, member.userId, ''],
        ].sort(),
      )
      const there = { ...world.owner, organizationId }
      const queries = [{ query: { case: 'userIdQuery' as const, value: { userId: member.userId } } }]
      const grants = await world.call(ManagementService.method.listUserGrants, { queries }, there)
      assert.equal(grants.result.length, 2)
      // A method about a user changes nothing of a group.
      const named = { userId: member.userId, grantId: id }
      await assert.rejects(world.call(ManagementService.method.removeUserGrant, named, there), {
        code: 'authorization.not_found',
      })
    })

    test('tell nobody who is in a group whose members they may not read', async () => {
      const { organizationId, projectId, member, groupId } = await setUp()
      const id = await give(groupId, projectId, organizationId, 'a')
      const provider = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      assert.deepEqual(await ofUser(member.userId, provider.request), [])
      const filters = [{ filter: { case: 'authorizationIds' as const, value: { ids: [id] } } }]
      const [row] = (await world.call(v2.listAuthorizations, { filters }, provider.request)).authorizations
      assert.deepEqual([row?.group?.id, row?.user], [groupId, undefined])
    })

    test('name a group to those who may read it or give it roles, and to nobody who only gave one of others a role', async () => {
      const { organizationId, projectId, customerId, groupId, member } = await setUp()
      const name = `Group ${count}`
      const provider = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const customer = await world.addMachine({ organizationId: customerId, organizationRoles: ['ORG_USER_MANAGER'] })
      const given = { groupId, projectId, organizationId, roleKeys: ['a'] }
      const { id: ofProvider } = await world.call(v2.createAuthorization, given, provider.request)
      const ofCustomer = await give(groupId, projectId, customerId, 'a')
      const named = async (id: string, request: { readonly bearer?: string }) => {
        const filters = [{ filter: { case: 'authorizationIds' as const, value: { ids: [id] } } }]
        const [row] = (await world.call(v2.listAuthorizations, { filters }, request)).authorizations
        return row?.group && [row.group.id, row.group.name]
      }
      assert.deepEqual(await named(ofProvider, provider.request), [groupId, ''])
      const there = { ...provider.request, organizationId }
      const { result } = await world.call(ManagementService.method.listUserGrants, {}, there)
      assert.deepEqual(
        result.map((grant) => [grant.groupId, grant.groupName]),
        [[groupId, '']],
      )
      assert.deepEqual(await named(ofCustomer, customer.request), [groupId, name])
      for (const request of [world.owner, member.request]) {
        assert.deepEqual(await named(ofProvider, request), [groupId, name])
      }
    })
  })
}
