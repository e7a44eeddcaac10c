/** The pages of one's own account, before rooms of paper. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openHostedPages, type Told } from '../../test/support/hosted-pages.ts'
import { ACCOUNT, paperAccount, RIGHT_CODE_OF_APP, TOKENS } from '../../test/support/paper-account.ts'
import type { Account } from './account-ports.ts'

type House = Awaited<ReturnType<typeof openHostedPages>>

const here = { cookie: `signet_session=${TOKENS.done}` }
const RIGHT_KEY = JSON.stringify({ id: 'right' })

suite('one’s own account', () => {
  let house: House
  before(async () => {
    house = await openHostedPages()
  })
  after(() => house.close())
  const leadsTo = (answer: Told, location: string) =>
    assert.deepEqual([answer.status, answer.header('location')], [303, location], answer.text)
  const send = (path: string, form: Readonly<Record<string, string>>) => house.ask(path, { form, headers: here })

  test('shows who one is, sessions, keys and factors, as text', async () => {
    const { text } = await house.ask('/ui/account', { headers: here })
    assert.match(text, /<h1>Ada &lt;Lovelace><\/h1>/)
    assert.match(text, /My &lt;phone>/)
    assert.match(text, /Firefox, Linux<em>This browser<\/em>.*Unknown device/s)
    assert.match(text, /Requires a verified phone number/)
    assert.match(text, /3 codes left/)
    assert.match(text, /data-signal="{&quot;rpId&quot;:&quot;localhost&quot;/)
    assert.doesNotMatch(text, /removed&quot;/)
    const german = await house.ask('/ui/account?lang=de&done=password', { headers: here })
    assert.match(german.text, /role="status"[^>]*>Ihr Passwort wurde gespeichert.*Aktive Sitzungen/s)
    assert.doesNotMatch((await house.ask('/ui/account?done=__proto__', { headers: here })).text, /class="done"/)
  })

  test('is there for nobody who is not signed in', async () => {
    for (const headers of [{}, { cookie: 'signet_session=unknown' }, { cookie: 'signet_session="; x' }]) {
      leadsTo(await house.ask('/ui/account?lang=fr', { headers }), '/ui/login?next=%2Fui%2Faccount%3Flang%3Dfr&lang=fr')
      const count = house.deeds.length
      leadsTo(await house.ask('/ui/account/sessions', { form: { do: 'others' }, headers }), '/ui/login')
      assert.equal(house.deeds.length, count)
    }
  })

  test('each deed is done for the person of the session, and leads back', async () => {
    for (const [path, form, deed, result] of [
      ['sessions', { do: 'end', id: 'session-2' }, 'end u1 session-2', 'session'],
      ['sessions', { do: 'others' }, 'end u1 others', 'session'],
      [
        'keys',
        { do: 'rename', id: 'key-2', use: 'second_factor', name: ' New ' },
        'rename u1 second_factor key-2 New',
        'renamed',
      ],
      [
        'keys',
        { do: 'add', use: 'passkey', keyId: 'key-9', name: 'P', credential: RIGHT_KEY },
        'finish key u1 passkey key-9 P',
        'key',
      ],
      ['links', { do: 'remove', idp: 'idp-1', account: 'sub-1' }, 'unlink u1 idp-1 sub-1', 'removed'],
      ['totp', { do: 'verify', code: RIGHT_CODE_OF_APP }, 'finish app u1', 'app'],
      ['totp', { do: 'remove' }, 'remove app u1', 'removed'],
      ['otp', { medium: 'email', do: 'on' }, 'otp u1 email true', 'otp'],
      ['otp', { medium: 'sms', do: 'off' }, 'otp u1 sms false', 'otp'],
    ] as const) {
      leadsTo(await send(`/ui/account/${path}`, form), `/ui/account?done=${result}`)
      assert.equal(house.deeds.at(-1), deed)
    }
  })

  test('a removed passkey is told to password managers, by this answer only', async () => {
    const answer = await send('/ui/account/keys', { do: 'remove', id: 'key-1', use: 'passkey' })
    assert.equal(answer.status, 200)
    assert.equal(house.deeds.at(-1), 'remove u1 passkey key-1')
    assert.match(answer.text, /It has been removed/)
    const signals = [...answer.text.matchAll(/data-signal="([^"]*)"/g)].map(([, json = '']) =>
      JSON.parse(json.replaceAll('&quot;', '"')),
    )
    assert.deepEqual(signals, [{ rpId: 'localhost', userId: 'dTE', accepted: [], removed: 'Y3JlZA' }])
    const gone = await send('/ui/account/keys', { do: 'remove', id: 'none', use: 'passkey' })
    assert.equal(gone.status, 400)
    assert.match(gone.text, /This change could not be made/)
    assert.doesNotMatch(gone.text, /data-signal/)
  })

  test('ways to sign in are changed only by who has signed in lately', async () => {
    const headers = { cookie: `signet_session=${TOKENS.stale}` }
    const count = house.deeds.length
    leadsTo(
      await house.ask('/ui/account/keys?use=second_factor', { headers }),
      '/ui/login?again=yes&next=%2Fui%2Faccount%2Fkeys%3Fuse%3Dsecond_factor',
    )
    for (const path of ['keys', 'links', 'totp', 'otp', 'recovery-codes']) {
      const answer = await house.ask(`/ui/account/${path}`, { form: { do: 'remove', id: 'key-1' }, headers })
      leadsTo(answer, '/ui/login?again=yes&next=%2Fui%2Faccount')
    }
    assert.equal(house.deeds.length, count)
    await house.ask('/ui/account/sessions', { form: { do: 'others' }, headers })
    assert.equal(house.deeds.length, count + 1)
  })

  test('a key is added by name, a wrong answer of it says so', async () => {
    const page = await house.ask('/ui/account/keys?use=second_factor', { headers: here })
    assert.match(page.text, /Add a security key.*data-key="create"/s)
    const asked = await send('/ui/account/keys', { do: 'add', use: 'second_factor' })
    assert.equal(JSON.parse(asked.text).keyId, 'key-9')
    assert.equal(house.deeds.at(-1), 'start key u1 second_factor')
    const wrong = await send('/ui/account/keys', { do: 'add', use: 'passkey', credential: '{}' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /role="alert"/)
    assert.match((await house.ask('/ui/account/keys?rename=key-1', { headers: here })).text, /value="My &lt;phone>"/)
    assert.equal((await house.ask('/ui/account/keys?rename=other', { headers: here })).status, 404)
  })

  test('an app is shown as a picture and as text, and a wrong code does not lose it', async () => {
    const page = await send('/ui/account/totp', { do: 'start' })
    assert.match(page.text, /<svg class="qr".*ABCD EFGH IJKL MNOP/s)
    const kept = { do: 'verify', uri: 'otpauth://totp/localhost:ada?secret=X', secret: 'ABCDEFGHIJKLMNOP' }
    assert.match((await send('/ui/account/totp', { ...kept, code: '1' })).text, /role="alert".*<svg class="qr"/s)
    const strange = await send('/ui/account/totp', { ...kept, uri: 'https://evil.example', code: '1' })
    assert.doesNotMatch(strange.text, /evil/)
    assert.equal((await send('/ui/account/totp', { ...kept, code: 'too often' })).status, 429)
  })

  test('accounts elsewhere are listed and linked by name, as text', async () => {
    const { text } = await house.ask('/ui/account?lang=en', { headers: here })
    assert.match(text, /Acme &lt;b><\/strong><span>ada@acme/)
    assert.match(text, /href="\/ui\/login\/provider\?idp=idp-1&amp;link=yes&amp;lang=en"><span>Link Acme &lt;b>/)
    assert.equal((await send('/ui/account/links', { idp: 'idp-1', account: 'none' })).status, 400)
  })

  test('whoever is somebody else, too, signs out and in again', async () => {
    assert.match((await house.ask('/ui/account', { headers: here })).text, /Sign in with another account/)
    const answer = await send('/ui/logout', { other: 'yes', lang: 'de' })
    leadsTo(answer, '/ui/login?lang=de')
    assert.match(answer.header('set-cookie') ?? '', /^signet_session=; .*Max-Age=0$/)
    assert.equal(house.deeds.at(-1), `sign out ${TOKENS.done}`)
  })

  test('recovery codes are shown once, by the answer that made them', async () => {
    const made = await send('/ui/account/recovery-codes', {})
    assert.match(made.text, /AAAAA-BBBBB.*CCCCC-DDDDD/s)
    leadsTo(await house.ask('/ui/account/recovery-codes', { headers: here }), '/ui/account')
  })

  test('the last way in cannot be taken away', async (t) => {
    const { account } = paperAccount([])
    const show = async (alone: Partial<Account>) => {
      const lonely = await openHostedPages({ account: { ...account, read: async () => ({ ...ACCOUNT, ...alone }) } })
      t.after(() => lonely.close())
      return (await lonely.ask('/ui/account', { headers: here })).text
    }
    const text = await show({ hasPassword: false, links: [] })
    assert.match(text, /your only way to sign in/)
    assert.doesNotMatch(text, /name="id" value="key-1"/)
    assert.match(text, /name="id" value="key-2"/)
    const elsewhere = await show({ hasPassword: false, keys: [] })
    assert.match(elsewhere, /ada@acme.*your only way to sign in/s)
    assert.doesNotMatch(elsewhere, /name="account" value="sub-1"/)
    const [link] = ACCOUNT.links
    const off = await show({ hasPassword: false, ...(link && { links: [{ ...link, isUsable: false }] }) })
    assert.match(off, /My &lt;phone>.*your only way to sign in.*Currently unavailable.*name="account" value="sub-1"/s)
    const none = await show({ links: [], linkable: [] })
    assert.doesNotMatch(none, /Linked accounts|your only way to sign in/)
  })

  test('a password is changed with the current one', async () => {
    const twice = { password: 'a new sturdy one', repeated: 'a new sturdy one' }
    const missing = await send('/ui/account/password', twice)
    assert.match(missing.text, /Enter your current password/)
    const late = await send('/ui/account/password', { current: 'too often', ...twice })
    assert.equal(late.status, 429)
    leadsTo(await send('/ui/account/password', { current: 'right password', ...twice }), '/ui/account?done=password')
  })
})
