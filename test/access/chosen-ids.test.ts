/** IDs that callers choose: one rule, whatever they are chosen for and by which method. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { carrierOf } from '../../src/cli/carriers.ts'
import type { CarriedDraft } from '../../src/cli/import/draft.ts'
import { putObject } from '../../src/cli/import/write/carry.ts'
import { WatchedWork } from '../../src/cli/import/write/watched-work.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { dates, projectDraft } from '../support/drafts.ts'
import { engines } from '../support/engines.ts'
import { openWorld, type World } from '../support/world.ts'

const { addHumanUser, createUser } = UserService.method
const profile = { firstName: 'Ann', lastName: 'Other' }

for (const engine of engines) {
  suite(`chosen IDs on ${engine.name}`, () => {
    let world: World
    let projectId: string
    let serial = 0

    before(async () => {
      world = await openWorld({ engine })
      projectId = (await world.call(ManagementService.method.addProject, { name: 'Home' }, world.owner)).id
      await world.store.write(world.origin(), (work) =>
        work.decide(organizations, world.defaultOrganizationId, {
          type: 'bring_domain',
          domain: 'proven.example',
          isVerified: true,
        }),
      )
    })
    after(() => world.dispose())

    const organizationId = () => world.defaultOrganizationId
    const name = () => `Name ${++serial}`
    const email = () =>
      ({ email: `ann${++serial}@example.com`, verification: { case: 'isVerified', value: true } }) as const
    const write = <Value>(build: Parameters<typeof world.store.write<Value>>[1]) =>
      world.store.write(world.origin(), build)
    /** Puts an object of an export or of another product. */
    const put = (draft: CarriedDraft) =>
      write((given) => {
        const carrier = carrierOf(draft.kind)
        assert.ok(carrier)
        const work = new WatchedWork(given, new Set())
        return putObject(
          { app: world.app, work, draft, left: [], without: new Set(), dates() {} },
          carrier,
          'carry',
          work,
        )
      })

    /** By the way an ID is chosen: the field that a refusal names, and the call. */
    const ways: Readonly<Record<string, readonly [field: string, choose: (id: string) => Promise<unknown>]>> = {
      AddHumanUser: ['userId', (userId) => world.call(addHumanUser, { userId, profile, email: email() }, world.owner)],
      'CreateUser for a person': [
        'userId',
        (userId) => {
          const userType = { case: 'human', value: { profile, email: email() } } as const
          return world.call(createUser, { userId, organizationId: organizationId(), userType }, world.owner)
        },
      ],
      'CreateUser for a machine': [
        'userId',
        (userId) => {
          const userType = { case: 'machine', value: { name: name() } } as const
          return world.call(
            createUser,
            { userId, username: name(), organizationId: organizationId(), userType },
            world.owner,
          )
        },
      ],
      AddMachineUser: [
        'userId',
        (userId) =>
          world.call(
            ManagementService.method.addMachineUser,
            { userId, userName: name(), name: 'Machine' },
            world.owner,
          ),
      ],
      CreateProject: [
        'projectId',
        (id) =>
          world.call(
            ProjectService.method.createProject,
            { organizationId: organizationId(), projectId: id, name: name() },
            world.owner,
          ),
      ],
      CreateApplication: [
        'applicationId',
        (applicationId) => {
          const applicationType = { case: 'apiConfiguration', value: {} } as const
          return world.call(
            ApplicationService.method.createApplication,
            { projectId, applicationId, name: name(), applicationType },
            world.owner,
          )
        },
      ],
      CreateGroup: [
        'id',
        (id) =>
          world.call(
            GroupService.method.createGroup,
            { organizationId: organizationId(), id, name: name() },
            world.owner,
          ),
      ],
      'an imported machine': [
        'userId',
        (userId) => {
          const machine = { userName: name(), name: 'Machine', description: '', accessTokenType: 'bearer' } as const
          const about = { ...dates, kind: 'machine', id: userId, organizationId: organizationId() } as const
          return put({ ...about, ...machine, state: 'active', keys: [], tokens: [] })
        },
      ],
      'an imported project': [
        'projectId',
        (id) => put(projectDraft({ id, organizationId: organizationId(), name: name(), roles: [] })),
      ],
      'an imported group': [
        'id',
        (id) => put({ ...dates, kind: 'group', id, organizationId: organizationId(), name: name(), description: '' }),
      ],
    }
    /** An organization cannot have proven a domain before it is there. */
    const ofOrganizations: typeof ways = {
      AddOrganization: [
        'organizationId',
        (id) =>
          world.call(OrganizationService.method.addOrganization, { organizationId: id, name: name() }, world.owner),
      ],
      'an imported organization': [
        'organizationId',
        (id) => {
          const about = { ...dates, kind: 'organization', id, organizationId: id, name: name() } as const
          return put({ ...about, isActive: true, isDefault: false, domains: [], hasScopedUserNames: false })
        },
      ],
    }

    const isRefusedAt = (field: string) => (error: unknown) => {
      if (!(error instanceof Refused)) throw error
      assert.equal(error.violations[0]?.field, field)
      assert.equal(error.kind, 'invalid')
      return true
    }
    for (const [way, [field, choose]] of Object.entries({ ...ways, ...ofOrganizations })) {
      test(`${way} refuses an address on the web, a word of ours and a derived form`, async () => {
        const forms = ['../organizations/1', '..\\x', 'a?b', 'a#b', '.%2e', '..', 'system', 'Visitor', 'agent:a']
        for (const id of forms) await assert.rejects(choose(id), isRefusedAt(field), id)
      })

      test(`${way} refuses an email address, unless its domain is proven`, async () => {
        for (const id of ['chief@corp.example', 'mailto:chief@corp.example', 'chief@corp.example.']) {
          await assert.rejects(choose(id), isRefusedAt(field), id)
        }
        const isOrganization = way in ofOrganizations
        const proven = `${++serial}@proven.example`
        await (isOrganization ? assert.rejects(choose(proven), isRefusedAt(field)) : choose(proven))
      })

      test(`${way} takes IDs of other products`, async () => {
        await choose(`auth0|5f7c8ec7c33c6c00${++serial}`)
        await choose(`f:550e8400-e29b-41d4-a716-446655440000:jane-${++serial}`)
        await choose(crypto.randomUUID())
        await choose(String(265601430925500000n + BigInt(++serial)))
      })
    }
  })
}
