/** What an organization gives to a user and takes away again ends what it gave, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { engines } from '../support/engines.ts'
import { introspect, readIdToken, refresh, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const v1 = ManagementService.method
const OFFLINE = { scope: 'openid offline_access' }

for (const engine of engines) {
  suite(`withdrawn authorizations on ${engine.name}`, () => {
    let world: OpenIdWorld
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const addOrganization = async (): Promise<string> => {
      const name = `Organization ${++count}`
      return (await world.call(OrganizationService.method.addOrganization, { name }, world.owner)).organizationId
    }

    /** A user of one organization who uses a project of another, which a third one was granted. */
    const addScene = async () => {
      const [ownerId, grantedId, homeId] = [await addOrganization(), await addOrganization(), await addOrganization()]
      const name = `user-${++count}`
      const userId = await world.addPerson(name, { organisation: { org: { case: 'orgId', value: homeId } } })
      const projectId = await world.addProject({ organizationId: ownerId })
      const application = await world.addApplication({ grantTypes: [0, 2] }, projectId)
      const there = { ...world.owner, organizationId: ownerId }
      const { grantId } = await world.call(v1.addProjectGrant, { projectId, grantedOrgId: grantedId }, there)
      const authorize = async (organizationId: string) => {
        const by = { ...world.owner, organizationId }
        const { userGrantId } = await world.call(v1.addUserGrant, { userId, projectId }, by)
        return { by, authorization: { userId, grantId: userGrantId } }
      }
      return { name, projectId, application, there, grantId, ownerId, grantedId, authorize }
    }

    const outcomes = async (application: Application, tokens: { access_token: string; refresh_token?: string }) => [
      (await userinfo(world, tokens.access_token)).status,
      (await refresh(world, application, tokens.refresh_token)).status,
    ]

    test('of an organization that was granted the project end no token that does not need them', async () => {
      const { application, name, authorize, grantedId } = await addScene()
      const before = await signInFor(world, application, OFFLINE, { name })
      const removed = await authorize(grantedId)
      const during = await signInFor(world, application, OFFLINE, { name })
      await world.call(v1.deactivateUserGrant, removed.authorization, removed.by)
      await world.call(v1.reactivateUserGrant, removed.authorization, removed.by)
      await world.call(v1.removeUserGrant, removed.authorization, removed.by)
      for (const tokens of [before, during]) assert.deepEqual(await outcomes(application, tokens), [200, 200])
    })

    test('end no token when the grant of the project, from which they came, is removed', async () => {
      const { application, name, authorize, grantedId, grantId, projectId, there } = await addScene()
      await authorize(grantedId)
      const tokens = await signInFor(world, application, OFFLINE, { name })
      await world.call(v1.removeProjectGrant, { projectId, grantId }, there)
      await world.runJobs()
      assert.deepEqual(await outcomes(application, tokens), [200, 200])
    })

    test('end all tokens when they were the only ones and the project requires one, also after a new one', async () => {
      const { application, name, authorize, grantedId, projectId, there } = await addScene()
      await world.call(v1.updateProject, { id: projectId, name: 'Required', projectRoleCheck: true }, there)
      const only = await authorize(grantedId)
      const tokens = await signInFor(world, application, OFFLINE, { name })
      await world.call(v1.removeUserGrant, only.authorization, only.by)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
      await authorize(grantedId)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
    })

    test('of the organization that owns the project end the tokens there', async () => {
      const { application, name, authorize, ownerId } = await addScene()
      const given = await authorize(ownerId)
      const tokens = await signInFor(world, application, OFFLINE, { name })
      await world.call(v1.removeUserGrant, given.authorization, given.by)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
    })

    const ROLES = 'urn:zitadel:iam:org:project:roles'
    const ASKED = {
      scope: 'openid offline_access groups urn:zitadel:iam:user:groups urn:zitadel:iam:org:projects:roles',
    }
    const groupsV2 = GroupService.method
    const authorizationsV2 = AuthorizationService.method

    /** A user who has a role of a project that requires one, through a group alone. */
    const addMember = async () => {
      const { application, projectId, ownerId, there } = await addScene()
      await world.call(v1.updateProject, { id: projectId, name: `Required ${count}`, projectRoleCheck: true }, there)
      await world.call(v1.addProjectRole, { projectId, roleKey: 'editor', displayName: 'Editor' }, there)
      const name = `member-${++count}`
      const userId = await world.addPerson(name, { organisation: { org: { case: 'orgId', value: ownerId } } })
      const group = { organizationId: ownerId, name: `Editors ${count}` }
      const { id: groupId } = await world.call(groupsV2.createGroup, group, world.owner)
      const members = { id: groupId, userIds: [userId] }
      await world.call(groupsV2.addUsersToGroup, members, world.owner)
      const given = { groupId, projectId, organizationId: ownerId, roleKeys: ['editor'] }
      const { id } = await world.call(authorizationsV2.createAuthorization, given, world.owner)
      const tokens = await signInFor(world, application, ASKED, { name })
      return { application, name, group: { id: groupId, name: group.name }, members, id, ownerId, tokens }
    }

    test('of a group let its users in, and tokens name the group and its roles', async () => {
      const { application, group, ownerId, tokens } = await addMember()
      const said = [
        (await userinfo(world, tokens.access_token)).body,
        (await introspect(world, application, tokens.access_token)).body,
      ]
      for (const claims of said) assert.deepEqual(Object.keys(claims[ROLES]?.editor ?? {}), [ownerId])
      for (const claims of [...said, await readIdToken(world, application, tokens.id_token)]) {
        assert.deepEqual(claims.groups, [group.name])
        assert.deepEqual(claims['urn:zitadel:iam:user:groups'], [group])
      }
    })

    test('of a group end with the membership, permanently', async () => {
      const { application, name, members, tokens } = await addMember()
      await world.call(groupsV2.removeUsersFromGroup, members, world.owner)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
      assert.equal((await introspect(world, application, tokens.access_token)).body.active, false)
      await assert.rejects(signInFor(world, application, ASKED, { name }))
      await world.call(groupsV2.addUsersToGroup, members, world.owner)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
    })

    test('of a group end at once when they are deactivated, and their tokens when the job has come to them', async () => {
      const { application, id, tokens } = await addMember()
      await world.call(authorizationsV2.deactivateAuthorization, { id }, world.owner)
      assert.equal((await userinfo(world, tokens.access_token)).status, 401)
      await world.runJobs()
      await world.call(authorizationsV2.activateAuthorization, { id }, world.owner)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
    })

    test('of a group end with the group', async () => {
      const { application, group, tokens } = await addMember()
      await world.call(groupsV2.deleteGroup, { id: group.id }, world.owner)
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
      await world.runJobs()
      assert.deepEqual(await outcomes(application, tokens), [401, 400])
    })
  })
}
