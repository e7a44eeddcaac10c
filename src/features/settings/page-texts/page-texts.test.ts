/** Texts of the hosted pages: who changes them, what is refused, and what goes with an organization. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { afterwards } from '../../../../test/support/afterwards.ts'
import { engines } from '../../../../test/support/engines.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { customTexts, pageTexts, resetPageTextsOf } from './page-texts.ts'

const { getPageTexts, setPageTexts, resetPageTexts } = SettingsService.method

for (const engine of engines) {
  suite(`texts of the hosted pages on ${engine.name}`, () => {
    const open = async (t: TestContext) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      const { addOrganization } = OrganizationService.method
      const { organizationId } = await world.call(addOrganization, { name: 'ACME' }, world.owner)
      const { request } = await world.addMachine({ organizationId, organizationRoles: ['ORG_OWNER'] })
      const here = { language: 'en', organizationId }
      const set = (place: object, texts: Readonly<Record<string, string>>, by = world.owner) => {
        const list = Object.entries(texts).map(([key, text]) => ({ key, text }))
        return world.call(setPageTexts, { language: 'en', ...place, texts: list }, by)
      }
      return { ...world, organizationId, orgOwner: request, here, set }
    }

    test('those of the organization count before those of the instance, and are reset at once', async (t) => {
      const { call, app, set, here, owner, orgOwner, organizationId } = await open(t)
      await set({}, { 'signIn.title': 'Hello', 'signIn.button': 'Go' })
      await set(here, { 'signIn.title': ' Welcome to ACME ' }, orgOwner)
      const owners = { organizationId, ownOrganizationId: undefined }
      assert.deepEqual(await customTexts(app, owners, 'en'), {
        'signIn.title': 'Welcome to ACME',
        'signIn.button': 'Go',
      })
      assert.deepEqual(await customTexts(app, owners, 'de'), {})
      const { texts, inherited } = await call(getPageTexts, here, orgOwner)
      assert.deepEqual(
        [texts, inherited].map((list) => list.map(({ key, text }) => [key, text])),
        [
          [['signIn.title', 'Welcome to ACME']],
          [
            ['signIn.title', 'Hello'],
            ['signIn.button', 'Go'],
          ],
        ],
      )
      await call(resetPageTexts, here, orgOwner)
      await isRefused(call(resetPageTexts, here, orgOwner), 'settings.texts_not_set')
      assert.deepEqual(await customTexts(app, owners, 'en'), { 'signIn.title': 'Hello', 'signIn.button': 'Go' })
      await call(resetPageTexts, { language: 'en' }, owner)
      assert.deepEqual(await customTexts(app, owners, 'en'), {})
    })

    test('what names the buttons of consent comes from the organization of the user alone', async (t) => {
      const { app, set, here, organizationId, defaultOrganizationId } = await open(t)
      await set({}, { 'consent.deny': 'No' })
      await set(here, { 'consent.allow': 'Close', 'consent.deny': 'Close', 'signIn.title': 'ACME' })
      const shown = { organizationId, ownOrganizationId: defaultOrganizationId }
      assert.deepEqual(await customTexts(app, shown, 'en'), { 'consent.deny': 'No', 'signIn.title': 'ACME' })
      const own = { organizationId: undefined, ownOrganizationId: organizationId }
      assert.deepEqual(await customTexts(app, own, 'en'), { 'consent.allow': 'Close', 'consent.deny': 'Close' })
      assert.deepEqual(await customTexts(app, { ...shown, ownOrganizationId: undefined }, 'en'), {
        'consent.deny': 'No',
        'signIn.title': 'ACME',
      })
    })

    test('keep their placeholders, are one line, and have a key that a page knows', async (t) => {
      const { call, set, here, orgOwner } = await open(t)
      const refuse = (texts: Readonly<Record<string, string>>, ...fields: string[]) =>
        isRefused(set(here, texts, orgOwner), 'settings.texts_invalid', ...fields)
      await refuse({ 'toApplication.signIn': 'Sign in.' }, 'texts[0].text')
      await refuse({ 'signIn.title': 'Hi {{.UserName}}' }, 'texts[0].text')
      await refuse({ 'toApplication.signIn': '{{.ApplicationName}} {{.Password}}' }, 'texts[0].text')
      await refuse({ 'signIn.title': 'a\nb', 'signIn.button': '   ' }, 'texts[0].text', 'texts[1].text')
      await refuse({ 'signIn.title': 'a\u202eb' }, 'texts[0].text')
      await refuse({ 'scopes.openid': 'Nothing', __proto__x: 'x' }, 'texts[0].key', 'texts[1].key')
      const twice = [
        { key: 'signIn.title', text: 'a' },
        { key: 'signIn.title', text: 'b' },
      ]
      await isRefused(call(setPageTexts, { ...here, texts: twice }, orgOwner), 'settings.texts_invalid', 'texts[1].key')
      await isRefused(set(here, { 'signIn.title': 'x'.repeat(501) }, orgOwner), 'request.invalid', 'texts[0].text')
      await isRefused(set({ ...here, language: 'sv' }, { 'signIn.title': 'x' }), 'settings.language_unsupported')
      await set(here, { 'toApplication.signIn': 'On to {{.ApplicationName}} <b>' }, orgOwner)
    })

    test('belong to the organization, or to those who run the instance', async (t) => {
      const { call, set, here, orgOwner, addMachine } = await open(t)
      const elsewhere = (await addMachine({ organizationRoles: ['ORG_OWNER'] })).request
      const text = { 'signIn.title': 'x' }
      await isRefused(set(here, text, elsewhere), 'access.forbidden')
      await isRefused(call(getPageTexts, here, elsewhere), 'access.forbidden')
      await isRefused(set({}, text, orgOwner), 'access.forbidden')
      await isRefused(call(resetPageTexts, { language: 'en' }, orgOwner), 'access.forbidden')
      await isRefused(set({ organizationId: 'nowhere' }, text), 'organization.not_found')
    })

    test('go with their organization', async (t) => {
      const { set, store, app, origin, here, organizationId } = await open(t)
      for (const language of ['en', 'de', 'fr']) await set({ ...here, language }, { 'signIn.title': 'x' })
      const reset = () => resetPageTextsOf(app, organizationId, origin(), 2)
      assert.deepEqual([await reset(), await reset(), await reset()], [2, 1, 0])
      const where = { field: 'status', equals: 'set' } as const
      assert.equal((await store.find(pageTexts, { where, limit: 1 })).total, 0)
    })
  })
}
