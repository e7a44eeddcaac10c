/** Answers that clients of the ZITADEL API rely on, beyond the messages themselves. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { OIDCGrantType, OIDCResponseType } from '../../contract/gen/signet/app/v1/app_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { AuthorizationService } from '../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { FeatureService } from '../../contract/gen/signet/feature/v2/feature_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { AddOrganizationRequestSchema, OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { jsonReader } from '../../src/http/codec/json-reader.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { isRefused } from '../support/small-world.ts'
import { openWorld, type World } from '../support/world.ts'

const v1 = ManagementService.method
const users = UserService.method
const projects = ProjectService.method
const organizations = OrganizationService.method
const permissions = InternalPermissionService.method
const applications = ApplicationService.method
const value = new TextEncoder().encode('value')

for (const engine of engines) {
  suite(`answers that existing clients rely on, on ${engine.name}`, () => {
    let world: World
    let home = ''
    let projectId = ''
    let userId = ''
    let roleless: CallOptions
    let count = 0
    const call: World['call'] = (method, request, as = world.owner) => world.call(method, request, as)
    const wait = () => {
      world.clock.now = instant(world.clock.now + 1000)
      return world.clock.now
    }
    const addOrganization = async (name = `Customer ${++count}`) =>
      (await call(organizations.addOrganization, { name })).organizationId
    const addUser = async () => {
      const email = { email: `user${++count}@example.com`, verification: { case: 'isVerified', value: true } as const }
      return (await call(users.addHumanUser, { profile: { firstName: 'Ada', lastName: 'Byron' }, email })).userId
    }
    before(async () => {
      world = await openWorld({ engine })
      home = world.defaultOrganizationId
      projectId = (await call(projects.createProject, { organizationId: home, name: 'Shop' })).projectId
      await call(projects.addProjectRole, { projectId, roleKey: 'buyer', displayName: 'Buyer' })
      userId = await addUser()
      await call(users.setUserMetadata, { userId, metadata: [{ key: 'key', value }] })
      await call(organizations.setOrganizationMetadata, { organizationId: home, metadata: [{ key: 'key', value }] })
      roleless = (await world.addMachine({ organizationId: await addOrganization() })).request
    })
    after(() => world.dispose())

    test('a new organization has a domain below our host, unlike that of any other', async () => {
      const id = await addOrganization('Zürich & Söhne')
      const domainsOf = async (organizationId: string) =>
        (await call(organizations.listOrganizationDomains, { organizationId })).domains
      assert.deepEqual(
        (await domainsOf(id)).map(({ domain, isPrimary, isVerified }) => [domain, isPrimary, isVerified]),
        [['zurich-sohne.localhost', true, true]],
      )
      const other = await addOrganization('Zurich Sohne')
      assert.equal((await domainsOf(other))[0]?.domain, `zurich-sohne-${other}.localhost`)
    })

    test('lists without permission are empty, as if there were nothing', async () => {
      const none = async (shown: Promise<object>) => {
        const { pagination, ...lists } = (await shown) as { pagination?: { totalResult: bigint; appliedLimit: bigint } }
        assert.equal(pagination?.totalResult, 0n)
        assert.equal(pagination.appliedLimit, 100n)
        assert.deepEqual(Object.values(lists).filter(Array.isArray).flat(), [])
      }
      await none(call(permissions.listAdministrators, {}, roleless))
      await none(call(SettingsService.method.listOrganizationSettings, {}, roleless))
      await none(call(applications.listApplications, {}, roleless))
      await none(call(users.listUserMetadata, { userId }, roleless))
      await none(call(users.listUserMetadata, { userId: '1' }, roleless))
      await none(call(projects.listProjectRoles, { projectId }, roleless))
      await none(call(organizations.listOrganizationMetadata, { organizationId: home }, roleless))
      const own = await call(organizations.listOrganizations, {}, roleless)
      assert.deepEqual([own.details?.totalResult, own.result], [0n, []])
      const shown = await call(projects.listProjectRoles, { projectId })
      assert.deepEqual(
        shown.projectRoles.map(({ key }) => key),
        ['buyer'],
      )
      assert.equal((await call(users.listUserMetadata, { userId })).metadata.length, 1)
    })

    test('nothing is listed or removed in a parent that does not exist, without an error', async () => {
      assert.deepEqual((await call(projects.listProjectRoles, { projectId: '1' })).projectRoles, [])
      assert.deepEqual((await call(organizations.listOrganizationDomains, { organizationId: '1' })).domains, [])
      assert.deepEqual((await call(organizations.listOrganizationMetadata, { organizationId: '1' })).metadata, [])
      assert.equal((await call(organizations.deleteOrganization, { organizationId: '1' })).deletionDate, undefined)
      const reset = SettingsService.method.deleteOrganizationSettings
      assert.equal((await call(reset, { organizationId: '1' })).deletionDate, undefined)
      const resource = { resource: { case: 'projectId', value: '1' } } as const
      assert.equal((await call(permissions.deleteAdministrator, { userId, resource })).deletionDate, undefined)
    })

    test('a removal that is repeated tells the date of the first', async () => {
      const organizationId = await addOrganization()
      const grant = { projectId, grantedOrganizationId: organizationId }
      const resource = { resource: { case: 'organizationId', value: home } } as const
      await call(projects.addProjectRole, { projectId, roleKey: 'short', displayName: 'Short' })
      await call(projects.createProjectGrant, { ...grant, roleKeys: [] })
      await call(permissions.createAdministrator, { userId, resource, roles: ['ORG_OWNER_VIEWER'] })
      const authorization = { userId, projectId, organizationId: home, roleKeys: ['buyer'] }
      const { id } = await call(AuthorizationService.method.createAuthorization, authorization)
      const removals = [
        async () => (await call(AuthorizationService.method.deleteAuthorization, { id })).deletionDate,
        async () => (await call(projects.deleteProjectGrant, grant)).deletionDate,
        async () => (await call(projects.removeProjectRole, { projectId, roleKey: 'short' })).removalDate,
        async () => (await call(permissions.deleteAdministrator, { userId, resource })).deletionDate,
        async () => (await call(organizations.deleteOrganization, { organizationId })).deletionDate,
      ]
      for (const [index, remove] of removals.entries()) {
        const at = wait()
        for (let turn = 0; turn < 2; turn += 1) {
          assert.equal(timestampMs((await remove()) ?? assert.fail(`${index}`)), at, `${index}`)
          wait()
        }
      }
      assert.equal((await call(permissions.deleteAdministrator, { userId: '1', resource })).deletionDate, undefined)
    })

    test('a granted project has the dates and the place of its grant, and its owner sees both', async () => {
      const [owner, customer] = [await addOrganization(), await addOrganization()]
      const granted = (await call(projects.createProject, { organizationId: owner, name: 'Granted' })).projectId
      wait()
      const first = (await call(projects.createProject, { organizationId: customer, name: 'First' })).projectId
      const grantedAt = wait()
      await call(projects.createProjectGrant, { projectId: granted, grantedOrganizationId: customer, roleKeys: [] })
      wait()
      const last = (await call(projects.createProject, { organizationId: customer, name: 'Last' })).projectId
      const admin = await world.addMachine({ organizationId: customer, organizationRoles: ['ORG_OWNER'] })
      const list = (pagination: object, as: CallOptions) => call(projects.listProjects, { pagination }, as)
      const shown = await list({ asc: true }, admin.request)
      assert.deepEqual(
        shown.projects.map((one) => one.projectId),
        [first, granted, last],
      )
      assert.equal(timestampMs(shown.projects[1]?.creationDate ?? assert.fail()), grantedAt)
      for (const offset of [0n, 1n, 2n]) {
        const page = await list({ asc: true, offset, limit: 1 }, admin.request)
        assert.equal(page.projects[0]?.projectId, [first, granted, last][Number(offset)])
        assert.deepEqual([page.pagination?.totalResult, page.pagination?.appliedLimit], [3n, 1n])
      }
      const manager = await world.addMachine({ organizationId: await addOrganization() })
      const resource = { resource: { case: 'projectId', value: granted } } as const
      await call(permissions.createAdministrator, { userId: manager.userId, resource, roles: ['PROJECT_OWNER'] })
      const own = await list({}, manager.request)
      assert.deepEqual(own.projects.map((one) => one.grantedOrganizationId ?? '').sort(), ['', customer])
    })

    test('who manages authorizations and roles sees whose they are, and no more', async () => {
      const manager = await world.addMachine({ organizationId: await addOrganization() })
      const resource = { resource: { case: 'projectId', value: projectId } } as const
      await call(permissions.createAdministrator, { userId: manager.userId, resource, roles: ['PROJECT_OWNER'] })
      await call(permissions.createAdministrator, { userId, resource, roles: ['PROJECT_OWNER_VIEWER'] })
      const organizationId = home
      const given = { userId, projectId, organizationId, roleKeys: ['buyer'] }
      await call(AuthorizationService.method.createAuthorization, given)
      const listed = await call(AuthorizationService.method.listAuthorizations, {}, manager.request)
      assert.equal(listed.authorizations[0]?.user?.displayName, 'Ada Byron')
      const { administrators } = await call(permissions.listAdministrators, {}, manager.request)
      assert.equal(administrators.find(({ user }) => user?.id === userId)?.user?.displayName, 'Ada Byron')
      const { result } = await call(v1.listProjectMembers, { projectId }, manager.request)
      const member = result.find((one) => one.userId === userId)
      assert.deepEqual([member?.displayName, member?.email], ['Ada Byron', ''])
      const viewer = await world.addMachine({ organizationId: await addOrganization() })
      await call(permissions.createAdministrator, { userId: viewer.userId, resource, roles: ['PROJECT_OWNER_VIEWER'] })
      const seen = await call(AuthorizationService.method.listAuthorizations, {}, viewer.request)
      assert.equal(seen.authorizations[0]?.user?.displayName, '')
    })

    test('a value of metadata that does not change keeps its date', async () => {
      const id = await addUser()
      const set = async () => {
        const { setDate } = await call(users.setUserMetadata, { userId: id, metadata: [{ key: 'key', value }] })
        return timestampMs(setDate ?? assert.fail())
      }
      const first = await set()
      wait()
      assert.equal(await set(), first)
      const organizationId = home
      const metadata = [{ key: 'again', value }]
      const setOwn = async () =>
        (await call(organizations.setOrganizationMetadata, { organizationId, metadata })).setDate
      const own = await setOwn()
      wait()
      assert.deepEqual(await setOwn(), own)
    })

    test('a person without phone and language has an empty phone and an undetermined language', async () => {
      const { user } = await call(users.getUserByID, { userId })
      const human = user?.type.case === 'human' ? user.type.value : assert.fail()
      assert.deepEqual([human.phone?.phone, human.phone?.isVerified], ['', false])
      assert.equal(human.profile?.preferredLanguage, 'und')
      const profile = { firstName: 'Ada', lastName: 'Byron', preferredLanguage: 'und' }
      await call(users.updateHumanUser, { userId, profile })
      const again = (await call(users.getUserByID, { userId })).user
      assert.deepEqual(again?.details?.changeDate, user?.details?.changeDate)
    })

    test('empty apps of an application are none', async () => {
      const oidc = {
        redirectUris: ['https://shop.example.com/cb'],
        responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
        grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE],
      }
      const ios = { teamId: 'A1B2C3D4E5', bundleId: 'com.example.shop' }
      const android = { packageName: 'com.example.shop', sha256CertFingerprints: ['ab'.repeat(32)] }
      const app = { projectId, name: 'Web', ...oidc }
      const { appId } = await call(v1.addOIDCApp, { ...app, ios, android })
      const configOf = async () => {
        const { application } = await call(applications.getApplication, { applicationId: appId })
        return application?.configuration.case === 'oidcConfiguration' ? application.configuration.value : assert.fail()
      }
      const update = (more: object) =>
        call(applications.updateApplication, {
          applicationId: appId,
          projectId,
          applicationType: { case: 'oidcConfiguration', value: more },
        })
      await update({ developmentMode: true })
      assert.equal((await configOf()).ios?.teamId, 'A1B2C3D4E5')
      await update({ ios: {}, android: {} })
      assert.deepEqual([(await configOf()).ios, (await configOf()).android], [undefined, undefined])
    })

    test('a key of an application that does not exist is a failed precondition', async () => {
      const never = call(applications.createApplicationKey, { applicationId: '1', projectId })
      await isRefused(never, 'application.missing')
    })

    test('a link is added to a machine user', async () => {
      const machine = await world.addMachine({})
      const provider = { name: 'idp', clientId: 'a', clientSecret: 'b', issuer: 'https://idp.example.com' }
      const { idpId } = await call(v1.addOrgOIDCIDP, provider)
      const idpLink = { idpId, userId: 'external', userName: 'robot' }
      await call(users.addIDPLink, { userId: machine.userId, idpLink })
      assert.equal((await call(users.listIDPLinks, { userId: machine.userId })).result[0]?.userName, 'robot')
    })

    test('a user manager of the instance sends a link for passkeys', async () => {
      const { request } = await world.addMachine({ instanceRoles: ['IAM_USER_MANAGER'] })
      await call(v1.sendPasswordlessRegistration, { userId: await addUser() }, request)
    })

    test('only registered passkeys are listed', async () => {
      await call(users.registerPasskey, { userId })
      const { details, result } = await call(users.listPasskeys, { userId })
      assert.deepEqual([details?.totalResult, result], [0n, []])
    })

    test('the features of the instance are read with a permission', async () => {
      await isRefused(call(FeatureService.method.getInstanceFeatures, {}, roleless), 'access.forbidden')
      await call(FeatureService.method.getInstanceFeatures, {})
    })
  })
}

test('the name of a field counts before its old name', () => {
  const read = jsonReader(AddOrganizationRequestSchema)
  const both = read({ name: 'A', orgId: 'old', organizationId: 'new' }) as { organizationId?: string }
  assert.equal(both.organizationId, 'new')
  assert.equal((read({ name: 'A', org_id: 'old' }) as { organizationId?: string }).organizationId, 'old')
})
