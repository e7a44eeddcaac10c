/** The life of a serving process: how it starts, drains, ends and comes back. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runServer } from './run-server.ts'

/** Real servers start here, several in some tests, on machines that may be busy. */
const patient = { timeout: 600_000 }

/** The one-time link of the first start, with its code. */
const SETUP_LINK = /\/setup\?user=\d{18}&code=([2-9A-Z]{32})\n/

function ask2(url: string, path: string) {
  const session = connect(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  session.on('error', reject)
  const stream = session.request({ ':path': path })
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  stream.on('error', reject)
  stream.on('end', () => resolve(text))
  return promise.finally(() => session.close())
}

/** Asks until `holds`, for what takes a moment to become true. */
async function eventually<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await sleep(20)
  }
}

/** Adds a user with a secret that is stored encrypted: that of an authenticator app. */
async function addUserWithSecret(url: string, dataDir: string): Promise<void> {
  const token = await eventually(
    () => readFile(join(dataDir, 'admin.pat'), 'utf8').catch(() => ''),
    (text) => text !== '',
  )
  const user = {
    username: 'ada',
    profile: { givenName: 'Ada', familyName: 'Lovelace' },
    email: { email: 'ada@example.com', isVerified: true },
    totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  }
  const answer = await fetch(`${url}/v2/users/human`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  assert.equal(answer.status, 200, await answer.text())
}

async function inFlight(url: string) {
  return Number(/^signet_requests_in_flight (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])
}

suite('one process', () => {
  test(
    'SIGTERM: not ready first, then what is in flight on both protocols finishes, then exit 0',
    patient,
    async () => {
      const server = await runServer('stand-in', ['start'], { SIGNET_SHUTDOWN_DELAY: '0.5' })
      const url = await server.url
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
      const late1 = fetch(`${url}/wait/4000`).then((answer) => answer.text())
      const late2 = ask2(url, '/wait/4000')
      await eventually(
        () => inFlight(url),
        (count) => count >= 3,
      )
      server.child.kill('SIGTERM')
      await eventually(
        async () => (await fetch(`${url}/readyz`)).status,
        (status) => status === 503,
      )
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      const pid = String(server.child.pid)
      assert.deepEqual(await Promise.all([late1, late2]), [pid, pid])
      assert.equal(await server.ended, 0)
      await assert.rejects(fetch(`${url}/healthz`))
    },
  )

  test('SIGTERM before it is ready: exit 0', patient, async () => {
    // A database that takes connections and says nothing.
    const silent = createServer((socket) => socket.unref().on('error', () => {}))
      .listen(0, '127.0.0.1')
      .unref()
    const connected = once(silent, 'connection')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const waiting = await runServer('main', ['start'], {
      SIGNET_DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`,
      SIGNET_MASTER_KEY: randomBytes(32).toString('base64'),
    })
    await connected
    waiting.child.kill('SIGTERM')
    assert.equal(await waiting.ended, 0, waiting.stderr())
  })

  test('SIGTERM during a first start: exit 0, and the next start continues', patient, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'signet-early-'))
    const settings = { SIGNET_DATA_DIR: dataDir }
    const first = await runServer('main', ['start'], settings)
    await eventually(
      () => readdir(dataDir),
      (names) => names.length > 0,
    )
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0, first.stderr())
    const second = await runServer('main', ['start'], settings)
    await second.url
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 0, second.stderr())
    await rm(dataDir, { recursive: true, force: true })
  })

  test('a second signal ends it at once with 1', patient, async () => {
    const server = await runServer('stand-in', ['start'], { SIGNET_SHUTDOWN_GRACE: '20' })
    const url = await server.url
    const late = fetch(`${url}/wait/20000`)
    late.catch(() => {})
    await eventually(
      () => inFlight(url),
      (count) => count >= 2,
    )
    server.child.kill('SIGTERM')
    await eventually(
      async () => server.stderr(),
      (text) => text.includes('"stopping"'),
    )
    // What comes at once with the first is the same key stroke, told by the terminal and by npm.
    server.child.kill('SIGINT')
    // Pause: nothing tells that the second signal was taken for the first one.
    await sleep(1_000)
    assert.equal(server.child.exitCode, null)
    server.child.kill('SIGINT')
    assert.equal(await server.ended, 1)
    await assert.rejects(late)
  })

  test('who does not finish within the grace is cut off, and the exit is still 0', patient, async () => {
    const server = await runServer('stand-in', ['start'], { SIGNET_SHUTDOWN_GRACE: '0.2' })
    const late = fetch(`${await server.url}/wait/20000`)
    late.catch(() => {})
    await eventually(
      async () => inFlight(await server.url),
      (count) => count >= 2,
    )
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    await assert.rejects(late)
  })

  test('an uncaught error is logged and ends the process with 1', patient, async () => {
    const server = await runServer('stand-in', ['start'])
    await fetch(`${await server.url}/die`).catch(() => {})
    assert.equal(await server.ended, 1)
    assert.match(server.stderr(), /"level":"fatal".*an error that escaped/)
  })

  test('the newcomer reads the set-up link on standard output; the log never has it', patient, async () => {
    const server = await runServer('stand-in', ['start'], { SIGNET_LOG_LEVEL: 'trace', SIGNET_LOG_LEVLE: 'x' })
    await fetch(`${await server.url}/hello?token=canary-query`, { headers: { authorization: 'Bearer canary-bearer' } })
    await eventually(
      async () => server.stdout(),
      (text) => text.includes('admin.pat'),
    )
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    const code = SETUP_LINK.exec(server.stdout())?.[1] ?? assert.fail(server.stdout())
    for (const secret of [code, 'canary']) assert.ok(!server.stderr().includes(secret), secret)
    assert.match(server.stderr(), /SIGNET_LOG_LEVLE is not a setting; did you mean SIGNET_LOG_LEVEL\?/)
    const line = server
      .stderr()
      .split('\n')
      .find((text) => text.includes('"request"'))
    assert.deepEqual(Object.keys(JSON.parse(line ?? '{}')), [
      'level',
      'time',
      'pid',
      'method',
      'protocol',
      'code',
      'status',
      'durationMs',
      'requestId',
      'client',
      'errorId',
      'msg',
    ])
  })

  test('a taken port is told in one sentence, with exit 1', patient, async () => {
    const first = await runServer('stand-in', ['start'])
    const { port } = new URL(await first.url)
    const second = await runServer('stand-in', ['start'], { SIGNET_LISTEN: `127.0.0.1:${port}` })
    assert.equal(await second.ended, 1)
    assert.match(second.stderr(), /^signet: SIGNET_LISTEN: \S+ is in use by another process\.\n$/)
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
  })
})

suite('settings and commands', () => {
  test('wrong settings are all named, with exit 2 and without the secret', patient, async () => {
    const server = await runServer('stand-in', ['start'], {
      SIGNET_LISTEN: 'x',
      SIGNET_WORKERS: 'many',
      SIGNET_DATABASE_URL: 'oracle://canary',
    })
    assert.equal(await server.ended, 2)
    for (const name of ['LISTEN', 'DATABASE_URL', 'WORKERS']) {
      assert.match(server.stderr(), new RegExp(`^signet: SIGNET_${name} must `, 'm'))
    }
    assert.ok(!server.stderr().includes('canary'))
  })

  test('an unknown command is refused with the list of those there are', patient, async () => {
    const server = await runServer('stand-in', ['explode'])
    assert.equal(await server.ended, 1)
    assert.match(server.stderr(), /setup-link/)
  })

  test('version, rebuild, keys and setup-link answer in a line', patient, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'signet-run-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const first = await runServer('stand-in', ['start'], { SIGNET_DATA_DIR: dataDir })
    await addUserWithSecret(await first.url, dataDir)
    await eventually(
      async () => first.stdout(),
      (text) => SETUP_LINK.test(text),
    )
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
    const said: Readonly<Record<string, RegExp>> = {
      version: /^\d+\.\d+\.\d+( \([0-9a-f]{7,40}\))?\n$/,
      rebuild: /^[^\n]*rebuilt\.\n$/,
      'rebuild --json': /^\{"events":[1-9]\d+\}\n$/,
      upgrade: /^Schema: /,
      'keys rotate-data': /^[^\n]* 3 values [^\n]* 1 old key [^\n]*\n$/,
      'rotate-key --json': /^\{"resealed":\d+,"removedKeys":1\}\n$/,
      'setup-link': /^http[^\n]*\n$/,
    }
    for (const [command, expected] of Object.entries(said)) {
      const server = await runServer('stand-in', command.split(' '), { SIGNET_DATA_DIR: dataDir })
      assert.equal(await server.ended, 0, server.stderr())
      assert.match(server.stdout(), expected)
      if (command !== 'setup-link') continue
      const [before, now] = [first, server].map(({ stdout }) => SETUP_LINK.exec(stdout())?.[1])
      assert.ok(now !== undefined && now !== before)
    }
  })

  test(
    'the doctor finds a taken port and a key that everybody can read, and is content otherwise',
    patient,
    async () => {
      const well = await runServer('stand-in', ['doctor'])
      assert.equal(await well.ended, 0, well.stdout())
      assert.match(well.stdout(), /^ok {5}node: 26/m)
      assert.match(well.stdout(), /^note {3}master key: .* will be created/m)
      const busy = await runServer('stand-in', ['start'])
      const { port } = new URL(await busy.url)
      const ill = await runServer('stand-in', ['doctor'], {
        SIGNET_LISTEN: `127.0.0.1:${port}`,
        SIGNET_MASTER_KEY: 'canary',
        SIGNET_TLS_CERT_FILE: '/nowhere',
        SIGNET_TLS_KEY_FILE: '/nowhere',
      })
      assert.equal(await ill.ended, 1)
      assert.match(ill.stdout(), /^wrong {2}master key/m)
      assert.match(ill.stdout(), /^wrong {2}tls: SIGNET_TLS_CERT_FILE: \/nowhere does not exist\./m)
      assert.match(ill.stdout(), /^note {3}port: a Signet server is running on /m)
      assert.ok(!ill.stdout().includes('canary'))
      busy.child.kill('SIGTERM')
      assert.equal(await busy.ended, 0)
    },
  )
})

suite('several processes', () => {
  test(
    'they share the port and their metrics, the dead are replaced, and SIGTERM drains them all',
    patient,
    async () => {
      const server = await runServer('stand-in', ['start'], { SIGNET_WORKERS: '2' })
      const url = await server.url
      const answers: string[] = []
      const askPid = async (mostMs = 60_000) => {
        const signal = AbortSignal.timeout(mostMs)
        const pid = await (await fetch(`${url}/wait/0`, { headers: { connection: 'close' }, signal })).text()
        answers.push(pid)
        return pid
      }
      const pids = new Set<string>()
      await eventually(
        () => askPid(),
        (pid) => pids.add(pid).size === 2,
      )
      assert.ok(!pids.has(String(server.child.pid)))

      const [victim] = pids
      process.kill(Number(victim), 'SIGKILL')
      const survivors = new Set<string>()
      await eventually(
        // A connection on its way to a worker that dies at that moment is never answered.
        () => askPid(2_000).catch(() => ''),
        (pid) => {
          if (pid !== '' && pid !== victim) survivors.add(pid)
          return survivors.size === 2
        },
      )

      const counted = async () => {
        const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()
        return Number(/^signet_requests_total\{method="\/wait\/\*",protocol="page".*\} (\d+)$/m.exec(text)?.[1] ?? 0)
      }
      for (let count = 0; count < 6; count++) await askPid()
      // Metrics are gathered once a second; what a dead process counted is gone with it.
      const expected = answers.filter((pid) => survivors.has(pid)).length
      await eventually(counted, (count) => count >= expected)
      assert.equal(await counted(), expected)

      const late = Promise.all([fetch(`${url}/wait/4000`), fetch(`${url}/wait/4000`)])
      await eventually(
        () => inFlight(url),
        (count) => count >= 3,
      )
      server.child.kill('SIGTERM')
      for (const answer of await late) assert.equal(answer.status, 200)
      assert.equal(await server.ended, 0)
      assert.equal(server.stdout().match(/\/setup\?user=/g)?.length, 1)
    },
  )

  test('SIGTERM while some of them still start: all end in order, with exit 0', patient, async () => {
    const server = await runServer('stand-in', ['start'], { SIGNET_WORKERS: '4' })
    await eventually(
      async () => server.stderr(),
      (text) => text.includes('"worker ready"'),
    )
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0, server.stderr())
    assert.ok(!server.stderr().includes('"fatal"'), server.stderr())
    assert.match(server.stderr(), /"stopped"/)
    const pids = new Set(server.stderr().match(/(?<="pid":)\d+/g))
    for (const pid of pids) assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' }, pid)
  })

  test('a primary that cannot get the port ends with 1', patient, async () => {
    const first = await runServer('stand-in', ['start'])
    const { port } = new URL(await first.url)
    const second = await runServer('stand-in', ['start'], { SIGNET_WORKERS: '2', SIGNET_LISTEN: `127.0.0.1:${port}` })
    assert.equal(await second.ended, 1)
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
  })
})
