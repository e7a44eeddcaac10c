/** A password that is too old must be changed before anything else. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { settingsOfUser } from '../settings/index.ts'
import { findPerson } from './index.ts'

const DAY = 86_400_000
const PASSWORD = 'Correct horse 7 battery'
const users = UserService.method

for (const engine of engines) {
  suite(`expired passwords on ${engine.name}`, () => {
    test('the session of an expired password may only change it; a new password is young again', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const { call, owner } = world
      const { userId } = await call(
        users.addHumanUser,
        {
          username: 'ada',
          profile: { firstName: 'Ada', lastName: 'Lovelace' },
          email: { email: 'ada@example.com', verification: { case: 'isVerified', value: true } },
          passwordType: { case: 'password', value: { password: PASSWORD } },
        },
        owner,
      )
      const signIn = async (password = PASSWORD) => {
        const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
        return (await call(SessionService.method.createSession, { checks }, owner)).sessionToken
      }
      const stepOf = async (token: string) => (await findPerson(world.app, token))?.step
      const mayCall = (bearer: string) =>
        call(AuthService.method.getMyUser, {}, { bearer }).then(
          () => true,
          () => false,
        )
      await call(AdminService.method.updatePasswordAgePolicy, { maxAgeDays: 30, expireWarnDays: 5 }, owner)
      const { settings } = await call(SettingsService.method.getPasswordExpirySettings, {}, owner)
      assert.deepEqual([settings?.maxAgeDays, settings?.expireWarnDays], [30n, 5n])

      world.clock.now = instant(world.clock.now + 30 * DAY - 1)
      assert.equal(await mayCall(await signIn()), true)
      world.clock.now = instant(world.clock.now + 1)
      const token = await signIn()
      assert.equal(await stepOf(token), 'change_password')
      assert.equal(await mayCall(token), false)

      // An organization can allow more for its own users.
      await call(ManagementService.method.addCustomPasswordAgePolicy, { maxAgeDays: 0 }, owner)
      assert.equal(await mayCall(await signIn()), true)
      await call(ManagementService.method.resetPasswordAgePolicyToDefault, {}, owner)
      assert.equal(await mayCall(await signIn()), false)

      const newPassword = { password: 'Another horse 8 battery' }
      const verification = { case: 'currentPassword', value: PASSWORD } as const
      await call(users.setPassword, { userId, newPassword, verification }, { bearer: token })
      assert.equal(await mayCall(await signIn(newPassword.password)), true)
    })

    test('an organization does not change the age of passwords of users with roles outside it', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const { call, owner, administratorId: userId, defaultOrganizationId: organizationId } = world
      const ageOf = async () => (await settingsOfUser(world.app, { userId, organizationId })).passwordMaxAgeMs
      await call(AdminService.method.updatePasswordAgePolicy, { maxAgeDays: 30 }, owner)
      await call(ManagementService.method.addCustomPasswordAgePolicy, { maxAgeDays: 0 }, owner)
      assert.equal(await ageOf(), 30 * DAY)
      await call(ManagementService.method.updateCustomPasswordAgePolicy, { maxAgeDays: 7 }, owner)
      assert.equal(await ageOf(), 30 * DAY)
    })
  })
}
