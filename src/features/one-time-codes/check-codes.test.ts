/** Apps and recovery codes, as sessions have them checked: each code once, counted when wrong. On both engines. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { hashSync } from '@node-rs/bcrypt'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { type CodeWorld, SECRET, withCodes, wrong } from '../../../test/support/parts/codes.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { totpCode, totpStep } from '../../crypto/totp.ts'
import { importRecoveryCodes } from './handlers/use-recovery-code.ts'
import { oneTimeCodes, secondFactorsOf } from './index.ts'

const v1 = ManagementService.method
const v2 = UserService.method
const STEP = 30_000

for (const engine of bothEngines) {
  suite(`one-time codes on ${engine.name}`, () => {
    let world: CodeWorld
    before(async () => {
      world = await openWorld({ engine }, withCodes)
    })
    after(() => world.dispose())

    test('an app signs in with each code once, within a step of its time', async () => {
      const userId = await world.addPerson(SECRET)
      world.wait(STEP * 10)
      await world.totp(userId, world.shown(-1))
      await world.totp(userId, world.shown())
      await isRefused(world.totp(userId, world.shown()), 'totp.code_used')
      await isRefused(world.totp(userId, world.shown(-1)), 'totp.code_used')
      await isRefused(world.totp(userId, world.shown(2)), 'verification.code_invalid')
      await world.totp(userId, world.shown(1))
      world.wait(STEP)
      await isRefused(world.totp(userId, world.shown()), 'totp.code_used')
      await isRefused(world.totp(userId, world.shown(-2)), 'verification.code_invalid')
    })

    test('a code of the app of another user is refused, and so is any code without an app', async () => {
      const ada = await world.addPerson(SECRET)
      const bob = await world.addPerson('JBSWY3DPEHPK3PXP')
      const without = await world.addPerson()
      await isRefused(world.totp(bob, world.shown()), 'verification.code_invalid')
      await isRefused(world.totp(without, world.shown()), 'totp.not_set_up')
      assert.equal(await world.failures(bob), 1)
      assert.equal(await world.failures(without), 0)
      await world.totp(ada, world.shown())
    })

    test('an app that is only being set up does not sign in', async () => {
      const userId = await world.addPerson()
      const { secret } = await world.call(v2.registerTOTP, { userId }, world.owner)
      const code = totpCode(secret, totpStep(world.clock.now))
      await isRefused(world.totp(userId, code), 'totp.not_set_up')
      await isRefused(world.totp(userId, 'wrong'), 'totp.not_set_up')
      assert.equal(await world.failures(userId), 0)
    })

    test('a code of an app used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await world.addPerson(SECRET)
        await world.race((node) => world.totp(userId, world.shown(), node))
        assert.equal(await world.countEvents(userId, 'totp.used.v1'), 1)
      }
    })

    test('a recovery code signs in once, and never another user', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      await isRefused(world.recover(userId, 'ABCDE-FGHJK'), 'recovery_codes.not_set_up')
      const [first = '', second = ''] = await world.recoveryCodes(userId, 2)
      await world.recoveryCodes(other, 2)
      await isRefused(world.recover(other, first), 'verification.code_invalid')
      await world.recover(userId, first.toLowerCase().replace('-', ' '))
      await isRefused(world.recover(userId, first), 'recovery_codes.code_used')
      assert.deepEqual(await secondFactorsOf(world.app, userId), ['otp_sms', 'otp_email', 'recovery_code'])
      await world.recover(userId, second)
      assert.deepEqual(await secondFactorsOf(world.app, userId), ['otp_sms', 'otp_email'])
      await isRefused(world.recover(userId, second), 'recovery_codes.code_used')
    })

    test('recovery codes of another product are compared with its hashes, each once', async () => {
      const userId = await world.addPerson()
      const hashes = ['0cxp2-fmyv4', 'b7k9d-qq1zz'].map((code) => hashSync(code, 4))
      await world.store.write(world.origin(), (work) =>
        importRecoveryCodes(world.app, work, { userId, owner: world.defaultOrganizationId }, hashes),
      )
      assert.ok((await secondFactorsOf(world.app, userId)).includes('recovery_code'))
      await isRefused(world.recover(userId, '0cxp2-fmyv5'), 'verification.code_invalid')
      await world.recover(userId, ' B7K9D-QQ1ZZ')
      await isRefused(world.recover(userId, 'b7k9d-qq1zz'), 'recovery_codes.code_used')
      await world.recover(userId, '0cxp2-fmyv4')
      assert.ok(!(await secondFactorsOf(world.app, userId)).includes('recovery_code'))
    })

    test('a user moves in with recovery codes, or with their hashes', async () => {
      let count = 0
      const move = async (...codes: { readonly raw?: string; readonly hash?: string }[]) => {
        const userName = `mover${++count}`
        const profile = { firstName: 'Ada', lastName: 'Byron' }
        const recoveryCodes = codes.map(({ raw, hash }) => ({
          code: raw === undefined ? { case: 'hash', value: hash ?? '' } : { case: 'raw', value: raw },
        })) as never
        const user = { userName, profile, email: { email: `${userName}@example.com`, isEmailVerified: true } }
        return (await world.call(v1.importHumanUser, { ...user, recoveryCodes }, world.owner)).userId
      }
      const raw = await move({ raw: '0cxp2-fmyv4' }, { raw: 'b7k9d-qq1zz' })
      const hashed = await move({ hash: hashSync('0cxp2-fmyv4', 4) }, { hash: hashSync('b7k9d-qq1zz', 4) })
      for (const userId of [raw, hashed]) {
        await isRefused(world.recover(userId, '0cxp2-fmyv5'), 'verification.code_invalid')
        await world.recover(userId, ' B7K9D-QQ1ZZ')
        await isRefused(world.recover(userId, 'b7k9d-qq1zz'), 'recovery_codes.code_used')
        await world.recover(userId, '0cxp2-fmyv4')
      }
      await isRefused(move({ raw: '0cxp2-fmyv4' }, { hash: '$2a$04$x' }), 'user.field_invalid', 'recoveryCodes')
      await isRefused(move({ hash: 'nonsense' }), 'user.field_invalid', 'recoveryCodes[0].hash')
    })

    test('recovery codes end when new ones are made', async () => {
      const userId = await world.addPerson()
      const [old = ''] = await world.recoveryCodes(userId, 1)
      const [fresh = ''] = await world.recoveryCodes(userId, 1)
      await isRefused(world.recover(userId, old), 'verification.code_invalid')
      await world.recover(userId, fresh)
    })

    test('a recovery code used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await world.addPerson()
        const [code = ''] = await world.recoveryCodes(userId, 3)
        await world.race((node) => world.recover(userId, code, node))
        assert.equal(await world.countEvents(userId, 'recovery_codes.used.v1'), 1)
      }
    })

    test('wrong codes lock their own factor and no other, whatever else was right in between', async () => {
      await world.call(AdminService.method.updateLockoutPolicy, { maxOtpAttempts: 4 }, world.owner)
      try {
        const userId = await world.addPerson(SECRET)
        const [code = '', another = ''] = await world.recoveryCodes(userId, 2)
        const sms = await world.challenge(userId)
        const email = await world.challenge(userId, 'email')
        for (let i = 0; i < 2; i++) {
          await isRefused(world.otp(userId, { ...sms, code: wrong(sms.code) }), 'verification.code_invalid')
          await isRefused(world.otp(userId, { ...email, code: wrong(email.code) }), 'verification.code_invalid')
          await isRefused(world.totp(userId, wrong(world.shown())), 'verification.code_invalid')
        }
        await world.recover(userId, code)
        await isRefused(world.otp(userId, sms), 'attempts.locked')
        await isRefused(world.otp(userId, email), 'attempts.locked')
        await world.totp(userId, world.shown())
        await world.call(v2.unlockUser, { userId }, world.owner)
        await world.otp(userId, sms)
        await world.recover(userId, another)
      } finally {
        await world.call(AdminService.method.updateLockoutPolicy, { maxOtpAttempts: 100 }, world.owner)
      }
    })

    test('deactivated, locked and removed users do not sign in with one', async () => {
      const userId = await world.addPerson(SECRET)
      const [code = ''] = await world.recoveryCodes(userId, 1)
      const sms = await world.challenge(userId)
      const refusedWith = async (reason: string) => {
        await isRefused(world.totp(userId, world.shown()), reason)
        await isRefused(world.otp(userId, sms), reason)
        await isRefused(world.recover(userId, code), reason)
        await isRefused(world.challenge(userId), reason)
      }
      await world.call(v2.deactivateUser, { userId }, world.owner)
      await refusedWith('user.not_active')
      await world.call(v2.reactivateUser, { userId }, world.owner)
      await world.call(v2.lockUser, { userId }, world.owner)
      await refusedWith('user.not_active')
      await world.call(v2.unlockUser, { userId }, world.owner)
      await world.otp(userId, sms)
      await world.call(v2.deleteUser, { userId }, world.owner)
      await refusedWith('user.not_found')
      assert.equal(await world.store.get(oneTimeCodes, userId), undefined)
      assert.deepEqual(await secondFactorsOf(world.app, userId), [])
    })
  })
}
