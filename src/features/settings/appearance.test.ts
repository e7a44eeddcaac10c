/** What login pages show: set on the instance, overridden by organizations. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ThemeMode as ThemeModeV1 } from '../../../contract/gen/signet/policy/v1/appearance_pb.ts'
import { ThemeMode } from '../../../contract/gen/signet/settings/v2/appearance_pb.ts'
import { ResourceOwnerType } from '../../../contract/gen/signet/settings/v2/settings_pb.ts'
import { SettingsService } from '../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'
import { loginTranslations, mergeTexts } from './translations.ts'

const admin = AdminService.method
const management = ManagementService.method
const api = SettingsService.method

test('texts are merged group by group, and no name reaches the prototype', () => {
  const below = { common: { back: 'Back', next: 'Next' }, title: 'Sign in' }
  const above = JSON.parse('{"common":{"back":"Return"},"title":{"a":"b"},"__proto__":{"polluted":true}}')
  const merged = mergeTexts(below, above)
  assert.deepEqual(merged.common, { back: 'Return', next: 'Next' })
  assert.deepEqual(merged.title, { a: 'b' })
  assert.equal(Object.hasOwn(merged, '__proto__'), true)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

for (const engine of engines) {
  suite(`settings of login pages on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const { owner, call, defaultOrganizationId } = world
      const ctx = { resourceOwner: { case: 'orgId', value: defaultOrganizationId } } as const
      return { ...world, owner, call, ctx, level: { case: 'organizationId', value: defaultOrganizationId } as const }
    }

    test('a look applies after its activation; that of an organization replaces that of the instance', async (t) => {
      const { call, owner, ctx } = await open(t)
      const look = async () => (await call(api.getBrandingSettings, { ctx }, owner)).settings
      assert.equal((await look())?.lightTheme?.primaryColor, '')
      const message = { primaryColor: '#112233', fontColorDark: '#fff', themeMode: ThemeModeV1.DARK }
      await call(admin.updateLabelPolicy, message, owner)
      assert.equal((await look())?.lightTheme?.primaryColor, '')
      assert.equal((await call(admin.getPreviewLabelPolicy, {}, owner)).policy?.primaryColor, '#112233')
      await call(admin.activateLabelPolicy, {}, owner)
      const active = await look()
      assert.deepEqual([active?.lightTheme?.primaryColor, active?.darkTheme?.fontColor], ['#112233', '#fff'])
      assert.deepEqual([active?.themeMode, active?.resourceOwnerType], [ThemeMode.DARK, ResourceOwnerType.INSTANCE])

      await isRefused(call(management.activateCustomLabelPolicy, {}, owner), 'settings.no_own')
      await call(management.addCustomLabelPolicy, { primaryColor: '#abcdef' }, owner)
      await isRefused(call(management.addCustomLabelPolicy, {}, owner), 'settings.exists')
      await call(management.activateCustomLabelPolicy, {}, owner)
      const own = await look()
      assert.deepEqual([own?.lightTheme?.primaryColor, own?.resourceOwnerType], ['#abcdef', ResourceOwnerType.ORG])
      await call(management.resetLabelPolicyToDefault, {}, owner)
      assert.equal((await look())?.lightTheme?.primaryColor, '#112233')
      for (const primaryColor of ['red; background: url(x)', '#12', 'blue']) {
        await isRefused(call(admin.updateLabelPolicy, { primaryColor }, owner), 'settings.color_invalid')
      }
    })

    test('links are those of the organization, else those of the instance', async (t) => {
      const { call, owner, ctx } = await open(t)
      const links = async () => (await call(api.getLegalAndSupportSettings, { ctx }, owner)).settings
      await call(admin.updatePrivacyPolicy, { privacyLink: 'https://example.com/{{.Lang}}/privacy' }, owner)
      assert.equal((await links())?.privacyPolicyLink, 'https://example.com/{{.Lang}}/privacy')
      await call(
        management.addCustomPrivacyPolicy,
        { tosLink: 'https://o.example', supportEmail: 'a@o.example' },
        owner,
      )
      const own = await links()
      assert.deepEqual(
        [own?.tosLink, own?.supportEmail, own?.privacyPolicyLink],
        ['https://o.example', 'a@o.example', ''],
      )
      assert.equal((await call(management.getPrivacyPolicy, {}, owner)).isDefault, false)
      await call(management.resetPrivacyPolicyToDefault, {}, owner)
      assert.equal((await call(management.getPrivacyPolicy, {}, owner)).isDefault, true)
      const bad = { helpLink: 'javascript:alert(1)' }
      await isRefused(call(admin.updatePrivacyPolicy, bad, owner), 'settings.link_invalid')
      const noAddress = { supportEmail: 'nobody' }
      await isRefused(call(admin.updatePrivacyPolicy, noAddress, owner), 'settings.support_email_invalid')
    })

    test('texts of a login app are inherited from the instance and from the language', async (t) => {
      const { call, owner, level, instanceId, defaultOrganizationId, store } = await open(t)
      const instance = { case: 'instance', value: true } as const
      const set = (at: typeof level | typeof instance, locale: string, translations: object) =>
        call(api.setHostedLoginTranslation, { level: at, locale, translations: translations as never }, owner)
      const get = (locale: string, ignoreInheritance = false) =>
        call(api.getHostedLoginTranslation, { level, locale, ignoreInheritance }, owner)
      const { etag } = await set(instance, 'de', { common: { back: 'Zurück', next: 'Weiter' } })
      assert.match(etag, /^[0-9a-f]{32}$/)
      await set(level, 'de-ch', { common: { next: 'Wiiter' } })
      assert.deepEqual((await get('de-CH')).translations, { common: { back: 'Zurück', next: 'Wiiter' } })
      assert.deepEqual((await get('de')).translations, { common: { back: 'Zurück', next: 'Weiter' } })
      assert.deepEqual((await get('de-CH', true)).translations, { common: { next: 'Wiiter' } })
      assert.deepEqual((await get('fr')).translations, {})
      assert.equal((await get('de')).etag, etag)
      await isRefused(get('not a locale'), 'settings.locale_invalid', 'locale')
      const elsewhere = { level: { case: 'organizationId', value: 'nowhere' }, locale: 'de', translations: {} } as const
      await isRefused(call(api.setHostedLoginTranslation, elsewhere, owner), 'organization.not_found')
      assert.ok(await store.get(loginTranslations, `${instanceId} de`))
      assert.ok(await store.get(loginTranslations, `${defaultOrganizationId} de-CH`))
    })

    test('the texts of a removed organization are removed', async (t) => {
      const world = await open(t)
      const { call, owner, store } = world
      const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'Short' }, owner)
      const level = { case: 'organizationId', value: organizationId } as const
      for (const locale of ['de', 'en']) {
        await call(api.setHostedLoginTranslation, { level, locale, translations: { a: locale } }, owner)
      }
      await call(OrganizationService.method.deleteOrganization, { organizationId }, owner)
      await world.runJobs()
      const where = { field: 'owner', equals: organizationId } as const
      assert.equal((await store.find(loginTranslations, { where, limit: 10 })).total, 0)
    })
  })
}
