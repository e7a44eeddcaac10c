/** Signing in and one's own account, in a real Chromium that runs no scripts, on a really started server. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import type { Mail, People } from './people.ts'
import {
  addPersonWithPassword,
  heading,
  PASSWORD,
  pathOf,
  press,
  signInWith,
  signOut,
  startPublicly,
  textOf,
} from './signing-in.ts'

const options = { timeout: 600_000, skip: withoutBrowser() }

suite('a person who signs in', { ...options, timeout: 400_000 }, () => {
  let people: People
  before(async () => {
    people = await startPublicly()
  })
  after(() => people.close())

  test(
    'signs in with a name and a password without any script, and reads one sentence when it is wrong',
    options,
    async () => {
      await addPersonWithPassword(people, 'grace')
      const { page, complaints } = await people.open()
      await signInWith(people, page, 'grace', 'not her password')
      const wrong = await textOf(page.getByRole('alert'))
      assert.match(wrong, /The username, email address or password is incorrect/)
      assert.equal(await page.getByLabel('Username').inputValue(), 'grace')
      await signInWith(people, page, 'nobody', 'not her password')
      assert.equal(await textOf(page.getByRole('alert')), wrong)
      await page.goto(`${people.url}/ui/login?next=/ui/account/password`)
      await page.getByLabel('Username').fill('GRACE')
      await page.getByLabel('Password').fill(PASSWORD)
      await press(page, 'Sign in')
      assert.equal(pathOf(page), '/ui/account/password')
      await page.goto(`${people.url}/ui/login?next=//evil.example`)
      assert.equal(pathOf(page), '/ui/account')
      assert.deepEqual(complaints, [])
    },
  )

  test('gets another token with every step, and the one before opens nothing', options, async () => {
    await addPersonWithPassword(people, 'radia')
    const { page } = await people.open()
    await signInWith(people, page, 'radia')
    const tokenOf = async () =>
      (await page.context().cookies()).find(({ name }) => name === 'signet_session')?.value ?? ''
    const opens = async (token: string) => {
      const headers = { cookie: `signet_session=${token}` }
      return (await fetch(`${people.url}/ui/account`, { headers, redirect: 'manual' })).status === 200
    }
    const first = await tokenOf()
    assert.ok(await opens(first))
    await page.goto(`${people.url}/ui/login?again=yes`)
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Continue')
    const second = await tokenOf()
    assert.notEqual(second, first)
    assert.deepEqual([await opens(first), await opens(second)], [false, true])
    await signOut(people, page)
    assert.equal(await opens(second), false)
  })

  test('is asked to wait after too many wrong passwords', options, async () => {
    await addPersonWithPassword(people, 'hasty')
    const tryOnce = () =>
      fetch(`${people.url}/ui/login`, {
        method: 'POST',
        body: new URLSearchParams({ userName: 'hasty', password: 'wrong' }),
      })
    const answers = await Promise.all(Array.from({ length: 8 }, tryOnce))
    const late = answers.find(({ status }) => status === 429) ?? assert.fail('nobody has to wait')
    assert.ok(Number(late.headers.get('retry-after')) > 0)
    assert.match(await late.text(), /Please wait.*Too many attempts\..*Try again in/s)
  })

  test('sees where else they are signed in, and ends it', options, async () => {
    await addPersonWithPassword(people, 'edsger')
    const [here, there] = [(await people.open()).page, (await people.open()).page]
    await signInWith(people, here, 'edsger')
    await signInWith(people, there, 'edsger')
    assert.equal(pathOf(there), '/ui/account')
    await here.goto(`${people.url}/ui/account`)
    assert.equal(await here.getByText('This browser').count(), 1)
    const signOutButtons = here.getByRole('button', { name: /^Sign out( of Chrome on Linux, .*)?$/ })
    assert.equal(await signOutButtons.count(), 2)
    await here.getByRole('button', { name: /^Sign out of Chrome on Linux/ }).click()
    assert.match(await textOf(here.getByRole('status')), /signed out there/)
    assert.equal(await signOutButtons.count(), 1)
    await there.goto(`${people.url}/ui/account`)
    assert.equal(pathOf(there), '/ui/login')
    await here.goto(`${people.url}/ui/account`)
    assert.equal(pathOf(here), '/ui/account')
  })

  test('gets a code by mail and another one, then uses a recovery code', options, async () => {
    await addPersonWithPassword(people, 'alan')
    const { page } = await people.open()
    await signInWith(people, page, 'alan')
    await press(page, 'Turn on Code by email')
    assert.equal(await heading(page), 'Enter the code')
    const first = await people.nextMail('alan@example.com')
    const sent = /\b[0-9A-Z]{3}\s?[0-9A-Z]{3}\b/.exec(first.text.replace(/^.*Subject:.*$/m, ''))?.[0]
    await page.getByLabel('Verification code').fill(sent ?? assert.fail(first.text))
    await press(page, 'Turn on')
    /** The next mail with a code; notices about the account come between. */
    const nextCode = async (afterId: string): Promise<Mail> => {
      const mail = await people.nextMail('alan@example.com', afterId)
      return /\b\d{4}\s?\d{4}\b/.test(mail.text) ? mail : nextCode(mail.id)
    }
    const typeCode = async (mail: Mail) => {
      const code = /\b\d{4}\s?\d{4}\b/.exec(mail.text)?.[0] ?? assert.fail(mail.text)
      await page.getByLabel('Verification code').fill(code)
      await press(page, 'Continue')
    }
    assert.match(await textOf(page.getByRole('status')), /Your change has been saved/)
    await press(page, 'Generate Recovery codes')
    const codes = await page.locator('.codes code').allTextContents()
    assert.equal(codes.length, 10)
    await page.getByRole('link', { name: 'Back to your account' }).click()
    await signOut(people, page)

    await signInWith(people, page, 'alan')
    await press(page, 'Send code')
    const second = await nextCode(first.id)
    await press(page, 'Send new code')
    const third = await nextCode(second.id)
    await typeCode(second)
    assert.match(await textOf(page.getByRole('alert')), /incorrect, has expired or was already used/)
    await typeCode(third)
    assert.equal(pathOf(page), '/ui/account')
    await signOut(people, page)

    await signInWith(people, page, 'alan')
    await page.getByRole('link', { name: 'Recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await press(page, 'Continue')
    assert.equal(pathOf(page), '/ui/account')
    assert.match(await textOf(page.getByRole('main')), /9 codes left/)
  })

  test('nobody learns from signing in who exists, is locked or deactivated', options, async () => {
    const ids = {
      known: await addPersonWithPassword(people, 'known'),
      locked: await addPersonWithPassword(people, 'locked'),
      inactive: await addPersonWithPassword(people, 'inactive'),
    }
    await people.call('POST', `/v2/users/${ids.locked}/lock`, {})
    await people.call('POST', `/v2/users/${ids.inactive}/deactivate`, {})
    const post = async (path: string, fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams(fields)
      const answer = await fetch(`${people.url}${path}`, { method: 'POST', body, redirect: 'manual' })
      const told = await answer.text()
      const masked = told
        .replaceAll(fields.userId === undefined ? `"${fields.userName}"` : fields.userId, 'NAME')
        .replace(/in (a|\d+) seconds?/, 'soon')
      return `${answer.status} ${answer.headers.has('set-cookie')} ${masked}`
    }
    // One try more than anybody has in a row; those of one person take turns.
    const tries = async (userName: string) =>
      (await Promise.all(Array.from({ length: 6 }, () => post('/ui/login', { userName, password: 'x' })))).sort()
    const [known = [], ...others] = await Promise.all(
      ['known', 'locked', 'inactive', 'who is that', 'no\u202ename'].map(tries),
    )
    assert.deepEqual(
      known.map((answer) => answer.slice(0, 9)),
      [...Array<string>(5).fill('422 false'), '429 false'],
    )
    for (const answers of others) assert.deepEqual(answers, known)
    const shut = {
      shut: await addPersonWithPassword(people, 'shut'),
      closed: await addPersonWithPassword(people, 'closed'),
    }
    await people.call('POST', `/v2/users/${shut.shut}/lock`, {})
    await people.call('POST', `/v2/users/${shut.closed}/deactivate`, {})
    for (const userName of Object.keys(shut)) {
      assert.equal(await post('/ui/login', { userName, password: PASSWORD }), known[0])
    }
    const links = [...Object.values(ids), 'nobody'].map((userId) => ({ userId, codeId: 'c', code: 'ABCDEF' }))
    const registered = await Promise.all(links.map((fields) => post('/ui/passkeys/register', fields)))
    assert.equal(new Set(registered).size, 1)
    const finished = links.map((fields) => ({ ...fields, keyId: 'k', credential: '{}', name: '' }))
    assert.equal(new Set(await Promise.all(finished.map((fields) => post('/ui/passkeys/register', fields)))).size, 1)
  })

  test('no password, no code and no token is in the log of the server', options, () => {
    const log = people.log().replaceAll(people.setupUrl, '')
    for (const secret of [PASSWORD, 'signet_session_', 'code=', 'otpauth']) assert.ok(!log.includes(secret), secret)
  })
})
