/** Backup, restore, verify, move and export with the real command, on both engines. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import pg from 'pg'
import { loadApp } from '../../src/cli/load-app.ts'
import { backup, restore } from '../../src/cli/transfer.ts'
import { type Config, readConfig } from '../../src/config/index.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runServer } from './run-server.ts'

const patient = { timeout: 600_000 }
const KEY = randomBytes(32).toString('base64')
const MASTER = randomBytes(32).toString('base64')

const root = await mkdtemp(join(tmpdir(), 'signet-transfer-'))
after(() => rm(root, { recursive: true, force: true }))

type Settings = Readonly<Record<string, string>>

async function run(args: readonly string[], settings: Settings) {
  const command = await runServer('main', args, { SIGNET_MASTER_KEY: MASTER, ...settings })
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

async function result(args: readonly string[], settings: Settings): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args, '--json'], settings)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

/** Starts a server, does something with it, and stops it. */
async function serving<Value>(settings: Settings, act: (url: string, token: string) => Promise<Value>): Promise<Value> {
  const server = await runServer('main', ['start'], { SIGNET_MASTER_KEY: MASTER, ...settings })
  const url = await server.url
  const token = (await readFile(join(settings.SIGNET_DATA_DIR ?? '', 'admin.pat'), 'utf8')).trim()
  try {
    return await act(url, token)
  } finally {
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0, server.stderr())
  }
}

async function call(url: string, token: string, path: string, body: object): Promise<Record<string, never>> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const parsed = (await answer.json()) as Record<string, never>
  assert.ok(answer.ok, JSON.stringify(parsed))
  return parsed
}

/** Adds people, so that there is something to copy; their names have characters of all kinds. */
function addPeople(url: string, token: string, count: number) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      call(url, token, '/v2/users/human', {
        username: `person-${index}`,
        profile: { givenName: `Zoë "${index}" 🦊`, familyName: 'Ångström\\n' },
        email: { email: `person-${index}@example.com`, isVerified: true },
        password: { password: 'Correct horse 7 battery' },
        metadata: [{ key: 'team', value: 'Ymx1ZQ==' }],
      }),
    ),
  )
}

async function countPeople(url: string, token: string): Promise<number> {
  const { result: found } = await call(url, token, '/v2/users', { query: { limit: 1000 } })
  return (found as unknown as unknown[]).length
}

/** Signs people in, and one of them with a wrong password. */
async function signPeopleIn(url: string, token: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const password = index === 0 ? 'wrong' : 'Correct horse 7 battery'
    const checks = { user: { loginName: `person-${index}` }, password: { password } }
    const signedIn = call(url, token, '/v2/sessions', { checks })
    await (index === 0 ? assert.rejects(signedIn) : signedIn)
  }
}

/** How many sign-ins there were, by method and reason. */
async function countSignIns(url: string, token: string): Promise<unknown> {
  const answer = await fetch(`${url}/v2/sign-ins/_count?days=2`, { headers: { authorization: `Bearer ${token}` } })
  const { days } = (await answer.json()) as { readonly days: readonly Readonly<Record<string, readonly unknown[]>>[] }
  return days.flatMap(({ succeeded = [], failed = [] }) => [...succeeded, ...failed])
}

async function freshPlace(engine: 'sqlite' | 'postgres') {
  const dataDir = await mkdtemp(join(root, 'data-'))
  if (engine === 'sqlite') return { settings: { SIGNET_DATA_DIR: dataDir }, drop: async () => {}, url: '' }
  const database = await freshDatabase()
  assert.ok(database)
  const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_DATABASE_URL: database.url }
  return { settings, drop: () => database.drop(), url: database.url }
}

const hasPostgres = process.env.SIGNET_TEST_POSTGRES !== 'none'
const engines = hasPostgres ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

