/** Details of answers that clients of the ZITADEL API rely on. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { instant } from '../../src/kernel/instant.ts'
import { LANGUAGE_TAGS } from '../../src/kernel/languages.ts'
import { answerDiscovery } from '../../src/openid/discovery.ts'
import { engines } from '../support/engines.ts'
import { isRefused } from '../support/small-world.ts'
import { openWorld, type World } from '../support/world.ts'

const v1 = ManagementService.method
const users = UserService.method
const projects = ProjectService.method
const organizations = OrganizationService.method
const permissions = InternalPermissionService.method
const authorizations = AuthorizationService.method
const groups = GroupService.method

for (const engine of engines) {
  suite(`details that existing clients rely on, on ${engine.name}`, () => {
    let world: World
    let home = ''
    let projectId = ''
    let count = 0
    const call: World['call'] = (method, request, as = world.owner) => world.call(method, request, as)
    const wait = () => {
      world.clock.now = instant(world.clock.now + 1000)
    }
    const addOrganization = async () =>
      (await call(organizations.addOrganization, { name: `Customer ${++count}` })).organizationId
    const addUser = async () => {
      const email = { email: `user${++count}@example.com`, verification: { case: 'isVerified', value: true } as const }
      return (await call(users.addHumanUser, { profile: { firstName: 'Ada', lastName: 'Byron' }, email })).userId
    }
    before(async () => {
      world = await openWorld({ engine })
      home = world.defaultOrganizationId
      projectId = (await call(projects.createProject, { organizationId: home, name: 'Shop' })).projectId
      await call(projects.addProjectRole, { projectId, roleKey: 'buyer', displayName: 'Buyer' })
    })
    after(() => world.dispose())

    test('a user manager of the instance makes passkey links in every organization, one of an organization at home', async () => {
      const userId = await addUser()
      const organizationId = await addOrganization()
      const everywhere = await world.addMachine({ organizationId, instanceRoles: ['IAM_USER_MANAGER'] })
      const elsewhere = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      await call(v1.sendPasswordlessRegistration, { userId }, everywhere.request)
      assert.ok((await call(v1.addPasswordlessRegistration, { userId })).link)
      await isRefused(call(v1.sendPasswordlessRegistration, { userId }, elsewhere.request), 'user.not_found')
      await isRefused(call(v1.addPasswordlessRegistration, { userId }, elsewhere.request), 'user.not_found')
    })

    test('a user who moves in with a language that is none has none', async () => {
      const profile = { firstName: 'Ada', lastName: 'Byron', preferredLanguage: 'not valid' }
      const email = { email: 'mover@example.com', isEmailVerified: true }
      const { userId } = await call(v1.importHumanUser, { userName: 'mover', profile, email })
      const { user } = await call(users.getUserByID, { userId })
      assert.equal(user?.type.case === 'human' && user.type.value.profile?.preferredLanguage, 'und')
    })

    test('a removal of an authorization that a member of the project repeats tells the date of the first', async () => {
      const member = await world.addMachine({ organizationId: await addOrganization() })
      const resource = { resource: { case: 'projectId', value: projectId } } as const
      await call(permissions.createAdministrator, { userId: member.userId, resource, roles: ['PROJECT_OWNER'] })
      const given = { userId: await addUser(), projectId, organizationId: home, roleKeys: ['buyer'] }
      const { id } = await call(authorizations.createAuthorization, given)
      const remove = async (as = member.request) =>
        (await call(authorizations.deleteAuthorization, { id }, as)).deletionDate
      const first = await remove()
      wait()
      assert.deepEqual(await remove(), first ?? assert.fail())
      const stranger = await world.addMachine({
        organizationId: await addOrganization(),
        organizationRoles: ['ORG_OWNER'],
      })
      assert.equal(await remove(stranger.request), undefined)
    })

    test('what changes nothing has the date of the last change', async () => {
      const userId = await addUser()
      const { user } = await call(users.getUserByID, { userId })
      const last = timestampMs(user?.details?.changeDate ?? assert.fail())
      wait()
      const update = async (request: object) =>
        timestampMs((await call(users.updateUser, { userId, ...request })).changeDate ?? assert.fail())
      const profile = (firstName: string) => ({ userType: { case: 'human', value: { profile: { firstName } } } })
      assert.equal(await update(profile('Ada')), last)
      const nothing = [{ key: 'unknown', value: new Uint8Array() }]
      const { setDate } = await call(users.setUserMetadata, { userId, metadata: nothing })
      assert.equal(timestampMs(setDate ?? assert.fail()), last)
      assert.equal(await update(profile('Augusta')), world.clock.now)
      const machine = await world.addMachine({})
      wait()
      const same = { username: undefined, userType: { case: 'machine', value: {} } } as const
      const { changeDate } = await call(users.updateUser, { userId: machine.userId, ...same })
      assert.ok(timestampMs(changeDate ?? assert.fail()) < world.clock.now)
      const made = await addOrganization()
      const at = world.clock.now
      wait()
      const set = await call(organizations.setOrganizationMetadata, { organizationId: made, metadata: nothing })
      assert.equal(timestampMs(set.setDate ?? assert.fail()), at)
    })

    test('a change that is repeated has the date of the first', async () => {
      const organizationId = await addOrganization()
      const userId = await addUser()
      const resource = { resource: { case: 'organizationId', value: home } } as const
      await call(permissions.createAdministrator, { userId, resource, roles: ['ORG_OWNER'] })
      const { id } = await call(groups.createGroup, { organizationId: home, name: 'Repeated' })
      const metadata = [{ key: 'team', value: Buffer.from('photos') }]
      const changes: Record<string, () => Promise<Timestamp | undefined>> = {
        organization: async () =>
          (await call(organizations.updateOrganization, { organizationId, name: 'Repeated' })).changeDate,
        administrator: async () =>
          (await call(permissions.updateAdministrator, { userId, resource, roles: ['ORG_USER_MANAGER'] })).changeDate,
        group: async () => (await call(groups.setGroupMetadata, { id, metadata })).setDate,
      }
      for (const [name, change] of Object.entries(changes)) {
        wait()
        const first = timestampMs((await change()) ?? assert.fail(name))
        assert.equal(first, world.clock.now, name)
        wait()
        assert.equal(timestampMs((await change()) ?? assert.fail(name)), first, name)
      }
    })

    test('an address of an application that is empty is none', async () => {
      const none = { redirectUris: [''], postLogoutRedirectUris: [''] }
      const { appId } = await call(v1.addOIDCApp, { projectId, name: 'Device', ...none })
      const shown = async () => {
        const { application } = await call(ApplicationService.method.getApplication, { applicationId: appId })
        const config = application?.configuration.case === 'oidcConfiguration' && application.configuration.value
        return config ? [config.redirectUris, config.postLogoutRedirectUris] : assert.fail()
      }
      assert.deepEqual(await shown(), [[], []])
      await call(v1.updateOIDCAppConfig, { projectId, appId, redirectUris: ['', 'https://app.example/cb'] })
      assert.deepEqual(await shown(), [['https://app.example/cb'], []])
    })

    test('discovery names the languages that people can choose, and no others', async () => {
      const locales = async () => {
        const { body } = await answerDiscovery(world.app, LANGUAGE_TAGS)
        return JSON.parse(String(body)).ui_locales_supported
      }
      assert.deepEqual(await locales(), LANGUAGE_TAGS)
      await call(AdminService.method.setRestrictions, { allowedLanguages: { list: ['en', 'de'] } })
      assert.deepEqual(await locales(), ['en', 'de'])
    })
  })
}
