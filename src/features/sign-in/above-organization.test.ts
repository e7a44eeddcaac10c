import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SecondFactorType } from '../../../contract/gen/signet/policy/v1/login_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { appointMember } from '../administrators/index.ts'
import { settingsOfUser } from '../settings/index.ts'

const admin = AdminService.method
const management = ManagementService.method
const users = UserService.method
const sessions = SessionService.method
const organizations = OrganizationService.method

const PASSWORD = 'Correct horse 7 battery'

for (const engine of engines) {
  test(`the policy of an organization weakens no user with roles outside it on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { call, owner, instanceId } = world
    const { organizationId } = await call(organizations.addOrganization, { name: 'Home' }, owner)
    const orgOwner = (await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })).request
    const loginClient = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
    const add = async (username: string, role?: string): Promise<string> => {
      const { userId } = await call(
        users.addHumanUser,
        {
          username,
          organisation: { org: { case: 'orgId', value: organizationId } },
          profile: { firstName: 'A', lastName: 'B' },
          email: { email: `${username}@example.com`, verification: { case: 'isVerified', value: true } },
          passwordType: { case: 'password', value: { password: PASSWORD } },
          totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        },
        owner,
      )
      const scope = { level: 'instance', id: instanceId } as const
      if (role !== undefined) {
        await world.store.write(world.origin(), (work) => appointMember(work, { scope, userId, roles: [role] }))
      }
      return userId
    }
    const signIn = async (userId: string) => {
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password: PASSWORD } } as const
      return (await call(sessions.createSession, { checks }, loginClient)).sessionToken
    }
    const isBearer = async (bearer: string): Promise<boolean> => {
      try {
        await call(AuthService.method.getMyUser, {}, { bearer })
        return true
      } catch {
        return false
      }
    }
    const [chief, plain] = [await add('chief', 'IAM_OWNER'), await add('plain')]

    // Both have an authenticator app: a password alone is not enough.
    assert.deepEqual([await isBearer(await signIn(chief)), await isBearer(await signIn(plain))], [false, false])
    const policy = { allowUsernamePassword: true, secondFactors: [SecondFactorType.U2F] }
    await call(management.addCustomLoginPolicy, policy, orgOwner)
    assert.deepEqual([await isBearer(await signIn(chief)), await isBearer(await signIn(plain))], [false, true])

    // Nor does it undo what the instance requires, or close the ways that the instance offers.
    await call(users.removeTOTP, { userId: chief }, owner)
    assert.equal(await isBearer(await signIn(chief)), true)
    await call(admin.updateLoginPolicy, { allowUsernamePassword: true, forceMfa: true }, owner)
    assert.deepEqual([await isBearer(await signIn(chief)), await isBearer(await signIn(plain))], [false, true])
    await call(management.updateCustomLoginPolicy, { allowExternalIdp: true }, orgOwner)
    await isRefused(signIn(plain), 'session.password_not_allowed')
    await signIn(chief)

    await call(management.addCustomLockoutPolicy, { maxPasswordAttempts: 1 }, orgOwner)
    const attempts = async (userId: string) =>
      (await settingsOfUser(world.app, { userId, organizationId })).maxPasswordAttempts
    assert.deepEqual([await attempts(plain), await attempts(chief)], [1, 100])
  })

  test(`an organization with a user of the instance in it is closed only by those who cover them on ${engine.name}`, async (t) => {
    const world = await openWorld({ engine })
    t.after(() => world.dispose())
    const { call, owner, instanceId } = world
    const { organizationId } = await call(organizations.addOrganization, { name: 'Home' }, owner)
    const orgOwner = (await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })).request
    const { userId } = await world.addMachine({ organizationId })
    const scope = { level: 'instance', id: instanceId } as const
    const member = { scope, userId, roles: ['IAM_OWNER_VIEWER'] }
    await world.store.write(world.origin(), (work) => appointMember(work, member))
    await isRefused(call(organizations.deactivateOrganization, { organizationId }, orgOwner), 'user.above_own')
    await isRefused(call(organizations.deleteOrganization, { organizationId }, orgOwner), 'user.above_own')
    await isRefused(call(management.deactivateOrg, {}, { ...orgOwner, organizationId }), 'user.above_own')
    await isRefused(call(management.removeOrg, {}, { ...orgOwner, organizationId }), 'user.above_own')
    await call(organizations.deactivateOrganization, { organizationId }, owner)
  })
}
