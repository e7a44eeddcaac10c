/** What ended with an application, a project or the grant of a project stays ended when that is undone. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { ASKING, pollTokens, requestApproval } from '../support/ciba.ts'
import { bothEngines } from '../support/engines.ts'
import { askToken, authorize, codeForm, introspect, refresh, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { resource, setResources } from '../support/resources.ts'

const v1 = ManagementService.method
const applications = ApplicationService.method
const projects = ProjectService.method
const OFFLINE = { scope: 'openid offline_access' }

interface Scene {
  readonly application: Application
  readonly grantedId: string
  readonly grantId: string
  readonly name: string
}

/** Closes something that the tokens of the scene depend on, and opens it again. */
type Way = (world: OpenIdWorld, scene: Scene) => readonly [() => Promise<unknown>, () => Promise<unknown>]

const ways: Readonly<Record<string, Way>> = {
  'DeactivateApplication, v2': ({ call, owner }, { application: { id: applicationId, projectId } }) => [
    () => call(applications.deactivateApplication, { applicationId, projectId }, owner),
    () => call(applications.reactivateApplication, { applicationId, projectId }, owner),
  ],
  'DeactivateApp, v1': ({ call, owner }, { application: { id: appId, projectId } }) => [
    () => call(v1.deactivateApp, { appId, projectId }, owner),
    () => call(v1.reactivateApp, { appId, projectId }, owner),
  ],
  'DeactivateProject, v2': ({ call, owner }, { application: { projectId } }) => [
    () => call(projects.deactivateProject, { projectId }, owner),
    () => call(projects.activateProject, { projectId }, owner),
  ],
  'DeactivateProject, v1': ({ call, owner }, { application: { projectId: id } }) => [
    () => call(v1.deactivateProject, { id }, owner),
    () => call(v1.reactivateProject, { id }, owner),
  ],
  'DeactivateProjectGrant, v2': ({ call, owner }, { application: { projectId }, grantedId }) => {
    const grant = { projectId, grantedOrganizationId: grantedId }
    return [
      () => call(projects.deactivateProjectGrant, grant, owner),
      () => call(projects.activateProjectGrant, grant, owner),
    ]
  },
  'DeactivateProjectGrant, v1': ({ call, owner }, { application: { projectId }, grantId }) => [
    () => call(v1.deactivateProjectGrant, { projectId, grantId }, owner),
    () => call(v1.reactivateProjectGrant, { projectId, grantId }, owner),
  ],
  'RemoveProjectGrant, and granted again': ({ call, owner }, { application: { projectId }, grantId, grantedId }) => [
    () => call(v1.removeProjectGrant, { projectId, grantId }, owner),
    () => call(v1.addProjectGrant, { projectId, grantedOrgId: grantedId }, owner),
  ],
}

