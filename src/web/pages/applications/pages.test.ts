/** The pages between an application and its tokens: sign-in, choice of an account, consent, and errors. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { InternalPermissionService } from '../../../../contract/gen/signet/internal_permission/v2/internal_permission_service_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../../../contract/gen/signet/org/v2/org_service_pb.ts'
import { assertSays, authorizationUrl, isBack, signedIn, told } from '../../../../test/support/openid-pages.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
} from '../../../../test/support/openid-world.ts'
import { applications } from '../../../features/applications/index.ts'
import { consents } from '../../../features/grants/index.ts'
import { apiProjectId } from '../../../features/instances/index.ts'
import { textsIn } from '../../language.ts'

const [de, en, fr] = [textsIn('de'), textsIn('en'), textsIn('fr')]

type Fields = Readonly<Record<string, string>>

suite('the pages between an application and its tokens', () => {
  let world: OpenIdWorld
  let application: Application
  let thirdParty: Application
  let name: string

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    await world.addPerson('grace')
    application = await world.addApplication()
    thirdParty = await world.addApplication({ thirdParty: true, grantTypes: [0, 2] })
    await rename(application, 'Notes <b>&amp;')
    name = 'Notes <b>&amp;'
  })
  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const rename = (one: Application, text: string) =>
    world.store.write(world.origin(), (work) => work.decide(applications, one.id, { type: 'change', name: text }))
  const requestOf = (one: Application, more: Fields = {}) => authorizationUrl(world, one, more)

  test('the sign-in page names the application, as text, in three languages, also after a mistake', async () => {
    const browser = world.browser()
    for (const [language, texts] of [
      ['en', en],
      ['de', de],
      ['fr', fr],
    ] as const) {
      const page = await browser.open(requestOf(application, { ui_locales: language, login_hint: '"><b>hint' }))
      assertSays(page, texts.toApplication.signIn({ applicationName: name }))
      assert.match(page.text, /Notes &lt;b>&amp;amp;/)
      assert.match(page.text, /value="&quot;>&lt;b>hint"/)
    }
    const page = await browser.open(requestOf(application))
    const wrong = await browser.send(page, { userName: 'ada', password: 'wrong' }, '/ui/login')
    assert.equal(wrong.status, 422)
    assertSays(wrong, en.toApplication.signIn({ applicationName: name }))
    isBack(await world.signIn(browser, wrong, 'ada'))
    const strange = await browser.open(`${world.url}/ui/login?other=yes&authRequest=unknown`)
    assert.equal(strange.status, 200)
  })

  test('signing in again says why, and another account can be used', async () => {
    const browser = await signedIn(world)
    const page = await browser.open(requestOf(application, { prompt: 'login' }))
    assertSays(page, en.toApplication.again({ userName: 'ada', applicationName: name }), en.toApplication.other)
    const other =
      /href="([^"]*other=yes[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no link')
    const form = await browser.open(new URL(other, world.url).href)
    assertSays(form, en.toApplication.signIn({ applicationName: name }))
    isBack(await world.signIn(browser, form, 'grace'))
    assertSays(await browser.open(`${world.url}/ui/account`), 'grace@example.com')
    // A hint to another user asks for that user, and does not run in circles.
    const hinted = await browser.open(requestOf(application, { prompt: 'login', login_hint: 'ada' }))
    assert.match(hinted.text, /name="userName"[^>]*value="ada"/)
    isBack(await world.signIn(browser, hinted, 'ada'))
  })

  test('an account is chosen once for a request', async () => {
    const browser = await signedIn(world)
    const page = await browser.open(requestOf(application, { prompt: 'select_account' }))
    assertSays(
      page,
      en.accounts.lead({ applicationName: name }),
      en.accounts.goOn({ name: 'ada Person' }),
      en.toApplication.other,
    )
    const german = await browser.open(`${page.url}&lang=de`)
    assertSays(german, de.accounts.title)
    // Another user has signed in since: they see the question themselves.
    const stale = await browser.send(page, { session: 'another' }, '/ui/login/accounts')
    assertSays(stale, en.accounts.title)
    isBack(await browser.send(page, {}, '/ui/login/accounts'))
    const late = await browser.send(page, {}, '/ui/login/accounts')
    assert.equal(late.status, 400)
    assertSays(late, en.requestFailed.expired)
  })

  test('a user without a session who chooses an account only signs in', async () => {
    const browser = world.browser()
    const page = await browser.open(requestOf(application, { prompt: 'select_account' }))
    isBack(await world.signIn(browser, page, 'ada'))
  })

  test('an application of others needs consent once, for the scopes that it asks for', async () => {
    const browser = await signedIn(world)
    const page = await browser.open(requestOf(thirdParty))
    assert.equal(new URL(page.url).pathname, '/ui/consent')
    assertSays(page, en.scopes.openid, en.scopes.profile, en.consent.allow, en.consent.deny)
    assert.ok(!told(page).includes(en.scopes.email))
    isBack(await browser.send(page, { do: 'allow' }, '/ui/consent'))
    isBack(await browser.open(requestOf(thirdParty)))
    const more = await browser.open(
      requestOf(thirdParty, { scope: 'openid email offline_access urn:zitadel:iam:org:project:id:zitadel:aud' }),
    )
    assertSays(more, en.scopes.email, en.scopes.offline_access, en.scopes.api)
    isBack(await browser.send(more, { do: 'allow' }, '/ui/consent'))
    // prompt=consent asks again, also for one's own applications.
    const again = await browser.open(requestOf(application, { prompt: 'consent' }))
    assertSays(again, en.consent.title({ applicationName: name }))
    isBack(await browser.send(again, { do: 'allow' }, '/ui/consent'))
  })

  test('our own API is named as such, also by the ID of its project', async () => {
    await world.addPerson('reader')
    const browser = await signedIn(world, 'reader')
    const id = await apiProjectId(world.app)
    const page = await browser.open(requestOf(thirdParty, { scope: `openid urn:zitadel:iam:org:project:id:${id}:aud` }))
    assertSays(page, en.scopes.api)
    assert.ok(!told(page).includes(en.scopes.projects))
  })

  test('a device is connected to an application that was allowed in a browser before', async () => {
    await world.addPerson('viewer')
    const both = await world.addApplication({ thirdParty: true, grantTypes: [0, 3], authMethodType: 2 })
    const browser = await signedIn(world, 'viewer')
    isBack(await browser.send(await browser.open(requestOf(both)), { do: 'allow' }, '/ui/consent'))
    const asked = new URLSearchParams({ client_id: both.clientId, scope: 'openid profile' })
    const started = await fetch(`${world.url}/oauth/v2/device_authorization`, { method: 'POST', body: asked })
    const { user_code, verification_uri } = (await started.json()) as Record<string, string>
    const page = await browser.open(String(verification_uri))
    const question = await browser.send(page, { user_code: String(user_code) }, '/device')
    assertSays(await browser.send(question, { do: 'allow' }, '/device'), en.device.allowed)
  })

  test('a denied request goes back to the application with access_denied, and is over', async () => {
    await world.addPerson('denier')
    const browser = await signedIn(world, 'denier')
    const page = await browser.open(requestOf(thirdParty))
    isBack(await browser.send(page, { do: 'deny' }, '/ui/consent'), 'access_denied')
    const late = await browser.send(page, { do: 'allow' }, '/ui/consent')
    assert.equal(late.status, 400)
    assert.equal(new URL((await browser.open(requestOf(thirdParty))).url).pathname, '/ui/consent')
  })

  test('who does not want to sign in goes back to the application with access_denied', async () => {
    const browser = world.browser()
    const page = await browser.open(requestOf(application))
    assertSays(page, en.toApplication.cancel)
    isBack(await browser.send(page, {}, '/ui/login/cancel'), 'access_denied')
    const late = await browser.send(page, {}, '/ui/login/cancel')
    assert.equal(late.status, 400)
    assertSays(late, en.requestFailed.expired)
    // Also after a mistake, and for somebody who is signed in and asked again, or asked for an account.
    const mistaken = await browser.send(
      await browser.open(requestOf(application)),
      { userName: 'ada', password: 'wrong' },
      '/ui/login',
    )
    isBack(await browser.send(mistaken, {}, '/ui/login/cancel'), 'access_denied')
    const known = await signedIn(world)
    const again = await known.open(requestOf(application, { prompt: 'login' }))
    isBack(await known.send(again, {}, '/ui/login/cancel'), 'access_denied')
    const accounts = await known.open(requestOf(application, { prompt: 'select_account' }))
    isBack(await known.send(accounts, { do: 'cancel' }, '/ui/login/accounts'), 'access_denied')
    isBack(await known.open(requestOf(application)))
  })

  test('a request is cancelled by the browser that came with it alone, and there is nothing to cancel without one', async () => {
    const browser = world.browser()
    const page = await browser.open(requestOf(application))
    const authRequest = new URL(page.url).searchParams.get('authRequest') ?? ''
    const cancel = (headers: Fields) =>
      fetch(`${world.url}/ui/login/cancel`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams({ authRequest }),
      })
    assert.equal((await cancel({ 'sec-fetch-site': 'cross-site' })).status, 403)
    const stranger = await cancel({})
    assert.match(stranger.headers.get('location') ?? '', /\/ui\/login\/continue/)
    isBack(await world.signIn(browser, page, 'ada'))
    const alone = await world.browser().open(`${world.url}/ui/login`)
    assert.ok(!alone.text.includes('/ui/login/cancel'))
    const other = await world.browser().open(`${world.url}/ui/login?authRequest=${authRequest}`)
    assert.ok(!other.text.includes('/ui/login/cancel'))
  })

  test('consent cannot be forged: by another site, for another session, or to another request', async () => {
    const userId = await world.addPerson('victim')
    const browser = await signedIn(world, 'victim')
    const page = await browser.open(requestOf(thirdParty))
    const hasConsent = async () =>
      (await world.store.get(consents, `${userId} ${thirdParty.clientId}`))?.state.status === 'given'
    const authRequest = new URL(page.url).searchParams.get('authRequest') ?? ''
    const session = /name="session" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const shown = /name="shown" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const post = (headers: Fields, fields: Fields) =>
      fetch(`${world.url}/ui/consent`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams({ do: 'allow', authRequest, session, shown, ...fields }),
      })
    assert.equal((await post({ 'sec-fetch-site': 'cross-site' }, {})).status, 403)
    assert.equal((await post({}, { session: 'another' })).status, 200)
    assert.equal((await post({}, { shown: 'another' })).status, 200)
    assert.equal((await post({}, { authRequest: 'unknown' })).status, 400)
    // The request of another browser: this one did not come with it.
    const elsewhere = await (await signedIn(world, 'grace')).open(requestOf(thirdParty))
    const foreign = new URL(elsewhere.url).searchParams.get('authRequest') ?? ''
    const sent = await post({}, { authRequest: foreign })
    assert.equal(sent.headers.get('location'), `/ui/login/continue?next=%2Foauth%2Fv2%2Fauthorize%2F${foreign}`)
    // Without a session, there is nobody who could allow anything.
    const anonymous = await post({ cookie: `signet_request=${authRequest}` }, {})
    assert.match(anonymous.headers.get('location') ?? '', /^\/ui\/login\?/)
    assert.equal(await hasConsent(), false)
    assert.equal((await post({}, {})).status, 303)
    assert.equal(await hasConsent(), true)
  })

  test('the pages have the look of the organization that the project, the scopes or the user name', async () => {
    const { defaultOrganizationId: own, owner } = world
    const { organizationId: other } = await world.call(
      OrganizationService.method.addOrganization,
      { name: 'Partner' },
      owner,
    )
    for (const organizationId of [own, other]) {
      const caller = { ...owner, organizationId }
      await world.call(ManagementService.method.addCustomLabelPolicy, { primaryColor: '#112233' }, caller)
      await world.call(ManagementService.method.activateCustomLabelPolicy, {}, caller)
    }
    await world.addPerson('partner', { organisation: { org: { case: 'orgId', value: other } } })
    const anonymous = world.browser()
    const partner = await signedIn(world, 'partner')
    const named = { scope: `openid urn:zitadel:iam:org:id:${other}` }
    const lookOf = async (browser: Browser, one: Application, more: Fields = {}) => {
      const page = await browser.open(requestOf(one, { prompt: 'login', ...more }))
      return /href="\/assets\/brand\/([^/]+)/.exec(page.text)?.[1]
    }
    for (const [privateLabeling, ...looks] of [
      ['unspecified', undefined, other, other],
      ['project_organization', own, own, own],
      ['user_organization', own, other, other],
    ] as const) {
      const one = await world.addApplication({}, await world.addProject({ privateLabeling }))
      const seen = [await lookOf(anonymous, one), await lookOf(anonymous, one, named), await lookOf(partner, one)]
      assert.deepEqual(seen, looks, privateLabeling)
    }
    for (const organizationId of [own, other]) {
      await world.call(ManagementService.method.resetLabelPolicyToDefault, {}, { ...owner, organizationId })
    }
  })

  test('the name of an application is shown as it is, whatever characters it is made of', async () => {
    const hostile = await world.addApplication()
    await assert.rejects(rename(hostile, 'Sign in\u202E to \u200BNotes'), { code: 'application.name_invalid' })
    await rename(hostile, `Sign in${'\u0335'.repeat(100)} to <button>متجر</button>`)
    const page = await world.browser().open(requestOf(hostile))
    assertSays(page, en.toApplication.signIn({ applicationName: '' }), '<button>متجر</button>')
    assert.doesNotMatch(page.text, /\u0335{4}/)
    assert.doesNotMatch(page.text, /<button>متجر/)
    await rename(hostile, `${'W'.repeat(200)}`)
    assert.equal((await world.browser().open(requestOf(hostile))).status, 200)
  })

  test('a request that cannot be answered is explained', async () => {
    const browser = world.browser()
    const unknown = await browser.open(requestOf({ ...application, clientId: '<b>' }))
    assert.equal(unknown.status, 400)
    const { title, unknownClient, next, redirectUri, reference } = en.requestFailed
    assertSays(unknown, title, unknownClient, '<b>', next, 'invalid_client', reference)
    const evil = 'https://evil.example/?"><script>alert(1)</script>'
    const wrong = await browser.open(requestOf(application, { redirect_uri: evil, ui_locales: 'de' }))
    const { redirectUri: sentence, detail } = de.requestFailed
    assertSays(wrong, de.requestFailed.title, sentence({ applicationName: name }), evil, detail, 'invalid_redirect_uri')
    // Text and nothing else: an address that nobody registered is never a link.
    assert.doesNotMatch(wrong.text, /href="[^"]*evil|<script>alert/)
    // The log says which client it was, by the same reference as the page.
    const id = new RegExp(`${de.requestFailed.reference}: <code>([^<]+)</code>`).exec(wrong.text)?.[1]
    assert.ok(id)
    // A person who may change the application is led to where that is done; nobody else is.
    assert.doesNotMatch(wrong.text, /ui\/console/)
    const mortal = await signedIn(world)
    assert.doesNotMatch((await mortal.open(requestOf(application, { redirect_uri: evil }))).text, /ui\/console/)
    const userId = await world.addPerson('boss')
    await world.call(
      InternalPermissionService.method.createAdministrator,
      { userId, resource: { resource: { case: 'instance', value: true } }, roles: ['IAM_OWNER'] },
      world.owner,
    )
    const boss = await signedIn(world, 'boss')
    const led = await boss.open(requestOf(application, { redirect_uri: evil }))
    assertSays(led, redirectUri({ applicationName: name }), en.requestFailed.administrator, en.requestFailed.add)
    assert.ok(led.text.includes(`href="/ui/console/projects/${application.projectId}/applications/${application.id}"`))
    const expired = await browser.open(`${world.url}/oauth/v2/authorize/unknown`)
    assert.equal(expired.status, 400)
    assertSays(expired, en.requestFailed.expired)
    assert.match(expired.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})
