/** What an operator reads when something about the machine is wrong: the setting, the reason, and no secret. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runServer } from './run-server.ts'

const patient = { timeout: 600_000 }
const PASSWORD = 'not-to-be-printed'

const root = await mkdtemp(join(tmpdir(), 'signet-operator-'))
after(() => rm(root, { recursive: true, force: true }))

function newKey() {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
}

/** Runs one command to its end. */
async function finish(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const command = await runServer('main', args, settings)
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

suite('an operator', () => {
  test('reads which certificate file is missing', patient, async () => {
    const cert = join(root, 'no-such-cert.pem')
    const settings = { SIGNET_TLS_CERT_FILE: cert, SIGNET_TLS_KEY_FILE: join(root, 'key.pem') }
    const { code, stderr } = await finish(['start'], settings)
    assert.equal(code, 1)
    assert.match(stderr, /SIGNET_TLS_(CERT|KEY)_FILE: \S+\.pem does not exist\./)
  })

  test('reads that the data folder cannot be used', patient, async () => {
    const file = join(root, 'a-file')
    await writeFile(file, '')
    const { code, stderr } = await finish(['start'], { SIGNET_DATA_DIR: join(file, 'data') })
    assert.equal(code, 1)
    assert.match(stderr, /SIGNET_DATA_DIR: \S+ cannot be created \(ENOTDIR\)\./)
    const same = await finish(['start'], { SIGNET_DATA_DIR: file })
    assert.equal(same.code, 1)
    assert.match(same.stderr, /SIGNET_DATA_DIR: \S+a-file is a file, not a folder\./)
  })

  test('cannot start a second server on the same folder, and reads why', patient, async () => {
    const dataDir = await mkdtemp(join(root, 'data-'))
    const first = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir })
    await first.url
    const second = await finish(['start'], { SIGNET_DATA_DIR: dataDir })
    assert.equal(second.code, 1)
    assert.match(second.stderr, /SIGNET_DATA_DIR: another Signet server is using \S+\./)
    // Commands beside the server continue, and so does the next server after a crash.
    assert.equal((await finish(['setup-link'], { SIGNET_DATA_DIR: dataDir })).code, 0)
    first.child.kill('SIGKILL')
    await first.ended
    const third = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir })
    await third.url
    third.child.kill('SIGTERM')
    assert.equal(await third.ended, 0)
  })

  test('who runs the doctor beside a running server reads that it runs', patient, async () => {
    const port = await freePort()
    const settings = { SIGNET_DATA_DIR: await mkdtemp(join(root, 'data-')), SIGNET_LISTEN: `127.0.0.1:${port}` }
    const server = await runServer('main', ['start'], settings)
    await server.url
    const beside = await finish(['doctor'], settings)
    assert.equal(beside.code, 0, beside.stdout)
    assert.match(beside.stdout, /^note {3}port: a Signet server is running on /m)
    server.child.kill('SIGTERM')
    await server.ended
    const other = createServer((_, response) => response.end('something else'))
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    const taken = await finish(['doctor'], settings)
    other.close()
    assert.equal(taken.code, 1)
    assert.match(taken.stdout, /^wrong {2}port: .* in use by another program; see SIGNET_LISTEN\./m)
  })

  test('reads why PostgreSQL is not available: port, host, user, password or database', patient, async (t) => {
    const database = await freshDatabase()
    if (database === undefined) return t.skip('there is no PostgreSQL on this machine')
    const { hostname, port, username, password, pathname } = new URL(database.url)
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const free = (closed.address() as AddressInfo).port
    await new Promise((resolve) => closed.close(resolve))
    const reasons: readonly (readonly [string, RegExp])[] = [
      [`postgres://u:${PASSWORD}@127.0.0.1:${free}/x`, new RegExp(`no server listens on 127\\.0\\.0\\.1:${free}\\.`)],
      [`postgres://u:${PASSWORD}@no-such-host.invalid/x`, /the host name no-such-host\.invalid cannot be resolved\./],
      [`postgres://${username}:${password}@${hostname}:${port}/none`, /the database none does not exist\./],
      [`postgres://${username}:${PASSWORD}@${hostname}:${port}${pathname}`, /the password of the user \w+ is wrong\./],
    ]
    for (const [url, reason] of reasons) {
      const settings = { SIGNET_DATABASE_URL: url, SIGNET_MASTER_KEY: newKey() }
      const { code, stdout } = await finish(['doctor'], settings)
      assert.equal(code, 1)
      assert.match(stdout, reason)
      assert.ok(!stdout.includes(PASSWORD))
    }
    const start = await finish(['start'], { SIGNET_DATABASE_URL: reasons[2]?.[0] ?? '', SIGNET_MASTER_KEY: newKey() })
    assert.match(start.stderr, /signet: PostgreSQL is not available: the database none does not exist\./)
    assert.ok(!start.stderr.includes(PASSWORD))
    await database.drop()
  })

  test('whose PostgreSQL is healthy and empty reads so', patient, async (t) => {
    const database = await freshDatabase()
    if (database === undefined) return t.skip('there is no PostgreSQL on this machine')
    const settings = { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: newKey() }
    const empty = await finish(['doctor'], settings)
    assert.match(empty.stdout, /^note {3}database: PostgreSQL \S+.* is reachable; the tables will be created/m)
    assert.equal(empty.code, 0, empty.stdout)
    await database.drop()
  })
})
