/** `signet export` and `signet import signet` with the real commands, and both servers compared through their API. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { type Credentials, makeFullInstance } from '../support/full-instance.ts'
import { freshDatabase } from '../support/postgres.ts'
import { callApi } from '../support/server-process.ts'
import { runServer } from './run-server.ts'

const patient = { timeout: 300_000 }
const MASTER = randomBytes(32).toString('base64')

type Settings = Readonly<Record<string, string>>

async function run(args: readonly string[], settings: Settings) {
  const command = await runServer('main', args, settings)
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

suite('an export of a running server', patient, () => {
  let root: string
  let from: Settings
  let to: Settings
  let file: string
  let passphrase: string
  let credentials: Credentials
  let drop = async () => {}

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'signet-export-'))
    const database = await freshDatabase()
    if (database !== undefined) drop = database.drop
    from = { SIGNET_DATA_DIR: join(root, 'from') }
    to = {
      SIGNET_DATA_DIR: join(root, 'to'),
      ...(database && { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: MASTER }),
    }
    file = join(root, 'everything.ndjson')
    passphrase = join(root, 'passphrase')
    await writeFile(passphrase, 'correct horse battery staple\n')
    const { config } = readConfig(from)
    assert.ok(config)
    credentials = (await makeFullInstance(config, 'http://localhost:8080')).credentials
  })
  after(async () => {
    await drop()
    await rm(root, { recursive: true, force: true })
  })

  test('needs a passphrase, or to be asked for without secrets', patient, async () => {
    const { code, stderr } = await run(['export', file], from)
    assert.equal(code, 1)
    assert.match(stderr, /^signet: --passphrase-file: an export contains password hashes.*--without-secrets/)
    const short = join(root, 'short')
    await writeFile(short, 'short')
    assert.match((await run(['export', file, '--passphrase-file', short], from)).stderr, /at least 12 characters/)
  })

  test('makes the same instance of another database: no difference, and people sign in', patient, async () => {
    const source = await runServer('main', ['start'], from)
    const there = await source.url
    const written = await run(['export', file, '--passphrase-file', passphrase], from)
    assert.equal(written.code, 0, written.stderr)
    assert.match(written.stdout, /sealed with the passphrase/)
    const wrong = join(root, 'wrong')
    await writeFile(wrong, 'another passphrase')
    const refused = await run(['import', 'signet', file, '--passphrase-file', wrong], to)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /line 1: the passphrase is wrong, or the line was changed. Nothing was imported.\n$/)
    const imported = await run(['import', 'signet', file, '--passphrase-file', passphrase], to)
    assert.equal(imported.code, 0, imported.stdout + imported.stderr)
    assert.doesNotMatch(imported.stdout, /, (refused|not carried) \(/)

    const target = await runServer('main', ['start'], to)
    const here = await target.url
    const token = join(root, 'from', 'admin.pat')
    const compared = await run(
      ['import', 'compare', there, '--source-token-file', token, '--url', here, '--token-file', token],
      { SIGNET_DATA_DIR: join(root, 'none') },
    )
    assert.equal(compared.code, 0, compared.stdout + compared.stderr)
    assert.match(compared.stdout, /^users: 1\d compared, 0 differ$|^users: [89] compared, 0 differ$/m)
    const checks = { user: { loginName: 'ada' }, password: { password: credentials.password } }
    const session = await callApi(here, join(root, 'from'), 'POST', '/v2/sessions', { checks })
    assert.equal(session.status, 201, JSON.stringify(session.body))
    const keys = await Promise.all([there, here].map(async (url) => (await fetch(`${url}/oauth/v2/keys`)).json()))
    assert.deepEqual(keys[0], keys[1])
    for (const server of [source, target]) {
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0, server.stderr())
    }

    // A folder that is not there yet.
    const folder = { SIGNET_DATA_DIR: join(root, 'new', 'data') }
    const again = await run(['import', 'signet', file, '--passphrase-file', passphrase, '--json'], folder)
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(JSON.parse(again.stdout).reasons, [])
    assert.equal((await run(['verify'], folder)).code, 0)
  })
})
