/** A real server tells a real collector what it does, on both engines, and nothing about people. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, runServer } from '../faults/run-server.ts'
import { afterwards } from '../support/afterwards.ts'
import { type CollectedSpan, openCollector } from '../support/collector.ts'
import { engines } from '../support/engines.ts'
import { freshDatabase } from '../support/postgres.ts'

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const PASSWORD = 'a rather long canary'
const EMAIL = 'canary@example.com'
const PHONE = '+41791234567'

/** Receives text messages, and keeps the headers of the calls. */
async function openWebhook(t: TestContext) {
  const traceparents: (string | undefined)[] = []
  const server = createServer((request, response) => {
    traceparents.push(request.headers.traceparent as string | undefined)
    request.resume()
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterwards(t, async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`, traceparents }
}

const TOKEN = 'a-token-that-nobody-may-read'

async function post(server: Running, path: string, body: object, headers: Record<string, string> = {}) {
  const token = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
  const answer = await fetch(`${await server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function databaseSettings(t: TestContext, engine: string): Promise<Record<string, string>> {
  if (engine === 'sqlite') return {}
  const database = await freshDatabase()
  assert.ok(database !== undefined)
  afterwards(t, () => database.drop())
  return { SIGNET_DATABASE_URL: database.url, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }
}

/** Adds a text message provider and a user, who signs in with a wrong and a right password. */
async function useServer(server: Running, webhook: string): Promise<void> {
  const provider = await post(server, '/admin/v1/sms/http', { endpoint: webhook, description: 'd' })
  assert.equal(provider.status, 200, JSON.stringify(provider.body))
  const activated = await post(server, `/admin/v1/sms/${provider.body.id}/_activate`, {})
  assert.equal(activated.status, 200)
  const person = {
    username: 'canary',
    profile: { givenName: 'Canary', familyName: 'Bird' },
    email: { email: EMAIL, isVerified: true },
    phone: { phone: PHONE, sendCode: {} },
    password: { password: PASSWORD },
  }
  const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`
  const added = await post(server, '/v2/users/human', person, { traceparent })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  assert.equal((await post(server, '/v2/users', {})).status, 200)
  // The wrong one comes last: the next try would have to wait.
  for (const [password, status] of [
    [PASSWORD, 201],
    ['wrong', 400],
  ]) {
    const checks = { user: { loginName: 'canary' }, password: { password } }
    const session = await post(server, '/v2/sessions', { checks })
    assert.equal(session.status, status, JSON.stringify(session.body))
  }
  const missing = await post(
    server,
    '/v2/users/human',
    {},
    { authorization: 'Bearer nothing', traceparent: '00-bad-01' },
  )
  assert.equal(missing.status, 401)
  await fetch(`${await server.url}/healthz`, {
    headers: { traceparent: `00-${'1'.repeat(32)}-${CALLER.spanId}-00` },
  })
}

suite('OpenTelemetry', () => {
  for (const { name: engine } of engines) {
    test(`a collector receives spans and metrics from a server on ${engine}`, { timeout: 600_000 }, async (t) => {
      const collector = await openCollector()
      afterwards(t, () => collector.close())
      collector.refusals.push(503, 429)
      const webhook = await openWebhook(t)
      const server = await runServer('main', ['start'], {
        ...(await databaseSettings(t, engine)),
        SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
        OTEL_SERVICE_NAME: 'sign-in',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_METRIC_EXPORT_INTERVAL: '200',
      })
      await server.url
      await useServer(server, webhook.url)
      while (webhook.traceparents.length === 0) await sleep(20)
      const bearer = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
      // Tokens where they belong, and where somebody has put one by mistake.
      for (const path of [
        `/oauth/v2/authorize?code=${TOKEN}&id_token_hint=${TOKEN}`,
        `/v2/users/${TOKEN}`,
        `/${TOKEN}`,
      ]) {
        const headers = { authorization: `Bearer ${bearer}`, cookie: `session=${TOKEN}`, dpop: TOKEN }
        await (await fetch(`${await server.url}${path}`, { headers, redirect: 'manual' })).text()
      }
      server.child.kill('SIGTERM')
      assert.equal(await server.ended, 0, server.stderr())
      assert.deepEqual(collector.problems, [])

      const { spans, points, requests } = collector
      const one = (found: (span: CollectedSpan) => boolean): CollectedSpan => {
        const [span, ...others] = spans.filter(found)
        assert.ok(span !== undefined && others.length === 0, JSON.stringify(spans.map(({ name }) => name)))
        return span
      }
      // The trace of the caller continues, with everything that the request caused.
      const request = one(({ parentSpanId }) => parentSpanId === CALLER.spanId)
      assert.equal(request.traceId, CALLER.traceId)
      assert.equal(request.name, 'signet.user.v2.UserService/AddHumanUser')
      assert.equal(request.kind, 2)
      assert.equal(request.attributes['signet.protocol'], 'rest')
      assert.equal(request.attributes['http.response.status_code'], 200)
      const below = spans.filter(({ traceId, spanId }) => traceId === CALLER.traceId && spanId !== request.spanId)
      const names = new Set(below.map(({ name }) => name))
      for (const name of ['password hash', 'commit']) assert.ok(names.has(name), [...names].join())
      // On PostgreSQL, one statement reads and validates for all queries of the request. On SQLite, reading a document has no
      // span, and a list has one.
      if (engine === 'postgres') assert.ok(names.has('query get'), [...names].join())
      else {
        const query = spans.find(({ name }) => name === 'query find')
        assert.ok(spans.some(({ spanId, kind }) => spanId === query?.parentSpanId && kind === 2))
      }
      const commit = below.find(({ name }) => name === 'commit')
      assert.ok(Number(commit?.attributes['db.operation.batch.size']) >= 1)
      assert.equal(commit?.attributes['db.system.name'], engine === 'sqlite' ? 'sqlite' : 'postgresql')

      // An invalid header starts a new trace; one that is not sampled is not recorded.
      const refused = one(({ attributes }) => attributes['signet.error_id'] === 'access.unauthenticated')
      assert.equal(refused.parentSpanId, undefined)
      assert.equal(refused.hasFailed, false)
      assert.ok(!spans.some(({ traceId }) => traceId === '1'.repeat(32)))

      // The webhook is called inside of a job, and can continue its trace.
      const outgoing = one(({ name }) => name === 'POST outside')
      assert.equal(webhook.traceparents[0], `00-${outgoing.traceId}-${outgoing.spanId}-01`)
      assert.equal(outgoing.attributes['server.address'], '127.0.0.1')
      const job = one(({ spanId }) => spanId === outgoing.parentSpanId)
      assert.match(job.name, /^job /)

      const pointOf = (name: string, attributes: object) =>
        points.find((point) => point.name === name && JSON.stringify(point.attributes) === JSON.stringify(attributes))
          ?.value
      const checks = (result: string) => pointOf('signet_sign_in_checks_total', { factor: 'password', result })
      assert.equal(checks('succeeded'), 1)
      assert.equal(checks('failed'), 1)
      assert.equal(pointOf('signet_sessions_total', { event: 'created' }), 1)
      assert.ok((pointOf('signet_commit_wait_seconds', {}) ?? 0) > 3)

      assert.ok(requests.every(({ headers }) => headers['x-api-key'] === 'a key'))
      for (const resource of collector.resources) {
        assert.equal(resource['service.name'], 'sign-in')
        assert.equal(resource['deployment.environment.name'], 'test')
      }
      const everything = requests.map(({ body }) => body).join('\n')
      for (const secret of [TOKEN, bearer, PASSWORD, EMAIL, PHONE.slice(1), 'Canary', 'secret-path']) {
        assert.ok(!everything.includes(secret), secret)
      }
      // The log leads to the trace.
      assert.match(server.stderr(), new RegExp(`"traceId":"${CALLER.traceId}"`))
    })
  }
})
