/** Codes that are sent, as sessions ask for them and have them checked. On both engines. */

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { type CodeWorld, withCodes, wrong } from '../../../test/support/parts/codes.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { Refused } from '../../kernel/refusal.ts'
import { deliveryToNewUser } from '../messages/index.ts'
import { MOST_OTPS } from './decisions/otp.ts'
import { OTP_LIFETIME_MS } from './handlers/send-otp.ts'
import { challengeOtp, secondFactorsOf } from './index.ts'

const v2 = UserService.method
const HOUR = 3_600_000

for (const engine of bothEngines) {
  suite(`codes that are sent on ${engine.name}`, () => {
    let world: CodeWorld
    before(async () => {
      world = await openWorld({ engine }, withCodes)
    })
    after(() => world.dispose())

    test('a sent code counts once, for its user, session and medium', async () => {
      const userId = await world.addPerson()
      const other = await world.addPerson()
      const sms = await world.challenge(userId)
      const email = await world.challenge(userId, 'email')
      const foreign = await world.challenge(other)
      assert.match(sms.code, /^\d{8}$/)
      await isRefused(world.otp(userId, { ...sms, sessionId: 'session-2' }), 'verification.code_invalid')
      await isRefused(world.otp(userId, { ...sms, code: email.code }), 'verification.code_invalid')
      await isRefused(world.otp(userId, { ...sms, medium: 'email' }), 'verification.code_invalid')
      await isRefused(
        world.otp(other, { ...foreign, challenge: sms.challenge, code: sms.code }),
        'verification.code_invalid',
      )
      assert.equal(await world.failures(userId), 3)
      await world.otp(userId, { ...sms, code: ` ${sms.code.slice(0, 4)} ${sms.code.slice(4)}` })
      assert.equal(await world.failures(userId), 0)
      await isRefused(world.otp(userId, sms), 'otp.code_used')
      await world.otp(userId, email)
      await world.otp(other, foreign)
    })

    test('a sent code ends after five minutes, whatever was tried before, and when a newer one is made', async () => {
      const userId = await world.addPerson()
      const late = await world.challenge(userId)
      assert.equal(late.challenge.expiresAt, world.clock.now + OTP_LIFETIME_MS)
      world.wait(OTP_LIFETIME_MS - 1)
      await isRefused(world.otp(userId, { ...late, code: wrong(late.code) }), 'verification.code_invalid')
      world.wait(1)
      await isRefused(world.otp(userId, late), 'otp.challenge_expired')
      assert.equal(await world.failures(userId), 1)
      const first = await world.challenge(userId)
      const second = await world.challenge(userId, 'sms', 'session-2')
      await isRefused(world.otp(userId, first), 'otp.code_used')
      await world.otp(userId, second)
    })

    test('a sent code ends after five wrong tries', async () => {
      const userId = await world.addPerson()
      const one = await world.challenge(userId)
      for (let i = 0; i < 5; i++) {
        await isRefused(world.otp(userId, { ...one, code: wrong(one.code) }), 'verification.code_invalid')
      }
      await isRefused(world.otp(userId, one), 'attempts.too_many')
      world.wait(1000)
      await isRefused(world.otp(userId, one), 'verification.code_invalid')
      assert.equal(await world.failures(userId), 5)
      await world.otp(userId, await world.challenge(userId))
    })

    test('a sent code used by eight at once on two nodes signs in one', async () => {
      for (let round = 0; round < 5; round++) {
        const userId = await world.addPerson()
        const one = await world.challenge(userId)
        await world.race((node) => world.otp(userId, one, node))
        assert.equal(await world.countEvents(userId, 'otp.used.v1'), 1)
      }
    })

    test('codes are sent ten times an hour at most to each medium; the answer says when again', async () => {
      const userId = await world.addPerson()
      for (let i = 0; i < MOST_OTPS; i++) {
        await world.challenge(userId)
        world.wait(60_000)
      }
      const error = await world.challenge(userId).then(
        () => assert.fail('it was not refused'),
        (thrown: unknown) => thrown,
      )
      assert.ok(error instanceof Refused)
      assert.equal(error.code, 'otp.too_many')
      assert.equal(error.kind, 'exhausted')
      assert.equal(error.retryAfterSeconds, (HOUR - MOST_OTPS * 60_000) / 1000)
      await world.challenge(userId, 'email')
      world.wait(HOUR - MOST_OTPS * 60_000)
      await world.challenge(userId)
    })

    test('codes asked for by sixteen at once on two nodes are ten', async () => {
      const userId = await world.addPerson()
      const of = {
        medium: 'sms',
        userId,
        owner: world.organizationId,
        sessionId: 's',
        delivery: deliveryToNewUser({ type: 'return' }),
      } as const
      for (let round = 0; round < 8; round++) {
        const pair = [world.here, world.there].map((app) =>
          app.store.write(world.origin(), (work) => challengeOtp(app, work, of)),
        )
        await Promise.allSettled(pair)
      }
      assert.equal(await world.countEvents(userId, 'otp.issued.v1'), MOST_OTPS)
    })

    test('nothing is sent to, and no code taken from, an address that is not verified', async () => {
      const userId = await world.addPerson()
      const sms = await world.challenge(userId)
      const email = await world.challenge(userId, 'email')
      const isVerified = { case: 'isVerified', value: false } as const
      await world.call(v2.setPhone, { userId, phone: '+41446681801', verification: isVerified }, world.owner)
      const address = 'somewhere-else@example.com'
      await world.call(v2.setEmail, { userId, email: address, verification: isVerified }, world.owner)
      await isRefused(world.challenge(userId), 'otp.phone_not_verified')
      await isRefused(world.challenge(userId, 'email'), 'otp.email_not_verified')
      await isRefused(world.otp(userId, sms), 'otp.phone_not_verified')
      await isRefused(world.otp(userId, email), 'otp.email_not_verified')
      assert.deepEqual(await secondFactorsOf(world.app, userId), ['otp_sms', 'otp_email'])
      // A verified one that is not the one it was sent to is no better.
      const known = { case: 'isVerified', value: true } as const
      await world.call(v2.setPhone, { userId, phone: '+41446681802', verification: known }, world.owner)
      await isRefused(world.otp(userId, sms), 'verification.code_invalid')
    })

    test('codes by SMS are turned off with the phone number', async () => {
      const userId = await world.addPerson()
      const sms = await world.challenge(userId)
      await world.call(v2.removePhone, { userId }, world.owner)
      assert.deepEqual(await secondFactorsOf(world.app, userId), ['otp_email'])
      await isRefused(world.otp(userId, sms), 'otp.not_set_up')
      await isRefused(world.challenge(userId), 'otp.not_set_up')
    })
  })
}
