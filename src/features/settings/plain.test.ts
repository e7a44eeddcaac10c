import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { engines } from '../../../test/support/engines.ts'
import { given } from '../../../test/support/given.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../test/support/small-world.ts'
import { DEFAULT_PASSWORD_POLICY } from '../../crypto/passwords/index.ts'
import { importSettings } from './carried.ts'
import { settingsDecider } from './decider.ts'
import { settings } from './index.ts'
import { PLAIN_NAMES, type PlainCommand, plainProblems } from './plain.ts'
import { SECTIONS } from './sections.ts'

const URI = 'settings.base_uri_invalid'
const COLORS = { primaryColor: '', backgroundColor: '', warnColor: '', fontColor: '' }
const BRANDING = { light: COLORS, dark: COLORS, hidesLoginNameSuffix: false, disablesWatermark: false, isActive: true }

/** Values that no client can set, member by member. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  lockout: [{ maxPasswordAttempts: -5 }, { maxOtpAttempts: 101 }, { maxOtpAttempts: 1.5 }, { maxOtpAttempts: '3' }],
  passwordComplexity: [{ minLength: 0 }, { minLength: 201 }, { needsNumber: 'no' }],
  passwordExpiry: [{ maxAgeDays: -1 }, { warnDays: 36_501 }],
  login: [{ sessionLifetimeMs: 0 }, { passwordLifetimeMs: -1 }, { secondFactors: ['none'] }, { allowsPassword: 1 }],
  oidc: [{ accessTokenMs: 0 }, { refreshIdleMs: Number.NaN }],
  legal: [{ tosLink: 7 }, { customLinkText: 'x'.repeat(201) }],
  security: [{ embeddingOrigins: 'https://a.example' }, { assertions: { isIssuing: true, partners: [{}] } }],
  notifications: [{ passwordChange: null }],
}

suite('plain sections', () => {
  test('are set, changed, and reset by themselves', () => {
    for (const section of PLAIN_NAMES) {
      const value = SECTIONS[section].builtIn
      const set = { type: 'set', section, manner: 'put', value } as PlainCommand
      const event = { type: `settings.${SECTIONS[section].event}_set.v1`, data: value } as never
      given(settingsDecider).when(set).then(event)
      given(settingsDecider, event).when(set).then()
      assert.deepEqual(given(settingsDecider, event).state[section], value)
    }
  })

  test('take only values that they can have', () => {
    for (const section of PLAIN_NAMES) {
      const { builtIn } = SECTIONS[section]
      assert.deepEqual(plainProblems(section, builtIn), [])
      for (const wrong of [...(WRONG[section] ?? assert.fail(section)), { other: true }]) {
        const value = { ...builtIn, ...(wrong as object) }
        assert.equal(plainProblems(section, value).length, 1, JSON.stringify([section, wrong]))
        const set = { type: 'set', section, manner: 'put', value } as PlainCommand
        given(settingsDecider).when(set).thenRefused('settings.value_invalid')
      }
    }
  })

  test('about passwords begin with the policy that the hashes know', () => {
    const { maxLength, ...policy } = DEFAULT_PASSWORD_POLICY
    assert.deepEqual({ ...SECTIONS.passwordComplexity.builtIn }, policy)
    assert.deepEqual(plainProblems('passwordComplexity', { ...policy, minLength: maxLength }), [])
    assert.equal(plainProblems('passwordComplexity', { ...policy, minLength: maxLength + 1 }).length, 1)
  })

  test('have a form for each member: one without does not compile', () => {
    const { maxOtpAttempts: _, ...others } = SECTIONS.lockout.forms
    // @ts-expect-error: nothing says what the number of one-time codes can be.
    const forms: typeof SECTIONS.lockout.forms = others
    assert.ok(forms)
  })
})

for (const engine of engines) {
  suite(`plain sections on ${engine.name}`, () => {
    let world: SmallWorld
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())
    const arrive = (owner: string, section: string, values: unknown) =>
      world.store.write(world.origin(), (work) => importSettings(world.app, work, owner, { section, values } as never))

    test('that a file brings are checked like what clients send, and the refusal names the member', async () => {
      for (const owner of ['north', world.app.instanceId]) {
        const wrong = { maxPasswordAttempts: -5, maxOtpAttempts: 0 }
        await isRefused(arrive(owner, 'lockout', wrong), 'settings.value_invalid', 'lockout.maxPasswordAttempts')
        await isRefused(arrive(owner, 'passwordComplexity', { minLength: 0 }), 'settings.value_invalid')
        await isRefused(arrive(owner, 'legal', { helpLink: 'javascript:alert(1)' }), 'settings.link_invalid')
        const look = { ...BRANDING, themeMode: 'loud' }
        await isRefused(arrive(owner, 'branding', look), 'settings.value_invalid')
      }
      const { instanceId } = world.app
      await isRefused(arrive(instanceId, 'security', { embeddingOrigins: ['a; b'] }), 'settings.origin_invalid')
      await isRefused(arrive(instanceId, 'security', { documentClientDomains: ['*'] }), 'settings.domain_invalid')
      await isRefused(arrive(instanceId, 'features', { loginV2: { required: true, baseUri: 'javascript:1' } }), URI)
      const { policy } = await world.call(ManagementService.method.getLockoutPolicy, {}, { bearer: 'north' })
      assert.equal(policy?.isDefault, true)
    })

    test('of the instance alone are refused for an organization', async () => {
      await isRefused(arrive('north', 'oidc', { accessTokenMs: 1000 }), 'settings.only_instance')
      await isRefused(arrive('north', 'security', { allowsImpersonation: true }), 'settings.only_instance')
      await isRefused(arrive('north', 'language', { defaultLanguage: 'de' }), 'settings.only_instance')
      await isRefused(arrive('north', 'features', { userSchema: true }), 'settings.only_instance')
      await isRefused(arrive('north', 'messages', { allowedLanguages: ['en'] }), 'settings.only_instance')
      await arrive('north', 'messages', { notifications: { passwordChange: false } })
      const { oidc, defaultLanguage } = (await world.store.get(settings, 'north'))?.state ?? {}
      assert.deepEqual([oidc, defaultLanguage], [undefined, undefined])
    })

    test('that a file brings change what they name, and nothing else', async () => {
      await arrive(world.app.instanceId, 'lockout', { maxPasswordAttempts: 3 })
      const { policy } = await world.call(AdminService.method.getLockoutPolicy, {}, { bearer: 'boss' })
      assert.deepEqual([policy?.maxPasswordAttempts, policy?.maxOtpAttempts], [3n, 0n])
    })
  })
}
