/** The language of pages: the switch, and the language of the user. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, openHostedPages } from '../../test/support/hosted-pages.ts'
import { holding, keeping, leadsTo, says } from '../../test/support/page-client.ts'

suite('the language switch', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const spoken = async (path: string, headers: Readonly<Record<string, string>> = {}, form?: Record<string, string>) =>
    (await world.ask(path, { headers, ...(form && { form }) })).header('content-language')

  /** What the browser keeps after the switch was used on a page. */
  const choose = async (language: string, headers: Readonly<Record<string, string>> = {}) => {
    const page = await world.ask('/forgot-password?orgId=o1', { headers })
    const link = new RegExp(`href="([^"]+)" lang="${language}"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const answer = await world.ask(link, { headers })
    leadsTo(answer, `/forgot-password?orgId=o1&lang=${language}`)
    assert.match(
      answer.header('set-cookie') ?? '',
      /^signet_language=\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    return keeping(answer)
  }

  test('holds on all pages and for all forms, also where nothing carries it along', async () => {
    const chosen = await choose('de')
    assert.equal(await spoken('/ui/login', chosen), 'de')
    assert.equal(await spoken('/ui/login', chosen, { userName: 'x', password: 'y' }), 'de')
    assert.equal(await spoken('/forgot-password', { ...chosen, 'accept-language': 'fr' }, { userName: 'ada' }), 'de')
    // The switch is an explicit choice; an address may come from a mail or an application.
    assert.equal(await spoken('/ui/login?lang=fr', chosen), 'de')
    assert.equal(await spoken('/ui/login?lang=fr', { cookie: 'signet_language=xx' }), 'fr')
    assert.equal(await spoken('/ui/login', { ...(await choose('fr', chosen)) }), 'fr')
  })

  test('stands beside a form that was answered with a mistake, without sending it again', async () => {
    const form = { userName: 'ada', password: 'secret-typed', next: '/ui/account/keys', orgId: 'o1' }
    const { text, status } = await world.ask('/ui/login', { form })
    assert.equal(status, 422)
    const link = /href="([^"]+)" lang="de"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.match(link, /^\/ui\/login\?/)
    const query = new URLSearchParams(link.slice(link.indexOf('?')))
    assert.deepEqual([query.get('next'), query.get('orgId')], ['/ui/account/keys', 'o1'])
    assert.ok(!link.includes('secret-typed') && !link.includes('userName'))
  })

  test('is not offered where the answer is shown once', async () => {
    const headers = holding((await world.signIn(await world.addUser())).token)
    const codes = await world.ask('/ui/account/recovery-codes', { form: { do: 'make' }, headers })
    assert.equal(codes.status, 200)
    assert.doesNotMatch(codes.text, /hreflang/)
  })

  test('a user reads pages in the preferred language as soon as they have signed in', async () => {
    const user = await world.addUser()
    const profile = { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'fr' }
    const { updateHumanUser } = UserService.method
    await world.call(updateHumanUser, { userId: user.userId, profile }, world.owner)
    const { token } = await world.signIn(user)
    assert.equal(await spoken('/ui/account', { ...holding(token), 'accept-language': 'de' }), 'fr')
    assert.equal(await spoken('/ui/account?lang=de', holding(token)), 'fr')
    says(await world.ask('/ui/account', { headers: holding(token) }), 'Sessions actives')
    const chosen = await choose('de')
    assert.equal(await spoken('/ui/account', { cookie: `${holding(token).cookie}; ${chosen.cookie}` }), 'de')
    assert.equal(await spoken('/ui/login', { 'accept-language': 'de' }), 'de')
    const plain = (await world.signIn(await world.addUser())).token
    assert.equal(await spoken('/ui/account', { ...holding(plain), 'accept-language': 'de' }), 'de')
  })

  test('a page is still answered where the language of the user cannot be read', async () => {
    const { token } = await world.signIn(await world.addUser())
    const failing = await world.serveFailing(new Error('no database'), 'get')
    assert.equal((await failing.ask('/forgot-password', { headers: holding(token) })).status, 200)
  })
})
