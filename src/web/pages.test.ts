/** The hosted pages as browsers and others ask for them, over both versions of HTTP. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate as breathe } from 'node:timers/promises'
import { openHostedPages, RIGHT_CODE } from '../../test/support/hosted-pages.ts'

type House = Awaited<ReturnType<typeof openHostedPages>>

const PASSWORD = 'sturdy umbrella lagoon'
const right = { userId: 'u1', code: RIGHT_CODE }
const twice = { password: PASSWORD, repeated: PASSWORD }

suite('hosted pages', () => {
  let house: House
  before(async () => {
    house = await openHostedPages()
  })
  after(() => house.close())
  const deedsSince = async (count: number) => {
    await breathe()
    return house.deeds.slice(count)
  }

  test('opening a link verifies nothing, pressing its button does', async () => {
    for (const [version, ask] of house.askers) {
      const count = house.deeds.length
      const page = await ask(`/verify-email?userId=u1&code=${RIGHT_CODE}`)
      assert.equal(page.status, 200, version)
      assert.match(page.text, /<form method="post" action="\/verify-email"/)
      assert.ok(page.text.includes(`value="${RIGHT_CODE}"`))
      assert.equal((await ask(`/verify-email?userId=u1&code=${RIGHT_CODE}`, { method: 'HEAD' })).text, '')
      assert.deepEqual(await deedsSince(count), [])
      const done = await ask('/verify-email', { form: right })
      assert.equal(done.status, 200)
      assert.match(done.text, /Email address verified/)
      assert.deepEqual(await deedsSince(count), ['verify u1'])
    }
  })

  test('a link without its code asks for the code, one without its user says what is missing', async () => {
    assert.match((await house.ask('/verify-email?userId=u1')).text, /autocomplete="one-time-code"/)
    const empty = await house.ask('/verify-email', { form: { userId: 'u1', code: ' ' } })
    assert.equal(empty.status, 422)
    assert.match(empty.text, /role="alert".*href="#code"/s)
    for (const path of ['/verify-email', '/set-password?userId=u1', '/accept-invitation?code=X', '/setup?user=u1']) {
      const page = await house.ask(path)
      assert.equal(page.status, 400, path)
      assert.match(page.text, /This link is incomplete/)
    }
    const hostile = await house.ask('/verify-email', { form: { userId: `u1\0`, code: RIGHT_CODE } })
    assert.equal(hostile.status, 400)
  })

  test('a code that does not count leads to a new one, and the answer is the same for everybody', async () => {
    for (const [path, deed] of [
      ['/verify-email', 'send e-mail code'],
      ['/set-password', 'send reset'],
      ['/accept-invitation', 'send invitation'],
    ] as const) {
      const count = house.deeds.length
      const refused = await house.ask(path, { form: { userId: 'u7', code: 'WRONG7', ...twice } })
      assert.equal(refused.status, 400)
      assert.match(refused.text, /This link is not valid/)
      assert.match(refused.text, /name="again"/)
      assert.ok(!refused.text.includes('WRONG7'))
      const sent = await house.ask(path, { form: { userId: 'u7', again: 'yes' } })
      assert.equal(sent.status, 200)
      assert.deepEqual(await deedsSince(count), [`${deed} u7`])
      const other = await house.ask(path, { form: { userId: 'nobody', again: 'yes' } })
      assert.equal(other.text, sent.text)
    }
    const setup = await house.ask('/setup', { form: { userId: 'u7', code: 'WRONG7', ...twice } })
    assert.match(setup.text, /signet setup-link/)
    assert.doesNotMatch(setup.text, /name="again"/)
  })

  test('mails of a kind to one user are sent three times, then only after a while; the answer does not change', async () => {
    const ask = () => house.ask('/verify-email', { form: { userId: 'u8', again: 'yes' } })
    const count = house.deeds.length
    const answers = [await ask(), await ask(), await ask(), await ask(), await ask()]
    assert.equal(new Set(answers.map(({ text, status }) => `${status}${text}`)).size, 1)
    assert.equal((await deedsSince(count)).length, 3)
    house.clock.now = (house.clock.now + 15 * 60 * 1000) as typeof house.clock.now
    await ask()
    assert.equal((await deedsSince(count)).length, 4)
  })

  test('a password is set when it is good and the same twice; mistakes stand where they were made', async () => {
    for (const [path, deed, title] of [
      ['/set-password', 'reset', 'Password set'],
      ['/accept-invitation', 'accept', 'Your account is ready'],
      ['/setup', 'set up', 'Setup complete'],
    ] as const) {
      const count = house.deeds.length
      const kept = { ...right, orgId: 'strict' }
      const different = await house.ask(path, { form: { ...kept, password: 'one-thing-here', repeated: 'another' } })
      assert.equal(different.status, 422)
      assert.match(different.text, /role="alert".*href="#repeated".*The passwords don’t match/s)
      assert.match(different.text, /id="repeated"[^>]*aria-invalid="true"[^>]*aria-describedby="repeated-mistake"/)
      for (const value of Object.values(kept)) assert.ok(different.text.includes(`value="${value}"`), value)
      assert.ok(!different.text.includes('one-thing-here') && !different.text.includes('another"'))
      const weak = await house.ask(path, { form: { ...right, password: 'short', repeated: 'short' } })
      assert.equal(weak.status, 422)
      assert.match(weak.text, /at least 8 characters.*This password is too common/s)
      const missing = await house.ask(path, { form: right })
      assert.match(missing.text, /href="#password">Enter a password/)
      assert.deepEqual(await deedsSince(count), [])
      const done = await house.ask(path, { form: { ...right, ...twice } })
      assert.ok(done.text.includes(title), done.text)
      assert.deepEqual(await deedsSince(count), [`${deed} u1 ${PASSWORD}`])
    }
  })

  test('the rules are those of the organization in the link', async () => {
    const usual = await house.ask(`/set-password?userId=u1&code=X`)
    assert.match(usual.text, /At least 8 characters/)
    assert.doesNotMatch(usual.text, /A symbol/)
    const strict = await house.ask(`/set-password?userId=u1&code=X&orgId=strict`)
    assert.match(strict.text, /At least 15 characters.*A symbol/s)
  })

  test('a server with too much to do says so', async () => {
    const busy = await house.ask('/set-password', { form: { userId: 'u1', code: 'BUSY77', ...twice } })
    assert.equal(busy.status, 429)
    assert.equal(busy.header('retry-after'), '5')
  })

  test('who has forgotten a password hears the same for every name', async () => {
    const count = house.deeds.length
    const known = await house.ask('/forgot-password', { form: { userName: ' Ada ' } })
    const texts = new Set<string>()
    for (const userName of ['Ada', 'nobody', 'x'.repeat(5_000), 'nul\0']) {
      texts.add((await house.ask('/forgot-password', { form: { userName } })).text)
    }
    assert.deepEqual([...texts], [known.text])
    assert.deepEqual(await deedsSince(count), ['send reset to Ada', 'send reset to Ada', 'send reset to nobody'])
    const empty = await house.ask('/forgot-password', { form: { userName: ' ' } })
    assert.equal(empty.status, 422)
    assert.match(empty.text, /role="alert"/)
  })

  test('a failure to send changes no answer', async () => {
    const failing = await openHostedPages({
      sendPasswordResetTo: async () => {
        throw new Error('no mail today')
      },
    })
    const answer = await failing.ask('/forgot-password', { form: { userName: 'ada' } })
    assert.equal(answer.status, 200)
    await breathe()
    assert.equal(failing.faults.length, 1)
    await failing.close()
  })

  test('what was typed is shown as text, never as markup', async () => {
    const page = await house.ask(`/verify-email?userId=${encodeURIComponent('"><script>alert(1)</script>')}&code=x`)
    assert.doesNotMatch(page.text, /<script/)
    assert.match(page.text, /value="&quot;>&lt;script>/)
  })

  test('a body that is no form or too long for one is refused', async () => {
    for (const [version, ask] of house.askers) {
      const json = await ask('/verify-email', { form: '{}', headers: { 'content-type': 'application/json' } })
      assert.equal(json.status, 415, version)
      const long = await ask('/verify-email', { form: `userId=u1&code=${'x'.repeat(20_000)}` })
      assert.equal(long.status, 413, version)
    }
  })
})

suite('the language of a page', () => {
  let house: House
  before(async () => {
    house = await openHostedPages()
  })
  after(() => house.close())

  test('is that of the address, else the best that the browser accepts, else English', async () => {
    const spoken = async (path: string, accepted?: string) => {
      const page = await house.ask(path, { headers: { 'accept-language': accepted ?? '*' } })
      assert.equal(page.header('content-language'), /<html lang="(\w+)"/.exec(page.text)?.[1])
      return page.header('content-language')
    }
    assert.equal(await spoken('/'), 'en')
    assert.equal(await spoken('/', 'pt, fr-CA;q=0.8, de;q=0.9'), 'de')
    assert.equal(await spoken('/', 'de;q=0, fr;q=0.1'), 'fr')
    assert.equal(await spoken('/?lang=de-AT', 'fr'), 'de')
    assert.equal(await spoken('/?lang=__proto__', 'fr'), 'fr')
  })

  test('goes with the form to its answer', async () => {
    const page = await house.ask('/forgot-password?lang=de')
    assert.match(page.text, /<input type="hidden" name="lang" value="de"/)
    const answer = await house.ask('/forgot-password', { form: { userName: 'ada', lang: 'de' } })
    assert.match(answer.text, /Prüfen Sie Ihren Posteingang/)
  })

  test('can be changed without losing what stands in the address', async () => {
    const page = await house.ask('/verify-email?userId=u1&code=ABC')
    assert.match(page.text, /href="\/verify-email\?userId=u1&amp;code=ABC&amp;lang=fr"/)
  })
})
