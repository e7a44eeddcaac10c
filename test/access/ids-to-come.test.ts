/** Whoever takes the IDs that the server is about to make stops nobody: a made ID is drawn again until it is free. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { registerAccount } from '../../src/features/account/index.ts'
import { bothEngines } from '../support/engines.ts'
import { openWorld, type World } from '../support/world.ts'

const v1 = ManagementService.method
const { createProject } = ProjectService.method
const { createApplication } = ApplicationService.method
const { createGroup } = GroupService.method
const { addOrganization } = OrganizationService.method
const { addHumanUser, createUser } = UserService.method

const RESERVED = 60

for (const engine of bothEngines) {
  suite(`IDs to come on ${engine.name}`, () => {
    let world: World
    let projectId: string
    let serial = 0

    before(async () => {
      world = await openWorld({ engine })
      const { id } = await world.call(v1.addProject, { name: 'Home' }, world.owner)
      projectId = id
      await world.call(
        AdminService.method.updateLoginPolicy,
        { allowUsernamePassword: true, allowRegister: true },
        world.owner,
      )
    })
    after(() => world.dispose())

    const call: World['call'] = (...of) => world.call(...of)
    const organizationId = () => world.defaultOrganizationId
    const profile = { firstName: 'Ann', lastName: 'Other' }
    const mail = () =>
      ({ email: `ann${++serial}@example.com`, verification: { case: 'isVerified', value: true } }) as const
    const name = () => `Name ${++serial}`
    const api = { case: 'apiConfiguration', value: {} } as const

    /** How an ID of each kind is chosen. */
    const choose = {
      user: (userId: string) => call(addHumanUser, { userId, profile, email: mail() }, world.owner),
      project: (id: string) =>
        call(createProject, { organizationId: organizationId(), projectId: id, name: name() }, world.owner),
      application: (applicationId: string) =>
        call(createApplication, { projectId, applicationId, name: name(), applicationType: api }, world.owner),
      group: (id: string) => call(createGroup, { organizationId: organizationId(), id, name: name() }, world.owner),
      organization: (id: string) => call(addOrganization, { name: name(), organizationId: id }, world.owner),
    }

    /** How something is added without one, and the kind of the IDs that are taken. */
    const ways: Readonly<Record<string, readonly [kind: keyof typeof choose, add: () => Promise<unknown>]>> = {
      AddHumanUser: ['user', () => call(addHumanUser, { profile, email: mail() }, world.owner)],
      'CreateUser for a person': [
        'user',
        () =>
          call(
            createUser,
            { organizationId: organizationId(), userType: { case: 'human', value: { profile, email: mail() } } },
            world.owner,
          ),
      ],
      'CreateUser for a machine': [
        'user',
        () =>
          call(
            createUser,
            { organizationId: organizationId(), userType: { case: 'machine', value: { name: 'Machine' } } },
            world.owner,
          ),
      ],
      AddMachineUser: ['user', () => call(v1.addMachineUser, { userName: name(), name: 'Machine' }, world.owner)],
      ImportHumanUser: [
        'user',
        () => call(v1.importHumanUser, { userName: name(), profile, email: { email: mail().email } }, world.owner),
      ],
      'a registration': ['user', () => register()],
      AddOrganization: ['organization', () => call(addOrganization, { name: name() }, world.owner)],
      'AddOrganization with its first user': [
        'user',
        () =>
          call(
            addOrganization,
            { name: name(), admins: [{ userType: { case: 'human', value: { profile, email: mail() } } }] },
            world.owner,
          ),
      ],
      CreateProject: [
        'project',
        () => call(createProject, { organizationId: organizationId(), name: name() }, world.owner),
      ],
      CreateApplication: [
        'application',
        () => call(createApplication, { projectId, name: name(), applicationType: api }, world.owner),
      ],
      'CreateApplication, whose client ID is the ID of a user': [
        'user',
        () => call(createApplication, { projectId, name: name(), applicationType: api }, world.owner),
      ],
      CreateGroup: ['group', () => call(createGroup, { organizationId: organizationId(), name: name() }, world.owner)],
    }

    const register = async () => {
      const account = { firstName: 'Ann', lastName: 'Other', email: mail().email, password: 'sturdy umbrella lagoon' }
      const options = { client: { host: 'localhost', description: '' }, language: 'en' }
      const { outcome } = await registerAccount(world.app, world.defaultOrganizationId, account, options)
      assert.equal(outcome, 'started')
    }

    /** The next IDs of the server belong to others, as far as anybody can foresee. */
    const takeNext = async (kind: keyof typeof choose) => {
      const next = BigInt(world.app.newId()) + BigInt(RESERVED)
      for (let ahead = 1; ahead <= RESERVED; ahead++) await choose[kind](String(next + BigInt(ahead)))
      while (BigInt(world.app.newId()) < next) {}
    }

    for (const [way, [kind, add]] of Object.entries(ways)) {
      test(`${way} succeeds although the next ${RESERVED} IDs are taken`, async () => {
        await takeNext(kind)
        await add()
      })
    }
  })
}
