import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AddHumanUserRequestSchema } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import type { Refused } from '../../kernel/refusal.ts'
import { listInboxMails } from '../mail/index.ts'

const v2 = UserService.method

type Request = MessageInitShape<typeof AddHumanUserRequestSchema>

const profile = { firstName: 'Sam', lastName: 'Miller' }
const returnCode = { case: 'returnCode', value: {} } as const
const verified = { case: 'isVerified', value: true } as const
function bytes(text: string) {
  return new TextEncoder().encode(text)
}

for (const engine of engines) {
  suite(`humans on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    let count = 0
    const add = async (more: Request = {}) => {
      const email = { email: `ana-${++count}@example.com`, verification: verified }
      return (await world.call(v2.addHumanUser, { profile, email, ...more } as Request, world.owner)).userId
    }
    const get = async (userId: string) => {
      const { user } = await world.call(v2.getUserByID, { userId }, world.owner)
      assert.ok(user?.type.case === 'human')
      return { ...user.type.value, username: user.username, state: user.state }
    }
    const call: World['call'] = (method, message, request) => world.call(method, message, request ?? world.owner)
    const mailsTo = async (recipient: string) => {
      await world.runJobs()
      return (await listInboxMails(world.app, { recipient, limit: 10, descending: true })).mails
    }

    suite('changing them', () => {
      test('changes what is given and keeps the rest', async () => {
        const userId = await add({ profile: { ...profile, nickName: 'Sammy', preferredLanguage: 'de' } })
        const { details } = await call(v2.updateHumanUser, {
          userId,
          username: `renamed-${count}`,
          profile: { firstName: 'Samira', lastName: 'Miller' },
        })
        assert.ok(details?.sequence)
        const user = await get(userId)
        assert.deepEqual(
          [user.username, user.profile?.givenName, user.profile?.nickName, user.profile?.preferredLanguage],
          [`renamed-${count}`, 'Samira', 'Sammy', 'de'],
        )
        assert.equal(user.email?.isVerified, true)
        await call(v2.updateUser, {
          userId,
          userType: { case: 'human', value: { profile: { nickName: '', displayName: '' } } },
        })
        const again = await get(userId)
        assert.deepEqual([again.profile?.nickName, again.profile?.displayName], ['', 'Samira Miller'])
      })

      test('with everything as it is writes nothing', async () => {
        const userId = await add()
        const user = await get(userId)
        const [before] = await world.store.events({ descending: true, limit: 1 })
        await call(v2.updateHumanUser, {
          userId,
          username: user.username,
          profile,
          email: { email: user.email?.email ?? '' },
          phone: { phone: '' },
        })
        const [after] = await world.store.events({ descending: true, limit: 1 })
        assert.equal(after?.sequence, before?.sequence)
      })

      test('changes address and number with their codes, all or nothing', async () => {
        const userId = await add()
        const { emailCode, phoneCode } = await call(v2.updateUser, {
          userId,
          userType: {
            case: 'human',
            value: {
              email: { email: `new-${count}@example.com`, verification: returnCode },
              phone: { phone: '+41791234567', verification: returnCode },
            },
          },
        })
        await call(v2.verifyEmail, { userId, verificationCode: (emailCode ?? '').toLowerCase() })
        await call(v2.verifyPhone, { userId, verificationCode: phoneCode ?? '' })
        const user = await get(userId)
        assert.deepEqual([user.email?.isVerified, user.phone?.isVerified], [true, true])
        const other = await add({ username: `holder-${count}` })
        const change = { userId: other, username: user.username, profile: { firstName: 'No', lastName: 'One' } }
        await isRefused(call(v2.updateHumanUser, change), 'user.username_taken')
        assert.equal((await get(other)).profile?.givenName, 'Sam')
      })

      test('sets a password only with a proof or the permission', async () => {
        const userId = await add({ passwordType: { case: 'password', value: { password: 'correct horse battery' } } })
        const set = (verification?: { case: 'currentPassword'; value: string }) =>
          call(v2.updateHumanUser, {
            userId,
            password: {
              passwordType: { case: 'password', value: { password: 'another long secret' } },
              ...(verification && { verification }),
            },
          })
        await isRefused(set({ case: 'currentPassword', value: 'wrong' }), 'password.wrong')
        await set({ case: 'currentPassword', value: 'correct horse battery' })
        await set()
      })

      test('distinguishes humans and machines', async () => {
        const userId = await add()
        const { id } = await call(v2.createUser, {
          organizationId: world.defaultOrganizationId,
          userType: { case: 'machine', value: { name: 'Robot' } },
          metadata: [{ key: 'kind', value: bytes('robot') }],
        })
        const { metadata } = await call(v2.listUserMetadata, { userId: id })
        assert.deepEqual(
          metadata.map(({ key }) => key),
          ['kind'],
        )
        await isRefused(
          call(v2.updateUser, { userId, userType: { case: 'machine', value: { name: 'x' } } }),
          'user.not_machine',
        )
        await isRefused(call(v2.updateUser, { userId: id, userType: { case: 'human', value: {} } }), 'user.not_human')
        await isRefused(call(v2.updateHumanUser, { userId: id }), 'user.not_human')
        await isRefused(call(v2.setEmail, { userId: id, email: 'a@b.de' }), 'user.not_human')
        await call(v2.updateUser, {
          userId: id,
          username: `robot-${count}`,
          userType: { case: 'machine', value: { description: 'Sweeps', accessTokenType: AccessTokenType.JWT } },
        })
        const { user } = await call(v2.getUserByID, { userId: id })
        assert.ok(user?.type.case === 'machine')
        assert.deepEqual(
          [user.username, user.type.value.name, user.type.value.description, user.type.value.accessTokenType],
          [`robot-${count}`, 'Robot', 'Sweeps', AccessTokenType.JWT],
        )
      })

      test('creates humans too', async () => {
        const value = { profile, email: { email: 'created@example.com', verification: returnCode } }
        const created = await call(v2.createUser, {
          organizationId: world.defaultOrganizationId,
          userType: { case: 'human', value },
          metadata: [{ key: 'k', value: bytes('v') }],
        })
        assert.match(created.emailCode ?? '', /^[A-Z0-9]{6}$/)
        assert.equal((await get(created.id)).username, 'created@example.com')
        const bad = { ...value, email: { email: 'x..y@example.com' }, phone: { phone: 'x' } }
        await isRefused(
          call(v2.createUser, {
            organizationId: world.defaultOrganizationId,
            userType: { case: 'human', value: bad },
          }),
          'user.email_invalid',
          'human.email.email',
          'human.phone.phone',
        )
      })
    })

    suite('their addresses and numbers', () => {
      test('a new address is verified by the newest code only, sent to it', async () => {
        const userId = await add()
        const first = await call(v2.setEmail, { userId, email: `one-${count}@example.com`, verification: returnCode })
        const second = await call(v2.setEmail, { userId, email: `two-${count}@example.com`, verification: returnCode })
        const verify = (verificationCode = '') => call(v2.verifyEmail, { userId, verificationCode })
        await isRefused(verify(first.verificationCode), 'verification.code_invalid')
        const third = await call(v2.resendEmailCode, { userId, verification: returnCode })
        await isRefused(verify(second.verificationCode), 'verification.code_invalid')
        await verify(third.verificationCode)
        await isRefused(call(v2.resendEmailCode, { userId }), 'user.email_verified')
        const again = await call(v2.sendEmailCode, { userId, verification: returnCode })
        await call(v2.verifyEmail, { userId, verificationCode: again.verificationCode ?? '' })
        assert.equal((await get(userId)).email?.isVerified, true)
      })

      test('a code dies after an hour, and after five wrong tries', async () => {
        const userId = await add({ email: { email: 'late@example.com', verification: returnCode } })
        const send = async () => (await call(v2.resendEmailCode, { userId, verification: returnCode })).verificationCode
        const verify = (verificationCode = '') => call(v2.verifyEmail, { userId, verificationCode })
        const before = world.clock.now
        const late = await send()
        world.clock.now = instant(before + 3_600_000)
        await isRefused(verify(late), 'verification.code_invalid')
        const code = await send()
        for (let tries = 0; tries < 5; tries++) await isRefused(verify('000000'), 'verification.code_invalid')
        world.clock.now = instant(world.clock.now + 60_000)
        await isRefused(verify(code), 'verification.code_invalid')
        await verify(await send())
        world.clock.now = before
      })

      test('at most ten codes are made within an hour, for all callers together', async () => {
        const userId = await add({ email: { email: 'flooded@example.com', verification: returnCode } })
        const resend = () => call(v2.resendEmailCode, { userId })
        for (let codes = 1; codes < 10; codes++) await resend()
        for (const ask of [resend, () => call(v2.sendEmailCode, { userId })]) {
          await assert.rejects(ask(), { code: 'verification.too_many', kind: 'exhausted', retryAfterSeconds: 3600 })
        }
        // An address that is replaced is no way around.
        const email = { userId, email: 'other@example.com', verification: returnCode }
        await isRefused(call(v2.setEmail, email), 'verification.too_many')
        const reset = { userId, medium: returnCode }
        for (let codes = 0; codes < 10; codes++) await call(v2.passwordReset, reset)
        await isRefused(call(v2.passwordReset, reset), 'verification.too_many')
      })

      test('mail goes to the new address with the chosen link, and there is none when the caller says that it is verified', async () => {
        const userId = await add()
        const email = `mailed-${count}@example.com`
        const urlTemplate = 'https://app.example.com/v/{{.Code}}'
        const bad = { case: 'sendCode', value: { urlTemplate: 'javascript:alert({{.Code}})' } } as const
        await isRefused(
          call(v2.setEmail, { userId, email, verification: bad }),
          'user.url_template_invalid',
          'sendCode.urlTemplate',
        )
        await call(v2.setEmail, { userId, email, verification: { case: 'sendCode', value: { urlTemplate } } })
        const [mail] = await mailsTo(email)
        assert.match(mail?.text ?? '', /https:\/\/app\.example\.com\/v\/[A-Z0-9]{6}/)
        await call(v2.setEmail, { userId, email, verification: verified })
        assert.equal((await mailsTo(email)).length, 1)
        assert.equal((await get(userId)).email?.isVerified, true)
        const code = /\/v\/([A-Z0-9]{6})/.exec(mail?.text ?? '')?.[1] ?? ''
        await isRefused(call(v2.verifyEmail, { userId, verificationCode: code }), 'verification.code_invalid')
        await isRefused(call(v2.setEmail, { userId, email: 'a b@example.com' }), 'request.invalid', 'email')
        await isRefused(call(v2.setEmail, { userId, email: 'a..b@example.com' }), 'user.email_invalid', 'email')
      })

      test('continuing without a second factor is remembered', async () => {
        const userId = await add()
        const { details } = await call(v2.humanMFAInitSkipped, { userId })
        assert.ok(details?.sequence)
        assert.ok((await get(userId)).mfaInitSkipped)
      })

      test('a number is set, verified by its code, and removed', async () => {
        const userId = await add()
        await call(v2.setPhone, { userId, phone: '+41791234567', verification: { case: 'sendCode', value: {} } })
        await isRefused(call(v2.setPhone, { userId, phone: '12' }), 'user.phone_invalid', 'phone')
        const withoutCountry = call(v2.setPhone, { userId, phone: '079 123 45 67' })
        await assert.rejects(withoutCountry, (error: Refused) => {
          const [violation] = error.violations
          return (
            error.code === 'user.phone_invalid' && /must begin with its country code/.test(violation?.description ?? '')
          )
        })
        await call(v2.setPhone, { userId, phone: '0041 79 123 45 67' })
        assert.equal((await get(userId)).phone?.phone, '+41791234567')
        await call(v2.resendPhoneCode, { userId })
        const { verificationCode = '' } = await call(v2.resendPhoneCode, { userId, verification: returnCode })
        await isRefused(call(v2.verifyEmail, { userId, verificationCode }), 'verification.code_invalid')
        await call(v2.verifyPhone, { userId, verificationCode })
        assert.equal((await get(userId)).phone?.isVerified, true)
        await isRefused(call(v2.resendPhoneCode, { userId }), 'user.phone_verified')
        await call(v2.removePhone, { userId })
        assert.equal((await get(userId)).phone?.phone, '')
        await isRefused(call(v2.removePhone, { userId }), 'user.no_phone')
        await isRefused(call(v2.resendPhoneCode, { userId }), 'user.no_phone')
        await isRefused(call(v2.verifyPhone, { userId, verificationCode }), 'verification.code_invalid')
      })

      test('a code proves nothing for a user who is locked, deactivated or unknown', async () => {
        const email = { email: 'locked@example.com', verification: returnCode }
        const { userId, emailCode = '' } = await call(v2.addHumanUser, { profile, email })
        const verify = (verificationCode: string, as = world.owner) =>
          call(v2.verifyEmail, { userId, verificationCode }, as)
        await call(v2.lockUser, { userId })
        await isRefused(verify(emailCode), 'verification.code_invalid')
        await call(v2.unlockUser, { userId })
        await isRefused(verify(emailCode), 'verification.code_invalid')
        const again = await call(v2.sendEmailCode, { userId, verification: returnCode })
        await call(v2.deactivateUser, { userId })
        await isRefused(verify(again.verificationCode ?? ''), 'verification.code_invalid')
        await call(v2.reactivateUser, { userId })
        const last = await call(v2.sendEmailCode, { userId, verification: returnCode })
        const { request } = await world.addMachine()
        const unknown = { userId: 'who', verificationCode: 'ABC234' }
        for (const method of [v2.verifyEmail, v2.verifyPhone, v2.verifyInviteCode]) {
          await isRefused(call(method as typeof v2.verifyEmail, unknown), 'user.not_found')
          const asOther = call(method as typeof v2.verifyEmail, unknown, request)
          await isRefused(asOther, 'verification.code_invalid')
        }
        await verify(last.verificationCode ?? '', request)
      })
    })
  })
}
