/** Texts that an instance or an organization has changed, on the pages. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type HostedPages, openHostedPages } from '../../test/support/hosted-pages.ts'
import { PAGE_TEXTS } from '../features/settings/index.ts'
import { builtInText } from '../features/settings/page-texts/catalogue.ts'
import { textProblem } from '../features/settings/page-texts/page-texts.ts'
import { LANGUAGE_TAGS } from '../kernel/languages.ts'
import { placesIn } from '../kernel/placeholders.ts'
import { withCustomTexts } from './custom-texts.ts'
import { textsIn } from './language.ts'

test('every text that can be changed is one of the pages, with these placeholders, in every language', () => {
  for (const language of LANGUAGE_TAGS) {
    for (const [key, { places }] of PAGE_TEXTS) {
      const text = builtInText(textsIn(language), key)
      assert.notEqual(text, '', `${language} ${key}`)
      assert.deepEqual(placesIn(text).toSorted(), places.toSorted(), `${language} ${key}`)
      assert.equal(textProblem(key, text), undefined, `${language} ${key}: ${text}`)
    }
  }
})

test('a changed text takes the place of its own, and the others stay', () => {
  const english = textsIn('en')
  const custom = {
    'toApplication.again': '{{.ApplicationName}} wants to know that you are {{.UserName}}',
    'secondFactor.lead.totp': 'Code, please.',
    'nothing.there': 'x',
  }
  const texts = withCustomTexts(english, custom)
  assert.equal(
    texts.toApplication.again({ userName: '{{.ApplicationName}}', applicationName: 'Shop' }),
    'Shop wants to know that you are {{.ApplicationName}}',
  )
  assert.equal(texts.secondFactor.lead.totp, 'Code, please.')
  assert.equal(texts.secondFactor.lead.u2f, english.secondFactor.lead.u2f)
  assert.deepEqual(Object.keys(texts), Object.keys(english))
})

suite('changed texts on the pages', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  test('appear at once, in their language, escaped, and only for their organization', async () => {
    const { call, owner, ask } = world
    const { setPageTexts, resetPageTexts } = SettingsService.method
    const { organizationId } = await call(OrganizationService.method.addOrganization, { name: 'ACME' }, owner)
    const german = { language: 'de', organizationId }
    const texts = [{ key: 'signIn.title', text: 'Willkommen <script>alert(1)</script> & hallo' }]
    await call(setPageTexts, { ...german, texts }, owner)
    await call(setPageTexts, { language: 'en', texts: [{ key: 'signIn.button', text: 'Let me in' }] }, owner)
    const page = async (query: string) => (await ask(`/ui/login?${query}`)).text
    const changed = await page(`organization=${organizationId}&lang=de`)
    assert.match(changed, /<h1[^>]*>Willkommen &lt;script>alert\(1\)&lt;\/script> &amp; hallo<\/h1>/)
    assert.doesNotMatch(changed, /<script>alert/)
    assert.doesNotMatch(await page('lang=de'), /Willkommen/)
    assert.match(await page(`organization=${organizationId}&lang=en`), /Let me in/)
    assert.match(await page('lang=en'), /Let me in/)
    await call(resetPageTexts, german, owner)
    assert.match(await page(`organization=${organizationId}&lang=de`), /<h1[^>]*>Anmelden<\/h1>/)
    assert.deepEqual(world.faults, [])
  })
})
