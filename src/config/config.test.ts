import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { inspect } from 'node:util'
import { defaultListen } from './address.ts'
import { externalUrl } from './external-url.ts'
import { allowedOrigins, readConfig } from './index.ts'

function read(environment: Record<string, string>) {
  return readConfig(environment)
}

suite('config', () => {
  test('an empty environment gives the documented defaults, frozen', () => {
    const { config, problems, warnings } = read({})
    assert.deepEqual(problems, [])
    assert.deepEqual(warnings, [])
    assert.ok(config)
    assert.ok(Object.isFrozen(config) && Object.isFrozen(config.limits))
    assert.deepEqual(config.listen, defaultListen())
    assert.deepEqual(defaultListen(false), { host: '127.0.0.1', port: 8080 })
    assert.deepEqual(defaultListen(true), { host: '0.0.0.0', port: 8080 })
    assert.equal(externalUrl(config, 8080), 'http://localhost:8080')
    assert.equal(config.dataDir, './data')
    assert.equal(config.workers, 1)
    assert.equal(config.logLevel, 'info')
    assert.equal(config.limits.headerMs, 10_000)
    assert.equal(config.allowsPrivateNetwork, false)
    assert.deepEqual(config.webauthnOrigins, [])
  })

  test('an empty variable counts as missing', () => {
    assert.deepEqual(read({ SIGNET_LISTEN: ' ', SIGNET_WORKERS: '' }).problems, [])
  })

  test('every wrong variable is named at once', () => {
    const { config, problems } = read({
      SIGNET_LISTEN: 'nonsense',
      SIGNET_EXTERNAL_URL: 'https://id.example.com/path',
      SIGNET_WORKERS: '0',
      SIGNET_LOG_LEVEL: 'loud',
      SIGNET_TLS_CERT_FILE: '/x.pem',
      SIGNET_HEADER_TIMEOUT: '-1',
    })
    assert.equal(config, undefined)
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[0]),
      [
        'SIGNET_LISTEN',
        'SIGNET_EXTERNAL_URL',
        'SIGNET_WORKERS',
        'SIGNET_LOG_LEVEL',
        'SIGNET_HEADER_TIMEOUT',
        'SIGNET_TLS_CERT_FILE',
      ],
    )
  })

  test('metrics are for this machine unless the settings say otherwise, and never without the token they ask for', () => {
    const token = '0123456789abcdef'
    const problemsOf = (environment: Record<string, string>) => read(environment).problems
    assert.equal(read({}).config?.metricsAccess, 'loopback')
    assert.equal(read({ SIGNET_METRICS: 'off' }).config?.metricsAccess, 'off')
    assert.deepEqual(problemsOf({ SIGNET_METRICS: 'token', SIGNET_METRICS_TOKEN: token }), [])
    assert.match(problemsOf({ SIGNET_METRICS: 'token' })[0] ?? '', /must be set together/)
    assert.match(problemsOf({ SIGNET_METRICS_TOKEN: token })[0] ?? '', /must be set together/)
    assert.match(problemsOf({ SIGNET_METRICS: 'public' })[0] ?? '', /^SIGNET_METRICS must be one of/)
    const short = problemsOf({ SIGNET_METRICS: 'token', SIGNET_METRICS_TOKEN: 'too short' }).join()
    assert.ok(short.includes('16 to 512') && !short.includes('too short'))
    const both = { SIGNET_METRICS: 'token', SIGNET_METRICS_TOKEN: token, SIGNET_METRICS_LISTEN: '127.0.0.1:0' }
    assert.match(problemsOf(both)[0] ?? '', /cannot be combined/)
  })

  test('the data folder must be where files are kept', { skip: process.platform !== 'linux' }, () => {
    for (const folder of ['/proc/signet', '/proc/self/fd/data', '/sys/kernel/data', '/dev/data', '/proc']) {
      const { problems } = read({ SIGNET_DATA_DIR: folder })
      assert.equal(problems.length, 1, folder)
      assert.match(problems[0] ?? '', /^SIGNET_DATA_DIR .*pseudo file system/)
    }
    for (const folder of ['/dev/shm/signet', '/tmp/not/there/yet', 'data', '/process/data']) {
      assert.deepEqual(read({ SIGNET_DATA_DIR: folder }).problems, [], folder)
    }
  })

  test('pages of any domain may ask for passkeys until an origin is set; then those of the list', () => {
    const origins = (environment: Record<string, string>) => {
      const { config } = read(environment)
      return config && allowedOrigins(config, externalUrl(config, 8080))
    }
    assert.equal(origins({}), undefined)
    const SIGNET_EXTERNAL_URL = 'https://id.example.com'
    assert.deepEqual(origins({ SIGNET_EXTERNAL_URL }), [SIGNET_EXTERNAL_URL])
    const app = `android:apk-key-hash:${'A'.repeat(43)}`
    const SIGNET_WEBAUTHN_ORIGINS = `https://login.example.com/, http://localhost:3000 ${app},${SIGNET_EXTERNAL_URL}`
    const more = ['https://login.example.com', 'http://localhost:3000', app]
    assert.deepEqual(origins({ SIGNET_EXTERNAL_URL, SIGNET_WEBAUTHN_ORIGINS }), [SIGNET_EXTERNAL_URL, ...more])
    assert.deepEqual(origins({ SIGNET_WEBAUTHN_ORIGINS: more.join() }), ['http://localhost:8080', ...more])
    for (const wrong of ['login.example.com', 'https://a.example/path', 'http://a.example', 'ftp://a', 'android:x']) {
      const { problems } = read({ SIGNET_WEBAUTHN_ORIGINS: `https://a.example,${wrong}` })
      assert.match(problems.join(), /^SIGNET_WEBAUTHN_ORIGINS must be/, wrong)
    }
  })

  test('yes and no are written true and false, and nothing else', () => {
    const allows = (text: string) => read({ SIGNET_ALLOW_PRIVATE_NETWORK: text }).config?.allowsPrivateNetwork
    assert.equal(allows('true'), true)
    assert.equal(allows('false'), false)
    for (const wrong of ['1', 'yes', 'TRUE', 'on']) assert.equal(allows(wrong), undefined, wrong)
  })

  test('origins are listed with commas or spaces between them, each without a path', () => {
    const redirects = (text: string) => read({ SIGNET_ALLOWED_REDIRECTS: text }).config?.allowedRedirects
    assert.deepEqual(redirects(' https://a.example/, http://localhost:3000  https://b.example '), [
      'https://a.example',
      'http://localhost:3000',
      'https://b.example',
    ])
    assert.deepEqual(read({}).config?.allowedRedirects, [])
    for (const wrong of ['a.example', 'https://a.example/path', 'https://a.example,ftp://b.example']) {
      assert.equal(redirects(wrong), undefined, wrong)
    }
  })

  test('addresses of all families are understood', () => {
    const listen = (text: string) => read({ SIGNET_LISTEN: text }).config?.listen
    assert.deepEqual(listen('[::1]:0'), { host: '::1', port: 0 })
    assert.deepEqual(listen('localhost:9000'), { host: 'localhost', port: 9000 })
    assert.deepEqual(listen(':9000'), { host: '0.0.0.0', port: 9000 })
    for (const wrong of ['::1:8080', '8080', 'host:65536', '[zz]:1', 'a b:1', 'http://x:1']) {
      assert.equal(listen(wrong), undefined, wrong)
    }
  })

  test('a secret shows itself neither when it is right nor when it is wrong', () => {
    const right = read({ SIGNET_DATABASE_URL: 'postgres://u:hunter2@db/x', SIGNET_MASTER_KEY: 'hunter2' })
    assert.equal(right.config?.databaseUrl?.reveal(), 'postgres://u:hunter2@db/x')
    const wrong = read({ SIGNET_DATABASE_URL: 'mysql://u:hunter2@db/x' })
    assert.equal(wrong.problems.length, 2)
    for (const shown of [right, wrong]) {
      assert.ok(!`${JSON.stringify(shown)}${inspect(shown, { depth: 9 })}`.includes('hunter2'))
    }
  })

  test('the URL of the database can be in a file, which is never shown', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'signet-config-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'url')
    const readFile = (text: string) => {
      writeFileSync(file, text)
      return read({ SIGNET_DATABASE_URL_FILE: file, SIGNET_MASTER_KEY: 'x' })
    }
    assert.equal(readFile('postgres://u:hunter2@db/x\n').config?.databaseUrl?.reveal(), 'postgres://u:hunter2@db/x')
    const wrong = readFile('mysql://u:hunter2@db/x')
    assert.match(wrong.problems.join(), /^SIGNET_DATABASE_URL_FILE names a file whose text must start with postgres/)
    assert.ok(!JSON.stringify(wrong).includes('hunter2'))
    const missing = read({ SIGNET_DATABASE_URL_FILE: join(folder, 'none'), SIGNET_MASTER_KEY: 'x' })
    assert.match(missing.problems.join(), /^SIGNET_DATABASE_URL_FILE names a file that cannot be read \(ENOENT\)/)
    const both = { SIGNET_DATABASE_URL_FILE: file, SIGNET_DATABASE_URL: 'postgres://db/x', SIGNET_MASTER_KEY: 'x' }
    assert.match(read(both).problems.join(), /SIGNET_DATABASE_URL and SIGNET_DATABASE_URL_FILE cannot be combined/)
    assert.match(read({ SIGNET_DATABASE_URL_FILE: file }).problems.join(), /SIGNET_MASTER_KEY_FILE/)
  })

  test('PostgreSQL needs a master key, and only one', () => {
    assert.match(read({ SIGNET_DATABASE_URL: 'postgres://db/x' }).problems.join(), /SIGNET_MASTER_KEY_FILE/)
    assert.match(read({ SIGNET_MASTER_KEY: 'a', SIGNET_MASTER_KEY_FILE: '/b' }).problems.join(), /cannot be combined/)
  })

  test('an unknown SIGNET_ variable is warned about with the nearest name', () => {
    const { warnings } = read({ SIGNET_LISTNE: 'x', OTHER: 'y' })
    assert.deepEqual(warnings, ['SIGNET_LISTNE is not a setting; did you mean SIGNET_LISTEN?'])
    assert.deepEqual(read({ SIGNET_FOO: 'x' }).warnings, ['SIGNET_FOO is not a setting'])
  })

  test('the public origin follows the port and the certificate until it is set', () => {
    assert.equal(externalUrl({ externalUrl: undefined, tlsCertFile: '/x' }, 8443), 'https://localhost:8443')
    assert.equal(externalUrl({ externalUrl: 'https://id.example', tlsCertFile: undefined }, 1), 'https://id.example')
  })
})
