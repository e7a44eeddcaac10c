/** The pages for signing in with identity providers, before rooms of paper. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openHostedPages, type Told } from '../../test/support/hosted-pages.ts'
import { paperExternal, TOKENS } from '../../test/support/paper-account.ts'
import { hashSecret } from '../crypto/tokens.ts'
import type { ExternalPort } from './external-ports.ts'

const BROWSER = 'b'.repeat(43)
const BOUND = { idp: 'idp-1', browser: hashSecret(BROWSER) }
const RIGHT = { ...BOUND, id: 'new', token: 'right' }

/** Accounts by the id of the intent that they come back with. */
const ACCOUNTS = {
  own: { userId: 'u1' },
  other: { userId: 'u2' },
  'only-link': { mayRegister: false },
  'only-register': { mayLink: false },
  nothing: { mayLink: false, mayRegister: false },
}

function cookies(token?: string, browser = BROWSER) {
  return {
    cookie: `signet-browser=${browser}${token === undefined ? '' : `; signet_session=${token}`}`,
  }
}

function at(parameters: Readonly<Record<string, string>>) {
  return `/ui/login/external?${new URLSearchParams({ ...RIGHT, ...parameters })}`
}

function leadsTo(answer: Told, location: string) {
  return assert.deepEqual([answer.status, answer.header('location')], [303, location], answer.text)
}

async function openHouse(deeds: string[] = [], more: Partial<ExternalPort> = {}) {
  return openHostedPages({ external: { ...paperExternal(deeds, ACCOUNTS), ...more } })
}

