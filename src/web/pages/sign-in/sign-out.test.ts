/** Signing out, also when an application asks for it, and taking access back from applications. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { assertSays, authorizationUrl, isBack, signedIn, told } from '../../../../test/support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../../../../test/support/openid-world.ts'
import { grants } from '../../../features/grants/index.ts'
import { signLogoutTarget } from '../../../features/sign-in/index.ts'
import { textsIn } from '../../language.ts'

const [de, en, fr] = [textsIn('de'), textsIn('en'), textsIn('fr')]

const TARGET = 'https://app.example/signed-out?state=%22%3E'

suite('leaving', () => {
  let world: OpenIdWorld
  let application: Application

  before(async () => {
    world = await openOpenIdWorld()
    await world.addPerson('ada')
    application = await world.addApplication({ postLogoutRedirectUris: ['https://app.example/signed-out'] })
  })
  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  const endSession = (more: Readonly<Record<string, string>>) =>
    `${world.url}/oidc/v1/end_session?${new URLSearchParams({ client_id: application.clientId, ...more })}`

  test('an application that asks without a hint has the user confirm, and gets them back', async () => {
    const browser = await signedIn(world)
    const uri = 'https://app.example/signed-out'
    const page = await browser.open(endSession({ post_logout_redirect_uri: uri, state: '">' }))
    assert.equal(new URL(page.url).pathname, '/ui/logout')
    assertSays(page, en.signOutPage.title, en.signOutPage.lead({ userName: 'ada' }), en.signOutPage.stay)
    assert.equal(new URL((await browser.open(`${world.url}/ui/account`)).url).pathname, '/ui/account')
    const done = await browser.send(page, {}, '/ui/logout')
    // Not by a redirect: browsers hold the redirect of a form to our own pages.
    assert.deepEqual([done.status, done.url, done.headers.get('location')], [200, TARGET, null])
    assertSays(done, en.signedOut.title, en.signOutPage.back)
    assert.equal(new URL((await browser.open(`${world.url}/ui/account`)).url).pathname, '/ui/login')
  })

  test('an address that we did not sign is not followed', async () => {
    const browser = await signedIn(world)
    const signed = await signLogoutTarget(world.app, TARGET)
    for (const then of ['https://evil.example', `${signed}x`, await world.app.vault.sign(['other'], TARGET)]) {
      const page = await browser.open(`${world.url}/ui/logout?${new URLSearchParams({ then })}`)
      if (page.text.includes('action="/ui/logout"')) {
        const done = await browser.send(page, {}, '/ui/logout')
        assert.equal(done.headers.get('refresh'), null)
      } else assert.equal(new URL(page.url).pathname, '/ui/logout/done')
    }
    // Without a session there is nothing to confirm.
    assert.equal((await browser.open(`${world.url}/ui/logout?then=${signed}`)).url, TARGET)
  })

  test('the pages are there in three languages', async () => {
    const browser = await signedIn(world)
    for (const [lang, texts] of Object.entries({ en, de, fr })) {
      assertSays(await browser.open(`${world.url}/ui/logout?lang=${lang}`), texts.signOutPage.title)
      assertSays(await browser.open(`${world.url}/ui/logout/done?lang=${lang}`), texts.signedOut.title)
    }
    assertSays(await browser.open(endSession({})), en.signOutPage.title)
  })

  test('users see which applications have access, and take it back', async () => {
    const userId = await world.addPerson('owner')
    const browser = await signedIn(world, 'owner')
    const empty = await browser.open(`${world.url}/ui/account`)
    assertSays(empty, en.access.title, en.access.none)
    isBack(await browser.open(authorizationUrl(world, application, { scope: 'openid email' })))
    const page = await browser.open(`${world.url}/ui/account`)
    assertSays(page, en.access.lead, en.access.lastUsed, `${en.scopes.openid} · ${en.scopes.email}`)
    assertSays(await browser.open(`${world.url}/ui/account?lang=de`), de.access.title, de.access.remove)
    const other = await signedIn(world)
    const statusOf = async () => {
      const where = { field: 'userId', equals: userId } as const
      return (await world.store.find(grants, { where, limit: 10 })).documents.map(({ state }) => state.status)
    }
    const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = await fetch(`${world.url}/ui/account/applications`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ id: application.id }),
    })
    assert.equal(sent.status, 303)
    assert.deepEqual(await statusOf(), ['open'])
    const removed = await browser.send(page, {}, '/ui/account/applications')
    assertSays(removed, en.account.done.access, en.access.none)
    assert.ok(!told(removed).includes(en.access.remove))
    // A revoked grant is no longer found by its user.
    assert.deepEqual(await statusOf(), [])
  })
})
