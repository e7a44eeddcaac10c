/** Signing in on the pages with a passkey and no user name. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { newAuthenticator } from '../../../../test/support/authenticator.ts'
import { HOUR, type HostedPages, openHostedPages } from '../../../../test/support/hosted-pages.ts'
import {
  answerWithKey,
  holding,
  keeping,
  leadsTo,
  optionsIn,
  says,
  tokenIn,
} from '../../../../test/support/page-client.ts'
import { findPerson } from '../../../features/sign-in/index.ts'
import { textsIn } from '../../language.ts'

const en = textsIn('en')

suite('signing in with a passkey', () => {
  let world: HostedPages
  before(async () => {
    world = await openHostedPages()
  })
  after(() => world.close())

  test('with a passkey asks for one of any user, and then for what it answered', async () => {
    const user = await world.addUser()
    const passkey = await world.addKey(user, 'passkey')
    const begin = () => world.ask('/ui/login/passkey', { form: {}, headers: { accept: 'application/json' } })
    const asked = await begin()
    const { publicKey } = optionsIn(asked)
    assert.deepEqual([publicKey.rpId, publicKey.allowCredentials ?? []], ['localhost', []])
    const form = { ...answerWithKey(passkey, asked), next: '/ui/account/keys' }
    const answered = await world.ask('/ui/login/passkey', { form, headers: keeping(asked) })
    leadsTo(answered, '/ui/account/keys')
    const person = await findPerson(world.app, tokenIn(answered))
    assert.equal(person?.userId, user.userId)
    const other = await begin()
    const headers = keeping(other)
    const foreign = answerWithKey(newAuthenticator(), other).credential
    for (const credential of [foreign, '{"id":"wrong"}', '[]', 'null', '"']) {
      const refused = await world.ask('/ui/login/passkey', { form: { credential }, headers })
      assert.equal(refused.status, 422, credential)
      says(refused, en.keys.refused)
    }
    const { credential } = answerWithKey(passkey, other)
    assert.equal((await world.ask('/ui/login/passkey', { form: { credential } })).status, 422)
    // The challenge took too long.
    world.wait(HOUR)
    const late = await world.ask('/ui/login/passkey', { form: { credential }, headers })
    assert.equal(late.status, 422)
    says(late, en.keys.refused)
    const bare = await world.askHttp2('/ui/login/passkey', { form: {}, headers: { host: '127.0.0.1' } })
    assert.deepEqual([bare.status, JSON.parse(bare.text)], [400, { message: en.keys.unavailable }])
  })

  test('a passkey that is asked for writes nothing until it is shown', async () => {
    const user = await world.addUser()
    const passkey = await world.addKey(user, 'passkey')
    const mark = await world.mark()
    const asked = await Promise.all(Array.from({ length: 100 }, () => world.ask('/ui/login/passkey', { form: {} })))
    assert.ok(asked.every(({ status }) => status === 200))
    assert.deepEqual(await world.eventsSince(mark), [])
    const foreign = asked.map((reply) => ({ form: answerWithKey(newAuthenticator(), reply), headers: keeping(reply) }))
    for (const question of foreign.slice(0, 5)) await world.ask('/ui/login/passkey', question)
    // What is wrong is counted.
    assert.deepEqual(new Set(await world.eventsSince(mark)), new Set(['sign_in.failed.v1', 'sign_in_address.noted.v1']))
    const [first] = asked
    assert.ok(first)
    assert.match(
      first.header('set-cookie') ?? '',
      /^signet_passkey=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300$/,
    )
    const { token: before } = await world.signIn(await world.addUser())
    const headers = { cookie: `${keeping(first).cookie}; ${holding(before).cookie}` }
    const answered = await world.ask('/ui/login/passkey', { form: answerWithKey(passkey, first), headers })
    leadsTo(answered, '/ui/account')
    assert.match(
      answered.header('set-cookie') ?? '',
      new RegExp(
        `Max-Age=${30 * 24 * 60 * 60}, ?signet_known=[^,]*, ?signet_last_way=passkey; [^,]*, ?signet_passkey=; .*=0$`,
      ),
    )
    // The session that the browser had ends.
    assert.equal(await findPerson(world.app, before), undefined)
  })
})
