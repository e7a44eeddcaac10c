/** The start page, addresses that browsers and password managers know, and what pages say about the place they are opened at. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { type HostedPages, openHostedPages } from '../../../test/support/hosted-pages.ts'
import { holding, leadsTo, says } from '../../../test/support/page-client.ts'
import { SETUP_LINK_FILE } from '../../features/onboarding/index.ts'
import { SCRIPT } from '../assets.ts'
import { textsIn } from '../language.ts'

const en = textsIn('en')

suite('where people start', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  test('a server that is not set up says so; then its root is the sign-in, or the account of who is signed in', async () => {
    const page = await world.ask('/')
    says(page, en.notSetUp.title, en.notSetUp.lead, 'signet setup-link')
    const { searchParams } = new URL(await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8'))
    const link = { userId: searchParams.get('user') ?? '', code: searchParams.get('code') ?? '' }
    await world.ask('/setup', { form: { ...link, email: 'root@example.com', password: 'sturdy umbrella lagoon' } })
    leadsTo(await world.ask('/?lang=de'), '/ui/login?lang=de')
    const { token } = await world.signIn(await world.addUser())
    leadsTo(await world.ask('/', { headers: holding(token) }), '/ui/account')
    const half = await world.signIn(await world.addUser({ mustChangePassword: true }))
    leadsTo(await world.ask('/', { headers: holding(half.token) }), '/ui/login')
  })

  test('password managers find the page that changes a password', async () => {
    leadsTo(await world.ask('/.well-known/change-password'), '/ui/account/password')
    assert.notEqual(
      (await world.ask('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')).status,
      200,
    )
  })

  test('every form with a password has the user name, as a field that password managers read', async () => {
    const user = await world.addUser()
    const name = new RegExp(
      `<input(?=[^>]*type="text")(?=[^>]*autocomplete="username")(?=[^>]*value="${user.loginName}")`,
    )
    const stale = await world.before(3_600_000, () => world.signIn(user))
    const { passwordReset, createInviteCode } = UserService.method
    const returnCode = { case: 'returnCode', value: {} } as const
    const reset = await world.call(passwordReset, { userId: user.userId, medium: returnCode }, world.owner)
    const { userId: invited } = await world.addUser({ password: undefined })
    const sent = await world.call(createInviteCode, { userId: invited, verification: returnCode }, world.owner)
    for (const [path, headers] of [
      ['/ui/account/password', holding((await world.signIn(user)).token)],
      ['/ui/login?again=yes', holding(stale.token)],
      [`/set-password?userId=${user.userId}&code=${reset.verificationCode}&loginName=${user.loginName}`, {}],
      [`/accept-invitation?userId=${invited}&code=${sent.inviteCode}&loginName=${user.loginName}&instead=password`, {}],
    ] as const) {
      assert.match((await world.ask(path, { headers })).text, name, path)
    }
    const changing = await world.addUser({ mustChangePassword: true })
    const { token } = await world.signIn(changing)
    const forced = await world.ask('/ui/login/new-password', { headers: holding(token) })
    assert.match(forced.text, new RegExp(`type="text"[^>]*value="${changing.loginName}"`))
  })

  test('at an IP address there is no button for a passkey, so nothing fails when the page opens', async () => {
    const numeric = await world.askHttp2('/ui/login', { headers: { host: '127.0.0.1:8080' } })
    assert.equal(numeric.status, 200)
    assert.doesNotMatch(numeric.text, new RegExp(`data-key|${SCRIPT.path}|webauthn`))
    assert.match((await world.ask('/ui/login')).text, /data-begin="offer"/)
  })
})

suite('setting up', () => {
  const chosen = { password: 'sturdy umbrella lagoon' }

  test('over http at an address of the network says why nothing works there, and takes nothing', async (t) => {
    const world = await openHostedPages()
    t.after(() => world.close())
    const url = new URL(await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8'))
    const given = { userId: url.searchParams.get('user') ?? '', code: url.searchParams.get('code') ?? '' }
    const { askHttp2 } = await world.serve({ externalUrl: 'http://192.0.2.7:8080' })
    const headers = { host: '192.0.2.7:8080' }
    const mark = await world.mark()
    const page = await askHttp2(`/setup${url.search}`, { headers })
    assert.equal(page.status, 400)
    says(page, 'passkeys', 'https://', 'SIGNET_EXTERNAL_URL')
    assert.doesNotMatch(page.text, /<form/)
    const form = { ...given, email: 'ada@example.com', ...chosen }
    const sent = await askHttp2('/setup', { form, headers })
    assert.equal(sent.status, 400)
    assert.equal((await askHttp2('/setup', { form, headers: { ...headers, accept: 'application/json' } })).status, 400)
    assert.deepEqual(await world.eventsSince(mark), [])
  })

  test('offers no passkey at an IP address of the machine itself', async (t) => {
    const world = await openHostedPages()
    t.after(() => world.close())
    const url = new URL(await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8'))
    const given = { userId: url.searchParams.get('user') ?? '', code: url.searchParams.get('code') ?? '' }
    const form = { ...given, step: 'email', email: 'ada@example.com' }
    const numeric = await world.askHttp2('/setup', { form, headers: { host: '127.0.0.1:8080' } })
    assert.match(numeric.text, /id="password"/)
    assert.doesNotMatch(numeric.text, /data-key/)
  })

  test('ends with the inbox only where the inbox opens', async (t) => {
    for (const [host, isThere] of [
      ['localhost:8080', true],
      ['id.example.com', false],
    ] as const) {
      const world = await openHostedPages()
      t.after(() => world.close())
      const url = new URL(await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8'))
      const given = { userId: url.searchParams.get('user') ?? '', code: url.searchParams.get('code') ?? '' }
      const form = { ...given, email: 'ada@example.com', ...chosen }
      const externalUrl = isThere ? `http://${host}` : `https://${host}`
      const { askHttp2 } = await world.serve({ externalUrl })
      const done = await askHttp2('/setup', { form, headers: { host } })
      assert.equal(done.text.includes('href="/inbox"'), isThere, done.text)
      assert.equal((await askHttp2('/inbox', { headers: { host } })).status, isThere ? 403 : 404)
    }
  })
})
