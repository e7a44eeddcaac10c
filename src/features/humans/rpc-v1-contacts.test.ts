import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { Gender, UserState } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { listInboxMails } from '../mail/index.ts'

const v1 = ManagementService.method
const own = AuthService.method
const sessions = SessionService.method
const PASSWORD = 'Correct horse 7 battery'
const profile = { firstName: 'Grace', lastName: 'Hopper', gender: Gender.FEMALE }

for (const engine of engines) {
  suite(`humans in the v1 services on ${engine.name}`, () => {
    let world: World
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    const call: World['call'] = (method, message, request) => world.call(method, message, request ?? world.owner)
    const mailsTo = async (recipient: string) => {
      await world.runJobs()
      return (await listInboxMails(world.app, { recipient, limit: 10, descending: true })).mails
    }
    const signIn = async (userId: string, password = PASSWORD) => {
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
      return { bearer: (await call(sessions.createSession, { checks })).sessionToken }
    }

    test('are imported with a password or a hash, an authenticator app and links, but not with both', async () => {
      const email = { email: 'imported@example.com', isEmailVerified: true }
      const hash = await world.app.hashing.hash(PASSWORD)
      const human = { profile, email, hashedPassword: { value: hash } }
      const { userId } = await call(v1.importHumanUser, {
        ...human,
        userName: 'imported',
        otpCode: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      })
      const { result } = await call(v1.listHumanAuthFactors, { userId })
      assert.deepEqual(
        result.map(({ type }) => type.case),
        ['otp'],
      )
      await call(v1.removeHumanAuthFactorOTP, { userId })
      assert.ok((await signIn(userId)).bearer)
      await isRefused(
        call(v1.importHumanUser, { ...human, userName: 'both', password: PASSWORD }),
        'user.field_invalid',
        'hashedPassword',
      )
      const idps = [{ configId: 'none', externalUserId: 'x', displayName: 'x' }]
      await isRefused(
        call(v1.importHumanUser, { ...human, userName: 'linked', idps }),
        'user.identity_provider_not_found',
        'idps[0].configId',
      )
    })

    test('without a way to sign in are invited, and invited again at another address', async () => {
      const email = { email: 'first@example.com' }
      const { userId } = await call(v1.importHumanUser, { userName: 'invited', profile, email })
      assert.equal((await call(v1.getUserByID, { id: userId })).user?.state, UserState.INITIAL)
      assert.equal((await mailsTo('first@example.com')).length, 1)
      await call(v1.resendHumanInitialization, { userId })
      assert.equal((await mailsTo('first@example.com')).length, 2)
      await isRefused(call(v1.resendHumanInitialization, { userId, email: 'no' }), 'user.email_invalid', 'email')
      await call(v1.resendHumanInitialization, { userId, email: 'second@example.com' })
      assert.equal((await mailsTo('second@example.com')).length, 1)
      assert.equal((await call(v1.getHumanEmail, { userId })).email?.isEmailVerified, false)
    })

    test('with a passkey to come get a link instead', async () => {
      const email = { email: 'link@example.com', isEmailVerified: true }
      const request = { userName: 'link', profile, email, requestPasswordlessRegistration: true }
      const { userId, passwordlessRegistration } = await call(v1.importHumanUser, request)
      assert.equal((await call(v1.getUserByID, { id: userId })).user?.state, UserState.ACTIVE)
      assert.match(passwordlessRegistration?.link ?? '', /\/ui\/passkeys\/register\?/)
      assert.deepEqual(await mailsTo('link@example.com'), [])
    })

    test('get codes for a new address and number, and prove them', async () => {
      const email = { email: 'proof@example.com', isEmailVerified: true }
      const { userId } = await call(v1.importHumanUser, { userName: 'proof', profile, email, password: PASSWORD })
      const me = await signIn(userId)
      await call(v1.updateHumanEmail, { userId, email: 'other@example.com' })
      await call(own.resendMyEmailVerification, {}, me)
      const [mail] = await mailsTo('other@example.com')
      const code = /code=([A-Z0-9]{6})/.exec(mail?.text ?? '')?.[1] ?? ''
      await call(own.verifyMyEmail, { code }, me)
      assert.equal((await call(own.getMyEmail, {}, me)).email?.isEmailVerified, true)
      await isRefused(call(own.resendMyPhoneVerification, {}, me), 'user.no_phone')
      await isRefused(call(own.setMyPhone, { phone: '+1' }, me), 'user.phone_invalid', 'phone')
      await call(v1.updateHumanPhone, { userId, phone: '+41791234567', isPhoneVerified: true })
      assert.equal((await call(own.getMyPhone, {}, me)).phone?.isPhoneVerified, true)
    })

    test('change their own profile and name, with the fields of the request', async () => {
      const email = { email: 'name@example.com', isEmailVerified: true }
      const { userId } = await call(v1.importHumanUser, { userName: 'name', profile, email, password: PASSWORD })
      const me = await signIn(userId)
      await isRefused(
        call(own.updateMyProfile, { firstName: 'A\nB', lastName: 'C' }, me),
        'user.field_invalid',
        'firstName',
      )
      await call(own.updateMyProfile, { firstName: 'Rear', lastName: 'Admiral', gender: Gender.DIVERSE }, me)
      const changed = (await call(own.getMyProfile, {}, me)).profile
      assert.deepEqual([changed?.displayName, changed?.gender], ['Rear Admiral', Gender.DIVERSE])
      await isRefused(call(own.updateMyUserName, { userName: 'another' }, me), 'user.username_not_own')
      await call(own.updateMyUserName, { userName: 'name@example.com' }, me)
      assert.equal((await call(own.getMyUser, {}, me)).user?.userName, 'name@example.com')
    })

    test('who must change their password can do that in the v1 service, and nothing else', async () => {
      const email = { email: 'must@example.com', isEmailVerified: true }
      const { userId } = await call(v1.importHumanUser, { userName: 'must', profile, email, password: PASSWORD })
      await call(v1.setHumanInitialPassword, { userId, password: `${PASSWORD} 2` })
      const me = await signIn(userId, `${PASSWORD} 2`)
      await isRefused(call(own.getMyProfile, {}, me), 'access.password_change_required')
      await call(own.updateMyPassword, { oldPassword: `${PASSWORD} 2`, newPassword: `${PASSWORD} 3` }, me)
      assert.equal((await call(own.getMyProfile, {}, me)).profile?.firstName, 'Grace')
    })

    test('of another organization are not found', async () => {
      const email = { email: 'there@example.com', isEmailVerified: true }
      const { userId } = await call(v1.importHumanUser, { userName: 'there', profile, email, password: PASSWORD })
      const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'Elsewhere' })
      const elsewhere = { ...world.owner, organizationId }
      await isRefused(call(v1.getHumanProfile, { userId }, elsewhere), 'user.not_found')
      await isRefused(call(v1.setHumanPassword, { userId, password: PASSWORD }, elsewhere), 'user.not_found')
      await isRefused(call(v1.removeHumanPhone, { userId }, elsewhere), 'user.not_found')
      await isRefused(call(v1.listUserMemberships, { userId }, elsewhere), 'user.not_found')
      await isRefused(call(v1.sendHumanResetPasswordNotification, { userId }, elsewhere), 'user.not_found')
    })
  })
}
