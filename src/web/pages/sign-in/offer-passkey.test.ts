/** What the sign-in page remembers of a browser, and the offer of a passkey after a sign-in with a password. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import { HOUR, type HostedPages, openHostedPages, TOTP_SECRET } from '../../../../test/support/hosted-pages.ts'
import { answerWithNewKey, holding, leadsTo, type Reply, says, tokenIn } from '../../../../test/support/page-client.ts'
import { PASSWORD, type Person } from '../../../../test/support/session-world.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')
const OFFER = '/ui/login/add-passkey'
const DAY = 24 * HOUR

/** The value of a cookie that a reply sets. */
function cookieIn(reply: Reply, name: string): string {
  const value = new RegExp(`(?:^|, ?)${name}=([^;]*)`).exec(reply.header('set-cookie') ?? '')?.[1]
  return value ?? assert.fail(`no cookie ${name}`)
}

suite('after a sign-in with a password', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  const signIn = (user: Person, more: Readonly<Record<string, string>> = {}, headers = {}) =>
    world.ask('/ui/login', { form: { userName: user.loginName, password: PASSWORD, ...more }, headers })
  const able = { authenticator: 'yes' }

  test('a device that can keep passkeys is offered one, and continues where the person wanted to go', async () => {
    const user = await world.addUser()
    const next = '/ui/account/profile'
    const offered = await signIn(user, { ...able, next })
    leadsTo(offered, `${OFFER}?${new URLSearchParams({ next })}`)
    const headers = holding(tokenIn(offered))
    const page = await world.ask(`${OFFER}?${new URLSearchParams({ next })}`, { headers })
    says(page, en.offerPasskey.title, en.offerPasskey.lead, en.offerPasskey.button, en.offerPasskey.later)
    const asked = await world.ask(OFFER, { form: { next }, headers })
    leadsTo(await world.ask(OFFER, { form: { next, ...answerWithNewKey(newAuthenticator(), asked) }, headers }), next)
    assert.ok((await findPerson(world.app, tokenIn(offered)))?.provesWith.includes('passkey'))
    // Now there is one.
    leadsTo(await signIn(user, able), '/ui/account')
  })

  test('nobody is asked on a device without an authenticator, or where passkeys are not allowed', async () => {
    leadsTo(await signIn(await world.addUser()), '/ui/account')
    const organizationId = await world.addOrganization({ allowsPasskeys: false })
    leadsTo(await signIn(await world.addUser({ organizationId }), able), '/ui/account')
  })

  test('"Not now" is remembered for 30 days, for this person alone', async () => {
    const [user, other] = [await world.addUser(), await world.addUser()]
    const headers = holding(tokenIn(await signIn(user, able)))
    const declined = await world.ask(OFFER, { form: { later: 'yes', next: '/ui/account/keys' }, headers })
    leadsTo(declined, '/ui/account/keys')
    const later = { cookie: `signet_later=${cookieIn(declined, 'signet_later')}` }
    leadsTo(await signIn(user, able, later), '/ui/account')
    leadsTo(await signIn(other, able, later), OFFER)
    world.wait(29 * DAY)
    leadsTo(await signIn(user, able, later), '/ui/account')
    world.wait(2 * DAY)
    leadsTo(await signIn(user, able, later), OFFER)
    world.wait(-31 * DAY)
  })

  test('a second factor comes first', async () => {
    const user = await world.addUser({ totpSecret: TOTP_SECRET })
    leadsTo(await signIn(user, able), '/ui/login/second-factor')
  })

  test('the page is nothing for visitors, and adds nothing long after the sign-in', async () => {
    leadsTo(await world.ask(OFFER), `/ui/login?next=${encodeURIComponent(OFFER)}`)
    const user = await world.addUser()
    const stale = holding((await world.before(HOUR, () => world.signIn(user))).token)
    leadsTo(await world.ask(OFFER, { headers: stale }), '/ui/account')
    leadsTo(await world.ask(OFFER, { form: {}, headers: stale }), '/ui/account')
  })

  test('the way that was used last has a badge on this browser, and describes its button', async () => {
    const idp = await world.addProvider({ name: 'Acme' })
    const isMarked = async (way: string, action: RegExp) => {
      const page = await world.ask('/ui/login', { headers: { cookie: `signet_last_way=${way}` } })
      assert.equal(page.text.match(/class="badge"/g)?.length, 1, way)
      const [, after = ''] = page.text.split(action)
      assert.ok(after.indexOf('class="badge"') < after.indexOf('</form>'), way)
      assert.match(page.text, /aria-describedby="last-used"/)
    }
    const signed = await signIn(await world.addUser())
    assert.equal(cookieIn(signed, 'signet_last_way'), 'password')
    await isMarked('password', /action="\/ui\/login"/)
    await isMarked('passkey', /action="\/ui\/login\/passkey"/)
    await isMarked(idp, new RegExp(`idp=${idp}`))
    const unknown = await world.ask('/ui/login', { headers: { cookie: 'signet_last_way=another' } })
    assert.doesNotMatch(unknown.text, /class="badge"/)
  })

  test('what is offered is the same for those who exist and those who do not', async () => {
    const user = await world.addUser()
    await world.addKey(user, 'passkey')
    const [known, unknown] = await Promise.all(
      [user.loginName, 'nobody-of-that-name'].map(async (userName) => {
        const page = await world.ask('/ui/login', { form: { userName, password: 'wrong' } })
        return page.text.replaceAll(userName, '')
      }),
    )
    assert.equal(known, unknown)
  })

  test('a wrong password has the focus again, described by what is wrong', async () => {
    const page = await world.ask('/ui/login', { form: { userName: 'nobody', password: 'wrong' } })
    assert.match(page.text, /id="password"[^>]* autofocus[^>]*aria-describedby="mistakes"/)
    assert.equal(page.text.match(/ autofocus/g)?.length, 1)
    const missing = await world.ask('/ui/login', { form: { userName: '', password: 'x' } })
    assert.match(missing.text, /id="userName"[^>]* autofocus/)
    assert.equal(missing.text.match(/ autofocus/g)?.length, 1)
  })
})
