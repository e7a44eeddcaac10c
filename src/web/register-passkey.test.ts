/** Passkeys from a mailed link and from that of the first start, before rooms of paper. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openHostedPages } from '../../test/support/hosted-pages.ts'
import { RIGHT_PASSWORD } from '../../test/support/paper-account.ts'
import { describeUserAgent } from './user-agent.ts'

type House = Awaited<ReturnType<typeof openHostedPages>>

const RIGHT_KEY = JSON.stringify({ id: 'right' })

suite('a passkey with a code', () => {
  let house: House
  before(async () => {
    house = await openHostedPages()
  })
  after(() => house.close())
  const link = { userId: 'u1', codeId: 'c1', code: 'RIGHT7' }
  const json = { accept: 'application/json' }

  test('is registered from a mailed link; opening it does nothing', async () => {
    const page = await house.ask(`/ui/passkeys/register?${new URLSearchParams(link)}`)
    for (const value of Object.values(link)) assert.ok(page.text.includes(`value="${value}"`), value)
    const asked = await house.ask('/ui/passkeys/register', { form: link, headers: json })
    assert.deepEqual(JSON.parse(asked.text), { publicKey: { challenge: 'for u1' }, keyId: 'key-9' })
    assert.equal(house.deeds.length, 0)
    const form = { ...link, keyId: 'key-9', name: ' My phone ', credential: RIGHT_KEY }
    const done = await house.ask('/ui/passkeys/register', { form })
    assert.match(done.text, /Passkey added.*href="\/ui\/login"/s)
    assert.deepEqual(house.deeds, ['register u1 key-9 My phone'])
    const wrong = await house.ask('/ui/passkeys/register', { form: { ...form, credential: '{}' } })
    assert.equal(wrong.status, 422)
  })

  test('a link that does not count says the same for everybody', async () => {
    const texts = new Set<string>()
    for (const given of [{ code: 'WRONG7' }, { userId: 'nobody', code: 'WRONG7' }, { codeId: 'other' }]) {
      const answer = await house.ask('/ui/passkeys/register', { form: { ...link, ...given }, headers: json })
      assert.equal(answer.status, 422)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1)
    assert.equal((await house.ask('/ui/passkeys/register?userId=u1&code=X')).status, 400)
  })

  test('sets up the first administrator in place of a password', async () => {
    const setUp = { userId: 'u1', code: 'RIGHT7' }
    const page = await house.ask('/setup?user=u1&code=RIGHT7')
    assert.match(page.text, /Use a passkey instead/)
    const asked = await house.ask('/setup', { form: setUp, headers: json })
    assert.equal(JSON.parse(asked.text).keyId, 'key-9')
    const stale = await house.ask('/setup', { form: { ...setUp, code: 'WRONG7' }, headers: json })
    assert.match(JSON.parse(stale.text).message, /signet setup-link/)
    const done = await house.ask('/setup', { form: { ...setUp, keyId: 'key-9', credential: RIGHT_KEY } })
    assert.equal(house.deeds.at(-1), 'set up key u1')
    assert.match(done.text, /“admin”.*action="\/ui\/login\/passkey" data-key="get" data-begin="now"/s)
    const twice = { password: RIGHT_PASSWORD, repeated: RIGHT_PASSWORD }
    const signed = await house.ask('/setup', { form: { ...setUp, ...twice } })
    assert.match(signed.header('set-cookie') ?? '', /^signet_session=token-done; /)
  })
})

test('a browser is described in words of its owner', () => {
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  assert.equal(describeUserAgent(windows), 'Chrome, Windows')
  assert.equal(describeUserAgent(`${windows} Edg/140.0.0.0`), 'Edge, Windows')
  assert.equal(describeUserAgent('curl/8.5 \u202e'), 'curl/8.5 ')
  assert.equal(describeUserAgent(undefined), '')
})