for (const engine of engines) {
  suite(`a database on ${engine}`, () => {
    test('is backed up while it is written, restored, and both agree with their logs', patient, async () => {
      const from = await freshPlace(engine)
      const file = join(root, `${engine}.backup`)
      const settings = { ...from.settings, SIGNET_BACKUP_KEY: KEY }
      const { people, signIns } = await serving(from.settings, async (url, token) => {
        await addPeople(url, token, 20)
        await signPeopleIn(url, token, 6)
        const [made] = await Promise.all([result(['backup', file], settings), addPeopleSlowly(url, token)])
        assert.equal(made.isEncrypted, true)
        return { people: await countPeople(url, token), signIns: await countSignIns(url, token) }
      })
      const content = await readFile(file, 'latin1')
      assert.ok(!content.includes('person-1'))
      const overwriting = await run(['backup', file], settings)
      assert.equal(overwriting.code, 1)
      assert.match(overwriting.stderr, /exists\. Choose another name, or add --force\./)
      assert.equal(await readFile(file, 'latin1'), content)
      await result(['backup', file, '--force'], settings)
      assert.equal((await stat(file)).mode & 0o777, 0o600)
      const to = await freshPlace(engine)
      const restored = await result(['restore', file], { ...to.settings, SIGNET_BACKUP_KEY: KEY })
      assert.deepEqual(restored.problems, [])
      const again = await result(['verify'], to.settings)
      assert.equal(again.digest, restored.digest)
      const token = await readFile(join(from.settings.SIGNET_DATA_DIR, 'admin.pat'))
      await writeFile(join(to.settings.SIGNET_DATA_DIR, 'admin.pat'), token)
      await serving(to.settings, async (url, bearer) => {
        const there = await countPeople(url, bearer)
        assert.ok(there >= 20 && there <= people, `${there} of ${people}`)
        assert.deepEqual(signIns, [
          { method: 'SIGN_IN_METHOD_PASSWORD', count: '5' },
          { failure: 'SIGN_IN_FAILURE_WRONG_PASSWORD', count: '1' },
        ])
        assert.deepEqual(await countSignIns(url, bearer), signIns)
      })
      const twice = await run(['restore', file], { ...to.settings, SIGNET_BACKUP_KEY: KEY })
      assert.equal(twice.code, 1)
      assert.match(twice.stderr, /is not empty/)
      await from.drop()
      await to.drop()
    })

    test('whose documents were changed by hand does not pass', patient, async () => {
      const place = await freshPlace(engine)
      await serving(place.settings, (url, token) => addPeople(url, token, 3))
      assert.equal((await run(['verify'], place.settings)).code, 0)
      const change = `update documents set owner = 'x' where id = (select min(id) from documents where kind = 'user')`
      const drop = `delete from claims where value = (select min(value) from claims where holder_kind = 'user')`
      if (engine === 'sqlite') {
        const database = new DatabaseSync(join(place.settings.SIGNET_DATA_DIR, 'signet.db'))
        database.exec(`${change}; ${drop}`)
        database.close()
      } else {
        const client = new pg.Client({ connectionString: place.url })
        await client.connect()
        await client.query(change)
        await client.query(drop)
        await client.end()
      }
      const { code, stderr } = await run(['verify'], place.settings)
      assert.equal(code, 1)
      assert.match(stderr, /The document user \S+ differs from its log: owner\./)
      assert.match(stderr, /The claims of user \S+ differ from its log\./)
      await place.drop()
    })
  })
}

/** Writes while a backup is made. */
async function addPeopleSlowly(url: string, token: string): Promise<void> {
  for (let index = 0; index < 30; index++) {
    await call(url, token, '/v2/users/human', {
      username: `late-${index}`,
      profile: { givenName: 'Late', familyName: 'Comer' },
      email: { email: `late-${index}@example.com`, isVerified: true },
    })
  }
}

/** The settings as the command reads them, for what the command is not needed for: starting it takes seconds. */
function configOf(settings: Settings): Config {
  const { config, problems } = readConfig({ SIGNET_MASTER_KEY: MASTER, ...settings })
  assert.ok(config, problems.join())
  return config
}

