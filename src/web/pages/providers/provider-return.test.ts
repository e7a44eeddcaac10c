/** The way back from an identity provider: signing in, linking an account, registering. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import {
  HOUR,
  type HostedPages,
  openHostedPages,
  TOTP_SECRET,
  UNAVAILABLE,
} from '../../../../test/support/hosted-pages.ts'
import { leadsTo, says, saysNot, tokenIn } from '../../../../test/support/page-client.ts'
import { openScriptedProvider, SAM, type ScriptedProvider } from '../../../../test/support/scripted-provider.ts'
import type { Person } from '../../../../test/support/session-world.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { hashSecret } from '../../../crypto/tokens.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { type HumanUser, users } from '../../../features/users/index.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

const BROWSER = 'b'.repeat(43)
const NAME = 'Acme <b>'

type Parameters = Readonly<Record<string, string>>

let world: HostedPages
let provider: ScriptedProvider
let acme: string
before(async () => {
  world = await openHostedPages()
  provider = await openScriptedProvider()
  provider.now = () => Math.floor(world.clock.now / 1000)
  acme = await world.addProvider({ name: NAME, issuer: provider.issuer })
})
after(async () => {
  await provider.close()
  await world.close()
})

function cookies(token?: string, browser = BROWSER) {
  return {
    cookie: `signet-browser=${browser}${token === undefined ? '' : `; signet_session=${token}`}`,
  }
}

async function tokenOf(user: Person): Promise<string> {
  return (await world.signIn(user)).token
}

function staleToken(user: Person): Promise<string> {
  return world.before(HOUR, () => tokenOf(user))
}

async function halfToken(): Promise<string> {
  return tokenOf(await world.addUser({ totpSecret: TOTP_SECRET }))
}

/** A browser on its way through a provider: whose account it is there, and what the button says. */
interface Coming {
  readonly sub?: string
  readonly claims?: Parameters
  readonly idp?: string
  readonly query?: Parameters
  readonly token?: string
}

