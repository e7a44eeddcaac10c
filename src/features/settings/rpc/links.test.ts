/** The links on login pages as a list: another form of the legal and support links. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { ProjectService } from '../../../../contract/gen/signet/project/v2/project_service_pb.ts'
import { LinkType, Source } from '../../../../contract/gen/signet/settings/v2/link_settings_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { engines } from '../../../../test/support/engines.ts'
import { isRefused, openSmallWorld, type SmallWorld } from '../../../../test/support/small-world.ts'

const api = SettingsService.method
const instance = { resourceOwner: { case: 'instance', value: true } } as const
const ofNorth = { resourceOwner: { case: 'orgId', value: 'north' } } as const
const HELP = { type: LinkType.HELP, url: 'https://help.example' }
const SUPPORT = { type: LinkType.SUPPORT, url: 'mailto:help@example.com' }
const CUSTOM = { type: LinkType.CUSTOM, url: 'https://status.example', translationKey: 'Status' }

for (const engine of engines) {
  suite(`links as a list on ${engine.name}`, () => {
    let world: SmallWorld
    const [boss, north, south] = [{ bearer: 'boss' }, { bearer: 'north' }, { bearer: 'south' }]
    const call: SmallWorld['call'] = (method, request, as = north) => world.call(method, request, as)
    before(async () => {
      world = await openSmallWorld(engine)
    })
    after(() => world.dispose())

    const shown = (links: readonly { type: LinkType; url: string }[] = []) => links.map(({ type, url }) => [type, url])
    const read = (as = north) => call(api.getLinkSettings, { ctx: ofNorth }, as)

    test('come from the legal settings of the organization, or else of the instance', async () => {
      assert.equal((await read()).source, Source.SYSTEM)
      await call(api.setLinkSettings, { ctx: instance, links: [HELP, SUPPORT, CUSTOM] }, boss)
      const inherited = await read()
      assert.deepEqual(shown(inherited.settings?.links), shown([HELP, SUPPORT, CUSTOM]))
      assert.equal(inherited.settings?.links.at(-1)?.translationKey, 'Status')
      assert.equal(inherited.source, Source.INSTANCE)
      const { policy } = await call(ManagementService.method.getPrivacyPolicy, {})
      assert.deepEqual(
        [policy?.helpLink, policy?.supportEmail, policy?.customLink, policy?.customLinkText],
        [HELP.url, 'help@example.com', CUSTOM.url, 'Status'],
      )
      const { settings } = await call(api.setLinkSettings, { ctx: ofNorth, links: [SUPPORT] })
      assert.deepEqual(shown(settings?.links), shown([SUPPORT]))
      assert.equal((await read()).source, Source.ORGANIZATION)
      const reset = await call(api.resetLinkSettings, { ctx: ofNorth })
      assert.equal(reset.settings?.links.length, 3)
    })

    test('that pages cannot show are refused by their place', async () => {
      const set = (...links: object[]) => call(api.setLinkSettings, { ctx: ofNorth, links: links as never })
      await isRefused(set(HELP, { ...HELP, url: 'https://b.example' }), 'settings.link_unsupported', 'links[1].type')
      await isRefused(set({ ...SUPPORT, url: 'https://b.example' }), 'settings.link_unsupported', 'links[0].url')
      await isRefused(set({ ...HELP, translationKey: 'x' }), 'settings.link_unsupported', 'links[0].translationKey')
      await isRefused(set({ ...HELP, url: 'javascript:alert(1)' }), 'settings.link_invalid')
      await isRefused(set({ ...SUPPORT, url: 'mailto:x' }), 'settings.support_email_invalid')
    })

    test('that apply to a project or an application come from its organization', async () => {
      await call(api.setLinkSettings, { ctx: ofNorth, links: [CUSTOM] })
      const { projectId } = await call(ProjectService.method.createProject, { organizationId: 'north', name: 'Shop' })
      const { appId: applicationId } = await call(ManagementService.method.addAPIApp, { projectId, name: 'API' })
      for (const asked of [{ organizationId: 'north' }, { projectId }, { applicationId }, {}]) {
        assert.deepEqual(shown((await call(api.getEffectiveSettings, asked)).links?.links), shown([CUSTOM]))
        if (Object.keys(asked).length > 0)
          await isRefused(call(api.getEffectiveSettings, asked, south), 'access.forbidden')
      }
      await call(api.resetLinkSettings, { ctx: ofNorth })
    })

    test('are set by those who may set policies there', async () => {
      const links = [HELP]
      await isRefused(call(api.setLinkSettings, { ctx: ofNorth, links }, south), 'access.forbidden')
      await isRefused(call(api.setLinkSettings, { ctx: instance, links }, north), 'access.forbidden')
      await isRefused(call(api.resetLinkSettings, { ctx: instance }, north), 'access.forbidden')
      await isRefused(call(api.setLinkSettings, { ctx: ofNorth, links }, { bearer: 'viewer' }), 'access.forbidden')
    })
  })
}