suite('a backup', () => {
  test('that was changed, cut short or encrypted with another key is refused', patient, async () => {
    const { openDatabase } = await loadApp()
    const from = await freshPlace('sqlite')
    await serving(from.settings, (url, token) => addPeople(url, token, 3))
    for (const key of [undefined, KEY]) {
      const file = join(root, `damaged-${key === undefined ? 'plain' : 'sealed'}`)
      const settings: Settings = key === undefined ? {} : { SIGNET_BACKUP_KEY: key }
      await backup(configOf({ ...from.settings, ...settings }), file, { replaces: false, isQuiet: true })
      const whole = await readFile(file)
      const middle = Math.floor(whole.length * 0.7)
      const flipped = Buffer.from(whole)
      flipped[middle] = (flipped[middle] ?? 0) ^ 1
      for (const bytes of [flipped, whole.subarray(0, middle), whole.subarray(0, whole.length - 3)]) {
        await writeFile(file, bytes)
        const to = await freshPlace('sqlite')
        const config = configOf({ ...to.settings, ...settings })
        await assert.rejects(restore(config, file, { isQuiet: true }), {
          name: 'DatabaseRefused',
          message: /is damaged, or its key is another one\./,
        })
        await assert.rejects(openDatabase(config), /Loading data into this database was interrupted/)
      }
      await writeFile(file, whole)
      if (key === undefined) continue
      const to = await freshPlace('sqlite')
      const without = await run(['restore', file], to.settings)
      assert.equal(without.code, 1)
      assert.match(without.stderr, /is encrypted\. Set SIGNET_BACKUP_KEY/)
      const other = { ...to.settings, SIGNET_BACKUP_KEY: randomBytes(32).toString('base64') }
      assert.match((await run(['restore', file], other)).stderr, /its key is another one/)
      assert.match((await run(['start'], to.settings)).stderr, /Loading data into this database was interrupted/)
      // With the right key the restore continues where it stopped.
      assert.equal((await run(['restore', file], { ...to.settings, ...settings })).code, 0)
    }
  })
})

suite('a backup that is not encrypted', () => {
  test(
    'is refused where a key is set, before anything is loaded: nobody has proved who wrote it',
    patient,
    async () => {
      const from = await freshPlace('sqlite')
      await serving(from.settings, (url, token) => addPeople(url, token, 1))
      const file = join(root, 'forged')
      await result(['backup', file], from.settings)
      const to = await freshPlace('sqlite')
      const refused = await run(['restore', file], { ...to.settings, SIGNET_BACKUP_KEY: KEY })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /is not encrypted, although SIGNET_BACKUP_KEY is set\. .*Unset/)
      // The place is as it was: without a key, the operator takes the file as it is.
      assert.equal((await run(['restore', file], to.settings)).code, 0)
    },
  )
})

suite('moving', { skip: !hasPostgres }, () => {
  test('to PostgreSQL and back keeps the log; the old database refuses to start', patient, async () => {
    const first = await freshPlace('sqlite')
    await serving(first.settings, (url, token) => addPeople(url, token, 10))
    const before = await result(['verify'], first.settings)
    const database = await freshPlace('postgres')
    const moved = await result(['move', '--to', database.url], first.settings)
    assert.equal(moved.digest, before.digest)
    const old = await run(['start'], first.settings)
    assert.equal(old.code, 1)
    assert.match(old.stderr, /The data of this database was moved to another one/)

    const folder = await mkdtemp(join(root, 'back-'))
    const back = await result(['move', '--to', folder], database.settings)
    assert.equal(back.digest, before.digest)
    assert.match((await run(['start'], database.settings)).stderr, /was moved to another one/)
    const token = await readFile(join(first.settings.SIGNET_DATA_DIR, 'admin.pat'))
    await writeFile(join(folder, 'admin.pat'), token)
    await serving({ SIGNET_DATA_DIR: folder }, async (url, bearer) => {
      assert.ok((await countPeople(url, bearer)) >= 10)
    })
    await database.drop()
  })

  test('to a PostgreSQL without the master key is refused in one sentence', patient, async () => {
    const place = await freshPlace('sqlite')
    const settings = { SIGNET_DATA_DIR: place.settings.SIGNET_DATA_DIR, SIGNET_MASTER_KEY: '' }
    const { code, stderr } = await run(['move', '--to', 'postgres://a@127.0.0.1/b'], settings)
    assert.equal(code, 1)
    assert.match(stderr, /^signet: --to: SIGNET_MASTER_KEY_FILE .* is required .*\n$/)
  })

  test('is refused while a server uses the folder', patient, async () => {
    const place = await freshPlace('sqlite')
    await serving(place.settings, async () => {
      const { code, stderr } = await run(['move', '--to', join(root, 'elsewhere')], place.settings)
      assert.equal(code, 1)
      assert.match(stderr, /another Signet server is using/)
    })
  })
})

