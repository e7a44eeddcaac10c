import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { PasswordlessType } from '../../../contract/gen/signet/policy/v1/login_pb.ts'
import { NotificationType } from '../../../contract/gen/signet/user/v2/password_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { EXTERNAL_URL, openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import { appointMember } from '../administrators/index.ts'
import { users } from '../users/index.ts'
import { attempts, countFailures, NO_ATTEMPTS, verifications } from '../verifications/index.ts'
import { choosePasswordByCode, passwords, sendPasswordReset } from './index.ts'

const { setPassword, passwordReset } = UserService.method
const OLD = 'an old password of mine'
const NEW = 'quite another secret'
const HOUR = 3_600_000
const returned = { medium: { case: 'returnCode', value: {} } } as const

for (const engine of engines) {
  suite(`passwords of users on ${engine.name}`, () => {
    let world: PasswordWorld
    let ada: string
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())
    beforeEach(async () => {
      world.clock.now = instant(world.clock.now + HOUR)
      ada = await world.addPerson({ hash: await world.hashing.hash(OLD), phone: '+41791234567' })
    })

    /** What was sent to a user, oldest first; users are new in each test. */
    const sentTo = async (userId: string) => (await world.sent()).filter((one) => one.userId === userId)
    const newPassword = (password: string, changeRequired = false) => ({ newPassword: { password, changeRequired } })
    const byCode = (value: string) => ({ verification: { case: 'verificationCode', value } }) as const
    const byPassword = (value: string) => ({ verification: { case: 'currentPassword', value } }) as const
    const codeFor = async (userId: string) =>
      (await world.call(passwordReset, { userId, ...returned }, { bearer: 'boss' })).verificationCode ?? ''
    const stateOf = async (userId: string) => {
      const state = (await world.store.get(passwords, userId))?.state
      assert.ok(state?.status === 'set')
      return state
    }
    const isPassword = async (userId: string, password: string) =>
      (await world.hashing.verify((await stateOf(userId)).secret.hash, password)).matches
    const set = (message: object, bearer: string, userId = ada) =>
      world.call(setPassword, { userId, ...newPassword(NEW), ...message }, { bearer })

    suite('set by their owner', () => {
      test('take the current one, and tell by mail', async () => {
        const { details } = await set(byPassword(OLD), ada)
        assert.equal(details?.resourceOwner, 'north')
        assert.ok(await isPassword(ada, NEW))
        const sent = (await sentTo(ada)).map(({ type, to }) => ({ type, to }))
        assert.deepEqual(sent, [{ type: 'password_changed', to: `${ada}@example.com` }])
      })

      test('are refused with a wrong one, without one, and for another user', async () => {
        await isRefused(set(byPassword('wrong'), ada), 'password.wrong')
        assert.equal(countFailures((await world.store.get(attempts, ada))?.state ?? NO_ATTEMPTS), 1)
        await isRefused(set({}, ada), 'access.forbidden')
        const eve = await world.addPerson()
        await isRefused(set(byPassword(OLD), eve), 'access.forbidden')
        await isRefused(set(byPassword(OLD), eve, 'nobody-at-all'), 'access.forbidden')
        await isRefused(set(byPassword(OLD), 'south'), 'user.not_found')
        assert.ok(await isPassword(ada, OLD))
        assert.deepEqual(await sentTo(ada), [])
      })

      test('end a code that was made to reset them', async () => {
        const code = await codeFor(ada)
        await set(byPassword(OLD), ada)
        await isRefused(set(byCode(code), 'boss'), 'verification.code_invalid')
      })
    })

    suite('set by an administrator', () => {
      test('need the permission in the organization of the user', async () => {
        await isRefused(set({}, 'viewer'), 'access.forbidden')
        await isRefused(set({}, 'south'), 'user.not_found')
        await set(newPassword(NEW, true), 'manager')
        assert.ok(await isPassword(ada, NEW))
        assert.equal((await stateOf(ada)).changeRequired, true)
      })

      test('are refused for a user who may do more', async () => {
        const chief = await world.addPerson()
        const scope = { level: 'instance', id: 'instance' } as const
        await world.store.write(world.origin(), (work) =>
          appointMember(work, { scope, userId: chief, roles: ['IAM_OWNER'] }),
        )
        await isRefused(set({}, 'north', chief), 'user.above_own')
        await isRefused(
          world.call(passwordReset, { userId: chief, ...returned }, { bearer: 'north' }),
          'user.above_own',
        )
        const link = { medium: { case: 'sendLink', value: { urlTemplate: 'https://evil.example/{{.Code}}' } } } as const
        await isRefused(world.call(passwordReset, { userId: chief, ...link }, { bearer: 'north' }), 'user.above_own')
        await world.call(passwordReset, { userId: chief }, { bearer: 'north' })
      })

      test('unlock a person whose attempts were used up, and finish a set-up that waited', async () => {
        const newcomer = await world.addPerson({ needsSetUp: true })
        assert.equal((await world.store.get(users, newcomer))?.state.status, 'initial')
        await set({}, 'boss', newcomer)
        assert.equal((await world.store.get(users, newcomer))?.state.status, 'active')
        // The first password of a user is not told.
        assert.deepEqual(await sentTo(newcomer), [])
        await isRefused(set(byPassword('wrong'), ada), 'password.wrong')
        await set({}, 'boss')
        assert.equal(countFailures((await world.store.get(attempts, ada))?.state ?? NO_ATTEMPTS), 0)
      })

      test('an unknown user, and a machine, are told to those who may know', async () => {
        await isRefused(set({}, 'boss', 'nobody-at-all'), 'user.not_found')
        await isRefused(set({}, ada, 'nobody-at-all'), 'access.forbidden')
        await world.store.write(world.origin(), async (work) => {
          const machine = { name: 'Robot', description: '', accessTokenType: 'bearer' } as const
          const command = { type: 'add_machine', userName: `robot-${ada}`, ...machine } as const
          await work.decide(users, `robot-${ada}`, command, 'north')
        })
        await isRefused(set({}, 'boss', `robot-${ada}`), 'user.not_human')
      })
    })

    suite('set by a code', () => {
      test('take it once', async () => {
        const code = await codeFor(ada)
        await set(byCode(code.toLowerCase()), ada)
        assert.ok(await isPassword(ada, NEW))
        await isRefused(set(byCode(code), ada), 'verification.code_invalid')
      })

      test('leave it usable when the new password breaks the rules, and hash nothing for a wrong one', async () => {
        const code = await codeFor(ada)
        const weak = set({ ...newPassword(ada), ...byCode(code) }, ada)
        await isRefused(weak, 'password.against_policy', 'newPassword.password')
        const before = world.hashing.readLoad().finished
        await isRefused(set(byCode('AAAAAA'), ada), 'verification.code_invalid')
        assert.equal(world.hashing.readLoad().finished, before)
        await set(byCode(code), ada)
      })

      test('used by eight at once, one wins', async () => {
        const code = await codeFor(ada)
        const racers = Array.from({ length: 8 }, () => set(byCode(code), 'boss'))
        const results = await Promise.allSettled(racers)
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
        const events = await world.store.events({ kinds: ['password'], id: ada, limit: 100 })
        assert.equal(events.length, 2)
      })

      test('count no more once time is over, the address is another one, or the user is deactivated', async () => {
        const late = await codeFor(ada)
        world.clock.now = instant(world.clock.now + HOUR)
        await isRefused(set(byCode(late), 'boss'), 'verification.code_invalid')
        const moved = await codeFor(ada)
        const change = {
          type: 'change_email',
          address: 'new@example.com',
          basis: 'asserted',
          at: world.clock.now,
        } as const
        await world.store.write(world.origin(), (work) => work.decide(users, ada, change))
        await isRefused(set(byCode(moved), 'boss'), 'verification.code_invalid')
        const out = await codeFor(ada)
        await world.store.write(world.origin(), (work) => work.decide(users, ada, { type: 'deactivate' }))
        await isRefused(set(byCode(out), 'boss'), 'user.not_active')
        await isRefused(set(byCode('AAAAAA'), 'boss'), 'user.not_active')
        await isRefused(set(byCode(out), 'outsider'), 'verification.code_invalid')
        assert.ok(await isPassword(ada, OLD))
      })

      test('answer a caller without permission alike, whichever user it is about', async () => {
        const answerFor = async (userId: string) => {
          try {
            await set(byCode('AAAAAA'), 'outsider', userId)
          } catch (error) {
            assert.ok(error instanceof Refused)
            const { code, kind, message, violations, retryAfterSeconds } = error
            return { code, kind, message, violations, retryAfterSeconds }
          }
          return assert.fail('it was not refused')
        }
        const gone = await world.addPerson()
        await world.store.write(world.origin(), (work) => work.decide(users, gone, { type: 'lock' }))
        await codeFor(ada)
        const expected = await answerFor('nobody-at-all')
        assert.equal(expected.code, 'verification.code_invalid')
        assert.deepEqual(await answerFor(gone), expected)
        // Wrong, then too many: the wait is not told either.
        for (let i = 0; i < 7; i++) assert.deepEqual(await answerFor(ada), expected)
        await isRefused(set(byCode('AAAAAA'), 'login'), 'attempts.too_many')
        await isRefused(set(byCode('AAAAAA'), 'login', 'nobody-at-all'), 'user.not_found')
      })
    })

    suite('reset', () => {
      const reset = (value: object, bearer: string, userId = ada) =>
        world.call(passwordReset, { userId, medium: { case: 'sendLink', value } }, { bearer })

      test('go by mail with a link of the caller or our own', async () => {
        const { verificationCode } = await reset({ urlTemplate: 'https://app.example/{{.Code}}' }, 'manager')
        assert.equal(verificationCode, undefined)
        await world.call(passwordReset, { userId: ada }, { bearer: ada })
        const [first, second] = await sentTo(ada)
        assert.equal(first?.link, `https://app.example/${first?.code}`)
        const own = new URL(second?.link ?? '')
        assert.equal(`${own.origin}${own.pathname}`, `${EXTERNAL_URL}/set-password`)
        assert.equal(second?.to, `${ada}@example.com`)
        await isRefused(set(byCode(first?.code ?? ''), ada), 'verification.code_invalid')
        await set(byCode(second?.code ?? ''), ada)
      })

      test('go by text message where that is possible', async () => {
        const sms = { notificationType: NotificationType.SMS }
        await world.allowTexts()
        await reset(sms, 'boss')
        const [text] = await sentTo(ada)
        assert.equal(text?.to, '+41791234567')
        await set(byCode(text?.code ?? ''), ada)
        await isRefused(reset(sms, 'boss', await world.addPerson()), 'user.no_phone')
      })

      test('never return the code to oneself, nor to a caller who may not write', async () => {
        const ask = (bearer: string, userId = ada) => world.call(passwordReset, { userId, ...returned }, { bearer })
        await isRefused(ask(ada), 'password.code_of_oneself')
        await isRefused(ask('viewer'), 'access.forbidden')
        await isRefused(ask('south'), 'user.not_found')
        await isRefused(ask(ada, 'nobody-at-all'), 'access.forbidden')
        await isRefused(ask('boss', 'nobody-at-all'), 'user.not_found')
        assert.match(await codeFor(ada), /^[0-9A-Z]{6}$/)
      })

      test('are refused for a bad link and for a user who is locked', async () => {
        await isRefused(reset({ urlTemplate: 'ftp://x' }, 'boss'), 'password.link_invalid', 'sendLink.urlTemplate')
        await world.store.write(world.origin(), (work) => work.decide(users, ada, { type: 'lock' }))
        await isRefused(reset({}, 'boss'), 'user.not_active')
        assert.equal(await world.store.get(verifications, `${ada}/password_reset`), undefined)
      })
    })

    suite('on a page', () => {
      const choose = (code: string, password: string, userId = ada) =>
        choosePasswordByCode(world.app, world.origin(), { userId, code, password })

      test('flaws are told only with the code, and every refusal looks alike', async () => {
        await sendPasswordReset(world.app, world.origin(), ada)
        await sendPasswordReset(world.app, world.origin(), 'nobody-at-all')
        const sent = await sentTo(ada)
        assert.equal(sent.length, 1)
        const code = sent[0]?.code ?? ''
        assert.deepEqual(await choose('AAAAAA', 'short'), { outcome: 'refused' })
        assert.deepEqual(await choose(code, 'short', 'nobody-at-all'), { outcome: 'refused' })
        const flawed = await choose(code, 'short')
        assert.ok(flawed.outcome === 'flawed' && flawed.flaws.includes('too_short'))
        assert.deepEqual(await choose(code, NEW), { outcome: 'done', userName: ada })
        assert.deepEqual(await choose(code, NEW), { outcome: 'refused' })
      })
    })

    suite('where users cannot reset them by themselves', () => {
      const allowed = { allowUsernamePassword: true, passwordlessType: PasswordlessType.ALLOWED }
      const own = { ...allowed, disablePasswordReset: true }
      before(() => world.call(ManagementService.method.addCustomLoginPolicy, own, { bearer: 'north' }))
      after(() => world.call(ManagementService.method.resetLoginPolicyToDefault, {}, { bearer: 'north' }))

      test('no code is sent to a visitor, the user, or a login page that asks for them', async () => {
        await sendPasswordReset(world.app, world.origin(), ada)
        for (const bearer of [ada, 'login'])
          for (const medium of [undefined, { case: 'sendLink', value: { notificationType: NotificationType.SMS } }])
            await isRefused(
              world.call(passwordReset, { userId: ada, medium } as never, { bearer }),
              'password.reset_not_allowed',
            )
        const { sendHumanResetPasswordNotification } = ManagementService.method
        await isRefused(
          world.call(sendHumanResetPasswordNotification, { userId: ada }, { bearer: 'login', organizationId: 'north' }),
          'password.reset_not_allowed',
        )
        assert.deepEqual(await sentTo(ada), [])
      })

      test('an administrator sends a code to whoever they may act on', async () => {
        await world.call(passwordReset, { userId: ada }, { bearer: 'manager' })
        const [sent] = await sentTo(ada)
        await set(byCode(sent?.code ?? ''), 'boss')
        assert.ok(await isPassword(ada, NEW))
        const chief = await world.addPerson()
        const scope = { level: 'organization', id: 'north' } as const
        await world.store.write(world.origin(), (work) =>
          appointMember(work, { scope, userId: chief, roles: ['ORG_OWNER'] }),
        )
        await isRefused(world.call(passwordReset, { userId: chief }, { bearer: 'manager' }), 'user.above_own')
        assert.deepEqual(await sentTo(chief), [])
      })

      test('users of other organizations still can', async () => {
        const eve = await world.addPerson({ organizationId: 'south' })
        await world.call(passwordReset, { userId: eve }, { bearer: eve })
        assert.equal((await sentTo(eve)).length, 1)
      })
    })

    test('break rules one by one, each with its reason', async () => {
      const strict = { minLength: 12, hasUppercase: true, hasNumber: true, hasSymbol: true, hasLowercase: true }
      await world.call(AdminService.method.updatePasswordComplexityPolicy, strict, { bearer: 'boss' })
      try {
        await set(newPassword('aaa'), 'boss')
        assert.fail('it was not refused')
      } catch (error) {
        assert.ok(error instanceof Refused)
        assert.equal(error.code, 'password.against_policy')
        assert.equal(error.violations.length, 4)
        assert.ok(error.violations.every(({ field }) => field === 'newPassword.password'))
      }
      const loose = { minLength: 8 }
      await world.call(AdminService.method.updatePasswordComplexityPolicy, loose, { bearer: 'boss' })
      for (const bad of ['password123', 'ada.lovelace', `${ada}@example.com`, 'The north']) {
        await isRefused(set(newPassword(bad), 'boss'), 'password.against_policy')
      }
    })

    test('are in the log as hashes under a secret only', async () => {
      await set(byPassword(OLD), ada)
      const log = await world.store.events({ limit: 10_000 })
      const text = JSON.stringify(log)
      assert.ok(!text.includes(NEW) && !text.includes(OLD))
      const shown = JSON.stringify(log.map(({ data }) => ({ ...(data as object), secret: undefined })))
      assert.ok(!shown.includes('$argon2'))
      const hash = (await stateOf(ada)).secret.hash
      assert.match(hash, /^\$argon2id\$v=19\$/)
    })
  })
}
