import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { create, toJson } from '@bufbuild/protobuf'
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import {
  LoginPolicySchema,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from '../../../../contract/gen/signet/policy/v1/login_pb.ts'
import { LoginSettingsSchema, PasskeysType } from '../../../../contract/gen/signet/settings/v2/login_settings_pb.ts'
import { ResourceOwnerType } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { BUILT_IN_LOGIN, effectiveSettings, isEmailLoginAllowed, settings } from '../index.ts'

const admin = AdminService.method
const management = ManagementService.method
const v2 = SettingsService.method
const boss = { bearer: 'boss' }
const north = { bearer: 'north' }
const viewer = { bearer: 'viewer' }
const DAY = 86_400_000

/** Everything allowed, as a client would send it that knows no lifetimes. */
const open = {
  allowUsernamePassword: true,
  allowExternalIdp: true,
  passwordlessType: PasswordlessType.ALLOWED,
} as const

for (const engine of engines) {
  suite(`login settings on ${engine.name}`, () => {
    let world: PasswordWorld
    const login = async (owner: string) => (await effectiveSettings(world.app, owner)).login
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())

    test('start with the built-in ones, in every service', async () => {
      const { settings: shown, details } = await world.call(v2.getLoginSettings, {}, north)
      assert.ok(shown)
      assert.equal(shown.allowLocalAuthentication, true)
      assert.equal(shown.allowUsernamePassword, true)
      assert.equal(shown.passkeysType, PasskeysType.ALLOWED)
      assert.equal(shown.forceMfa, false)
      assert.equal(shown.ignoreUnknownUsernames, true)
      assert.deepEqual(shown.secondFactors, [1, 2, 3, 4, 5])
      assert.deepEqual(shown.multiFactors, [1])
      assert.equal(shown.resourceOwnerType, ResourceOwnerType.INSTANCE)
      assert.equal(details?.resourceOwner, 'instance')
      const hours = [
        shown.passwordCheckLifetime,
        shown.externalLoginCheckLifetime,
        shown.secondFactorCheckLifetime,
        shown.multiFactorCheckLifetime,
        shown.sessionLifetime,
      ].map((duration) => duration && durationMs(duration) / 3_600_000)
      assert.deepEqual(hours, [240, 240, 18, 12, 720])
      const { policy } = await world.call(management.getLoginPolicy, {}, north)
      assert.equal(policy?.isDefault, true)
      assert.equal(policy.passwordlessType, PasswordlessType.ALLOWED)
      assert.deepEqual(await login('north'), BUILT_IN_LOGIN)
    })

    test('of the instance are replaced, but for the factors and the lifetimes that are not given', async () => {
      const sessionLifetime = durationFromMs(DAY)
      const passwordCheckLifetime = durationFromMs(0)
      const change = {
        ...open,
        allowExternalIdp: false,
        hidePasswordReset: true,
        sessionLifetime,
        passwordCheckLifetime,
      }
      await world.call(admin.updateLoginPolicy, { ...change, defaultRedirectUri: 'https://app.example.com/' }, boss)
      await world.call(admin.removeSecondFactorFromLoginPolicy, { type: SecondFactorType.OTP_SMS }, boss)
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true }, boss)
      assert.deepEqual(await login('south'), {
        ...BUILT_IN_LOGIN,
        requiresSecondFactor: true,
        passwordLifetimeMs: 0,
        sessionLifetimeMs: DAY,
        secondFactors: ['totp', 'u2f', 'otp_email', 'recovery_code'],
      })
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true }, boss)
      const { policy } = await world.call(admin.getLoginPolicy, {}, boss)
      assert.equal(policy?.forceMfa, true)
      assert.equal(policy.details?.resourceOwner, 'instance')
    })

    test('say whether visitors can create an account, which is not allowed by itself', async () => {
      const shown = async () => (await world.call(admin.getLoginPolicy, {}, boss)).policy?.allowRegister
      assert.equal(await shown(), false)
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true, allowRegister: true }, boss)
      assert.equal(await shown(), true)
      assert.equal((await login('south')).allowsRegistration, true)
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true }, boss)
      assert.equal(await shown(), false)
    })

    test('keep that users cannot reset their password when a client does not know the field', async () => {
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true, disablePasswordReset: true }, boss)
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true }, boss)
      const { policy } = await world.call(management.getLoginPolicy, {}, north)
      assert.deepEqual([policy?.disablePasswordReset, policy?.hidePasswordReset], [true, false])
      const shown = (await world.call(v2.getLoginSettings, {}, north)).settings
      assert.deepEqual([shown?.disablePasswordReset, shown?.hidePasswordReset], [true, true])
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true, disablePasswordReset: false }, boss)
      assert.equal((await world.call(management.getLoginPolicy, {}, north)).policy?.disablePasswordReset, false)
    })

    test('keep what only login pages of clients use, and whether an email address is a login name', async () => {
      const changed = {
        ignoreUnknownUsernames: true,
        mfaInitSkipLifetime: durationFromMs(DAY),
        allowDomainDiscovery: true,
        disableLoginWithEmail: true,
        disableLoginWithPhone: true,
      }
      assert.equal(isEmailLoginAllowed(await login('south')), true)
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true, ...changed }, boss)
      assert.equal(isEmailLoginAllowed(await login('south')), false)
      const { policy } = await world.call(management.getLoginPolicy, {}, north)
      const shown = (await world.call(v2.getLoginSettings, {}, north)).settings
      for (const [name, value] of Object.entries(changed)) {
        assert.deepEqual(policy?.[name as keyof typeof changed], value, name)
        assert.deepEqual(shown?.[name as keyof typeof changed], value, name)
      }
      await world.call(admin.updateLoginPolicy, { ...open, forceMfa: true }, boss)
      assert.equal((await login('south')).setUpSkipMs, DAY, 'a lifetime that is not given does not change')
      assert.equal((await login('south')).allowsEmailLogin, true)
      await world.call(
        admin.updateLoginPolicy,
        { ...open, forceMfa: true, mfaInitSkipLifetime: durationFromMs(30 * DAY) },
        boss,
      )
    })

    test('of an organization hold as a whole before those of the instance', async () => {
      const own = {
        ...open,
        allowUsernamePassword: false,
        secondFactors: [SecondFactorType.U2F, SecondFactorType.TOTP, SecondFactorType.OTP],
        forceMfaLocalOnly: true,
      }
      await isRefused(world.call(management.updateCustomLoginPolicy, open, north), 'settings.no_own')
      await world.call(management.addCustomLoginPolicy, own, north)
      await isRefused(world.call(management.addCustomLoginPolicy, own, north), 'settings.exists')
      const found = await login('north')
      assert.equal(found.allowsPassword, false)
      assert.equal(found.requiresSecondFactor, false)
      assert.equal(found.requiresSecondFactorLocalOnly, true)
      assert.deepEqual(found.secondFactors, ['u2f', 'totp'])
      assert.deepEqual(found.multiFactors, [])
      assert.equal(found.sessionLifetimeMs, DAY, 'as on the instance when nothing else is said')
      const shown = await world.call(v2.getLoginSettings, {}, north)
      assert.equal(shown.settings?.resourceOwnerType, ResourceOwnerType.ORG)
      assert.equal(shown.settings.allowLocalAuthentication, false)
      assert.equal(shown.settings.allowUsernamePassword, false)
      assert.equal((await login('south')).requiresSecondFactor, true)
      const { policy } = await world.call(management.getDefaultLoginPolicy, {}, north)
      assert.equal(policy?.allowUsernamePassword, true)
    })

    test('factors of an organization are listed, added and removed', async () => {
      const list = async () => {
        const { result, details } = await world.call(management.listLoginPolicySecondFactors, {}, north)
        assert.equal(details?.totalResult, BigInt(result.length))
        return result
      }
      const email = { type: SecondFactorType.OTP_EMAIL }
      await world.call(management.addSecondFactorToLoginPolicy, email, north)
      assert.deepEqual(await list(), [1, 2, 3])
      await isRefused(world.call(management.addSecondFactorToLoginPolicy, email, north), 'settings.factor_exists')
      await world.call(management.removeSecondFactorFromLoginPolicy, email, north)
      assert.deepEqual(await list(), [1, 2])
      await isRefused(
        world.call(management.removeSecondFactorFromLoginPolicy, email, north),
        'settings.factor_not_found',
      )
      const verified = { type: MultiFactorType.U2F_WITH_VERIFICATION }
      await world.call(management.addMultiFactorToLoginPolicy, verified, north)
      const { result } = await world.call(management.listLoginPolicyMultiFactors, {}, north)
      assert.deepEqual(result, [1])
      await world.call(management.removeMultiFactorFromLoginPolicy, verified, north)
      assert.deepEqual((await login('north')).multiFactors, [])
      const south = { bearer: 'south' }
      await isRefused(world.call(management.addSecondFactorToLoginPolicy, email, south), 'settings.no_own')
    })

    test('of the organization are kept by a change, and gone with a reset', async () => {
      await world.call(management.updateCustomLoginPolicy, open, north)
      assert.deepEqual((await login('north')).secondFactors, ['totp', 'u2f'])
      assert.equal((await login('north')).allowsPassword, true)
      await world.call(management.resetLoginPolicyToDefault, {}, north)
      const { policy, isDefault } = await world.call(management.getLoginPolicy, {}, north)
      assert.equal(isDefault, true)
      assert.equal(policy?.forceMfa, true)
      await world.call(management.resetLoginPolicyToDefault, {}, north)
    })

    test('factors of the instance are listed, added and removed', async () => {
      const type = MultiFactorType.U2F_WITH_VERIFICATION
      await world.call(admin.removeMultiFactorFromLoginPolicy, { type }, boss)
      assert.deepEqual((await world.call(admin.listLoginPolicyMultiFactors, {}, boss)).result, [])
      await world.call(admin.addMultiFactorToLoginPolicy, { type }, boss)
      await world.call(admin.addSecondFactorToLoginPolicy, { type: SecondFactorType.OTP_SMS }, boss)
      assert.deepEqual((await world.call(admin.listLoginPolicySecondFactors, {}, boss)).result, [1, 2, 3, 4, 5])
      assert.deepEqual((await login('south')).multiFactors, ['u2f_with_verification'])
    })

    test('that no user could sign in with, or outside of the limits, are refused by name', async () => {
      const update = (change: object) => world.call(admin.updateLoginPolicy, { ...open, ...change }, boss)
      await isRefused(world.call(admin.updateLoginPolicy, { forceMfa: true }, boss), 'settings.no_way_to_sign_in')
      await isRefused(
        world.call(management.addCustomLoginPolicy, { ...open, forceMfa: true }, north),
        'settings.no_second_factor',
      )
      const elsewhere = { defaultRedirectUri: 'http://app.example.com/' }
      await isRefused(update(elsewhere), 'settings.redirect_uri_invalid', 'defaultRedirectUri')
      const own = { ...open, ...elsewhere }
      await isRefused(
        world.call(management.addCustomLoginPolicy, own, north),
        'settings.redirect_uri_invalid',
        'defaultRedirectUri',
      )
      for (const [name, ms] of [
        ['passwordCheckLifetime', -1],
        ['externalLoginCheckLifetime', -1],
        ['secondFactorCheckLifetime', -1],
        ['multiFactorCheckLifetime', -1],
        ['multiFactorCheckLifetime', 36_501 * DAY],
        ['sessionLifetime', 0],
        ['sessionLifetime', 400 * DAY + 1],
      ] as const) {
        await isRefused(update({ [name]: durationFromMs(ms) }), 'request.invalid', name)
      }
      await isRefused(world.call(admin.addSecondFactorToLoginPolicy, {}, boss), 'request.invalid', 'type')
      await update({ sessionLifetime: { seconds: 0n, nanos: 1 } })
      assert.equal((await login('south')).sessionLifetimeMs, 1)
    })

    test('are changed by those only who may', async () => {
      await isRefused(world.call(admin.updateLoginPolicy, open, north), 'access.forbidden')
      await isRefused(world.call(management.addCustomLoginPolicy, open, viewer), 'access.forbidden')
      await isRefused(
        world.call(management.addSecondFactorToLoginPolicy, { type: SecondFactorType.U2F }, viewer),
        'access.forbidden',
      )
      const ctx = { resourceOwner: { case: 'orgId', value: 'south' } } as const
      await isRefused(world.call(v2.getLoginSettings, { ctx }, north), 'access.forbidden')
    })

    test('are guarded inside a work', async () => {
      let tries = 0
      await world.store.write(world.origin(), async (work) => {
        tries += 1
        await effectiveSettings(world.app, 'south', work)
        if (tries === 1) await world.call(admin.updateLoginPolicy, { ...open, hidePasswordReset: true }, boss)
        await work.decide(settings, 'south', { type: 'set_organization', at: work.origin.at }, 'south')
      })
      assert.equal(tries, 2)
    })
  })
}

test('an authenticator app goes by the name in replies that existing clients look for', () => {
  const json = { secondFactors: ['SECOND_FACTOR_TYPE_OTP'] }
  assert.deepEqual(toJson(LoginPolicySchema, create(LoginPolicySchema, { secondFactors: [1] })), json)
  assert.deepEqual(toJson(LoginSettingsSchema, create(LoginSettingsSchema, { secondFactors: [1] })), json)
})
