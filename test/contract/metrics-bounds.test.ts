/** What anybody can make of the metrics: nothing that grows. And who reads them. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { suite, test } from 'node:test'
import { services } from '../../contract/gen/services.ts'
import { runServer } from '../faults/run-server.ts'

const patient = { timeout: 600_000 }
const LARGEST_BYTES = 60_000
const CALLS = 10_000

type Call = readonly [verb: string, path: string, headers: Readonly<Record<string, string>>]

const TYPES = [
  'application/json',
  'application/proto',
  'application/grpc-web+proto',
  'application/grpc-web-text',
  'a/b',
]

/** Every method in every protocol of HTTP/1.1 and with every verb, pages with verbs they do not take, made-up paths. */
function* refusedCalls(): Generator<Call> {
  const methods = services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`))
  const pages = [
    '/healthz',
    '/ui/login',
    '/oauth/v2/token',
    '/oauth/v2/introspect',
    '/oidc/v1/userinfo',
    '/openapi.json',
  ]
  for (let round = 0; ; round++) {
    const type = TYPES[round % TYPES.length] ?? ''
    for (const [index, path] of methods.entries()) {
      yield ['POST', path, { 'content-type': type, 'content-length': '0' }]
      if (index % 3 === 0) yield ['OPTIONS', path, { 'access-control-request-method': 'POST' }]
      if (index % 4 === 0) yield ['GET', `${path}?encoding=json&message=%7B%7D`, {}]
      if (index % 5 === 0) yield ['POST', `/made/up/${round}/${index}`, { 'content-type': type, 'content-length': '0' }]
      if (index % 7 === 0) yield ['PUT', pages[index % pages.length] ?? '', {}]
    }
  }
}

async function statusOf(address: URL, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return (await fetch(address, { headers })).status
}

suite('the metrics', () => {
  test('are for this machine by default, and not for clients of a proxy on it', patient, async () => {
    const server = await runServer('main', ['start'])
    const metrics = new URL('/metrics', await server.url)
    assert.equal(await statusOf(metrics), 200)
    for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Prefix', 'Via', 'X-Real-IP'])
      assert.equal(await statusOf(metrics, { [name]: '192.0.2.1' }), 403, name)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('are for who shows the token, if there is one, and for nobody if they are off', patient, async () => {
    const token = 'a-token-for-the-metrics'
    const server = await runServer('main', ['start'], { SIGNET_METRICS: 'token', SIGNET_METRICS_TOKEN: token })
    const metrics = new URL('/metrics', await server.url)
    const refused = await fetch(metrics)
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="metrics"')
    assert.equal(await statusOf(metrics, { authorization: 'Bearer another' }), 401)
    assert.equal(await statusOf(metrics, { authorization: `Bearer ${token}`, via: '1.1 proxy' }), 200)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
    assert.ok(!server.stderr().includes(token))
    const closed = await runServer('main', ['start'], { SIGNET_METRICS: 'off' })
    assert.equal(await statusOf(new URL('/metrics', await closed.url)), 404)
    assert.equal(await statusOf(new URL('/readyz', await closed.url)), 200)
    closed.child.kill('SIGTERM')
    assert.equal(await closed.ended, 0)
  })

  test('are gathered once a second, however many read them', patient, async () => {
    const server = await runServer('main', ['start'])
    const metrics = new URL('/metrics', await server.url)
    const startedAt = performance.now()
    const texts = await Promise.all(Array.from({ length: 100 }, async () => (await fetch(metrics)).text()))
    // One may be from just before; each further one is from at least a second later.
    const most = 2 + Math.floor((performance.now() - startedAt) / 1000)
    assert.ok(new Set(texts).size <= most, `${new Set(texts).size} different texts, at most ${most}`)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })

  test('stay small whatever is asked for without a token', patient, async () => {
    const server = await runServer('main', ['start'], { SIGNET_LOG_LEVEL: 'error', SIGNET_OVERLOAD_TARGET: '0' })
    const url = new URL(await server.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const ask = ([method, path, headers]: Call) =>
      new Promise<void>((resolve, reject) => {
        request({ agent, host: url.hostname, port: url.port, method, path, headers }, (answer) =>
          answer.on('end', resolve).resume(),
        )
          .on('error', reject)
          .end()
      })
    const calls = refusedCalls().take(CALLS)
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const call of calls) await ask(call)
      }),
    )
    agent.destroy()
    const count = (text: string) =>
      [...text.matchAll(/^signet_requests_total\{.*\} (\d+)$/gm)].reduce((sum, [, number]) => sum + Number(number), 0)
    let text = ''
    while (count(text) < CALLS) text = await (await fetch(new URL('/metrics', url))).text()
    assert.ok(text.length < LARGEST_BYTES, `${text.length} bytes`)
    server.child.kill('SIGTERM')
    assert.equal(await server.ended, 0)
  })
})
