/** The pages for signing in with identity providers: the buttons, the way there and the way back. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { HOUR, type HostedPages, openHostedPages, TOTP_SECRET } from '../../../test/support/hosted-pages.ts'
import { leadsTo, says, saysNot, tokenIn } from '../../../test/support/page-client.ts'
import { openScriptedProvider, SAM, type ScriptedProvider } from '../../../test/support/scripted-provider.ts'
import type { Person } from '../../../test/support/session-world.ts'
import { hashSecret } from '../../crypto/tokens.ts'
import { findPerson } from '../../features/sign-in/index.ts'
import { intents } from '../../features/sign-in-intents/index.ts'
import { type HumanUser, users } from '../../features/users/index.ts'
import { Refused } from '../../kernel/refusal.ts'
import { en } from '../texts/en.ts'
import { fr } from '../texts/fr.ts'

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

/** An app whose database cannot be reached. */
function serveUnavailable(...parts: readonly ('get' | 'write')[]) {
  const refuse = () => Promise.reject(new Refused('store.unavailable', 'unavailable', 'Try again later.'))
  return world.serve({ store: { ...world.store, ...Object.fromEntries(parts.map((part) => [part, refuse])) } })
}

/** The sign-in that an address at a provider belongs to. */
async function intentAt(location: string | undefined) {
  const state = new URL(location ?? '').searchParams.get('state') ?? ''
  const intent = (await world.store.get(intents, state.split('.', 1)[0] ?? ''))?.state
  return intent?.status === 'started' ? intent : assert.fail(intent?.status)
}

