/** Starts that cannot succeed, of the real server: they say why, and leave nothing behind that a later start trips over. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { freshDatabase } from '../support/postgres.ts'
import { runServer } from './run-server.ts'

const patient = { timeout: 600_000 }

const root = await mkdtemp(join(tmpdir(), 'signet-failed-start-'))
after(() => rm(root, { recursive: true, force: true }))

function newFolder() {
  return mkdtemp(join(root, 'data-'))
}
function newKey() {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
}

/** Runs one command to its end. */
async function finish(args: readonly string[], settings: Readonly<Record<string, string>>) {
  const command = await runServer('main', args, settings)
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

/** Starts, waits until it is ready, and stops. */
async function startAndStop(settings: Readonly<Record<string, string>>) {
  const server = await runServer('main', ['start'], settings)
  const url = await server.url
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.stderr())
  return { url, stdout: server.stdout() }
}

/** A port that somebody else listens on. */
async function takePort() {
  const other = createServer().unref()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  assert.ok(address !== null && typeof address === 'object')
  return { listen: `127.0.0.1:${address.port}`, close: () => new Promise((resolve) => other.close(resolve)) }
}

suite('a start that cannot listen', () => {
  for (const workers of ['1', '2']) {
    test(`makes nothing, and the next one is the first (SIGNET_WORKERS=${workers})`, patient, async () => {
      const dataDir = await newFolder()
      const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_WORKERS: workers }
      const taken = await takePort()
      const failed = await finish(['start'], { ...settings, SIGNET_LISTEN: taken.listen })
      assert.equal(failed.code, 1)
      assert.match(failed.stderr, /SIGNET_LISTEN: \S+ is in use by another process\./)
      assert.deepEqual(await readdir(dataDir), [])
      await taken.close()
      const { url, stdout } = await startAndStop(settings)
      assert.match(stdout, /setup\?\S*code=[\s\S]*admin\.pat/)
      const link = await readFile(join(dataDir, 'setup-link'), 'utf8')
      assert.equal(new URL(link).port, new URL(url).port)
    })

    test(`by its certificate makes nothing either (SIGNET_WORKERS=${workers})`, patient, async () => {
      const dataDir = await newFolder()
      const file = join(root, `no-certificate-${workers}.pem`)
      await writeFile(file, 'this is no certificate')
      const failed = await finish(['start'], {
        SIGNET_DATA_DIR: dataDir,
        SIGNET_WORKERS: workers,
        SIGNET_TLS_CERT_FILE: file,
        SIGNET_TLS_KEY_FILE: file,
      })
      assert.equal(failed.code, 1)
      assert.deepEqual(await readdir(dataDir), [])
    })
  }
})

suite('data without their key', () => {
  test('neither start nor a command makes another key, and the doctor says so too', patient, async () => {
    const dataDir = await newFolder()
    const settings = { SIGNET_DATA_DIR: dataDir }
    await startAndStop(settings)
    const [path, aside] = [join(dataDir, 'master.key'), join(root, 'aside.key')]
    await rename(path, aside)
    const before = await readdir(dataDir)
    for (const command of ['start', 'setup-link', 'rotate-key', 'doctor']) {
      const failed = await finish([command], settings)
      assert.equal(failed.code, 1, command)
      const said = command === 'doctor' ? /^wrong {2}master key: .*$/m.exec(failed.stdout)?.[0] : failed.stderr
      assert.match(said ?? '', /master\.key is missing/, command)
      assert.deepEqual(await readdir(dataDir), before, command)
    }
    await rename(aside, path)
    await startAndStop(settings)
  })

  test('an empty file is no data: the first start makes a key', patient, async () => {
    const dataDir = await newFolder()
    await writeFile(join(dataDir, 'signet.db'), '', { mode: 0o600 })
    const { stdout } = await startAndStop({ SIGNET_DATA_DIR: dataDir })
    assert.match(stdout, /setup\?/)
  })
})

suite('the doctor and the key', () => {
  test('finds out that it is not the one of the data, and changes nothing', patient, async () => {
    const dataDir = await newFolder()
    const settings = { SIGNET_DATA_DIR: dataDir }
    await startAndStop(settings)
    const before = await readdir(dataDir)
    const well = await finish(['doctor'], settings)
    assert.equal(well.code, 0, well.stdout)
    const otherKey = newKey()
    const given = await finish(['doctor'], { ...settings, SIGNET_MASTER_KEY: otherKey })
    const path = join(dataDir, 'master.key')
    const own = await readFile(path, 'utf8')
    await writeFile(path, otherKey, { mode: 0o600 })
    const replaced = await finish(['doctor'], settings)
    for (const { code, stdout } of [given, replaced]) {
      assert.equal(code, 1, stdout)
      assert.match(stdout, /^wrong {2}master key: .*the master key does not match this database/m)
      assert.ok(!stdout.includes(otherKey))
    }
    // The old key may stand behind the new one until the keys are rotated.
    await writeFile(path, `${otherKey}\n${own}`, { mode: 0o600 })
    assert.equal((await finish(['doctor'], settings)).code, 0)
    assert.deepEqual(await readdir(dataDir), before)
  })

  test('finds it out on PostgreSQL, where an empty database is no hindrance', patient, async (t) => {
    const database = await freshDatabase()
    if (database === undefined) return t.skip('there is no PostgreSQL on this machine')
    const settings = { SIGNET_DATA_DIR: await newFolder(), SIGNET_DATABASE_URL: database.url }
    const own = { ...settings, SIGNET_MASTER_KEY: newKey() }
    assert.match((await finish(['doctor'], own)).stdout, /^ok {5}master key/m)
    await startAndStop(own)
    const well = await finish(['doctor'], own)
    assert.equal(well.code, 0, well.stdout)
    const ill = await finish(['doctor'], { ...settings, SIGNET_MASTER_KEY: newKey() })
    assert.equal(ill.code, 1)
    assert.match(ill.stdout, /^wrong {2}master key: .*the master key does not match this database/m)
    return database.drop()
  })
})

suite('a key that is none', () => {
  test('is a wrong setting: exit 2, the variable by name, and nothing made', patient, async () => {
    const dataDir = await newFolder()
    const file = join(root, 'short.key')
    await writeFile(file, 'canary', { mode: 0o600 })
    for (const [name, value] of [
      ['SIGNET_MASTER_KEY', 'canary'],
      ['SIGNET_MASTER_KEY_FILE', file],
      ['SIGNET_MASTER_KEY_FILE', join(root, 'nowhere')],
    ] as const) {
      for (const command of ['start', 'rebuild']) {
        const failed = await finish([command], { SIGNET_DATA_DIR: dataDir, [name]: value })
        assert.equal(failed.code, 2, failed.stderr)
        assert.ok(failed.stderr.includes(`${name}: the key `), failed.stderr)
        assert.ok(!failed.stderr.includes('canary'))
      }
    }
    assert.deepEqual(await readdir(dataDir), [])
  })
})
