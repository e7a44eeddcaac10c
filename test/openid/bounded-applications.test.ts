/** What an application does with our API is bounded by those who control it, whoever uses it. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApiAccess as Access } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { prepareModules } from '../../src/app.ts'
import { applications, findApplication } from '../../src/features/applications/index.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE, LOGIN_PAGE, openSession, tokensOf } from '../support/login-page.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const SCOPE = `openid ${API_SCOPE}`
const v2 = ApplicationService.method
const v1 = ManagementService.method

for (const engine of engines) {
  suite(`what an application may do is bounded by those who control it, on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let projectId: string
    let projectOwner: CallOptions
    let organizationOwner: CallOptions
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      projectId = await world.addProject()
      const { userId, request } = await world.addMachine()
      await makeProjectOwner(userId)
      projectOwner = request
      organizationOwner = (await world.addMachine({ organizationRoles: ['ORG_OWNER'] })).request
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const makeProjectOwner = (userId: string) => {
      const resource = { resource: { case: 'projectId', value: projectId } } as const
      const member = { userId, resource, roles: ['PROJECT_OWNER'] }
      return world.call(InternalPermissionService.method.createAdministrator, member, world.owner)
    }

    /** An application in the project, made by this caller. */
    const addApplication = async (as: CallOptions): Promise<Application> => {
      const version = { case: 'loginV2', value: { baseUri: LOGIN_PAGE } } as const
      const config = { redirectUris: [REDIRECT_URI], loginVersion: { version } }
      const applicationType = { case: 'oidcConfiguration', value: config } as const
      const request = { projectId, name: `Application ${++count}`, applicationType }
      const { applicationId: id, applicationType: made } = await world.call(v2.createApplication, request, as)
      assert.equal(made.case, 'oidcConfiguration')
      const { clientId, clientSecret } = made.value as { clientId: string; clientSecret: string }
      return { id, projectId, clientId, clientSecret }
    }

    const accessOf = async ({ id: applicationId }: Application) =>
      (await world.call(v2.getApplication, { applicationId }, world.owner)).application?.apiAccess

    const allow = ({ id: applicationId }: Application, access: Access, as: CallOptions) =>
      world.call(v2.setApplicationApiAccess, { applicationId, projectId, access }, as)

    interface Roles {
      readonly instance?: readonly string[]
      readonly organization?: readonly string[]
      readonly project?: true
    }

    /** A token that a person with these roles got for our API at an application. */
    const tokenOf = async (application: Application, { instance = [], organization = [], project }: Roles) => {
      const userId = await world.addPerson(`person-${++count}`)
      if (instance.length > 0)
        await world.call(AdminService.method.addIAMMember, { userId, roles: [...instance] }, world.owner)
      if (organization.length > 0) await world.call(v1.addOrgMember, { userId, roles: [...organization] }, world.owner)
      if (project) await makeProjectOwner(userId)
      const session = await openSession(world, userId)
      const { access_token: bearer = '' } = await tokensOf(world, login, application, session, { scope: SCOPE })
      return { userId, as: { bearer } }
    }

    /** What a token does: a role of the instance, of the organization, and in the project. */
    const reach = async (as: CallOptions): Promise<readonly string[]> => {
      const { userId } = await world.addMachine()
      const tries = {
        instance: () => world.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER_VIEWER'] }, as),
        organization: () => world.call(v1.addOrgMember, { userId, roles: ['ORG_OWNER'] }, as),
        project: () => world.call(v1.addProjectRole, { projectId, roleKey: `role-${++count}`, displayName: 'R' }, as),
      }
      const done: string[] = []
      for (const [name, attempt] of Object.entries(tries)) {
        const code = await attempt().then(
          () => 'done',
          (error: unknown) => (error instanceof Refused ? error.code : String(error)),
        )
        if (code === 'done') done.push(name)
        else assert.match(code, /^(access\.forbidden|membership\.above_own)$/)
      }
      return done
    }

    test('an application of a project owner gives them nothing of the organization', async () => {
      const application = await addApplication(projectOwner)
      const { as } = await tokenOf(application, { organization: ['ORG_OWNER'], project: true })
      assert.deepEqual(await reach(as), ['project'])
    })

    test('nor adds a credential to an account', async () => {
      const application = await addApplication(projectOwner)
      const { as, userId } = await tokenOf(application, {})
      await isRefused(world.call(UserService.method.registerPasskey, { userId }, as), 'access.sign_in_again')
    })

    test('one of an organization owner acts in the organization, and nowhere above', async () => {
      const application = await addApplication(organizationOwner)
      const { as } = await tokenOf(application, { instance: ['IAM_OWNER'], organization: ['ORG_OWNER'] })
      assert.deepEqual(await reach(as), ['organization', 'project'])
      assert.deepEqual(await accessOf(application), Access.ORGANIZATION)
    })

    test('who gives an application access must reach as far, and is remembered', async () => {
      const application = await addApplication(projectOwner)
      const { as } = await tokenOf(application, { instance: ['IAM_OWNER'], organization: ['ORG_OWNER'], project: true })
      assert.deepEqual(await reach(as), ['project'])
      await isRefused(allow(application, Access.ORGANIZATION, projectOwner), 'application.access_above_own')
      await isRefused(allow(application, Access.ORGANIZATION, as), 'application.access_above_own')
      await allow(application, Access.ORGANIZATION, organizationOwner)
      assert.deepEqual(await reach(as), ['organization', 'project'])
      await isRefused(allow(application, Access.INSTANCE, organizationOwner), 'application.access_above_own')
      await isRefused(allow(application, Access.INSTANCE, as), 'application.access_above_own')
      await allow(application, Access.INSTANCE, world.owner)
      assert.deepEqual(await reach(as), ['instance', 'organization', 'project'])
      const { application: read } = await world.call(v2.getApplication, { applicationId: application.id }, world.owner)
      assert.equal(read?.apiAccessAllowedBy, world.machineAdministratorId)
      await allow(application, Access.NONE, projectOwner)
      assert.deepEqual(await reach(as), [])
    })

    test('whoever gets hold of an application, takes its access down to their own', async () => {
      const changes: Readonly<Record<string, (application: Application, as: CallOptions) => Promise<unknown>>> = {
        'a redirect URI': ({ id: applicationId }, as) => {
          const value = { redirectUris: ['https://other.example/'] }
          const applicationType = { case: 'oidcConfiguration', value } as const
          return world.call(v2.updateApplication, { applicationId, projectId, applicationType }, as)
        },
        'a configuration in v1': ({ id: appId }, as) =>
          world.call(v1.updateOIDCAppConfig, { projectId, appId, redirectUris: ['https://other.example/'] }, as),
        'a secret': ({ id: applicationId }, as) =>
          world.call(v2.generateClientSecret, { applicationId, projectId }, as),
        'a secret in v1': ({ id: appId }, as) => world.call(v1.regenerateOIDCClientSecret, { projectId, appId }, as),
      }
      for (const [what, change] of Object.entries(changes)) {
        const application = await addApplication(organizationOwner)
        await change(application, organizationOwner)
        assert.equal(await accessOf(application), Access.ORGANIZATION, what)
        if (what.startsWith('a secret')) await change(application, projectOwner)
        else await isRefused(change(application, projectOwner), 'application.unchanged')
        const renamed = { applicationId: application.id, projectId, name: `Renamed ${++count}` }
        await world.call(v2.updateApplication, renamed, projectOwner)
        const isSecret = what.startsWith('a secret')
        assert.equal(await accessOf(application), isSecret ? Access.PROJECT : Access.ORGANIZATION, what)
      }
      for (const what of ['a redirect URI', 'a configuration in v1']) {
        const application = await addApplication(organizationOwner)
        await changes[what]?.(application, projectOwner)
        assert.equal(await accessOf(application), Access.PROJECT, what)
      }
    })

    test('those from before keep the organization, unless others than its owners control them', async () => {
      const older = async (project: string): Promise<Application> => {
        const [id, clientId] = [world.app.newId(), world.app.newId()]
        const { id: like } = await addApplication(organizationOwner)
        const config = (await findApplication(world.app, like))?.state.config ?? assert.fail()
        const application = { projectId: project, name: `Older ${++count}`, clientId, config }
        await world.store.write(world.origin(), (work) =>
          work.decide(applications, id, { type: 'add', ...application }, world.defaultOrganizationId),
        )
        return { id, projectId: project, clientId, clientSecret: '' }
      }
      const inOthers = await older(projectId)
      const inOwn = await older(await world.addProject())
      assert.equal(await accessOf(inOwn), Access.UNSPECIFIED)
      await prepareModules(world.app)
      assert.equal(await accessOf(inOthers), Access.PROJECT)
      assert.equal(await accessOf(inOwn), Access.ORGANIZATION)
      await allow(inOthers, Access.INSTANCE, world.owner)
      await prepareModules(world.app)
      assert.equal(await accessOf(inOthers), Access.INSTANCE)
    })
  })
}
