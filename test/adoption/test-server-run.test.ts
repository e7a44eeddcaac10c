/** `signet test-server`, as other people's tests start it, and the kit that does so. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { startSignet, type TestSignet } from '../../packages/test/index.ts'
import { startServerProcess } from '../support/server-process.ts'

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))
const command = [process.execPath, main]
const inherited = Object.entries(process.env).filter(([name]) => !/^(SIGNET_|NODE_TEST)/.test(name))
const environment = Object.fromEntries(inherited)
const FOLDERS = join(tmpdir(), 'signet-test-server-*')
const API = 'http://localhost:3002'

interface Ready {
  readonly url: string
  readonly adminToken: string
  readonly loginToken: string
  readonly inboxKey: string
}

async function lineOf({ stdout }: ChildProcess): Promise<Ready> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    if (text.includes('\n')) break
  }
  return JSON.parse(text) as Ready
}

function startTestServer(...words: readonly string[]): ChildProcess {
  const all = [main, 'test-server', '--json', ...words]
  return spawn(process.execPath, all, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Waits until nothing is left. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isDone()) return
    await sleep(50)
  }
  assert.fail('it does not end')
}

const isGone = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )

suite('the test server', { timeout: 300_000 }, () => {
  let child: ChildProcess
  let ready: Ready

  before(async () => {
    child = startTestServer()
    ready = await lineOf(child)
  })
  after(() => child.kill('SIGKILL'))

  const call = async (path: string, token: string, body?: object) => {
    const answer = await fetch(ready.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }

  test('prints one line, whose tokens count', async () => {
    assert.deepEqual(Object.keys(ready), ['url', 'adminToken', 'loginToken', 'inboxKey'])
    assert.match(ready.url, /^http:\/\/(localhost|127\.0\.0\.1):\d+$/)
    assert.equal((await call('/management/v1/orgs/me', ready.adminToken)).status, 200)
    assert.equal((await call('/v2/sessions', ready.loginToken, {})).status, 201)
    const inbox = await fetch(`${ready.url}/inbox?key=${ready.inboxKey}`, { redirect: 'manual' })
    assert.ok(inbox.status < 400, `${inbox.status}`)
  })

  test('moves its clock forward, so that tokens expire', async () => {
    const { body } = await call('/management/v1/users/machine', ready.adminToken, { userName: 'robot', name: 'Robot' })
    const expirationDate = new Date(Date.now() + 3_600_000).toISOString()
    const pat = await call(`/management/v1/users/${body.userId}/pats`, ready.adminToken, { expirationDate })
    const token = String(pat.body.token)
    assert.equal((await call('/auth/v1/users/me', token)).status, 200)
    const moved = await call('/test/clock', ready.adminToken, { advance: 7200 })
    assert.equal(moved.status, 200)
    assert.ok(Math.abs(Date.parse(String(moved.body.now)) - Date.now() - 7_200_000) < 60_000)
    assert.equal((await call('/auth/v1/users/me', token)).status, 401)
    const next = await call('/management/v1/users/machine', ready.adminToken, { userName: 'later', name: 'Later' })
    assert.equal(next.status, 200, 'what is created right after it has an ID')
    for (const advance of [-1, 0, 0.5, 'x', 401 * 86_400, null])
      assert.equal((await call('/test/clock', ready.adminToken, { advance })).status, 400, String(advance))
  })

  test('keeps its clock from other origins, other names, other tokens and other machines', async () => {
    const { port } = new URL(ready.url)
    const statusOf = (headers: Readonly<Record<string, string>>) =>
      new Promise<number>((resolve, reject) => {
        const all = { 'content-type': 'application/json', authorization: `Bearer ${ready.adminToken}`, ...headers }
        const options = { host: '127.0.0.1', port, path: '/test/clock', method: 'POST', headers: all }
        const sent = request(options, (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
        sent.on('error', reject).end('{"advance":1}')
      })
    assert.equal(await statusOf({}), 200)
    assert.equal(await statusOf({ host: `rebound.example.com:${port}` }), 403)
    assert.equal(await statusOf({ origin: ready.url }), 403)
    assert.equal(await statusOf({ origin: 'https://evil.example.com' }), 403)
    assert.equal(await statusOf({ authorization: `Bearer ${ready.loginToken}` }), 401)
    assert.equal(await statusOf({ authorization: '' }), 401)
    const all = Object.values(networkInterfaces()).flat()
    const outside = all.find((one) => one?.family === 'IPv4' && !one.internal)
    if (outside !== undefined) await assert.rejects(fetch(`http://${outside.address}:${port}/healthz`))
  })

  test('starts in the past where it is told to, and ends when the pipe to it closes', async () => {
    const past = startTestServer('--clock', '2026-01-31T12:00:00Z')
    const { url, adminToken } = await lineOf(past)
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/test/clock`, { method: 'POST', headers, body: '{"advance":60}' })
    assert.match(((await answer.json()) as { readonly now: string }).now, /^2026-01-31T12:0/)
    past.stdin?.end()
    await until(() => past.exitCode === 0 && isGone(url))
  })

  test('ends with its parent, killed without a word, and leaves nothing', async () => {
    const before = new Set(globSync(FOLDERS))
    const script = `
      require('node:child_process').spawn(process.execPath, [${JSON.stringify(main)}, 'test-server', '--json'],
        { stdio: ['ignore', 'inherit', 'inherit'] })
      setInterval(() => {}, 1000)`
    const parent = spawn(process.execPath, ['-e', script], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    const { url } = await lineOf(parent)
    const folder = globSync(FOLDERS).find((one) => !before.has(one)) ?? assert.fail('there is no folder')
    parent.kill('SIGKILL')
    await until(async () => (await isGone(url)) && !existsSync(folder))
  })

  test('starts with no data, port, address or future of another server', () => {
    const run = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, [main, 'test-server', ...words], {
        env: { ...environment, ...env },
        encoding: 'utf8',
      })
    for (const end of ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR', 'LISTEN', 'EXTERNAL_URL']) {
      const name = `SIGNET_${end}`
      const { status, stderr, stdout } = run([], { [name]: 'x' })
      assert.deepEqual([status, stdout], [2, ''], name)
      assert.match(stderr, new RegExp(`^signet: ${name} is set`))
    }
    for (const clock of ['2999-01-01', '2025-12-31', 'yesterday'])
      assert.match(run(['--clock', clock]).stderr, /--clock <time>.*It must be/)
  })

  test('has its clock alone: a server that was started as usual has none', async () => {
    const server = await startServerProcess('sources', ['start'])
    const answer = await fetch(`${await server.url}/test/clock`, { method: 'POST', body: '{}' })
    assert.equal(answer.status, 404)
    server.child.kill('SIGKILL')
    await server.ended
  })
})

suite('the kit for tests', { timeout: 300_000 }, () => {
  let signet: TestSignet

  before(async () => {
    signet = await startSignet({ command })
  })
  after(() => signet.stop())

  test('gets the tokens of a user by the real code flow', async () => {
    const [user, app] = [await signet.createUser(), await signet.createApp()]
    const tokens = await signet.tokensFor(user, app)
    assert.equal(decodeJwt(tokens.id_token).sub, user.userId)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const userinfo = await (await fetch(`${signet.url}/oidc/v1/userinfo`, { headers })).json()
    assert.equal((userinfo as { readonly email: string }).email, user.email)
  })

  test('gets tokens for an API, which no ID token passes for, and which are over when the clock says so', async () => {
    const [user, app] = [await signet.createUser(), await signet.createApp({ resources: [API] })]
    const tokens = await signet.tokensFor(user, app, { resource: API })
    const keys = createRemoteJWKSet(new URL(`${signet.url}/oauth/v2/keys`))
    const rules = { typ: 'at+jwt', issuer: signet.url, audience: API }
    assert.equal((await jwtVerify(tokens.access_token, keys, rules)).payload.sub, user.userId)
    await assert.rejects(jwtVerify(tokens.id_token, keys, rules), /"typ"|"aud"/)
    const later = await signet.advance(tokens.expires_in + 60)
    const now = { ...rules, currentDate: later }
    await assert.rejects(jwtVerify(tokens.access_token, keys, now), /"exp" claim timestamp check failed/)
  })

  test('forgets users, apps and tokens with a reset, as often as a hundred tests want', async () => {
    const [user, app] = [await signet.createUser(), await signet.createApp()]
    const { access_token: token } = await signet.tokensFor(user, app)
    const before = signet.organizationId
    const began = performance.now()
    for (let tests = 0; tests < 100; tests++) {
      await signet.createUser({ email: 'the-same@example.com' })
      await signet.reset()
    }
    assert.notEqual(signet.organizationId, before)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${signet.url}/oidc/v1/userinfo`, { headers })).status, 401)
    await assert.rejects(signet.tokensFor(user, app))
    const { result = [] } = await signet.call('/v2/users', { queries: [{ emailQuery: { emailAddress: user.email } }] })
    assert.deepEqual(result, [])
    const again = [await signet.createUser(), await signet.createApp()] as const
    assert.ok((await signet.tokensFor(...again)).id_token)
    // Not a limit of time, but a figure for whoever reads the output.
    console.log(`100 resets took ${((performance.now() - began) / 1000).toFixed(1)} s`)
  })

  test('reads mail, and says what is wrong', async () => {
    await signet.call('/v2/users/human', {
      username: 'grace',
      profile: { givenName: 'Grace', familyName: 'Hopper' },
      email: { email: 'grace@example.com', sendCode: {} },
    })
    assert.match((await signet.mail('grace@example.com')).text, /https?:\/\//)
    const [user, app] = [await signet.createUser(), await signet.createApp()]
    await assert.rejects(signet.tokensFor({ ...user, password: 'wrong' }, app), /\/v2\/sessions: 4\d\d/)
  })

  test('says why a server does not start', async () => {
    await assert.rejects(startSignet({ command: ['no-such-program'] }), /The test server did not start: .*ENOENT/)
    await assert.rejects(startSignet({ command, clock: '2999-01-01' }), /It must be in the past/)
  })
})
