/** Passkeys from a mailed link and from that of the first start. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import { type HostedPages, openHostedPages } from '../../../../test/support/hosted-pages.ts'
import { answerWithNewKey, says, tokenIn } from '../../../../test/support/page-client.ts'
import { reissueSetupLink } from '../../../features/instances/index.ts'
import { SETUP_LINK_FILE } from '../../../features/onboarding/index.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { describeUserAgent } from '../../../http/user-agent.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

suite('a passkey with a code', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())
  const json = { accept: 'application/json' }

  const newLink = async () => {
    const { userId } = await world.addUser()
    const { createPasskeyRegistrationLink } = UserService.method
    const medium = { case: 'returnCode', value: {} } as const
    const { code } = await world.call(createPasskeyRegistrationLink, { userId, medium }, world.owner)
    return { userId, codeId: code?.id ?? '', code: code?.code ?? '' }
  }
  const keysOf = async (userId: string) => {
    const { result } = await world.call(UserService.method.listPasskeys, { userId }, world.owner)
    return result.map(({ name }) => name)
  }
  const setUpLinkOf = (url: string) => {
    const { searchParams } = new URL(url)
    const email = 'grace@example.com'
    return { userId: searchParams.get('user') ?? '', code: searchParams.get('code') ?? '', email }
  }

  test('is registered from a mailed link; opening it does nothing', async () => {
    const link = await newLink()
    const mark = await world.mark()
    const page = await world.ask(`/ui/passkeys/register?${new URLSearchParams(link)}`)
    for (const value of Object.values(link)) assert.ok(page.text.includes(`value="${value}"`), value)
    assert.deepEqual(await world.eventsSince(mark), [])
    const asked = await world.ask('/ui/passkeys/register', { form: link, headers: json })
    assert.equal(JSON.parse(asked.text).publicKey.user.name, 'user-1')
    // It is not ready yet.
    assert.deepEqual(await keysOf(link.userId), [])
    const form = { ...link, ...answerWithNewKey(newAuthenticator(), asked), name: ' My phone ' }
    const wrong = await world.ask('/ui/passkeys/register', { form: { ...form, credential: '{}' } })
    assert.equal(wrong.status, 422)
    const done = await world.ask('/ui/passkeys/register', { form })
    says(done, en.registerPasskey.done)
    assert.match(done.text, /href="\/ui\/login"/)
    assert.deepEqual(await keysOf(link.userId), ['My phone'])
    assert.equal((await world.ask('/ui/passkeys/register', { form })).status, 422)
  })

  test('a link that does not count says the same for everybody', async () => {
    const link = await newLink()
    const texts = new Set<string>()
    for (const given of [{ code: 'WRONG7' }, { userId: 'unknown', code: 'WRONG7' }, { codeId: 'other' }]) {
      const answer = await world.ask('/ui/passkeys/register', { form: { ...link, ...given }, headers: json })
      assert.equal(answer.status, 422)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1)
    assert.equal((await world.ask('/ui/passkeys/register?userId=u1&code=X')).status, 400)
    const opened = new Set<string>()
    for (const given of [{ code: 'WRONG7' }, { codeId: 'unknown' }, { userId: 'unknown' }]) {
      const page = await world.ask(`/ui/passkeys/register?${new URLSearchParams({ ...link, ...given })}`)
      assert.equal(page.status, 400)
      says(page, en.stale.title)
      opened.add(/<main>.*<\/main>/s.exec(page.text)?.[0] ?? '')
    }
    assert.equal(opened.size, 1)
  })

  test('sets up the first administrator in place of a password', async () => {
    const url = await readFile(join(world.dataDir, SETUP_LINK_FILE), 'utf8')
    const setUp = setUpLinkOf(url)
    says(await world.ask(`/setup?${new URL(url).searchParams}`), en.setupEmail.lead)
    says(await world.ask('/setup', { form: { ...setUp, instead: 'password' } }), en.setUpPasskey.button)
    const asked = await world.ask('/setup', { form: setUp, headers: json })
    const stale = await world.ask('/setup', { form: { ...setUp, code: 'WRONG7' }, headers: json })
    assert.equal(JSON.parse(stale.text).message, en.stale.setupText)
    const done = await world.ask('/setup', { form: { ...setUp, ...answerWithNewKey(newAuthenticator(), asked) } })
    assert.equal((await keysOf(setUp.userId)).length, 1)
    says(done, en.setUpPasskey.done({ userName: 'admin' }))
    assert.match(done.text, /action="\/ui\/login\/passkey" data-key="get" data-begin="now"/s)
  })

  test('with a password, the first administrator is signed in at once', async (t) => {
    const other = await openHostedPages()
    t.after(() => other.close())
    const { url } = await reissueSetupLink(other.store, other.app.externalUrl, other.origin())
    const chosen = { password: 'sturdy umbrella lagoon' }
    const signed = await other.ask('/setup', { form: { ...setUpLinkOf(url), ...chosen } })
    assert.equal((await findPerson(other.app, tokenIn(signed)))?.userName, 'admin')
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
