import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../../contract/gen/signet/application/v2/application_service_pb.ts'
import { AuthorizationService } from '../../../contract/gen/signet/authorization/v2/authorization_service_pb.ts'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines, openTestStore } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { newId } from '../../kernel/id.ts'
import { instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import { kinds } from '../../modules.ts'
import type { Store } from '../../store/index.ts'
import { applications, findApplicationByClientId, type LivingApplication } from '../applications/index.ts'
import { apiProjectId, consoleApplicationId, consoleClientId, findInstance, instances } from '../instances/index.ts'
import { organizations } from '../organizations/index.ts'
import { findProject, projects } from '../projects/index.ts'
import { firstStart } from './index.ts'

const root = await mkdtemp(join(tmpdir(), 'signet-api-project-'))
after(() => rm(root, { recursive: true, force: true }))

const NOON = instant(1_800_000_000_000)
const URL_BEFORE = 'https://id.example.com'
const origin = { actor: 'server', at: NOON } as const

function start(store: Store, externalUrl = URL_BEFORE) {
  return firstStart({ store, newId, clock: () => NOON, dataDir: root, externalUrl })
}

const AN_APPLICATION = {
  applicationType: { case: 'oidcConfiguration', value: { redirectUris: ['https://mine.example/cb'] } },
} as const

/** An instance as it was before there were projects. */
async function openOlder(store: Store): Promise<void> {
  const create = { type: 'create', name: 'Old', administratorId: 'boss', machineAdministratorId: 'robot' } as const
  await store.write(origin, async (work) => {
    await work.decide(organizations, 'north', { type: 'add', name: 'North' }, 'north')
    await work.decide(instances, 'old', { ...create, defaultOrganizationId: 'north' }, 'old')
  })
}

/** As much of an app as documents are found with. */
async function appOn(store: Store): Promise<App> {
  const instance = (await findInstance(store)) ?? assert.fail('there is no instance')
  return { store, instanceId: instance.id } as App
}

async function consoleOf(store: Store): Promise<LivingApplication> {
  const app = await appOn(store)
  const clientId = await consoleClientId(app)
  assert.notEqual(clientId, '')
  const found = (await findApplicationByClientId(app, clientId)) ?? assert.fail('there is no application')
  assert.equal(found.id, await consoleApplicationId(app))
  assert.equal(found.state.projectId, await apiProjectId(app))
  return found.state
}

for (const engine of bothEngines) {
  suite(`the API project on ${engine.name}`, () => {
    test('is created by the first start, with the application of the console', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      await start(store)
      const { config, name } = await consoleOf(store)
      assert.ok(config.type === 'oidc')
      assert.equal(name, 'Console')
      assert.deepEqual(config.redirectUris, [
        'https://id.example.com/ui/console/callback',
        'https://id.example.com/ui/api',
      ])
      assert.deepEqual(config.postLogoutRedirectUris, ['https://id.example.com/ui/console/'])
      assert.deepEqual(config.grantTypes, ['authorization_code', 'refresh_token'])
      assert.deepEqual([config.applicationType, config.authMethod], ['user_agent', 'none'])
      assert.equal(config.developmentMode, false)
      const app = await appOn(store)
      const project = await findProject(app, await apiProjectId(app))
      const state = (await findInstance(store))?.state
      assert.ok(state?.status === 'running')
      assert.deepEqual([project?.state.name, project?.owner], ['Signet', state.defaultOrganizationId])
    })

    test('is added to an older database by one of many nodes that start at once', async (t) => {
      const { store, another, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      await openOlder(store)
      const stores = [store, await another(), await another()]
      await Promise.all([...stores, ...stores].map((node) => start(node)))
      await consoleOf(store)
      const types = ['project.added.v1', 'application.added.v1', 'instance.api_project_set.v1']
      assert.equal((await store.events({ types, limit: 10 })).length, 3)
      const before = (await store.events({ limit: 1000 })).length
      await start(store)
      assert.equal((await store.events({ limit: 1000 })).length, before)
    })

    test('has another name where an administrator has used that one', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      await openOlder(store)
      const own = {
        type: 'add',
        organizationId: 'north',
        name: 'signet',
        projectRoleAssertion: false,
        authorizationRequired: false,
        projectAccessRequired: false,
        privateLabeling: 'unspecified',
      } as const
      await store.write(origin, (work) => work.decide(projects, 'own', own, 'north'))
      await start(store)
      const app = await appOn(store)
      assert.equal((await findProject(app, await apiProjectId(app)))?.state.name, 'Signet old')
    })

    test('follows a new address of the server, and forgets the old one', async (t) => {
      const { store, dispose } = await openTestStore(kinds, engine)
      t.after(dispose)
      await start(store)
      const app = await appOn(store)
      const id = await consoleApplicationId(app)
      const { config: before } = await consoleOf(store)
      assert.ok(before.type === 'oidc')
      const extra = { ...before, redirectUris: [...before.redirectUris, 'https://dev.example.com/cb'] }
      await store.write(origin, (work) => work.decide(applications, id, { type: 'change', config: extra }))
      await start(store, 'http://localhost:8080')
      const { config } = await consoleOf(store)
      assert.ok(config.type === 'oidc')
      const kept = 'https://dev.example.com/cb'
      assert.deepEqual(config.redirectUris, [
        kept,
        'http://localhost:8080/ui/console/callback',
        'http://localhost:8080/ui/api',
      ])
      assert.deepEqual(config.postLogoutRedirectUris, ['http://localhost:8080/ui/console/'])
      assert.equal(config.developmentMode, true)
    })

    test('keeps the application of the console, which only owners of the instance change', async (t) => {
      const world = await openWorld({ engine })
      t.after(() => world.dispose())
      const applicationId = await consoleApplicationId(world.app)
      const target = { applicationId, projectId: await apiProjectId(world.app) }
      const { deleteApplication, generateClientSecret, getApplication, updateApplication } = ApplicationService.method
      await isRefused(world.call(deleteApplication, target, world.owner), 'application.is_console')
      const owner = await world.addMachine({ organizationRoles: ['ORG_OWNER'] })
      await world.call(getApplication, { applicationId }, owner.request)
      const rename = { ...target, name: 'Mine' }
      await isRefused(world.call(updateApplication, rename, owner.request), 'access.forbidden')
      await isRefused(world.call(generateClientSecret, target, owner.request), 'access.forbidden')
      const { addAPIApp, updateApp } = ManagementService.method
      const { projectId } = target
      await isRefused(world.call(addAPIApp, { projectId, name: 'Mine' }, owner.request), 'access.forbidden')
      const v1 = { projectId, appId: applicationId, name: 'Mine' }
      await isRefused(world.call(updateApp, v1, owner.request), 'access.forbidden')
      await world.call(updateApplication, rename, world.owner)
      const { deactivateProject, deleteProject } = ProjectService.method
      await isRefused(world.call(deactivateProject, { projectId }, world.owner), 'project.is_api_project')
      await isRefused(world.call(deleteProject, { projectId }, world.owner), 'project.is_api_project')
    })

    test('is not removed with the organization that it was created in', async (t) => {
      const world = await openWorld({ engine })
      t.after(() => world.dispose())
      const { addOrganization, deactivateOrganization, deleteOrganization } = OrganizationService.method
      const added = await world.call(addOrganization, { name: 'Next' }, world.owner)
      await world.call(AdminService.method.setDefaultOrg, { orgId: added.organizationId }, world.owner)
      const { userId, request } = await world.addMachine({ organizationId: added.organizationId })
      const resource = { resource: { case: 'instance', value: true } } as const
      const { createAdministrator } = InternalPermissionService.method
      await world.call(createAdministrator, { userId, resource, roles: ['IAM_OWNER'] }, world.owner)
      const { userId: personId } = await world.call(
        UserService.method.addHumanUser,
        {
          organisation: { org: { case: 'orgId', value: added.organizationId } },
          profile: { firstName: 'Next', lastName: 'Owner' },
          email: { email: 'next@example.com', verification: { case: 'isVerified', value: true } },
          passwordType: { case: 'password', value: { password: 'Secret-Secret-1' } },
        },
        world.owner,
      )
      await world.call(createAdministrator, { userId: personId, resource, roles: ['IAM_OWNER'] }, world.owner)
      const { defaultOrganizationId: organizationId } = world
      await isRefused(world.call(deleteOrganization, { organizationId }, request), 'project.is_api_project')
      await world.call(deactivateOrganization, { organizationId }, request)
    })

    test('is changed by nobody whose role applies in every organization', async (t) => {
      const world = await openWorld({ engine })
      t.after(() => world.dispose())
      const projectId = await apiProjectId(world.app)
      const applicationId = await consoleApplicationId(world.app)
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Elsewhere' },
        world.owner,
      )
      const { userId } = await world.addMachine({})
      const own = { projectId, organizationId: world.defaultOrganizationId }
      const attempts = [
        [ApplicationService.method.createApplication, { projectId, name: 'Mine', ...AN_APPLICATION }],
        [ApplicationService.method.updateApplication, { projectId, applicationId, name: 'Mine' }],
        [ApplicationService.method.createApplicationKey, { projectId, applicationId }],
        [ApplicationService.method.generateClientSecret, { projectId, applicationId }],
        [ApplicationService.method.deactivateApplication, { projectId, applicationId }],
        [ManagementService.method.addAPIApp, { projectId, name: 'Mine' }],
        [ManagementService.method.addProjectMember, { projectId, userId, roles: ['PROJECT_OWNER'] }],
        [ManagementService.method.addProjectGrant, { projectId, grantedOrgId: organizationId }],
        [ManagementService.method.addUserGrant, { projectId, userId }],
        [ManagementService.method.addProjectRole, { projectId, roleKey: 'mine', displayName: 'Mine' }],
        [ProjectService.method.updateProject, { projectId, projectRoleCheck: true }],
        [ProjectService.method.addProjectRole, { projectId, roleKey: 'mine', displayName: 'Mine' }],
        [ProjectService.method.createProjectGrant, { projectId, grantedOrganizationId: organizationId }],
        [AuthorizationService.method.createAuthorization, { ...own, userId, roleKeys: [] }],
        [
          InternalPermissionService.method.createAdministrator,
          { userId, resource: { resource: { case: 'projectId', value: projectId } }, roles: ['PROJECT_OWNER'] },
        ],
      ] as const
      for (const role of ['IAM_ORG_MANAGER', 'IAM_USER_MANAGER']) {
        const { request } = await world.addMachine({ instanceRoles: [role] })
        for (const [method, message] of attempts) {
          await isRefused(world.call(method as never, message as never, request), 'access.forbidden')
        }
      }
    })
  })
}
