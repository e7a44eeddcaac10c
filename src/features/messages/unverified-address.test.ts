/** Messages that let their reader in, and notices, go to proven addresses only, no matter how they are requested. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { NotificationType } from '../../../contract/gen/signet/user/v2/password_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { sendResetCodeTo } from '../account/index.ts'

const v2 = UserService.method

for (const engine of engines) {
  suite(`messages to an unverified address on ${engine.name}`, () => {
    test('no reset, no link and no notice is sent to one, by any way', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const { call, owner } = world
      const { id } = await call(AdminService.method.addSMSProviderHTTP, { endpoint: 'https://sms.example' }, owner)
      await call(AdminService.method.activateSMSProvider, { id }, owner)
      const profile = { firstName: 'Ada', lastName: 'Lovelace' }
      const known = (value: boolean) => ({ case: 'isVerified', value }) as const
      const add = async (username: string, isVerified: boolean) => {
        const email = { email: `${username}@example.com`, verification: known(isVerified) }
        const phone = { phone: `+4179123450${isVerified ? 1 : 2}`, verification: known(isVerified) }
        return (await call(v2.addHumanUser, { username, profile, email, phone }, owner)).userId
      }
      const reset = (userId: string, notificationType: NotificationType) =>
        call(v2.passwordReset, { userId, medium: { case: 'sendLink', value: { notificationType } } }, owner)
      const link = (userId: string) =>
        call(v2.createPasskeyRegistrationLink, { userId, medium: { case: 'sendLink', value: {} } }, owner)

      const userId = await add('unproven', false)
      const before = (await world.outbox()).length
      await isRefused(reset(userId, NotificationType.Email), 'user.email_not_verified')
      await isRefused(reset(userId, NotificationType.Unspecified), 'user.email_not_verified')
      await isRefused(reset(userId, NotificationType.SMS), 'user.phone_not_verified')
      await isRefused(link(userId), 'user.email_not_verified')
      await sendResetCodeTo(world.app, 'unproven', undefined)
      // The placeholder of the first administrator, whose mail anyone on this machine could once read.
      await sendResetCodeTo(world.app, 'admin', undefined)
      await isRefused(reset(world.administratorId, NotificationType.Email), 'user.email_not_verified')
      assert.equal((await world.outbox()).length, before)
      // A caller who may read the code takes it elsewhere.
      const { verificationCode } = await call(
        v2.passwordReset,
        { userId, medium: { case: 'returnCode', value: {} } },
        owner,
      )
      assert.ok(verificationCode)

      // Nor is a notice: that a password has changed is for the user alone.
      const setPassword = (id: string, password: string) =>
        call(v2.setPassword, { userId: id, newPassword: { password } }, owner)
      await setPassword(userId, 'the first password of all')
      await setPassword(userId, 'the second password of all')
      assert.equal((await world.outbox()).length, before)

      const proven = await add('proven', true)
      await reset(proven, NotificationType.Email)
      await reset(proven, NotificationType.SMS)
      await link(proven)
      await sendResetCodeTo(world.app, 'proven', undefined)
      assert.equal((await world.outbox()).length, before + 4)
      await setPassword(proven, 'the first password of all')
      await setPassword(proven, 'the second password of all')
      assert.equal((await world.outbox()).length, before + 5)
    })
  })
}
