/**
 * Whoever is locked, deactivated or removed, and whoever belongs to an organization that is, gets no token and uses none,
 * whatever way they go. What ends an application ends every way that leads through it, and so does what ends the user's
 * access to it.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ApiAccess } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { InternalPermissionService } from '../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { apiProjectId } from '../../src/features/instances/index.ts'
import type { CallOptions } from '../support/calls.ts'
import { WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { signInFor, type Tokens } from '../support/openid-flow.ts'
import { addMachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { ACCESS_STATES, giveAccess } from './access-states.ts'
import { bringAbout, STATES, type State } from './states.ts'
import { type Holder, ways } from './token-ways.ts'

const v1 = ManagementService.method

/** Wrong attempts stop what they were made at; what somebody holds already stays valid. */
const USER_STATES = STATES.filter((state) => state !== 'locked by failures')

const APPLICATION_STATES = [
  'active',
  'application deactivated',
  'application removed',
  'project deactivated',
  'project removed',
  'organization deactivated',
  'organization removed',
  'organization removed and cleared',
] as const

type ApplicationState = (typeof APPLICATION_STATES)[number]

const GRANT_TYPES = { grantTypes: [0, 2, 3, 4] }

suite(`tokens: ${(USER_STATES.length + APPLICATION_STATES.length + ACCESS_STATES.length) * ways.length} cells`, () => {
  let world: OpenIdWorld
  let bystanding: Application
  let impersonator: Tokens
  let bystanderId: string
  let loginPage: CallOptions
  let count = 0

  const makeImpersonator = async (userId: string) => {
    const resource = { resource: { case: 'instance', value: true } } as const
    const roles = ['IAM_ADMIN_IMPERSONATOR']
    await world.call(InternalPermissionService.method.createAdministrator, { userId, resource, roles }, world.owner)
  }

  before(async () => {
    world = await openOpenIdWorld()
    await world.call(SettingsService.method.setSecuritySettings, { enableImpersonation: true }, world.owner)
    bystanding = await world.addApplication(GRANT_TYPES, await apiProjectId(world.app))
    loginPage = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
    bystanderId = await world.addPerson('bystander')
    await makeImpersonator(await world.addPerson('impersonator'))
    impersonator = await signInFor(world, bystanding, {}, { name: 'impersonator' })
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  /** Somebody with a machine in one organization, and applications in another. */
  const addHolder = async (organizationId: string, ownerOfApplication: string): Promise<Holder> => {
    const userName = `holder-${++count}`
    const organisation = { org: { case: 'orgId', value: organizationId } }
    const userId = await world.addPerson(userName, { organisation })
    await makeImpersonator(userId)
    const projectId = await world.addProject({ organizationId: ownerOfApplication })
    const browser = world.browser()
    await signInFor(world, bystanding, {}, { browser, name: userName })
    const addApplication = async (config: object): Promise<Application> => {
      const application = await world.addApplication({ ...GRANT_TYPES, ...config }, projectId)
      const access = { applicationId: application.id, projectId, access: ApiAccess.INSTANCE }
      await world.call(ApplicationService.method.setApplicationApiAccess, access, world.owner)
      return application
    }
    return {
      world,
      userId,
      userName,
      organizationId,
      loginPage,
      browser,
      machine: await addMachineClient(world, 0, organizationId),
      application: await addApplication({}),
      signing: await addApplication({ accessTokenType: 1 }),
      withLoginPage: await addApplication(WITH_LOGIN_PAGE),
      bystanding,
      impersonator,
      bystanderId,
    }
  }

  const grantProject = ({ application: { projectId }, organizationId }: Holder, ownerId: string) =>
    world.call(
      v1.addProjectGrant,
      { projectId, grantedOrgId: organizationId },
      { ...world.owner, organizationId: ownerId },
    )

  const addOrganization = async (): Promise<string> => {
    const name = `Organization ${++count}`
    return (await world.call(OrganizationService.method.addOrganization, { name }, world.owner)).organizationId
  }

  /** What every way answers after something ended. */
  const tryAll = async (holder: Holder, end: () => Promise<void>): Promise<ReadonlyMap<string, string>> => {
    const prepared = []
    for (const way of ways) prepared.push([way.name, await way.prepare(holder)] as const)
    await end()
    const found = new Map<string, string>()
    for (const [name, tryAgain] of prepared) found.set(name, await tryAgain())
    return found
  }

  /** Prints the cells that are not as expected, and no other. */
  const assertRow = (found: ReadonlyMap<string, string>, mustPass: (name: string) => boolean) => {
    const wrong = [...found].filter(([name, outcome]) => (outcome === 'passes') !== mustPass(name))
    assert.deepEqual(Object.fromEntries(wrong), {})
  }

  const endPeople = async (state: State, { userId, machine }: Holder, organizationId: string) => {
    await bringAbout(world, state, { userId, organizationId })
    if (!state.startsWith('organization')) await bringAbout(world, state, { userId: machine.userId, organizationId })
  }

  for (const state of USER_STATES) {
    test(`user: ${state}`, async () => {
      const organizationId = await addOrganization()
      const holder = await addHolder(organizationId, world.defaultOrganizationId)
      await grantProject(holder, world.defaultOrganizationId)
      const found = await tryAll(holder, () => endPeople(state, holder, organizationId))
      assertRow(found, () => state === 'active')
    })
  }

  const endApplication = async (state: ApplicationState, holder: Holder, organizationId: string) => {
    const there = { ...world.owner, organizationId }
    const { projectId } = holder.application
    const applications = [holder.application, holder.signing, holder.withLoginPage]
    switch (state) {
      case 'active':
        return
      case 'application deactivated':
        for (const { id: appId } of applications) await world.call(v1.deactivateApp, { projectId, appId }, there)
        return
      case 'application removed':
        for (const { id: appId } of applications) await world.call(v1.removeApp, { projectId, appId }, there)
        return
      case 'project deactivated':
        return void (await world.call(v1.deactivateProject, { id: projectId }, there))
      case 'project removed':
        return void (await world.call(v1.removeProject, { id: projectId }, there))
      default:
        return bringAbout(world, state, { userId: '', organizationId })
    }
  }

  const isThrough = new Map(ways.map(({ name, isThroughApplication }) => [name, isThroughApplication]))

  for (const state of APPLICATION_STATES) {
    test(`application: ${state}`, async () => {
      const organizationId = await addOrganization()
      const holder = await addHolder(world.defaultOrganizationId, organizationId)
      await grantProject(holder, organizationId)
      const found = await tryAll(holder, () => endApplication(state, holder, organizationId))
      assertRow(found, (name) => state === 'active' || isThrough.get(name) === false)
    })
  }

  for (const state of ACCESS_STATES) {
    test(`access: ${state}`, async () => {
      const organizationId = await addOrganization()
      const projectOwnerId = await addOrganization()
      const holder = await addHolder(organizationId, projectOwnerId)
      const { userId, machine } = holder
      const { projectId } = holder.application
      const end = await giveAccess(world, state, {
        projectId,
        projectOwnerId,
        userIds: [userId, machine.userId],
        userOrganizationId: organizationId,
      })
      const found = await tryAll(holder, end)
      assertRow(found, (name) => state === 'given' || isThrough.get(name) === false)
    })
  }
})
