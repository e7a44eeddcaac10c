/** Apps and recovery codes, as sessions have them checked: each code once, counted when wrong. On both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type CodeHouse, openCodeHouse, SECRET, wrong } from '../../../test/support/code-house.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { oneTimeCodes, secondFactorsOf } from './index.ts'

const v2 = UserService.method
const STEP = 30_000

for (const engine of engines) {
  suite(`one-time codes on ${engine.name}`, () => {
    let house: CodeHouse
    before(async () => {
      house = await openCodeHouse(engine)
    })
    after(() => house.dispose())

    test('an app signs in with each code once, within a step of its time', async () => {
      const userId = await house.addPerson(SECRET)
      house.wait(STEP * 10)
      await house.totp(userId, house.shown(-1))
      await house.totp(userId, house.shown())
      await isRefused(house.totp(userId, house.shown()), 'totp.code_used')
      await isRefused(house.totp(userId, house.shown(-1)), 'totp.code_used')
      await isRefused(house.totp(userId, house.shown(2)), 'verification.code_invalid')
      await house.totp(userId, house.shown(1))
      house.wait(STEP)
      await isRefused(house.totp(userId, house.shown()), 'totp.code_used')
      await isRefused(house.totp(userId, house.shown(-2)), 'verification.code_invalid')
    })

    test('an app of somebody else does not sign in, and none does without one', async () => {
      const ada = await house.addPerson(SECRET)
      const bob = await house.addPerson('JBSWY3DPEHPK3PXP')
      const nobody = await house.addPerson()
      await isRefused(house.totp(bob, house.shown()), 'verification.code_invalid')
      await isRefused(house.totp(nobody, house.shown()), 'totp.not_set_up')
      assert.equal(await house.failures(bob), 1)
      assert.equal(await house.failures(nobody), 0)
      await house.totp(ada, house.shown())
    })

    test('an app that is only being set up does not sign in', async () => {
      const userId = await house.addPerson()
      const { secret } = await house.call(v2.registerTOTP, { userId }, house.owner)
      const code = totpCode(secret, totpStep(house.clock.now))
      await isRefused(house.totp(userId, code), 'totp.not_set_up')
      await isRefused(house.totp(userId, 'wrong'), 'totp.not_set_up')
      assert.equal(await house.failures(userId), 0)
    })

    test('a code of an app used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await house.addPerson(SECRET)
        await house.race((node) => house.totp(userId, house.shown(), node))
        assert.equal(await house.countEvents(userId, 'totp.used.v1'), 1)
      }
    })

    test('a recovery code signs in once, and never for somebody else', async () => {
      const userId = await house.addPerson()
      const stranger = await house.addPerson()
      await isRefused(house.recover(userId, 'ABCDE-FGHJK'), 'recovery_codes.not_set_up')
      const [first = '', second = ''] = await house.recoveryCodes(userId, 2)
      await house.recoveryCodes(stranger, 2)
      await isRefused(house.recover(stranger, first), 'verification.code_invalid')
      await house.recover(userId, first.toLowerCase().replace('-', ' '))
      await isRefused(house.recover(userId, first), 'recovery_codes.code_used')
      assert.deepEqual(await secondFactorsOf(house.store, userId), ['otp_sms', 'otp_email', 'recovery_code'])
      await house.recover(userId, second)
      assert.deepEqual(await secondFactorsOf(house.store, userId), ['otp_sms', 'otp_email'])
      await isRefused(house.recover(userId, second), 'recovery_codes.code_used')
    })

    test('recovery codes end when new ones are made', async () => {
      const userId = await house.addPerson()
      const [old = ''] = await house.recoveryCodes(userId, 1)
      const [fresh = ''] = await house.recoveryCodes(userId, 1)
      await isRefused(house.recover(userId, old), 'verification.code_invalid')
      await house.recover(userId, fresh)
    })

    test('a recovery code used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await house.addPerson()
        const [code = ''] = await house.recoveryCodes(userId, 3)
        await house.race((node) => house.recover(userId, code, node))
        assert.equal(await house.countEvents(userId, 'recovery_codes.used.v1'), 1)
      }
    })

    test('wrong codes of every kind are one count, which closes all of them', async () => {
      await house.call(AdminService.method.updateLockoutPolicy, { maxOtpAttempts: 4 }, house.owner)
      try {
        const userId = await house.addPerson(SECRET)
        const [code = ''] = await house.recoveryCodes(userId, 1)
        const sms = await house.challenge(userId)
        const email = await house.challenge(userId, 'email')
        await isRefused(house.totp(userId, wrong(house.shown())), 'verification.code_invalid')
        await isRefused(house.otp(userId, { ...sms, code: wrong(sms.code) }), 'verification.code_invalid')
        await isRefused(house.otp(userId, { ...email, code: wrong(email.code) }), 'verification.code_invalid')
        await isRefused(house.recover(userId, 'AAAAA-AAAAA'), 'verification.code_invalid')
        assert.equal(await house.failures(userId), 4)
        for (const attempt of [
          () => house.totp(userId, house.shown()),
          () => house.otp(userId, sms),
          () => house.otp(userId, email),
          () => house.recover(userId, code),
        ]) {
          await isRefused(attempt(), 'attempts.locked')
        }
        await house.call(v2.unlockUser, { userId }, house.owner)
        await house.recover(userId, code)
        await house.totp(userId, house.shown())
      } finally {
        await house.call(AdminService.method.updateLockoutPolicy, { maxOtpAttempts: 100 }, house.owner)
      }
    })

    test('nobody who is deactivated or locked signs in with one, and somebody who is removed least of all', async () => {
      const userId = await house.addPerson(SECRET)
      const [code = ''] = await house.recoveryCodes(userId, 1)
      const sms = await house.challenge(userId)
      const refusedWith = async (reason: string) => {
        await isRefused(house.totp(userId, house.shown()), reason)
        await isRefused(house.otp(userId, sms), reason)
        await isRefused(house.recover(userId, code), reason)
        await isRefused(house.challenge(userId), reason)
      }
      await house.call(v2.deactivateUser, { userId }, house.owner)
      await refusedWith('user.not_active')
      await house.call(v2.reactivateUser, { userId }, house.owner)
      await house.call(v2.lockUser, { userId }, house.owner)
      await refusedWith('user.not_active')
      await house.call(v2.unlockUser, { userId }, house.owner)
      await house.otp(userId, sms)
      await house.call(v2.deleteUser, { userId }, house.owner)
      await refusedWith('user.not_found')
      assert.equal(await house.store.get(oneTimeCodes, userId), undefined)
      assert.deepEqual(await secondFactorsOf(house.store, userId), [])
    })
  })
}
