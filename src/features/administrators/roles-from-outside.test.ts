/**
 * A role that another organization gives to a user takes nothing away from the organization that the user belongs to: it
 * deactivates, locks, resets and removes them as before, and its identity provider signs them in (see
 * `sign-in-intents/above-organization.test.ts`).
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { InternalPermissionService } from '../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'

const v2 = UserService.method
const v1 = ManagementService.method
const { createAdministrator } = InternalPermissionService.method
const PASSWORD = 'Correct horse 7 battery'

for (const engine of engines) {
  suite(`a role from outside on ${engine.name}`, () => {
    let world: World
    let home: string
    let outside: string
    let owner: CallOptions
    let manager: CallOptions
    let stranger: CallOptions
    let count = 0

    before(async () => {
      world = await openWorld({ engine })
      const add = async (name: string) =>
        (await world.call(OrganizationService.method.addOrganization, { name }, world.owner)).organizationId
      home = await add('Home')
      outside = await add('Outside')
      owner = (await world.addMachine({ organizationId: home, organizationRoles: ['ORG_OWNER'] })).request
      manager = (await world.addMachine({ organizationId: home, organizationRoles: ['ORG_USER_MANAGER'] })).request
      stranger = (await world.addMachine({ organizationId: outside, organizationRoles: ['ORG_OWNER'] })).request
    })
    after(() => world.dispose())

    const addPerson = async () => {
      const name = `person-${++count}`
      const { userId } = await world.call(
        v2.addHumanUser,
        {
          username: name,
          organisation: { org: { case: 'orgId', value: home } },
          profile: { firstName: name, lastName: 'Person' },
          email: { email: `${name}@example.com`, verification: { case: 'isVerified', value: true } },
          passwordType: { case: 'password', value: { password: PASSWORD } },
        },
        world.owner,
      )
      return userId
    }
    const appoint = (userId: string, resource: object, roles: string[], as: CallOptions) =>
      world.call(createAdministrator, { userId, resource: { resource } as never, roles }, as)

    /** The roles that an organization can give to a user of another one. */
    const FROM_OUTSIDE: Readonly<Record<string, (userId: string) => Promise<unknown>>> = {
      'an organization': (userId) =>
        appoint(userId, { case: 'organizationId', value: outside }, ['ORG_OWNER'], stranger),
      'a project': async (userId) => {
        const name = `Project ${++count}`
        const project = await world.call(
          ProjectService.method.createProject,
          { organizationId: outside, name },
          stranger,
        )
        await appoint(userId, { case: 'projectId', value: project.projectId }, ['PROJECT_OWNER'], stranger)
      },
    }

    for (const [what, give] of Object.entries(FROM_OUTSIDE)) {
      test(`on ${what} leaves the user to their own organization`, async () => {
        const userId = await addPerson()
        await give(userId)
        for (const as of [owner, manager]) {
          const inHome = { ...as, organizationId: home }
          await world.call(v2.deactivateUser, { userId }, as)
          await world.call(v2.reactivateUser, { userId }, as)
          await world.call(v2.lockUser, { userId }, as)
          await world.call(v2.unlockUser, { userId }, as)
          await world.call(v1.lockUser, { id: userId }, inHome)
          await world.call(v1.unlockUser, { id: userId }, inHome)
          await world.call(v2.passwordReset, { userId, medium: { case: 'returnCode', value: {} } }, as)
          await world.call(v2.setPassword, { userId, newPassword: { password: PASSWORD } }, as)
          await world.call(v1.setHumanPassword, { userId, password: PASSWORD, noChangeRequired: true }, inHome)
          await world.call(v2.setEmail, { userId, email: `new-${++count}@example.com` }, as)
        }
        await world.call(v2.registerPasskey, { userId }, owner)
        const { sessionId } = await world.call(
          SessionService.method.createSession,
          { checks: { user: { search: { case: 'userId', value: userId } } } },
          world.owner,
        )
        await world.call(SessionService.method.deleteSession, { sessionId }, owner)
        // Nor does it give its own organization any power over them.
        await isRefused(world.call(v2.lockUser, { userId }, stranger), 'user.not_found')
        await world.call(v2.deleteUser, { userId }, owner)
        await isRefused(world.call(v2.getUserByID, { userId }, owner), 'user.not_found')
      })
    }

    test('on the instance takes the user out of reach, and so do roles at home for those who have less', async () => {
      const above = await addPerson()
      await appoint(above, { case: 'instance', value: true }, ['IAM_OWNER_VIEWER'], world.owner)
      await isRefused(world.call(v2.lockUser, { userId: above }, owner), 'user.above_own')
      const colleague = await addPerson()
      await appoint(colleague, { case: 'organizationId', value: home }, ['ORG_OWNER'], owner)
      await isRefused(world.call(v2.lockUser, { userId: colleague }, manager), 'user.above_own')
      await world.call(v2.lockUser, { userId: colleague }, owner)
      const project = await world.call(
        ProjectService.method.createProject,
        { organizationId: home, name: `Project ${++count}` },
        owner,
      )
      const builder = await addPerson()
      await appoint(builder, { case: 'projectId', value: project.projectId }, ['PROJECT_OWNER'], owner)
      await isRefused(world.call(v2.lockUser, { userId: builder }, manager), 'user.above_own')
      assert.ok(await world.call(v2.lockUser, { userId: builder }, owner))
    })
  })
}