suite('exported users', () => {
  test('are imported by another server, with their passwords if that was asked for', patient, async () => {
    const from = await freshPlace('sqlite')
    const file = join(root, 'users.ndjson')
    await serving(from.settings, (url, token) => addPeople(url, token, 5))
    assert.equal((await run(['export', file, '--users'], from.settings)).code, 0)
    assert.ok(!(await readFile(file, 'utf8')).includes('$argon2'))
    assert.equal((await result(['export', file, '--with-hashes'], from.settings)).users, 6, 'with the administrator')
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    const exported = lines.map((line) => JSON.parse(line) as { organization: { orgId: string }; username: string })
    const to = await freshPlace('sqlite')
    await serving(to.settings, async (url, token) => {
      const { organizationId } = await call(url, token, '/v2/organizations', { name: 'Imported' })
      const people = exported.filter(({ username }) => username.startsWith('person-'))
      const rewritten = people.map((line) => JSON.stringify({ ...line, organization: { orgId: organizationId } }))
      await writeFile(file, `${rewritten.join('\n')}\n`)
      const imported = await run(['import', file, '--url', url], to.settings)
      assert.equal(imported.code, 0, imported.stderr)
      const checks = { user: { loginName: 'person-3' }, password: { password: 'Correct horse 7 battery' } }
      await call(url, token, '/v2/sessions', { checks })
    })
  })
  test('are a CSV file that another server imports, with their metadata and without secrets', patient, async () => {
    const from = await freshPlace('sqlite')
    const file = join(root, 'users.csv')
    await serving(from.settings, async (url, token) => {
      await addPeople(url, token, 3)
      const metadata = [{ key: 'cost center', value: Buffer.from('=1+"2"').toString('base64') }]
      const [profile, email] = [
        { givenName: '@Ada', familyName: 'L;' },
        { email: 'ada@example.com', isVerified: true },
      ]
      await call(url, token, '/v2/users/human', { username: 'ada', profile, email, metadata })
    })
    assert.equal((await result(['export', file, '--with-hashes'], from.settings)).users, 5)
    const text = await readFile(file, 'utf8')
    assert.doesNotMatch(text, /\$argon2/)
    const formula = `,"'=1+""2"""`
    assert.ok(text.includes(formula), text)
    assert.ok(text.includes(`,'@Ada,"L;",`), text)
    const to = await freshPlace('sqlite')
    await serving(to.settings, async (url) => {
      // The organization of the other server is not there.
      const [first = '', ...rest] = text.split('\r\n')
      const wanted = rest.filter((row) => /,(ada|person-)/.test(row))
      const place = first.split(',').indexOf('organization_id')
      const emptied = wanted.map((row) => row.split(',').with(place, '').join(','))
      await writeFile(file, [first, ...emptied, ''].join('\r\n'))
      const imported = await run(['import', file, '--url', url], to.settings)
      assert.equal(imported.code, 0, imported.stderr)
      const again = join(root, 'again.csv')
      assert.equal((await run(['export', again], to.settings)).code, 0)
      const copy = await readFile(again, 'utf8')
      assert.ok(copy.includes(formula) && copy.includes(`,'@Ada,"L;",`), copy)
    })
  })
})
