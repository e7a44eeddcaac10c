import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { ResourceOwnerType } from '../../../../contract/gen/signet/settings/v2/settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { type PasswordWorld, withPasswords } from '../../../../test/support/parts/passwords.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { instant } from '../../../kernel/instant.ts'
import { LANGUAGE_TAGS } from '../../../kernel/languages.ts'
import { removeSettingsOf } from '../handlers/change-settings.ts'
import { effectiveSettings, settings } from '../index.ts'

const admin = AdminService.method
const management = ManagementService.method
const v2 = SettingsService.method
const boss = { bearer: 'boss' }
const north = { bearer: 'north' }

for (const engine of engines) {
  suite(`settings on ${engine.name}`, () => {
    let world: PasswordWorld
    before(async () => {
      world = await openWorld({ engine }, withPasswords())
    })
    after(() => world.dispose())

    test('start with the built-in rules', async () => {
      const { policy } = await world.call(management.getPasswordComplexityPolicy, {}, north)
      assert.equal(policy?.minLength, 8n)
      assert.equal(policy.hasSymbol, false)
      assert.equal(policy.isDefault, true)
      assert.equal(policy.details?.resourceOwner, 'instance')
      const lockout = await world.call(v2.getLockoutSettings, {}, north)
      assert.equal(lockout.settings?.maxPasswordAttempts, 0n)
      const effective = await effectiveSettings(world.app, 'north')
      assert.equal(effective.maxPasswordAttempts, 100)
      assert.equal(effective.maxOtpAttempts, 100)
    })

    test('hold from the organization before the instance before the built-in', async () => {
      const rules = { minLength: 10, hasNumber: true }
      await world.call(admin.updatePasswordComplexityPolicy, rules, boss)
      await world.call(management.addCustomPasswordComplexityPolicy, { minLength: 14 }, north)
      const own = await world.call(v2.getPasswordComplexitySettings, {}, north)
      assert.equal(own.settings?.minLength, 14n)
      assert.equal(own.settings.requiresNumber, false)
      assert.equal(own.settings.resourceOwnerType, ResourceOwnerType.ORG)
      assert.equal(own.details?.resourceOwner, 'north')
      const ctx = { resourceOwner: { case: 'orgId', value: 'south' } } as const
      const other = await world.call(v2.getPasswordComplexitySettings, { ctx }, boss)
      assert.equal(other.settings?.minLength, 10n)
      assert.equal(other.settings.resourceOwnerType, ResourceOwnerType.INSTANCE)
      await world.call(management.resetPasswordComplexityPolicyToDefault, {}, north)
      const { policy, isDefault } = await world.call(management.getPasswordComplexityPolicy, {}, north)
      assert.equal(policy?.minLength, 10n)
      assert.equal(isDefault, true)
    })

    test('are guarded inside a work', async () => {
      let tries = 0
      await world.store.write(world.origin(), async (work) => {
        tries += 1
        await effectiveSettings(world.app, 'south', work)
        if (tries === 1) await world.call(admin.updateLockoutPolicy, { maxPasswordAttempts: 7 }, boss)
        await work.decide(settings, 'south', { type: 'set_organization', at: work.origin.at }, 'south')
      })
      assert.equal(tries, 2)
      const { policy } = await world.call(admin.getLockoutPolicy, {}, boss)
      assert.equal(policy?.maxPasswordAttempts, 7n)
    })

    test('of another organization, or of none, are not shown', async () => {
      const of = (value: string) => ({ ctx: { resourceOwner: { case: 'orgId', value } } as const })
      await isRefused(world.call(v2.getLockoutSettings, of('south'), north), 'access.forbidden')
      await isRefused(world.call(v2.getLockoutSettings, of('nowhere'), boss), 'organization.not_found')
      const instance = { ctx: { resourceOwner: { case: 'instance', value: true } } as const }
      await isRefused(world.call(v2.getLockoutSettings, instance, north), 'access.forbidden')
    })

    test('are changed by those only who may', async () => {
      const rules = { minLength: 9 }
      await isRefused(world.call(admin.updatePasswordComplexityPolicy, rules, north), 'access.forbidden')
      const viewer = { bearer: 'viewer' }
      await isRefused(world.call(management.addCustomPasswordComplexityPolicy, rules, viewer), 'access.forbidden')
      const scope = { organizationId: 'north', organizationScopedUsernames: true }
      await isRefused(world.call(v2.setOrganizationSettings, scope, north), 'access.forbidden')
    })

    test('the default language is one that is supported', async () => {
      const { languages } = await world.call(admin.getSupportedLanguages, {}, north)
      assert.deepEqual(languages, [...LANGUAGE_TAGS])
      await isRefused(
        world.call(admin.setDefaultLanguage, { language: 'sv' }, boss),
        'settings.language_unsupported',
        'language',
      )
      await world.call(admin.setDefaultLanguage, { language: 'fr' }, boss)
      assert.equal((await world.call(admin.getDefaultLanguage, {}, boss)).language, 'fr')
      const general = await world.call(v2.getGeneralSettings, {}, north)
      assert.equal(general.defaultLanguage, 'fr')
      assert.equal(general.defaultOrgId, 'north')
    })

    test('of organizations are listed for those who may see them, by every filter', async () => {
      world.clock.now = instant(world.clock.now + 1000)
      await world.call(v2.setOrganizationSettings, { organizationId: 'north', organizationScopedUsernames: true }, boss)
      assert.equal((await effectiveSettings(world.app, 'north')).userNameScope, 'organization')
      const list = async (filters: readonly object[], bearer: string) => {
        const request = { filters: [...filters], pagination: { asc: true } }
        const { organizationSettings, pagination } = await world.call(v2.listOrganizationSettings, request, { bearer })
        assert.equal(pagination?.totalResult, BigInt(organizationSettings.length))
        return organizationSettings.map(({ organizationId }) => organizationId)
      }
      const scoped = (organizationScopedUsernames: boolean) => ({
        filter: { case: 'organizationScopedUsernamesFilter', value: { organizationScopedUsernames } },
      })
      assert.deepEqual(await list([], 'boss'), ['south', 'north'])
      assert.deepEqual(await list([scoped(true)], 'boss'), ['north'])
      assert.deepEqual(await list([scoped(false)], 'boss'), ['south'])
      assert.deepEqual(
        await list([{ filter: { case: 'inOrganizationIdsFilter', value: { ids: ['north'] } } }], 'boss'),
        ['north'],
      )
      assert.deepEqual(await list([], 'south'), ['south'])
    })

    test('of an organization end with a delete, and again without complaint', async () => {
      const first = await world.call(v2.deleteOrganizationSettings, { organizationId: 'north' }, boss)
      assert.ok(first.deletionDate)
      const second = await world.call(v2.deleteOrganizationSettings, { organizationId: 'north' }, boss)
      assert.ok(second.deletionDate, 'a retry succeeds with a date')
      await isRefused(
        world.call(v2.setOrganizationSettings, { organizationId: 'nowhere' }, boss),
        'organization.not_found',
      )
    })

    test('about security are the instance’s, off until they are set, and replaced as a whole', async () => {
      const read = async () => (await world.call(v2.getSecuritySettings, {}, boss)).settings
      assert.equal((await read())?.embeddedIframe?.enabled, false)
      const embeddedIframe = { enabled: true, allowedOrigins: ['https://app.example.com'] }
      const { details } = await world.call(v2.setSecuritySettings, { embeddedIframe, enableImpersonation: true }, boss)
      const reply = await world.call(v2.getSecuritySettings, {}, boss)
      assert.equal(reply.details?.sequence, details?.sequence)
      assert.deepEqual(reply.settings?.embeddedIframe?.allowedOrigins, ['https://app.example.com'])
      assert.equal(reply.settings.enableImpersonation, true)
      await world.call(v2.setSecuritySettings, {}, boss)
      assert.equal((await read())?.enableImpersonation, false)
      await isRefused(world.call(v2.setSecuritySettings, {}, { bearer: 'north' }), 'access.forbidden')
      for (const origin of ['*', 'https://a.example; script-src *', "'self'", 'https://a.example/path', 'a b']) {
        const allowedOrigins = ['https://app.example.com', origin]
        await isRefused(
          world.call(v2.setSecuritySettings, { embeddedIframe: { enabled: true, allowedOrigins } }, boss),
          'settings.origin_invalid',
          'embeddedIframe.allowedOrigins[1]',
        )
      }
    })

    test('go with their organization', async () => {
      assert.equal(await removeSettingsOf(world.app, 'south', world.origin()), 1)
      assert.equal(await removeSettingsOf(world.app, 'south', world.origin()), 0)
      assert.equal(await world.store.get(settings, 'south'), undefined)
    })
  })
}
