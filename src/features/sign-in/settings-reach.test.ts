/** Whoever controls the settings of an organization neither disarms nor locks out anybody who holds more than they do. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { SecondFactorType } from '../../../contract/gen/signet/policy/v1/login_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { CallOptions } from '../../../test/support/calls.ts'
import { engines } from '../../../test/support/engines.ts'
import { openWorld, type World } from '../../../test/support/world.ts'
import { appointMember } from '../administrators/index.ts'
import { BUILT_IN_LOGIN, settingsOfUser, tellsPasswordChange } from '../settings/index.ts'

const management = ManagementService.method
const PASSWORD = 'Correct horse 7 battery'
const TOTP = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

for (const engine of engines) {
  suite(`the settings of an organization that a settings manager changed, on ${engine.name}`, () => {
    let world: World
    let organizationId: string
    let owner: CallOptions
    let manager: CallOptions
    let loginClient: CallOptions
    let [boss, plain] = ['', '']

    before(async () => {
      world = await openWorld({ engine })
      organizationId = world.defaultOrganizationId
      const [as, add] = [
        async (roles: string[]) => (await world.addMachine({ organizationRoles: roles })).request,
        addPerson,
      ]
      owner = await as(['ORG_OWNER'])
      manager = await as(['ORG_SETTINGS_MANAGER'])
      loginClient = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      boss = await add('chief', 'ORG_OWNER')
      plain = await add('plain')
    })
    after(() => world.dispose())

    async function addPerson(username: string, role?: string): Promise<string> {
      const message = {
        username,
        profile: { firstName: 'A', lastName: 'B' },
        email: { email: `${username}@example.com`, verification: { case: 'isVerified', value: true } },
        passwordType: { case: 'password', value: { password: PASSWORD } },
        totpSecret: TOTP,
      } as const
      const { userId } = await world.call(UserService.method.addHumanUser, message, world.owner)
      const scope = { level: 'organization', id: organizationId } as const
      if (role !== undefined) {
        await world.store.write(world.origin(), (work) => appointMember(work, { scope, userId, roles: [role] }))
      }
      return userId
    }
    const ofUser = (userId: string) => settingsOfUser(world.app, { userId, organizationId })
    const signIn = (userId: string, password = PASSWORD) => {
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
      return world.call(SessionService.method.createSession, { checks }, loginClient)
    }

    test('do not lock an owner after one wrong password, but users without roles', async () => {
      await world.call(management.addCustomLockoutPolicy, { maxPasswordAttempts: 1 }, manager)
      for (const [userId, isLocked] of [
        [boss, false],
        [plain, true],
      ] as const) {
        await assert.rejects(signIn(userId, 'wrong'))
        if (isLocked) await assert.rejects(signIn(userId))
        else await signIn(userId)
      }
      assert.deepEqual([(await ofUser(boss)).maxPasswordAttempts, (await ofUser(plain)).maxPasswordAttempts], [100, 1])
      // Saved by an owner, the same policy counts for owners.
      await world.call(management.updateCustomLockoutPolicy, { maxPasswordAttempts: 1 }, owner)
      assert.equal((await ofUser(boss)).maxPasswordAttempts, 1)
      await world.call(management.updateCustomLockoutPolicy, { maxPasswordAttempts: 1 }, manager)
      assert.equal((await ofUser(boss)).maxPasswordAttempts, 1, 'nothing was changed')
      await world.call(management.updateCustomLockoutPolicy, { maxPasswordAttempts: 2 }, manager)
      assert.deepEqual([(await ofUser(boss)).maxPasswordAttempts, (await ofUser(plain)).maxPasswordAttempts], [100, 2])
      await world.call(management.resetLockoutPolicyToDefault, {}, manager)
    })

    test('take no second factor from an owner, nor close a way to sign in', async () => {
      const own = { allowUsernamePassword: true, secondFactors: [SecondFactorType.OTP] }
      await world.call(management.addCustomLoginPolicy, own, owner)
      await world.call(management.removeSecondFactorFromLoginPolicy, { type: SecondFactorType.OTP }, manager)
      assert.ok((await ofUser(boss)).login.secondFactors.includes('totp'))
      assert.ok(!(await ofUser(plain)).login.secondFactors.includes('totp'))
      await world.call(management.updateCustomLoginPolicy, { allowExternalIdp: true, hidePasswordReset: true }, manager)
      const { allowsPassword, hidesPasswordReset } = (await ofUser(boss)).login
      assert.deepEqual([allowsPassword, hidesPasswordReset], [true, false])
      assert.equal((await ofUser(plain)).login.allowsPassword, false)
      await world.call(management.updateCustomLoginPolicy, { allowExternalIdp: true, hidePasswordReset: true }, owner)
      assert.equal((await ofUser(boss)).login.allowsPassword, false)
      await world.call(management.resetLoginPolicyToDefault, {}, manager)
    })

    test('take no provider from an owner, and change no member of how their checks count', async () => {
      const client = { clientId: 'us', clientSecret: 'a secret' }
      const { id } = await world.call(management.addGoogleProvider, client, owner)
      await world.call(management.removeIDPFromLoginPolicy, { idpId: id }, manager)
      assert.deepEqual([(await ofUser(boss)).withheldProviders, (await ofUser(plain)).withheldProviders], [[], [id]])
      const day = { seconds: 86_400n }
      const lifetimes = { secondFactorCheckLifetime: day, multiFactorCheckLifetime: day, passwordCheckLifetime: day }
      await world.call(management.addCustomLoginPolicy, { allowUsernamePassword: true, ...lifetimes }, manager)
      const [chief, other] = [(await ofUser(boss)).login, (await ofUser(plain)).login]
      assert.deepEqual(chief, BUILT_IN_LOGIN)
      assert.deepEqual([other.secondFactorLifetimeMs, other.multiFactorLifetimeMs], [86_400_000, 86_400_000])
      await world.call(management.resetLoginPolicyToDefault, {}, manager)
      assert.deepEqual((await ofUser(plain)).withheldProviders, [])
    })

    test('weaken no password of an owner, and keep no message from them', async () => {
      const weak = { minLength: 1, hasUppercase: false, hasLowercase: false, hasNumber: false, hasSymbol: false }
      await world.call(management.addCustomPasswordComplexityPolicy, weak, manager)
      await world.call(management.addCustomPasswordAgePolicy, { maxAgeDays: 1, expireWarnDays: 1 }, manager)
      await world.call(management.addCustomNotificationPolicy, { passwordChange: false }, manager)
      const [chief, other] = [await ofUser(boss), await ofUser(plain)]
      assert.deepEqual([chief.passwordPolicy.minLength, other.passwordPolicy.minLength], [8, 1])
      assert.deepEqual([chief.passwordMaxAgeMs, other.passwordMaxAgeMs], [0, 86_400_000])
      const tells = (userId: string) => tellsPasswordChange(world.app, { userId, organizationId })
      assert.deepEqual([await tells(boss), await tells(plain)], [true, false])
    })
  })
}
