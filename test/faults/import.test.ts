/** `signet import` against a real server, while one or the other is killed. */
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, runServer } from './run-server.ts'

const patient = { timeout: 600_000 }
const BCRYPT = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

function person(name: string, more: object = {}): string {
  return `${JSON.stringify({
    userId: `id-${name}`,
    username: name,
    profile: { givenName: 'Given', familyName: 'Family' },
    email: { email: `${name}@example.com`, isVerified: true },
    hashedPassword: { hash: BCRYPT },
    ...more,
  })}\n`
}

function people(count: number): string {
  return Array.from({ length: count }, (_, index) => person(`p${index}`)).join('')
}

interface Scene {
  readonly file: string
  readonly dataDir: string
  readonly settings: Readonly<Record<string, string>>
  url: string
  server: Running
  /** Starts the server again, where it was. */
  restart(): Promise<void>
  /** Runs `signet import` on the file. */
  runImport(flags?: readonly string[], settings?: Readonly<Record<string, string>>): Promise<Running>
  countPeople(): Promise<number>
}

async function openScene(context: TestContext): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-import-'))
  const dataDir = join(folder, 'data')
  const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_LOG_LEVEL: 'error' }
  const server = await runServer('main', ['start'], settings)
  const url = await server.url
  const commands: Running[] = []
  const scene: Scene = {
    file: join(folder, 'users.ndjson'),
    dataDir,
    settings,
    url,
    server,
    async restart() {
      scene.server = await runServer('main', ['start'], {
        ...settings,
        SIGNET_LISTEN: new URL(url).host.replace('localhost', '127.0.0.1'),
      })
      await scene.server.url
    },
    async runImport(flags = [], more = {}) {
      const command = await runServer('main', ['import', scene.file, '--url', url, ...flags], { ...settings, ...more })
      commands.push(command)
      return command
    },
    async countPeople() {
      const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
      const answer = await fetch(`${url}/v2/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          query: { limit: 1 },
          queries: [{ userNameQuery: { userName: 'p', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }],
        }),
      })
      const { details } = (await answer.json()) as { details: { totalResult?: string } }
      return Number(details.totalResult ?? 0)
    },
  }
  context.after(async () => {
    for (const { child, ended } of [...commands, scene.server]) {
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  })
  return scene
}

/** Waits until the import has written down that it came somewhere, and nowhere near the end. */
async function underWay({ file }: Scene): Promise<void> {
  for (;;) {
    const state = await readFile(`${file}.state`, 'utf8').catch(() => '')
    if (state !== '' && (JSON.parse(state) as { line: number }).line > 0) return
    await sleep(5)
  }
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

const COUNT = 12_000

suite('signet import', () => {
  test('a server that is killed and comes back costs no line and doubles none', patient, async (context) => {
    const scene = await openScene(context)
    await writeFile(scene.file, people(COUNT))
    const command = await scene.runImport()
    await underWay(scene)
    scene.server.child.kill('SIGKILL')
    await scene.server.ended
    await scene.restart()
    assert.equal(await command.ended, 0, command.stderr())
    assert.match(command.stderr(), /Interrupted after line [\d ]+: .* Retrying/)
    assert.match(command.stdout(), /[1-9][\d ]* created, [\d ]+ already existed, 0 failed/)
    assert.equal(await scene.countPeople(), COUNT)
    assert.equal(await exists(`${scene.file}.state`), false)
    assert.equal(await exists(`${scene.file}.failed`), false)
  })

  test('a server that is told to stop ends the import at a line from which it continues', patient, async (context) => {
    const scene = await openScene(context)
    await writeFile(scene.file, people(COUNT))
    const command = await scene.runImport()
    await underWay(scene)
    scene.server.child.kill('SIGTERM')
    assert.equal(await scene.server.ended, 0)
    await scene.restart()
    assert.equal(await command.ended, 0, command.stderr())
    assert.match(command.stdout(), /^12 000 created, 0 already existed, 0 failed/)
    assert.equal(await scene.countPeople(), COUNT)
  })

  test('a command that is killed is gone on with, unless the file has changed', patient, async (context) => {
    const scene = await openScene(context)
    await writeFile(scene.file, people(COUNT))
    const command = await scene.runImport()
    await underWay(scene)
    command.child.kill('SIGKILL')
    await command.ended
    const before = await scene.countPeople()
    assert.ok(before > 0 && before < COUNT, `${before} people`)

    const whole = await readFile(scene.file)
    await writeFile(scene.file, Buffer.concat([Buffer.from(person('other')), whole]))
    const wrong = await scene.runImport(['--resume'])
    assert.equal(await wrong.ended, 1)
    assert.match(wrong.stderr(), /has changed since the import started/)

    await writeFile(scene.file, whole)
    await appendFile(scene.file, person('p-late'))
    const resumed = await scene.runImport(['--resume'])
    assert.equal(await resumed.ended, 0, resumed.stderr())
    assert.equal(await scene.countPeople(), COUNT + 1)
  })

  test(
    'lines that fail are told by their number, and the exit code says that there are some',
    patient,
    async (context) => {
      const scene = await openScene(context)
      await writeFile(
        scene.file,
        `${person('p1')}\n{\n${person('p2', { hashedPassword: { hash: 'no' } })}${person('p3')}`,
      )
      const token = (await readFile(join(scene.dataDir, 'admin.pat'), 'utf8')).trim()
      const command = await scene.runImport([], { SIGNET_TOKEN: token, SIGNET_DATA_DIR: '/nonexistent' })
      assert.equal(await command.ended, 1)
      assert.match(command.stdout(), /^2 created, 0 already existed, 2 failed/)
      const failed = (await readFile(`${scene.file}.failed`, 'utf8')).trim().split('\n')
      assert.deepEqual(
        failed.map((line) => JSON.parse(line)).map(({ line, userId, error }) => [line, userId, error.id]),
        [
          [3, undefined, 'request.malformed'],
          [4, 'id-p2', 'password.hash_unreadable'],
        ],
      )
      assert.equal((await stat(`${scene.file}.failed`)).mode & 0o777, 0o600)
      for (const said of [command.stdout(), command.stderr(), ...failed]) assert.ok(!said.includes(token))
    },
  )

  test('a CSV file with a wrong row is refused whole, or imported without the row', patient, async (context) => {
    const scene = await openScene(context)
    Object.assign(scene, { file: scene.file.replace(/ndjson$/, 'csv') })
    const rows = [
      'p1;Ada;"Love;lace";p1@example.com;yes;"two\nlines"',
      'p2;;Hopper;p2@example.com;maybe',
      'p3;Joan;Clarke;p3@-.com;',
    ]
    const header = '\ufeffusername;given_name;family_name;email;email_verified;metadata.note'
    await writeFile(scene.file, `${[header, ...rows].join('\r\n')}\r\n`)
    const checked = await scene.runImport(['--check'])
    assert.equal(await checked.ended, 1)
    assert.match(checked.stdout(), /^2 users can be imported, 1 rows have errors\.\n$/)
    assert.match(checked.stderr(), /line 4, column given_name: must not be empty/)
    assert.match(checked.stderr(), /line 4, column email_verified: must be true or false/)
    const refused = await scene.runImport()
    assert.equal(await refused.ended, 1)
    assert.match(refused.stderr(), /Nothing was imported/)
    assert.equal(await scene.countPeople(), 0)
    const imported = await scene.runImport(['--skip-invalid'])
    assert.equal(await imported.ended, 1)
    assert.equal(await scene.countPeople(), 1)
    const failed = (await readFile(`${scene.file}.failed`, 'utf8')).trim().split('\n')
    assert.deepEqual(
      failed.map((line) => JSON.parse(line).line),
      [5],
      'the line of the CSV file',
    )
    await assert.rejects(stat(`${scene.file}.ndjson`))
  })

  test('a wrong token, file or address is said in one line', patient, async (context) => {
    const scene = await openScene(context)
    await writeFile(scene.file, person('p1'))
    const wrongToken = await scene.runImport([], { SIGNET_TOKEN: 'nonsense' })
    assert.equal(await wrongToken.ended, 1)
    assert.match(wrongToken.stderr(), /^signet: The server rejected the import: 401 .*\n$/)
    const wrongFile = await scene.runImport(['--token-file', '/nonexistent'])
    assert.equal(await wrongFile.ended, 1)
    assert.match(
      wrongFile.stderr(),
      /^signet: \/nonexistent does not exist\. It must contain a personal access token\.\n$/,
    )
    await rm(scene.file)
    const noFile = await scene.runImport([])
    assert.equal(await noFile.ended, 1)
    assert.match(noFile.stderr(), /^signet: .*\.ndjson does not exist\.\n$/)
    await writeFile(scene.file, person('p1'))
    const wrongUrl = await scene.runImport(['--url', 'ftp://somewhere'])
    assert.equal(await wrongUrl.ended, 1)
    assert.match(wrongUrl.stderr(), /^signet: The server URL .*\n$/)
  })
})
