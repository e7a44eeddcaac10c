/** The real server as a process: its first start, its next ones, its commands, and a stop in the middle of writing. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { freshDatabase } from '../support/postgres.ts'
import { allMethods as declared } from '../support/services.ts'
import { openWorld } from '../support/world.ts'
import { type Running, runServer } from './run-server.ts'

const patient = { timeout: 600_000 }

suite('the server', () => {
  test('serves exactly the methods that the contract declares', async (t) => {
    const world = await openWorld()
    t.after(() => world.dispose())
    const served = world.methods.map(({ descriptor }) => `${descriptor.parent.typeName}/${descriptor.name}`)
    assert.deepEqual(served.toSorted(), [...declared.keys()].toSorted())
  })

  test(
    'does not start when the contract declares a method that is not implemented, and names it',
    patient,
    async () => {
      const list = new URL('../../contract/gen/services.ts', import.meta.url)
      const declare = `import { services } from '${list}'
      const service = { typeName: 'signet.test.v1.TestService', methods: [] }
      service.methods.push({ name: 'Forgotten', parent: service })
      services.push(service)`
      const server = await runServer('sources', ['start'], {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(declare)}`,
      })
      server.url.catch(() => {})
      assert.notEqual(await server.ended, 0)
      assert.match(server.stderr(), /signet\.test\.v1\.TestService\/Forgotten/)
    },
  )
})

async function addMachine(url: string, dataDir: string, name: string): Promise<Response> {
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()
  return fetch(`${url}/management/v1/users/machine`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userName: name, name }),
  })
}

suite('the server on SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signet-start-'))
  after(() => rm(dataDir, { recursive: true, force: true }))
  const run = (...args: string[]): Promise<Running> => runServer('main', args, { SIGNET_DATA_DIR: dataDir })
  const readToken = async () => (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim()

  const add = (url: string, name: string) => addMachine(url, dataDir, name)

  test(
    'the first start makes a key and a token for its owner only, and shows the set-up link once',
    patient,
    async () => {
      const server = await run('start')
      const url = await server.url
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      for (const file of ['admin.pat', 'master.key', 'signet.db']) {
        assert.equal((await stat(join(dataDir, file))).mode & 0o077, 0, file)
      }
      const answer = await add(url, 'robot')
      assert.equal(answer.status, 200, await answer.text())
      const api = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: Record<string, unknown> }
      assert.ok(api.paths['/management/v1/users/machine'])
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0)
      const code = /setup\?\S*code=([^&\s]+)/.exec(server.stdout())?.[1] ?? ''
      assert.ok(code.length > 20)
      const secrets = [code, await readToken(), (await readFile(join(dataDir, 'master.key'), 'utf8')).trim()]
      for (const secret of secrets) assert.ok(!server.stderr().includes(secret))
    },
  )

  test('the next start keeps everything and shows no link; with another key it does not start', patient, async () => {
    const server = await run('start')
    assert.equal((await add(await server.url, 'robot')).status, 409)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.ok(!server.stdout().includes('setup'))
    assert.match(server.stderr(), /is not set up yet; run signet setup-link for a new link/)
    assert.ok(!server.stderr().includes('code='))
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
    const other = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir, SIGNET_MASTER_KEY: key })
    assert.equal(await other.ended, 1)
    assert.match(other.stderr(), /The master key does not match this database/)
    assert.ok(!other.stderr().includes(key))
  })

  test(
    'keys are rotated, documents rebuilt and a new link made while nobody serves; then all is as before',
    patient,
    async () => {
      for (const command of ['rotate-key', 'rebuild', 'setup-link', 'doctor']) {
        const done = await run(command)
        assert.equal(await done.ended, 0, `${command}: ${done.stderr()}${done.stdout()}`)
      }
      const server = await run('start')
      assert.equal((await add(await server.url, 'robot')).status, 409)
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0)
    },
  )

  test(
    'the first start creates the keys that sign tokens, and keys rotate publishes the next one first',
    patient,
    async () => {
      const list = async () => {
        const server = await run('start')
        const headers = { authorization: `Bearer ${await readToken()}` }
        const response = await fetch(`${await server.url}/v2beta/web_keys`, { headers })
        server.child.kill('SIGTERM')
        await server.ended
        const { webKeys } = (await response.json()) as { webKeys: { id: string; state: string }[] }
        return webKeys.map(({ state }) => state)
      }
      assert.deepEqual(await list(), ['STATE_ACTIVE', 'STATE_INITIAL'])
      const rotated = await run('keys', 'rotate')
      assert.equal(await rotated.ended, 0, rotated.stderr())
      assert.match(rotated.stdout(), /The next key is published/)
      assert.deepEqual(await list(), ['STATE_ACTIVE', 'STATE_INITIAL'])
    },
  )

  test(
    'SIGTERM in the middle of writing: every request in flight is answered, and every answer is kept',
    patient,
    async () => {
      const server = await run('start')
      const url = await server.url
      const acknowledged: string[] = []
      let isStopped = false
      const writer = async (writer: number) => {
        for (let count = 0; !isStopped; count++) {
          const name = `writer-${writer}-${count}`
          // A connection that was never accepted is no request; an answer other than yes is a failure.
          const answer = await add(url, name).catch(() => undefined)
          if (answer === undefined) break
          assert.equal(answer.status, 200)
          acknowledged.push(name)
        }
      }
      const writers = Array.from({ length: 8 }, (_, index) => writer(index))
      while (acknowledged.length < 50) await new Promise((resolve) => setTimeout(resolve, 5))
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0)
      isStopped = true
      await Promise.all(writers)
      const again = await run('start')
      const againUrl = await again.url
      for (const name of acknowledged) assert.equal((await add(againUrl, name)).status, 409, name)
      again.child.kill('SIGTERM')
      assert.equal(await again.ended, 0)
    },
  )

  test('two processes share the port and the database', patient, async () => {
    const server = await runServer('main', ['start'], { SIGNET_DATA_DIR: dataDir, SIGNET_WORKERS: '2' })
    const url = await server.url
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => add(url, `shared-${index % 10}`)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 10)
    assert.equal(answers.filter(({ status }) => status === 409).length, 10)
    const added = (await Promise.all(answers.map((answer) => answer.json()))) as { readonly userId?: string }[]
    const ids = added.flatMap(({ userId }) => userId ?? [])
    for (const id of ids) assert.match(id, /^\d{18}$/)
    assert.equal(new Set(ids).size, 10)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})

suite('the server on PostgreSQL', () => {
  test('two nodes that start at once found one instance and see the same users', patient, async (t) => {
    const database = await freshDatabase()
    if (database === undefined) return t.skip('there is no PostgreSQL on this machine')
    const dataDir = await mkdtemp(join(tmpdir(), 'signet-start-'))
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
    const settings = { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: key, SIGNET_DATA_DIR: dataDir }
    const nodes = await Promise.all([runServer('main', ['start'], settings), runServer('main', ['start'], settings)])
    const [one, two] = await Promise.all(nodes.map(({ url }) => url))
    assert.equal(nodes.filter((node) => node.stdout().includes('setup')).length, 1)
    assert.equal((await addMachine(one ?? '', dataDir, 'robot')).status, 200)
    assert.equal((await addMachine(two ?? '', dataDir, 'robot')).status, 409)
    for (const { child, ended, stderr } of nodes) {
      child.kill('SIGTERM')
      assert.equal(await ended, 0)
      assert.ok(!stderr().includes(key) && !stderr().includes(database.url))
    }
    await rm(dataDir, { recursive: true })
    return database.drop()
  })
})