suite('the buttons of identity providers', () => {
  test('stand on the sign-in page, by their look, and carry on what travels along', async () => {
    const client = { clientId: 'signet-client', clientSecret: 'a secret', providerOptions: { isLinkingAllowed: true } }
    await world.call(AdminService.method.addGoogleProvider, client, world.owner)
    const orgId = await world.addOrganization()
    const page = await world.ask(`/ui/login?next=/ui/account/keys&organization=${orgId}&lang=fr`)
    const href = `/ui/login/provider?idp=${acme}&amp;next=%2Fui%2Faccount%2Fkeys&amp;lang=fr&amp;orgId=${orgId}`
    assert.ok(page.text.includes(`<a class="button provider plain" href="${href}"><span>`))
    says(page, fr.external.signInWith(NAME), fr.external.signInWith('Google'))
    assert.match(page.text, /<a class="button provider google"[^>]*><svg class="mark".*?<span>[^<]*Google/s)
    const closed = await world.addOrganization({ allowsExternal: false })
    assert.doesNotMatch((await world.ask(`/ui/login?orgId=${closed}`)).text, /provider/)
  })

  test('are a few at a glance and the others behind a line, never more than the module hands out', async () => {
    const organizationId = await world.addOrganization()
    const inOrganization = { ...world.owner, organizationId }
    const client = { issuer: 'https://acme.example', clientId: 'signet-client', clientSecret: 'a secret' }
    const { addGenericOIDCProvider } = ManagementService.method
    const add = (_: unknown, index: number) =>
      world.call(addGenericOIDCProvider, { name: `Provider ${index}`, ...client }, inOrganization)
    await Promise.all(Array.from({ length: 101 }, add))
    const { text } = await world.ask(`/ui/login?orgId=${organizationId}`)
    const [glance = '', rest = ''] = text.split(`<details class="more"><summary>${en.external.more}</summary>`)
    assert.equal(glance.match(/class="button provider/g)?.length, 6)
    // A hundred of its own, and the two of the instance.
    assert.equal(rest.match(/class="button provider/g)?.length, 96)
  })

  test('stand where a user shows once more that it is them', async () => {
    const user = await world.addUser()
    await world.linkAccount(user, acme, { id: 'again', name: 'again' })
    const headers = cookies(await staleToken(user))
    const page = await world.ask('/ui/login?again=yes&next=/ui/account/keys', { headers })
    assert.ok(page.text.includes(`idp=${acme}&amp;next=%2Fui%2Faccount%2Fkeys"><span>`))
    says(page, en.external.goOnWith(NAME))
  })
})

suite('the way to a provider', () => {
  test('is bound to the browser by a cookie, whose hash goes along', async () => {
    for (const [, ask] of world.clients) {
      const answer = await ask(`/ui/login/provider?idp=${acme}&next=/ui/account/keys&lang=de&orgId=o1`)
      assert.equal(answer.status, 303)
      assert.ok(answer.header('location')?.startsWith(`${provider.issuer}/authorize?`))
      const value = /^signet-browser=([\w-]{43}); .*HttpOnly; SameSite=Lax$/.exec(
        answer.header('set-cookie') ?? '',
      )?.[1]
      const { idpId, successUrl, failureUrl, secret } = await intentAt(answer.header('location'))
      assert.deepEqual([idpId, secret.browser], [acme, hashSecret(value ?? '')])
      const { origin, pathname, searchParams } = new URL(successUrl)
      assert.equal(`${origin}${pathname}`, 'http://localhost:8080/ui/login/external')
      assert.deepEqual(Object.fromEntries(searchParams), {
        idp: acme,
        next: '/ui/account/keys',
        lang: 'de',
        orgId: 'o1',
        browser: hashSecret(value ?? ''),
      })
      assert.ok(!failureUrl.includes('browser='))
    }
  })

  test('keeps the cookie that the browser has, so that another window can go on', async () => {
    const answer = await world.ask(`/ui/login/provider?idp=${acme}`, { headers: cookies() })
    assert.match(answer.header('set-cookie') ?? '', new RegExp(`^signet-browser=${BROWSER};`))
  })

  test('begins at a button of ours only, with GET only', async () => {
    const headers = cookies(await tokenOf(await world.addUser()))
    const mark = await world.mark()
    for (const site of ['cross-site', 'same-site']) {
      const answer = await world.ask(`/ui/login/provider?idp=${acme}&next=/ui/account/keys&lang=de`, {
        headers: { 'sec-fetch-site': site },
      })
      leadsTo(answer, '/ui/login?next=%2Fui%2Faccount%2Fkeys&lang=de')
      assert.equal(answer.header('set-cookie'), undefined)
    }
    assert.equal((await world.ask(`/ui/login/provider?idp=${acme}`, { method: 'HEAD' })).status, 405)
    assert.equal((await world.ask('/ui/login/provider', { form: { idp: acme } })).status, 405)
    assert.deepEqual(await world.eventsSince(mark), [])
    // Nor can it follow by itself on signing in.
    const next = new URLSearchParams({ next: `/ui/login/provider?idp=${acme}` })
    leadsTo(await world.ask(`/ui/login?${next}`, { headers }), '/ui/account')
  })

  test('says when there is none, when it does not answer, and when there is too much to do', async () => {
    const none = await world.ask('/ui/login/provider?idp=gone&next=/ui/account/keys')
    assert.equal(none.status, 400)
    says(none, en.external.failed.title(en.external.unknown))
    assert.match(none.text, /href="\/ui\/login\?next=%2Fui%2Faccount%2Fkeys"/)
    const idp = await world.addProvider({ name: 'Down', issuer: `http://127.0.0.1:${await freePort()}` })
    const down = await world.ask(`/ui/login/provider?idp=${idp}`)
    assert.equal(down.status, 503)
    says(down, en.external.unavailable.title('Down'))
    const busy = await serveUnavailable('write')
    assert.equal((await busy.ask(`/ui/login/provider?idp=${acme}`)).status, 503)
    for (const answer of [none, down]) assert.equal(answer.header('set-cookie'), undefined)
  })

  test('for a link needs a user who has signed in lately', async () => {
    const user = await world.addUser()
    const [stale, half, fresh] = [await staleToken(user), await halfToken(), await tokenOf(user)]
    const mark = await world.mark()
    const ask = (token?: string) => world.ask(`/ui/login/provider?idp=${acme}&link=yes`, { headers: cookies(token) })
    assert.match((await ask()).header('location') ?? '', /^\/ui\/login\?next=/)
    leadsTo(await ask(stale), '/ui/login?again=yes&next=%2Fui%2Faccount')
    assert.match((await ask(half)).header('location') ?? '', /^\/ui\/login\/second-factor/)
    assert.deepEqual(await world.eventsSince(mark), [])
    const { successUrl } = await intentAt((await ask(fresh)).header('location'))
    assert.ok(successUrl.includes(`/ui/login/external?idp=${acme}&link=yes&browser=`))
  })
})

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

  test('signs in whose account it is, and goes on to where they wanted', async () => {
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
      [{ ...right, browser: hashSecret(other) }, cookies()],
      [{ ...right, browser: '' }, cookies()],
      [{ ...right, token: 'wrong' }, cookies()],
      [{ ...right, id: `${right.id}\0` }, cookies()],
    ] as const) {
      const answer = await world.ask(at(parameters), { headers })
      assert.equal(answer.status, 400)
      says(answer, en.external.failed.title(NAME))
      assert.equal(answer.header('set-cookie'), undefined)
    }
    const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
    assert.equal((await world.ask('/ui/login/external', { form: { ...strange, ...typed } })).status, 400)
    assert.equal((await world.ask(at(right), { method: 'HEAD', headers: cookies() })).status, 405)
    const busy = await serveUnavailable('get')
    assert.equal((await busy.ask(at(right), { headers: cookies() })).status, 429)
    assert.deepEqual(await world.eventsSince(mark), [])
    leadsTo(await show(right), '/ui/account')
  })

  test('says that it was cancelled, cannot be reached or did not work, and nothing that others wrote', async () => {
    for (const [error, status, title] of [
      ['access_denied', 400, en.external.cancelled.title(NAME)],
      ['temporarily_unavailable', 503, en.external.unavailable.title(NAME)],
      ['sign_in_failed', 400, en.external.failed.title(NAME)],
      ['<script>', 400, en.external.failed.title(NAME)],
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
    says(page, title(NAME), lead(NAME, `${arrival.sub}@acme <i>`, user.loginName), yes, no)
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
    says(toNothing, en.external.nobody.title('Beta <b>'))
    assert.doesNotMatch(toNothing.text, /<form|<b>/)
    saysNot(toNothing, en.external.welcome.button)
    for (const arrival of [onlyLink, nothing, own]) {
      const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
      assert.equal((await post({ ...arrival, ...typed })).status, 400)
    }
    assert.deepEqual(await world.eventsSince(mark), [])
  })
})
