/** Settings about messages and codes that tools write have an effect. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { MessageType } from '../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SecretGeneratorType } from '../../contract/gen/signet/settings/v1/settings_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { customSmsText } from '../../src/features/mail/index.ts'
import { chooseLanguage } from '../../src/web/language.ts'
import { engines } from '../support/engines.ts'
import { openWorld, type World } from '../support/world.ts'

const admin = AdminService.method
const management = ManagementService.method
const users = UserService.method

for (const engine of engines) {
  suite(`settings about messages on ${engine.name}`, () => {
    let world: World
    let userId = ''
    const call: World['call'] = (method, request) => world.call(method, request, world.owner)
    before(async () => {
      world = await openWorld({ engine })
      const email = { email: 'ada@example.com', verification: { case: 'isVerified', value: true } as const }
      const profile = { firstName: 'Ada', lastName: 'Byron' }
      const passwordType = { case: 'password', value: { password: 'Correct horse 7 battery' } } as const
      userId = (await call(users.addHumanUser, { profile, email, passwordType })).userId
    })
    after(() => world.dispose())

    test('codes are as long as they are set to be, and valid as long', async () => {
      const generatorType = SecretGeneratorType.PASSWORD_RESET_CODE
      const value = { generatorType, length: 10, expiry: durationFromMs(120_000), includeDigits: true }
      await call(admin.updateSecretGenerator, value)
      const medium = { case: 'returnCode', value: {} } as const
      const { verificationCode } = await call(users.passwordReset, { userId, medium })
      assert.match(verificationCode ?? '', /^\d{10}$/)
    })

    test('users are told of a changed password unless the policy of their organization says not', async () => {
      const told = async (password: string) => {
        const before = (await world.outbox()).length
        await call(users.setPassword, { userId, newPassword: { password } })
        return (await world.outbox()).slice(before).some(({ data }) => data.type === 'password_changed')
      }
      assert.equal(await told('Another horse 8 battery'), true)
      await call(management.addCustomNotificationPolicy, { passwordChange: false })
      assert.equal(await told('A third horse 9 battery'), false)
      await call(management.resetNotificationPolicyToDefault, {})
    })

    test('the texts of tools are those of the mails, the newer of two names first', async () => {
      const subjectOf = async () => {
        const about = { type: MessageType.INVITATION, language: 'en', organizationId: world.defaultOrganizationId }
        return (await call(MailService.method.getMessageText, about)).text?.subject
      }
      await call(management.setCustomInitMessageText, { language: 'en', subject: 'Welcome {{.PreferredLoginName}}' })
      assert.equal(await subjectOf(), 'Welcome {{.UserName}}')
      await call(management.setCustomInviteUserMessageCustomText, { language: 'en', subject: 'Come in' })
      assert.equal(await subjectOf(), 'Come in')
    })

    test('the text of a text message is the one that was set', async () => {
      await call(admin.setDefaultVerifySMSOTPMessageText, { language: 'en', text: '{{.OTP}} for {{.Domain}}' })
      const about = { userId, organizationId: world.defaultOrganizationId }
      assert.equal(await customSmsText(world.app, about, 'verify_sms_otp', 'en'), '{{.Code}} for {{.Domain}}')
    })
  })
}

test('pages are in one of the allowed languages', () => {
  assert.equal(chooseLanguage('de', 'fr', ['it'], ['en', 'fr']), 'fr')
  assert.equal(chooseLanguage('de', undefined, [], ['fr']), 'fr')
  assert.equal(chooseLanguage('de', undefined), 'de')
})
