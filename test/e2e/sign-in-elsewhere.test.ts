/** A person of a real OpenID provider comes in through the real server, all over REST: from operation 1 to the bearer. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { type Running, runServer } from '../faults/run-server.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, openUpstream, type Upstream } from '../support/upstream.ts'

const patient = { timeout: 600_000 }
const PERMISSION_DENIED = 7
const FAILED_PRECONDITION = 9
const APP = 'https://app.example'

suite('signing in elsewhere, over the wire', patient, () => {
  let server: Running
  let upstream: Upstream
  let url = ''
  let token = ''
  before(async () => {
    const port = await freePort()
    server = await runServer('main', ['start'], {
      SIGNET_LISTEN: `127.0.0.1:${port}`,
      SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
      SIGNET_ALLOWED_REDIRECTS: APP,
    })
    await server.url
    url = `http://localhost:${port}`
    token = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
    upstream = await openUpstream({
      redirectUri: `${url}/idps/callback`,
      fetch: (address, init) => fetch(address, { redirect: 'manual', ...init }),
    })
    for (const name of ['ada', 'bob', 'cleo']) {
      const [given_name, family_name] = [name.toUpperCase(), 'King']
      const email = `${name}@corp.example`
      upstream.people.set(name, { given_name, family_name, preferred_username: name, email, email_verified: true })
    }
  })
  after(async () => {
    await upstream.close()
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.doesNotMatch(server.stderr(), /"level":"error"/)
  })

  const ask = async (verb: string, path: string, body?: JsonObject, bearer = token) => {
    const response = await fetch(url + path, {
      method: verb,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as JsonObject }
  }
  const done = async (verb: string, path: string, body?: JsonObject, bearer?: string) => {
    const answer = await ask(verb, path, body, bearer)
    assert.ok(answer.status < 300, `${verb} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const refusalOf = async (verb: string, path: string, body: JsonObject) => {
    const { status, body: problem } = await ask(verb, path, body)
    return [status, problem.code]
  }

  const client = () => ({ clientId: CLIENT.id, clientSecret: CLIENT.secret, issuer: upstream.issuer })
  const urls = { successUrl: `${APP}/in`, failureUrl: `${APP}/no` }
  const start = (idpId: string) => ask('POST', '/v2/idp_intents', { idpId, urls })

  /** The whole way of a browser, up to where it is sent in the end. */
  const walk = async (idpId: string, account: string, meanwhile = async () => {}): Promise<URL> => {
    const { authUrl } = (await start(idpId)).body
    const answer = await upstream.signIn(String(authUrl), account)
    await meanwhile()
    const back = await fetch(`${url}/idps/callback?${answer}`, { redirect: 'manual' })
    assert.equal(back.status, 303)
    return new URL(back.headers.get('location') ?? '')
  }
  const signIn = async (idpId: string, account: string) => {
    const end = await walk(idpId, account)
    assert.equal(end.origin + end.pathname, urls.successUrl, end.href)
    const read = (name: string) => end.searchParams.get(name) ?? ''
    return { intentId: read('id'), token: read('token'), user: end.searchParams.get('user') }
  }
  const retrieve = ({ intentId, token }: { intentId: string; token: string }) =>
    done('POST', `/v2/idp_intents/${intentId}`, { idpIntentToken: token })

  /** From an account that nobody knows to a session whose token is a bearer; whose it is. */
  const comeIn = async (idpId: string, account: string, rename: () => Promise<void>): Promise<string> => {
    const stranger = await signIn(idpId, account)
    assert.equal(stranger.user, null)
    const { idpInformation, addHumanUser, userId: nobody } = await retrieve(stranger)
    assert.deepEqual([(idpInformation as JsonObject).userId, nobody], [account, undefined])
    const draft = addHumanUser as JsonObject
    assert.deepEqual(draft.idpLinks, [{ idpId, userId: account, userName: account }])
    const { userId = '' } = await done('POST', '/v2/users/human', draft)
    await rename()

    const known = await signIn(idpId, account)
    assert.equal(known.user, userId)
    assert.equal((await retrieve(known)).userId, userId)
    const user = { userId }
    const wrong = { intentId: known.intentId, token: known.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) }
    assert.deepEqual(await refusalOf('POST', '/v2/sessions', { checks: { user, intent: wrong } }), [
      403,
      PERMISSION_DENIED,
    ])
    const intent = { intentId: known.intentId, token: known.token }
    const { sessionToken } = await done('POST', '/v2/sessions', { checks: { user, intent } })
    const me = await done('GET', `/v2/users/${userId}`, undefined, String(sessionToken))
    assert.equal((me.user as JsonObject).userId, userId)
    assert.deepEqual(await refusalOf('POST', '/v2/sessions', { checks: { user, intent } }), [400, FAILED_PRECONDITION])

    // As existing clients of the first version spell it.
    const again = await signIn(idpId, account)
    const idpIntent = { idpIntentId: again.intentId, idpIntentToken: again.token }
    const { sessionId } = await done('POST', '/v2/sessions', { checks: { user, idpIntent } })
    const { session } = await done('GET', `/v2/sessions/${sessionId}`)
    assert.deepEqual(Object.keys((session as JsonObject).factors as JsonObject).sort(), ['intent', 'user'])
    assert.deepEqual(await refusalOf('POST', '/v2/sessions', { checks: { user, idpIntent } }), [
      400,
      FAILED_PRECONDITION,
    ])
    return String(userId)
  }

  for (const [level, path, account] of [
    ['an organization', '/management/v1/idps', 'ada'],
    ['the instance', '/admin/v1/idps', 'bob'],
  ] as const) {
    test(`works with a provider of ${level}, and keeps working when it is renamed`, async () => {
      const { idpId } = await done('POST', `${path}/oidc`, { name: `Corp of ${level}`, ...client() })
      const rename = async () => {
        await done('PUT', `${path}/${idpId}`, { name: `The new corp of ${level}` })
        const { idp } = await done('GET', `${path}/${idpId}`)
        const { name, oidcConfig } = idp as { name: string; oidcConfig: JsonObject }
        assert.equal(name, `The new corp of ${level}`)
        assert.deepEqual([oidcConfig.clientId, oidcConfig.issuer], [CLIENT.id, upstream.issuer])
      }
      await comeIn(String(idpId), account, rename)
    })

    test(`is refused while the provider of ${level} is not active, at the start and at the end`, async () => {
      const { idpId } = await done('POST', `${path}/oidc`, { name: `Idle corp of ${level}`, ...client() })
      const switchTo = async (state: string) => void (await done('POST', `${path}/${idpId}/${state}`, {}))
      const end = await walk(String(idpId), 'cleo', () => switchTo('_deactivate'))
      assert.equal(end.origin + end.pathname, urls.failureUrl)
      assert.equal(end.searchParams.get('error'), 'sign_in_failed')
      assert.equal(end.searchParams.get('token'), null)
      assert.deepEqual(
        [(await start(String(idpId))).body.code, (await start(String(idpId))).status],
        [FAILED_PRECONDITION, 400],
      )
      await switchTo('_reactivate')
      assert.equal((await signIn(String(idpId), 'cleo')).user, null)
    })
  }

  test('makes accounts by itself where operation 1 said so', async () => {
    const settings = { name: 'Registering', ...client(), autoRegister: true }
    const { idpId } = await done('POST', '/management/v1/idps/oidc', settings)
    const { user } = await signIn(String(idpId), 'cleo')
    const { user: person } = await done('GET', `/v2/users/${user}`)
    assert.equal((person as JsonObject).username, 'cleo')
    assert.equal((await signIn(String(idpId), 'cleo')).user, user)
  })

  test('sends no browser to a place that is not ours', async () => {
    const { idpId = '' } = await done('POST', '/management/v1/idps/oidc', { name: 'Elsewhere', ...client() })
    const elsewhere = { ...urls, successUrl: 'https://evil.example/in' }
    const { status, body } = await ask('POST', '/v2/idp_intents', { idpId, urls: elsewhere })
    assert.deepEqual([status, body.code], [400, 3])
  })
})
