/** Codes that are sent, as sessions ask for them and have them checked. On both engines. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type CodeHouse, openCodeHouse, wrong } from '../../../test/support/code-house.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-house.ts'
import { Refused } from '../../kernel/refusal.ts'
import { challengeOtp, MOST_OTPS, OTP_LIFETIME_MS, secondFactorsOf } from './index.ts'

const v2 = UserService.method
const HOUR = 3_600_000

for (const engine of engines) {
  suite(`codes that are sent on ${engine.name}`, () => {
    let house: CodeHouse
    before(async () => {
      house = await openCodeHouse(engine)
    })
    after(() => house.dispose())

    test('a sent code counts once, for its person, session and medium', async () => {
      const userId = await house.addPerson()
      const stranger = await house.addPerson()
      const sms = await house.challenge(userId)
      const email = await house.challenge(userId, 'email')
      const foreign = await house.challenge(stranger)
      assert.match(sms.code, /^\d{8}$/)
      await isRefused(house.otp(userId, { ...sms, sessionId: 'session-2' }), 'verification.code_invalid')
      await isRefused(house.otp(userId, { ...sms, code: email.code }), 'verification.code_invalid')
      await isRefused(house.otp(userId, { ...sms, medium: 'email' }), 'verification.code_invalid')
      await isRefused(
        house.otp(stranger, { ...foreign, challenge: sms.challenge, code: sms.code }),
        'verification.code_invalid',
      )
      assert.equal(await house.failures(userId), 3)
      await house.otp(userId, { ...sms, code: ` ${sms.code.slice(0, 4)} ${sms.code.slice(4)}` })
      assert.equal(await house.failures(userId), 0)
      await isRefused(house.otp(userId, sms), 'otp.code_used')
      await house.otp(userId, email)
      await house.otp(stranger, foreign)
    })

    test('a sent code ends after five minutes, whatever was tried before, and when a newer one is made', async () => {
      const userId = await house.addPerson()
      const late = await house.challenge(userId)
      assert.equal(late.challenge.expiresAt, house.clock.now + OTP_LIFETIME_MS)
      house.wait(OTP_LIFETIME_MS - 1)
      await isRefused(house.otp(userId, { ...late, code: wrong(late.code) }), 'verification.code_invalid')
      house.wait(1)
      await isRefused(house.otp(userId, late), 'otp.challenge_expired')
      assert.equal(await house.failures(userId), 1)
      const first = await house.challenge(userId)
      const second = await house.challenge(userId, 'sms', 'session-2')
      await isRefused(house.otp(userId, first), 'otp.code_used')
      await house.otp(userId, second)
    })

    test('a sent code is dead after five wrong tries', async () => {
      const userId = await house.addPerson()
      const one = await house.challenge(userId)
      for (let i = 0; i < 5; i++) {
        await isRefused(house.otp(userId, { ...one, code: wrong(one.code) }), 'verification.code_invalid')
      }
      await isRefused(house.otp(userId, one), 'attempts.too_many')
      house.wait(1000)
      await isRefused(house.otp(userId, one), 'verification.code_invalid')
      assert.equal(await house.failures(userId), 5)
      await house.otp(userId, await house.challenge(userId))
    })

    test('a sent code used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await house.addPerson()
        const one = await house.challenge(userId)
        await house.race((node) => house.otp(userId, one, node))
        assert.equal(await house.countEvents(userId, 'otp.used.v1'), 1)
      }
    })

    test('codes are sent ten times an hour at most to each medium; the answer says when again', async () => {
      const userId = await house.addPerson()
      for (let i = 0; i < MOST_OTPS; i++) {
        await house.challenge(userId)
        house.wait(60_000)
      }
      const error = await house.challenge(userId).then(
        () => assert.fail('it was let through'),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof Refused)
      assert.equal(error.code, 'otp.too_many')
      assert.equal(error.kind, 'exhausted')
      assert.equal(error.retryAfterSeconds, (HOUR - MOST_OTPS * 60_000) / 1000)
      await house.challenge(userId, 'email')
      house.wait(HOUR - MOST_OTPS * 60_000)
      await house.challenge(userId)
    })

    test('codes asked for by sixteen at once on two nodes are ten', async () => {
      const userId = await house.addPerson()
      const of = { medium: 'sms', userId, owner: house.organizationId, sessionId: 's', delivery: 'return' } as const
      for (let round = 0; round < 8; round++) {
        const pair = [house.here, house.there].map(([store, needs]) =>
          store.write(house.origin(), (work) => challengeOtp(needs, work, of)),
        )
        await Promise.allSettled(pair)
      }
      assert.equal(await house.countEvents(userId, 'otp.issued.v1'), MOST_OTPS)
    })

    test('nothing is sent to, and no code taken from, an address that is not verified', async () => {
      const userId = await house.addPerson()
      const sms = await house.challenge(userId)
      const email = await house.challenge(userId, 'email')
      const isVerified = { case: 'isVerified', value: false } as const
      await house.call(v2.setPhone, { userId, phone: '+41446681801', verification: isVerified }, house.owner)
      const address = 'somewhere-else@example.com'
      await house.call(v2.setEmail, { userId, email: address, verification: isVerified }, house.owner)
      await isRefused(house.challenge(userId), 'otp.phone_not_verified')
      await isRefused(house.challenge(userId, 'email'), 'otp.email_not_verified')
      await isRefused(house.otp(userId, sms), 'otp.phone_not_verified')
      await isRefused(house.otp(userId, email), 'otp.email_not_verified')
      assert.deepEqual(await secondFactorsOf(house.store, userId), ['otp_sms', 'otp_email'])
      // A verified one that is not the one it was sent to is no better.
      const known = { case: 'isVerified', value: true } as const
      await house.call(v2.setPhone, { userId, phone: '+41446681802', verification: known }, house.owner)
      await isRefused(house.otp(userId, sms), 'verification.code_invalid')
    })

    test('codes by SMS are turned off with the phone number', async () => {
      const userId = await house.addPerson()
      const sms = await house.challenge(userId)
      await house.call(v2.removePhone, { userId }, house.owner)
      assert.deepEqual(await secondFactorsOf(house.store, userId), ['otp_email'])
      await isRefused(house.otp(userId, sms), 'otp.not_set_up')
      await isRefused(house.challenge(userId), 'otp.not_set_up')
    })
  })
}