suite('the way back from a provider', () => {
  let count = 0

  /** Goes from the button to the provider and back; answers the parameters of the page that the browser comes to. */
  const come = async (made: Coming = {}) => {
    const { sub = `sub-${++count}`, claims = {}, idp = acme, query = {}, token } = made
    provider.account = { ...SAM, sub, preferred_username: `${sub}@acme <i>`, ...claims }
    const headers = cookies(token)
    const started = await world.ask(`/ui/login/provider?${new URLSearchParams({ idp, ...query })}`, { headers })
    const answer = provider.answer(started.header('location') ?? '')
    const back = await world.ask(`/idps/callback?${answer}`, { headers })
    const url = new URL(back.header('location') ?? '')
    assert.equal(url.pathname, '/ui/login/external', url.href)
    return { ...Object.fromEntries(url.searchParams), sub } as { readonly sub: string; readonly id: string }
  }
  const at = ({ sub: _, ...parameters }: Parameters) => `/ui/login/external?${new URLSearchParams(parameters)}`
  const show = (parameters: Parameters, token?: string) => world.ask(at(parameters), { headers: cookies(token) })
  const post = ({ sub: _, ...form }: Parameters, token?: string) =>
    world.ask('/ui/login/external', { form, headers: cookies(token) })
  const linksOf = async ({ userId }: Person) =>
    (await world.call(UserService.method.listIDPLinks, { userId }, world.owner)).result.map((link) => link.userId)
  const addLinked = async () => {
    const user = await world.addUser()
    const sub = `linked-${++count}`
    await world.linkAccount(user, acme, { id: sub, name: sub })
    return { ...user, sub }
  }

  test('signs in whose account it is, and continues to where they wanted', async () => {
    const { sub, userId } = await addLinked()
    const old = await tokenOf(await world.addUser())
    const answer = await show(await come({ sub, query: { next: '/ui/account/keys' } }), old)
    leadsTo(answer, '/ui/account/keys')
    assert.equal((await findPerson(world.app, tokenIn(answer)))?.userId, userId)
    assert.equal(await findPerson(world.app, old), undefined)
  })

  test('is good in the browser that began, and in no other', async () => {
    const { sub } = await addLinked()
    const right = await come({ sub })
    const strange = await come()
    const other = 'c'.repeat(43)
    const mark = await world.mark()
    for (const [parameters, headers] of [
      [right, { 'accept-language': 'en' }],
      [right, cookies(undefined, other)],
      [{ ...right, browser: hashSecret(other) }, cookies(undefined, other)],
      [{ ...right, token: 'wrong' }, cookies()],
      [{ ...right, id: `${right.id}\0` }, cookies()],
    ] as const) {
      const answer = await world.ask(at(parameters), { headers })
      assert.equal(answer.status, 400)
      says(answer, en.external.failed.title({ providerName: NAME }))
      assert.equal(answer.header('set-cookie'), undefined)
    }
    const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
    assert.equal((await world.ask('/ui/login/external', { form: { ...strange, ...typed } })).status, 400)
    assert.equal((await world.ask(at(right), { method: 'HEAD', headers: cookies() })).status, 405)
    const busy = await world.serveFailing(UNAVAILABLE, 'get')
    assert.equal((await busy.ask(at(right), { headers: cookies() })).status, 429)
    assert.deepEqual(await world.eventsSince(mark), [])
    leadsTo(await show(right), '/ui/account')
  })

  test('takes nothing that another client started, wherever its success URL led, and nothing of these pages goes to the API', async () => {
    const { sub, userId } = await addLinked()
    provider.account = { ...SAM, sub }
    const { call, owner } = world
    const attacker = 'a'.repeat(43)
    for (const successUrl of ['https://evil.example/in', `http://localhost:8080${at({ idp: acme, sub })}`]) {
      const content = { case: 'urls', value: { successUrl, failureUrl: 'https://evil.example/no' } } as const
      const { nextStep } = await call(UserService.method.startIdentityProviderIntent, { idpId: acme, content }, owner)
      const authUrl = nextStep.case === 'authUrl' ? nextStep.value : assert.fail()
      // The owner of the account follows the link, and the result reaches the attacker.
      const back = await world.ask(`/idps/callback?${provider.answer(authUrl)}`, { headers: cookies() })
      const { id = '', token = '' } = Object.fromEntries(new URL(back.header('location') ?? '').searchParams)
      const mark = await world.mark()
      for (const browser of [attacker, BROWSER]) {
        for (const more of [{ browser: hashSecret(browser) }, {}, { link: 'yes', browser: hashSecret(browser) }]) {
          const parameters = { idp: acme, id, token, ...more }
          const headers = cookies(await tokenOf(await world.addUser()), browser)
          assert.equal((await world.ask(at(parameters), { headers })).status, 400)
          const form = { ...parameters, do: 'link' }
          assert.equal((await world.ask('/ui/login/external', { form, headers })).status, 400)
        }
      }
      assert.deepEqual(
        (await world.eventsSince(mark)).filter((type) => /^intent|link/.test(type)),
        [],
      )
    }
    // What a page started is for that page: the API neither reads it nor proves a session with it.
    const { id: idpIntentId, token: idpIntentToken = '' } = (await come({ sub })) as Parameters & { id: string }
    const { retrieveIdentityProviderIntent } = UserService.method
    await isRefused(call(retrieveIdentityProviderIntent, { idpIntentId, idpIntentToken }, owner), 'intent.token_wrong')
    const intent = { intentId: idpIntentId, token: idpIntentToken }
    const user = { search: { case: 'userId', value: userId } } as const
    await isRefused(world.create({ checks: { user, intent } }), 'intent.token_wrong')
  })

  test('says that it was cancelled, cannot be reached or did not work, and nothing that others wrote', async () => {
    for (const [error, status, title] of [
      ['access_denied', 400, en.external.cancelled.title({ providerName: NAME })],
      ['temporarily_unavailable', 503, en.external.unavailable.title({ providerName: NAME })],
      ['sign_in_failed', 400, en.external.failed.title({ providerName: NAME })],
      ['<script>', 400, en.external.failed.title({ providerName: NAME })],
    ] as const) {
      const query = new URLSearchParams({ idp: acme, error, error_description: 'Call +1 900', next: '/ui/account' })
      const answer = await world.ask(`/ui/login/external?${query}`)
      assert.equal(answer.status, status)
      says(answer, title, en.external.back)
      assert.ok(answer.text.includes(`href="/ui/login?next=%2Fui%2Faccount">${en.external.back}`))
      assert.doesNotMatch(answer.text.split('<footer>', 1)[0] ?? '', /900|<script>/)
    }
    const linking = await world.ask(`/ui/login/external?error=access_denied&idp=${acme}&link=yes`)
    assert.ok(linking.text.includes(`href="/ui/account">${en.account.back}`))
  })

  test('asks who is signed in whether to link it, and links it only by the button', async () => {
    const user = await world.addUser()
    const token = await tokenOf(user)
    const arrival = await come({ token, query: { link: 'yes' } })
    const mark = await world.mark()
    const page = await show(arrival, token)
    const { title, lead, yes, no } = en.external.link
    says(
      page,
      title({ providerName: NAME }),
      lead({ providerName: NAME, account: `${arrival.sub}@acme <i>`, userName: user.loginName }),
      yes,
      no,
    )
    assert.doesNotMatch(page.text, /<i>|<b>/)
    assert.match(page.text, /name="do" value="link".*href="\/ui\/account">/s)
    const foreign = { ...cookies(token), 'sec-fetch-site': 'cross-site' }
    const form = { ...arrival, do: 'link' }
    assert.equal((await world.ask('/ui/login/external', { form, headers: foreign })).status, 403)
    assert.deepEqual(await world.eventsSince(mark), [])
    leadsTo(await post(form, token), '/ui/account?done=linked')
    assert.deepEqual(await linksOf(user), [arrival.sub])
    const another = await come({ token, query: { link: 'yes', next: '/ui/account/keys' } })
    leadsTo(await post({ ...another, do: 'link' }, token), '/ui/account/keys')
    assert.deepEqual((await linksOf(user)).sort(), [arrival.sub, another.sub].sort())
  })

  test('links nothing for who is not signed in, not lately, or where it is not allowed', async () => {
    const user = await addLinked()
    const [stale, half, fresh] = [await staleToken(user), await halfToken(), await tokenOf(user)]
    const { issuer } = provider
    const onlyRegister = await world.addProvider({ name: 'Register only', issuer, isLinkingAllowed: false })
    const forbidden = { issuer, isLinkingAllowed: false, isCreationAllowed: false }
    const closed = await world.addProvider({ name: 'Closed', ...forbidden })
    const arrival = await come()
    const refusedArrivals = [
      await come({ idp: onlyRegister }),
      await come({ idp: closed }),
      await come({ sub: user.sub }),
      await come({ sub: (await addLinked()).sub }),
    ]
    const linking = await come({ token: fresh, idp: onlyRegister, query: { link: 'yes' } })
    const mark = await world.mark()
    const again = `/ui/login?${new URLSearchParams({ again: 'yes', next: at(arrival) })}`
    leadsTo(await show(arrival, stale), again)
    const link = { ...arrival, do: 'link' }
    leadsTo(await post(link, stale), again)
    assert.equal((await post(link)).status, 400)
    assert.equal((await post(link, half)).status, 400)
    for (const one of refusedArrivals) assert.equal((await post({ ...one, do: 'link' }, fresh)).status, 400)
    const refused = await show(linking, fresh)
    assert.deepEqual([refused.status, /<form/.test(refused.text)], [403, false])
    assert.deepEqual(await world.eventsSince(mark), [])
  })

  test('an account that is linked already signs no other user in where it was to be linked', async () => {
    const [user, other] = [await addLinked(), await addLinked()]
    const token = await tokenOf(user)
    const own = await come({ token, sub: user.sub, query: { link: 'yes' } })
    const foreign = await come({ token, sub: other.sub, query: { link: 'yes' } })
    const mark = await world.mark()
    const taken = await show(foreign, token)
    assert.equal(taken.status, 409)
    says(taken, en.external.taken.title)
    leadsTo(await show(own, token), '/ui/account?done=linked')
    assert.deepEqual(await world.eventsSince(mark), [])
  })

  test('a new user reads what the provider tells, changes it, and is registered', async () => {
    const claims = {
      given_name: 'Ada "A"',
      family_name: 'King',
      preferred_username: 'newada',
      email: 'ada@acme.example',
    }
    const arrival = await come({ claims, query: { next: '/ui/account/keys' } })
    const page = await show(arrival)
    assert.match(page.text, /value="Ada &quot;A&quot;".*value="King".*value="newada".*value="ada@acme.example"/s)
    says(page, en.external.welcome.known)
    assert.ok(page.text.includes(`href="/ui/login?next=${encodeURIComponent('/ui/login/external?')}`))
    const typed = { do: 'register', firstName: ' Ada ', lastName: 'King', userName: 'newada', email: 'a@b.example' }
    const { loginName: userName } = await world.addUser()
    const mark = await world.mark()
    const wrong = await post({ ...arrival, ...typed, userName })
    assert.equal(wrong.status, 422)
    assert.ok(wrong.text.includes(`href="#userName">${en.external.welcome.userNameWrong}`))
    assert.match(wrong.text, /name="token" value="[\w-]{43}"/)
    const blank = await post({ ...arrival, ...typed, firstName: ' ', email: 'x'.repeat(201) })
    assert.match(blank.text, /href="#firstName".*href="#email"/s)
    assert.deepEqual(await world.eventsSince(mark), [])
    const done = await post({ ...arrival, ...typed, lang: 'fr' })
    leadsTo(done, '/ui/account/keys')
    const person = await findPerson(world.app, tokenIn(done))
    const user = (await world.store.get(users, person?.userId ?? ''))?.state as HumanUser | undefined
    assert.deepEqual([user?.userName, user?.email.address], ['newada', 'a@b.example'])
    assert.deepEqual(
      [user?.profile.firstName, user?.profile.lastName, user?.profile.preferredLanguage],
      ['Ada', 'King', 'fr'],
    )
  })

  test('no one tries one name after the other', async () => {
    const { loginName: userName } = await world.addUser()
    const form = { ...(await come()), do: 'register', firstName: 'A', lastName: 'B', userName, email: 'a@b.example' }
    const statuses = []
    for (let step = 0; step < 12; step++) statuses.push((await post(form)).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(422), 400, 400])
  })

  test('offers what the policy of the provider allows, and nothing else', async () => {
    const { issuer } = provider
    const comeTo = async (made: { name: string; isLinkingAllowed?: boolean; isCreationAllowed?: boolean }) =>
      come({ idp: await world.addProvider({ issuer, ...made }) })
    const onlyLink = await comeTo({ name: 'Only link', isCreationAllowed: false })
    const onlyRegister = await comeTo({ name: 'Only register', isLinkingAllowed: false })
    const nothing = await comeTo({ name: 'Beta <b>', isLinkingAllowed: false, isCreationAllowed: false })
    const own = await come({ sub: (await addLinked()).sub })
    const mark = await world.mark()
    const toLink = await show(onlyLink)
    assert.match(toLink.text, /class="button" href="\/ui\/login\?next=/)
    saysNot(toLink, en.external.welcome.button)
    const toRegister = await show(onlyRegister)
    says(toRegister, en.external.welcome.button)
    saysNot(toRegister, en.external.welcome.known)
    const toNothing = await show(nothing)
    says(toNothing, en.external.unlinked.title({ providerName: 'Beta <b>' }))
    assert.doesNotMatch(toNothing.text, /<form|<b>/)
    saysNot(toNothing, en.external.welcome.button)
    for (const arrival of [onlyLink, nothing, own]) {
      const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
      assert.equal((await post({ ...arrival, ...typed })).status, 400)
    }
    assert.deepEqual(await world.eventsSince(mark), [])
  })
})