suite('the buttons of identity providers', () => {
  test('stand on the sign-in page, by their look, and carry on what travels along', async (t) => {
    const house = await openHouse()
    t.after(() => house.close())
    const { text } = await house.ask('/ui/login?next=/ui/account/keys&organization=org-7&lang=fr')
    assert.match(
      text,
      /<a class="button provider plain" href="\/ui\/login\/provider\?idp=idp-1&amp;next=%2Fui%2Faccount%2Fkeys&amp;lang=fr&amp;orgId=org-7"><span>Continuer avec Acme &lt;b><\/span>/,
    )
    assert.match(text, /<a class="button provider google"[^>]*><svg class="mark".*?<span>Continuer avec Google/s)
    assert.doesNotMatch((await house.ask('/ui/login?orgId=closed')).text, /provider/)
  })

  test('are a few at a glance and the others behind a line, never more than the room hands out', async (t) => {
    const house = await openHouse()
    t.after(() => house.close())
    const { text } = await house.ask('/ui/login?orgId=many')
    const [glance = '', rest = ''] = text.split('<details class="more"><summary>More ways to sign in</summary>')
    assert.equal(glance.match(/class="button provider/g)?.length, 6)
    assert.equal(rest.match(/class="button provider/g)?.length, 194)
  })

  test('stand where somebody shows once more that it is them', async (t) => {
    const house = await openHouse()
    t.after(() => house.close())
    const page = await house.ask('/ui/login?again=yes&next=/ui/account/keys', { headers: cookies(TOKENS.stale) })
    assert.match(page.text, /idp=idp-1&amp;next=%2Fui%2Faccount%2Fkeys"><span>Continue with Acme &lt;b>/)
  })
})

suite('the way to a provider', () => {
  const deeds: string[] = []
  let house: Awaited<ReturnType<typeof openHouse>>
  before(async () => {
    house = await openHouse(deeds)
  })
  after(() => house.close())

  test('is bound to the browser by a cookie, whose hash goes along', async () => {
    for (const [, ask] of house.askers) {
      const answer = await ask('/ui/login/provider?idp=idp-1&next=/ui/account/keys&lang=de&orgId=o1')
      leadsTo(answer, 'https://acme.example/authorize?state=s')
      const value = /^signet-browser=([\w-]{43}); .*HttpOnly; SameSite=Lax$/.exec(
        answer.header('set-cookie') ?? '',
      )?.[1]
      const [, idp, organizationId, length, success = '', failure = ''] = deeds.at(-1)?.split(' ') ?? []
      assert.deepEqual([idp, organizationId, length], ['idp-1', 'o1', '43'])
      const { origin, pathname, searchParams } = new URL(success)
      assert.equal(`${origin}${pathname}`, 'http://localhost:8080/ui/login/external')
      assert.deepEqual(Object.fromEntries(searchParams), {
        idp: 'idp-1',
        next: '/ui/account/keys',
        lang: 'de',
        orgId: 'o1',
        browser: hashSecret(value ?? ''),
      })
      assert.ok(!failure.includes('browser='))
    }
  })

  test('keeps the cookie that the browser has, so that another window can go on', async () => {
    const answer = await house.ask('/ui/login/provider?idp=idp-1', { headers: cookies() })
    assert.match(answer.header('set-cookie') ?? '', new RegExp(`^signet-browser=${BROWSER};`))
  })

  test('begins at a button of ours only, with GET only', async () => {
    const count = deeds.length
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site }
      const answer = await house.ask('/ui/login/provider?idp=idp-1&next=/ui/account/keys&lang=de', { headers })
      leadsTo(answer, '/ui/login?next=%2Fui%2Faccount%2Fkeys&lang=de')
      assert.equal(answer.header('set-cookie'), undefined)
    }
    assert.equal((await house.ask('/ui/login/provider?idp=idp-1', { method: 'HEAD' })).status, 405)
    assert.equal((await house.ask('/ui/login/provider', { form: { idp: 'idp-1' } })).status, 405)
    assert.equal(deeds.length, count)
    // Nor can it follow by itself on signing in.
    const next = new URLSearchParams({ next: '/ui/login/provider?idp=idp-1' })
    leadsTo(await house.ask(`/ui/login?${next}`, { headers: cookies(TOKENS.done) }), '/ui/account')
  })

  test('says when there is none, when it does not answer, and when there is too much to do', async () => {
    const none = await house.ask('/ui/login/provider?idp=gone&next=/ui/account/keys')
    assert.equal(none.status, 400)
    assert.match(
      none.text,
      /<h1>Sign-in with third-party provider failed<\/h1>.*href="\/ui\/login\?next=%2Fui%2Faccount%2Fkeys"/s,
    )
    const down = await house.ask('/ui/login/provider?idp=down')
    assert.equal(down.status, 503)
    assert.match(down.text, /is unavailable/)
    assert.equal((await house.ask('/ui/login/provider?idp=busy')).status, 503)
    for (const answer of [none, down]) assert.equal(answer.header('set-cookie'), undefined)
  })

  test('for a link needs somebody who has signed in lately', async () => {
    const count = deeds.length
    const ask = (token?: string) => house.ask('/ui/login/provider?idp=idp-1&link=yes', { headers: cookies(token) })
    assert.match((await ask()).header('location') ?? '', /^\/ui\/login\?next=/)
    leadsTo(await ask(TOKENS.stale), '/ui/login?again=yes&next=%2Fui%2Faccount')
    assert.match((await ask(TOKENS.second)).header('location') ?? '', /^\/ui\/login\/second-factor/)
    assert.equal(deeds.length, count)
    leadsTo(await ask(TOKENS.done), 'https://acme.example/authorize?state=s')
    assert.match(deeds.at(-1) ?? '', /external\?idp=idp-1&link=yes&browser=/)
  })
})

suite('the way back from a provider', () => {
  const deeds: string[] = []
  let house: Awaited<ReturnType<typeof openHouse>>
  before(async () => {
    house = await openHouse(deeds)
  })
  after(() => house.close())
  const post = (form: Readonly<Record<string, string>>, token?: string) =>
    house.ask('/ui/login/external', { form: { ...RIGHT, ...form }, headers: cookies(token) })

  test('signs in whose account it is, and goes on to where they wanted', async () => {
    const answer = await house.ask(at({ id: 'own', next: '/ui/account/keys' }), { headers: cookies('old') })
    leadsTo(answer, '/ui/account/keys')
    assert.match(answer.header('set-cookie') ?? '', /^signet_session=token-done; /)
    assert.equal(house.deeds.at(-1), 'sign in elsewhere own u1 old')
  })

  test('is good in the browser that began, and in no other', async () => {
    const count = house.deeds.length
    const without = { 'accept-language': 'en' }
    for (const [path, headers] of [
      [at({ id: 'own' }), without],
      [at({ id: 'own' }), cookies(undefined, 'c'.repeat(43))],
      [at({ id: 'own', browser: hashSecret('c'.repeat(43)) }), cookies()],
      [at({ id: 'own', browser: '' }), cookies()],
      [at({ id: 'own', token: 'wrong' }), cookies()],
      [at({ id: 'own\0' }), cookies()],
    ] as const) {
      const answer = await house.ask(path, { headers })
      assert.equal(answer.status, 400)
      assert.match(answer.text, /<h1>Sign-in with Acme &lt;b> failed/)
      assert.equal(answer.header('set-cookie'), undefined)
    }
    const form = { ...RIGHT, do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
    assert.equal((await house.ask('/ui/login/external', { form })).status, 400)
    assert.equal((await house.ask(at({ id: 'own' }), { method: 'HEAD', headers: cookies() })).status, 405)
    assert.equal((await house.ask(at({ token: 'busy' }), { headers: cookies() })).status, 429)
    assert.equal(house.deeds.length + deeds.length, count)
  })

  test('says that it was cancelled, cannot be reached or did not work, and nothing that somebody else wrote', async () => {
    for (const [error, status, title] of [
      ['access_denied', 400, 'Sign-in with Acme &lt;b> canceled'],
      ['temporarily_unavailable', 503, 'Sign-in with Acme &lt;b> is unavailable'],
      ['sign_in_failed', 400, 'Sign-in with Acme &lt;b> failed'],
      ['<script>', 400, 'Sign-in with Acme &lt;b> failed'],
    ] as const) {
      const query = new URLSearchParams({ idp: 'idp-1', error, error_description: 'Call +1 900', next: '/ui/account' })
      const answer = await house.ask(`/ui/login/external?${query}`)
      assert.equal(answer.status, status)
      assert.ok(answer.text.includes(`<h1>${title}</h1>`), answer.text)
      assert.match(answer.text, /href="\/ui\/login\?next=%2Fui%2Faccount">Back to sign-in/)
      assert.doesNotMatch(answer.text.split('<footer>', 1)[0] ?? '', /900|<script>/)
    }
    const linking = await house.ask('/ui/login/external?error=access_denied&idp=idp-1&link=yes')
    assert.match(linking.text, /href="\/ui\/account">Back to your account/)
  })

  test('asks who is signed in whether to link it, and links it only by the button', async () => {
    const page = await house.ask(at({ link: 'yes' }), { headers: cookies(TOKENS.done) })
    assert.match(page.text, /<h1>Link your Acme &lt;b> account\?<\/h1>/)
    assert.match(page.text, /“ada@acme &lt;i>”.*sign in as “ada”/s)
    assert.match(page.text, /name="do" value="link".*Link account.*href="\/ui\/account">Cancel/s)
    assert.deepEqual(deeds, [])
    leadsTo(await post({ do: 'link' }, TOKENS.done), '/ui/account?done=linked')
    assert.deepEqual(deeds.splice(0), ['link u1 new'])
    const foreign = { ...cookies(TOKENS.done), 'sec-fetch-site': 'cross-site' }
    assert.equal(
      (await house.ask('/ui/login/external', { form: { ...RIGHT, do: 'link' }, headers: foreign })).status,
      403,
    )
    leadsTo(await post({ do: 'link', next: '/ui/account/keys' }, TOKENS.done), '/ui/account/keys')
    assert.deepEqual(deeds.splice(0), ['link u1 new'])
  })

  test('links nothing for who is not signed in, not lately, or where it is not allowed', async () => {
    const next = `/ui/login/external?${new URLSearchParams(RIGHT)}`
    const again = `/ui/login?${new URLSearchParams({ again: 'yes', next })}`
    leadsTo(await house.ask(at({}), { headers: cookies(TOKENS.stale) }), again)
    assert.match((await post({ do: 'link' }, TOKENS.stale)).header('location') ?? '', /^\/ui\/login\?again=yes&next=/)
    assert.equal((await post({ do: 'link' })).status, 400)
    assert.equal((await post({ do: 'link' }, TOKENS.second)).status, 400)
    for (const id of ['only-register', 'nothing', 'own', 'other']) {
      assert.equal((await post({ do: 'link', id }, TOKENS.done)).status, 400, id)
    }
    const refused = await house.ask(at({ link: 'yes', id: 'only-register' }), { headers: cookies(TOKENS.done) })
    assert.deepEqual([refused.status, /<form/.test(refused.text)], [403, false])
    assert.deepEqual(deeds, [])
  })

  test('an account that is linked already signs nobody else in where it was to be linked', async () => {
    const count = house.deeds.length
    const taken = await house.ask(at({ link: 'yes', id: 'other' }), { headers: cookies(TOKENS.done) })
    assert.equal(taken.status, 409)
    assert.match(taken.text, /This account is already linked/)
    leadsTo(
      await house.ask(at({ link: 'yes', id: 'own' }), { headers: cookies(TOKENS.done) }),
      '/ui/account?done=linked',
    )
    assert.equal(house.deeds.length, count)
  })

  test('somebody new reads what the provider tells, changes it, and is registered', async () => {
    const page = await house.ask(at({ next: '/ui/account/keys' }), { headers: cookies() })
    assert.match(page.text, /value="Ada &quot;A&quot;".*value="King".*value="ada".*value="ada@acme.example"/s)
    const next = encodeURIComponent(`/ui/login/external?`)
    assert.match(page.text, new RegExp(`Already have an account.*href="/ui/login\\?next=${next}`, 's'))
    const typed = { do: 'register', firstName: ' Ada ', lastName: 'King', userName: 'ada', email: 'a@b.example' }
    const wrong = await post({ ...typed, userName: 'taken' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /href="#userName">This username is not available/)
    assert.match(wrong.text, /name="token" value="right"/)
    const blank = await post({ ...typed, firstName: ' ', email: 'x'.repeat(201) })
    assert.match(blank.text, /href="#firstName".*href="#email"/s)
    assert.deepEqual(deeds, [])
    leadsTo(await post({ ...typed, next: '/ui/account/keys', lang: 'fr' }), '/ui/account/keys')
    assert.deepEqual(deeds.splice(0), ['register new Ada King ada a@b.example fr'])
    assert.equal(house.deeds.at(-1), 'sign in elsewhere new u9 -')
  })

  test('nobody tries one name after the other', async () => {
    const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'taken', email: 'a@b.example' }
    const statuses = []
    for (let step = 0; step < 12; step++) statuses.push((await post({ ...typed, id: 'eager' })).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(422), 400, 400])
  })

  test('offers what the policy of the provider allows, and nothing else', async () => {
    const show = async (id: string) => (await house.ask(at({ id }), { headers: cookies() })).text
    const onlyLink = await show('only-link')
    assert.match(onlyLink, /class="button" href="\/ui\/login\?next=/)
    assert.doesNotMatch(onlyLink, /Create account/)
    const onlyRegister = await show('only-register')
    assert.match(onlyRegister, /Create account/)
    assert.doesNotMatch(onlyRegister, /already/)
    const nothing = await show('nothing')
    assert.match(nothing, /<h1>This Acme &lt;b> account can’t be used here<\/h1>/)
    assert.doesNotMatch(nothing, /<form|Create account/)
    for (const id of ['only-link', 'nothing', 'own']) {
      const typed = { do: 'register', firstName: 'A', lastName: 'B', userName: 'c', email: 'd@e.example' }
      assert.equal((await post({ ...typed, id })).status, 400, id)
    }
    assert.deepEqual(deeds, [])
  })
})