for (const engine of bothEngines) {
  suite(`tokens from before something was deactivated on ${engine.name}`, () => {
    let world: OpenIdWorld
    let serial = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** A user of an organization that was granted the project of an application, which requires that. */
    const openScene = async (): Promise<Scene> => {
      const add = { name: `Granted ${++serial}` }
      const { organizationId: grantedId } = await world.call(
        OrganizationService.method.addOrganization,
        add,
        world.owner,
      )
      const name = `user-${serial}`
      await world.addPerson(name, { organisation: { org: { case: 'orgId', value: grantedId } } })
      const projectId = await world.addProject({ projectAccessRequired: true })
      const application = await world.addApplication(ASKING, projectId)
      const { grantId } = await world.call(v1.addProjectGrant, { projectId, grantedOrgId: grantedId }, world.owner)
      return { application, grantedId, grantId, name }
    }

    /** Whether userinfo and introspection accept the access token. */
    const counts = async ({ application }: Scene, token: string) => [
      (await userinfo(world, token)).status === 200,
      (await introspect(world, application, token)).body.active === true,
    ]

    for (const [way, act] of Object.entries(ways)) {
      test(`stay ended after it is undone: ${way}`, async () => {
        const scene = await openScene()
        const { application, name } = scene
        const old = await signInFor(world, application, OFFLINE, { name })
        const { values } = await authorize(world, application, OFFLINE, { name })
        const other = await signInFor(world, await world.addApplication({ grantTypes: [0, 2] }), OFFLINE, { name })
        const asked = await requestApproval(world, application, name)
        assert.deepEqual(await counts(scene, old.access_token), [true, true])
        const [close, open] = act(world, scene)
        await close()
        assert.equal((await userinfo(world, old.access_token)).status, 401)
        await open()
        assert.deepEqual(await counts(scene, old.access_token), [false, false], 'the access token')
        assert.equal((await refresh(world, application, old.refresh_token)).body.error, 'invalid_grant')
        assert.equal((await askToken(world, application, codeForm(values))).body.error, 'invalid_grant', 'the code')
        const { body } = await pollTokens(world, application, asked)
        assert.equal(body.error, 'access_denied', 'the request for approval')
        assert.equal((await userinfo(world, other.access_token)).status, 200, 'of another project')
        const later = await signInFor(world, application, OFFLINE, { name })
        assert.deepEqual(await counts(scene, later.access_token), [true, true])
        assert.equal((await refresh(world, application, later.refresh_token)).status, 200)
      })
    }

    const addOrganization = async () => {
      const request = { name: `Tenant ${++serial}` }
      return (await world.call(OrganizationService.method.addOrganization, request, world.owner)).organizationId
    }

    test('stay ended for users elsewhere when the organization of the application is deactivated and activated', async () => {
      const organizationId = await addOrganization()
      const application = await world.addApplication(ASKING, await world.addProject({ organizationId }))
      const name = `guest-${serial}`
      await world.addPerson(name)
      const old = await signInFor(world, application, OFFLINE, { name })
      assert.equal((await userinfo(world, old.access_token)).status, 200)
      await world.call(OrganizationService.method.deactivateOrganization, { organizationId }, world.owner)
      await world.call(OrganizationService.method.activateOrganization, { organizationId }, world.owner)
      assert.equal((await userinfo(world, old.access_token)).status, 401)
      assert.equal((await refresh(world, application, old.refresh_token)).body.error, 'invalid_grant')
      const later = await signInFor(world, application, OFFLINE, { name })
      assert.equal((await userinfo(world, later.access_token)).status, 200)
    })

    test('stay ended for users authorized by another organization when its grant, or itself, is activated again', async () => {
      const [grantedOrganizationId, home] = [await addOrganization(), await addOrganization()]
      const projectId = await world.addProject({ authorizationRequired: true })
      const application = await world.addApplication(ASKING, projectId)
      const grant = { projectId, grantedOrganizationId }
      await world.call(projects.createProjectGrant, grant, world.owner)
      const name = `third-${serial}`
      const userId = await world.addPerson(name, { organisation: { org: { case: 'orgId', value: home } } })
      const given = { userId, projectId, organizationId: grantedOrganizationId, roleKeys: [] }
      await world.call(AuthorizationService.method.createAuthorization, given, world.owner)
      const { method } = OrganizationService
      const granted = { organizationId: grantedOrganizationId }
      for (const [close, open, message] of [
        [projects.deactivateProjectGrant, projects.activateProjectGrant, grant],
        [method.deactivateOrganization, method.activateOrganization, granted],
      ]) {
        const old = await signInFor(world, application, OFFLINE, { name })
        assert.equal((await userinfo(world, old.access_token)).status, 200)
        await world.call(close as never, message as never, world.owner)
        assert.equal((await userinfo(world, old.access_token)).status, 401)
        await world.call(open as never, message as never, world.owner)
        assert.equal((await userinfo(world, old.access_token)).status, 401, 'when it is undone')
        assert.equal((await refresh(world, application, old.refresh_token)).body.error, 'invalid_grant')
        const later = await signInFor(world, application, OFFLINE, { name })
        assert.equal((await userinfo(world, later.access_token)).status, 200)
      }
    })

    test('stay ended for a resource when the grant of its project to the organization of the application is reactivated', async () => {
      const organizationId = await addOrganization()
      const uri = `https://granted-${serial}.example.com/`
      const projectId = await world.addProject()
      await setResources(world, projectId, resource(uri))
      const api = await world.addApi(projectId)
      const application = await world.addApplication({ grantTypes: [0, 2] }, await world.addProject({ organizationId }))
      const grant = { projectId, grantedOrganizationId: organizationId }
      await world.call(projects.createProjectGrant, grant, world.owner)
      const name = `holder-${serial}`
      await world.addPerson(name)
      const ask = { scope: 'openid offline_access tools:read', resource: uri }
      const isActive = async (token: string) => (await introspect(world, api, token)).body.active
      const old = await signInFor(world, application, ask, { name })
      assert.equal(await isActive(old.access_token), true)
      await world.call(projects.deactivateProjectGrant, grant, world.owner)
      assert.equal(await isActive(old.access_token), false)
      await world.call(projects.activateProjectGrant, grant, world.owner)
      assert.equal(await isActive(old.access_token), false, 'when it is undone')
      assert.equal((await refresh(world, application, old.refresh_token)).body.error, 'invalid_grant')
      const later = await signInFor(world, application, ask, { name })
      assert.equal(await isActive(later.access_token), true)
      assert.equal((await refresh(world, application, later.refresh_token)).status, 200)
    })

    test('stay ended for a resource when the project of that is deactivated and reactivated', async () => {
      const uri = `https://api-${++serial}.example.com/`
      const projectId = await world.addProject()
      await setResources(world, projectId, resource(uri))
      const [application, api] = [await world.addApplication({ grantTypes: [0, 2] }), await world.addApi(projectId)]
      const name = `owner-${serial}`
      await world.addPerson(name)
      const ask = { scope: 'openid offline_access tools:read', resource: uri }
      const isActive = async (token: string) => (await introspect(world, api, token)).body.active
      const old = await signInFor(world, application, ask, { name })
      assert.equal(await isActive(old.access_token), true)
      await world.call(projects.deactivateProject, { projectId }, world.owner)
      await world.call(projects.activateProject, { projectId }, world.owner)
      assert.equal(await isActive(old.access_token), false)
      assert.equal((await refresh(world, application, old.refresh_token)).body.error, 'invalid_grant')
      const later = await signInFor(world, application, ask, { name })
      assert.equal(await isActive(later.access_token), true)
      assert.equal((await refresh(world, application, later.refresh_token)).status, 200)
    })
  })
}
