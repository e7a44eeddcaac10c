/** What an organization gives to a user and takes away again ends what it gave, and nothing else. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { engines } from '../support/engines.ts'
import { refresh, signInFor, userinfo } from '../support/openid-flow.ts'
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
  })
}
