/** The single executable file: built here, and run in an empty folder by a user without privileges. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@bufbuild/protobuf'
import { newAuthenticator } from '../support/authenticator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The user `nobody`. Only root can become another user; anybody else has no privileges already. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
/** bcrypt of `correct horse battery`. */
const BCRYPT = '$2y$10$ng7OJDji2xq/F8RPwjxJq.Y.JwHQsizqO5rfYjHkvyJ0DTBrkWU6K'

interface Process {
  readonly child: ChildProcess
  readonly url: Promise<string>
  readonly ended: Promise<number | NodeJS.Signals | null>
}

function whyImpossible(): string | false {
  if (process.platform === 'win32') return 'The executable is built on Linux and macOS only.'
  if (!existsSync(join(root, 'node_modules', 'rolldown')))
    return 'rolldown, which bundles the server, is not installed.'
  return false
}

suite('the executable', { timeout: 290_000, skip: whyImpossible() }, () => {
  let folder = ''
  const running = new Set<ChildProcess>()
  const file = () => join(folder, 'signet')

  before(() => {
    // Not in the folder of other tests, which may be on a file system without executable files.
    folder = mkdtempSync('/tmp/signet-executable-')
    chmodSync(folder, 0o755)
    const words = ['tools/build-exe.ts', '--output', file()]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0, `${stdout}${stderr}`)
    assert.deepEqual(readdirSync(folder), ['signet'])
  })
  after(() => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  const emptyFolder = (name: string): string => {
    const cwd = join(folder, name)
    mkdirSync(cwd)
    if (owner.uid !== undefined) chownSync(cwd, owner.uid, owner.gid)
    return cwd
  }
  const start = (cwd: string, settings: Readonly<Record<string, string>> = {}): Process => {
    const env = { SIGNET_LISTEN: '127.0.0.1:0', SIGNET_LOG_LEVEL: 'error', ...settings }
    const child = spawn(file(), ['start'], { cwd, env, ...owner, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    const url = Promise.withResolvers<string>()
    url.promise.catch(() => {})
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const found = /ready at (\S+)\n/.exec(output)?.[1]
      if (found !== undefined) url.resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(child)
        url.reject(new Error(`ended before it was ready: ${output}`))
        resolve(code ?? signal)
      })
    })
    return { child, url: url.promise, ended }
  }
  const callerOf = (url: string, cwd: string) => {
    const token = readFileSync(join(cwd, 'data', 'admin.pat'), 'utf8').trim()
    return async (verb: string, path: string, body: object): Promise<JsonObject> => {
      const response = await fetch(`${url}${path}`, {
        method: verb,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      assert.ok(response.ok, `${verb} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as JsonObject
    }
  }

  test('shows its version and commit', () => {
    const { stdout, stderr } = spawnSync(file(), ['--version'], { encoding: 'utf8', env: {}, ...owner })
    assert.match(stdout, /^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\n$/)
    assert.equal(stderr, '')
  })

  test('prints the licenses of everything in it: packages of the server and of the console, and Node', () => {
    const { stdout, status } = spawnSync(file(), ['licenses'], { encoding: 'utf8', env: {}, ...owner })
    assert.equal(status, 0)
    // The last three are parts of Node, the library for bcrypt, and needed by another package only.
    const names = [
      'jose 6',
      'oidc-provider 9',
      'react 19',
      '@mantine/core 9',
      'Node.js 26',
      'OpenSSL',
      '@node-rs/bcrypt-',
      'koa 3',
    ]
    for (const name of names) assert.ok(stdout.includes(name), name)
    assert.match(stdout, /Permission is hereby granted, free of charge/)
  })

  test('serves the seven operations, the console and the hosted pages', async () => {
    const cwd = emptyFolder('seven')
    const server = start(cwd)
    const url = await server.url
    const call = callerOf(url, cwd)

    const { idpId } = await call('POST', '/management/v1/idps/oidc', {
      name: 'Example',
      clientId: 'client',
      clientSecret: 'secret',
      issuer: 'https://issuer.example.com',
    })
    await call('PUT', `/management/v1/idps/${idpId}`, { name: 'Renamed' })
    await call('POST', '/admin/v1/smtp', {
      senderAddress: 'signet@example.com',
      senderName: 'Signet',
      host: 'mail.example.com:587',
      tls: true,
    })
    const machine = await call('POST', '/management/v1/users/machine', { userName: 'robot', name: 'Robot' })
    assert.match(String(machine.userId), /^\d{18}$/)
    const { userId } = await call('POST', '/v2/users/human', {
      username: 'ada',
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
      email: { email: 'ada@example.com', isVerified: true },
      phone: { phone: '+41 79 123 45 67', isVerified: true },
      hashedPassword: { hash: BCRYPT },
    })
    const begun = await call('POST', `/v2/users/${userId}/passkeys`, {})
    const options = begun.publicKeyCredentialCreationOptions as JsonObject
    const publicKeyCredential = newAuthenticator().create(options, { origin: url })
    const passkeyName = 'phone'
    await call('POST', `/v2/users/${userId}/passkeys/${begun.passkeyId}`, { publicKeyCredential, passkeyName })
    const session = await call('POST', '/v2/sessions', { checks: { user: { loginName: 'ada' } } })
    const updated = await call('PATCH', `/v2/sessions/${session.sessionId}`, {
      sessionToken: session.sessionToken,
      checks: { password: { password: 'correct horse battery' } },
      challenges: {
        webAuthN: { domain: 'localhost', userVerificationRequirement: 'USER_VERIFICATION_REQUIREMENT_REQUIRED' },
      },
    })
    assert.ok(updated.challenges)

    const pageOf = async (path: string) => (await fetch(`${url}${path}`)).text()
    const script = /src="(\/ui\/console\/assets\/[^"]+\.js)"/.exec(await pageOf('/ui/console'))?.[1] ?? ''
    assert.ok((await pageOf(script)).length > 1000)
    assert.match(await pageOf('/ui/login'), /Sign in/)

    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.deepEqual(readdirSync(cwd), ['data'])
  })

  test('runs several processes behind one port', async () => {
    const cwd = emptyFolder('several')
    const server = start(cwd, { SIGNET_WORKERS: '2' })
    const call = callerOf(await server.url, cwd)
    await call('POST', '/management/v1/users/machine', { userName: 'robot', name: 'Robot' })
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})
