/** Registration with a passkey or a provider, the links on the page, and how often it works from one place. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import { type HostedPages, openHostedPages } from '../../../../test/support/hosted-pages.ts'
import { answerWithNewKey, hiddenIn, says, saysNot, signInWithPasskey } from '../../../../test/support/page-client.ts'
import { findBySignInName } from '../../../features/users/index.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

suite('ways to register', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
    await world.setLogin(world.instanceId, { allowsRegistration: true })
  })
  after(() => world.close())

  const send = (form: Record<string, string>) => world.ask('/ui/register', { form })
  const person = (email: string) => ({ firstName: 'Ada', lastName: 'Lovelace', email, with: 'passkey' })

  test('a passkey is added after the address was proven, and signs in', async () => {
    const codePage = await send(person('ada@example.com'))
    says(codePage, en.register.codeTitle)
    const user = (await findBySignInName(world.app, 'ada@example.com')) ?? assert.fail('no user')
    const [mail] = await world.mailsTo({ userId: user.id }, 'verify_email', 1)
    const ticket = { user: hiddenIn(codePage, 'user'), ticket: hiddenIn(codePage, 'ticket') }
    // The ticket of the first step adds no passkey.
    assert.notEqual((await send({ ...ticket, step: 'passkey' })).status, 200)
    const keyPage = await send({ ...ticket, email: 'ada@example.com', code: mail?.code ?? '' })
    says(keyPage, en.registerPasskey.title)
    const proven = { user: hiddenIn(keyPage, 'user'), ticket: hiddenIn(keyPage, 'ticket'), step: 'passkey' }
    const authenticator = newAuthenticator()
    const answered = answerWithNewKey(authenticator, await send(proven))
    says(await send({ ...proven, ...answered, name: 'Phone' }), en.registerPasskey.done)
    assert.ok(await signInWithPasskey(world.ask, authenticator))
    // It is the first passkey only.
    assert.notEqual((await send(proven)).status, 200)
  })

  test('a known address gets the same page', async () => {
    await send(person('known@example.com'))
    const again = await send(person('known@example.com'))
    says(again, en.register.codeTitle)
    assert.equal(again.status, 200)
  })

  test('the page links to the terms and the privacy policy, in the language of the page', async () => {
    saysNot(await world.ask('/ui/register'), en.registration.terms)
    const links = { tosLink: 'https://example.com/{{.Lang}}/terms', privacyLink: 'https://example.com/privacy' }
    await world.call(AdminService.method.updatePrivacyPolicy, links, world.owner)
    const page = await world.ask('/ui/register?lang=de')
    assert.match(page.text, /href="https:\/\/example\.com\/de\/terms" target="_blank" rel="noopener"/)
    assert.match(page.text, /href="https:\/\/example\.com\/privacy"/)
  })

  test('providers with which accounts can be created have a button with a mark', async () => {
    await world.addProvider({ name: 'Acme' })
    await world.addProvider({ name: 'Linking only', isCreationAllowed: false })
    const page = await world.ask('/ui/register')
    says(page, 'Acme')
    saysNot(page, 'Linking only')
    assert.match(page.text, /<svg class="mark neutral"/)
  })

  test('one place can register a limited number of accounts in an hour', async () => {
    const register = async (index: number) => (await send(person(`n${index}@example.com`))).status
    world.wait(3_600_000)
    for (let index = 0; index < 30; index++) assert.equal(await register(index), 200, String(index))
    assert.equal(await register(30), 429)
    world.wait(3_600_000)
    assert.equal(await register(31), 200)
  })

  test('a sign-in with a new browser is told by mail, once', async () => {
    const user = await world.before(2 * 3_600_000, () => world.addUser())
    const signIn = async (cookie: string) => {
      const form = { userName: user.loginName, password: 'correct horse battery staple' }
      return world.ask('/ui/login', {
        form,
        headers: { cookie, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
      })
    }
    const first = await signIn('other=1')
    const known = /signet_known=([\w.-]+)/.exec(first.header('set-cookie') ?? '')?.[1] ?? assert.fail('no cookie')
    const told = async () => {
      await world.runJobs()
      const events = await world.store.events({ types: ['notices.sent.v1'], id: user.userId, limit: 10 })
      return events.length
    }
    assert.equal(await told(), 1)
    world.wait(120_000)
    await signIn(`signet_known=${known}`)
    assert.equal(await told(), 1)
    await signIn(`signet_known=${known}x`)
    assert.equal(await told(), 2)
  })
})
