/** What callers get from a server that refuses because of overload, in every protocol; health checks get through. */
import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setImmediate as setImmediately } from 'node:timers/promises'
import { Admission } from '../../src/http/admission/admission.ts'
import { QUEUED } from '../../src/http/admission/priority.ts'
import type { FinishedRequest } from '../../src/http/exchange.ts'
import { documentPage, type Page, textAnswer } from '../../src/http/page.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { openRouter } from '../../src/http/router.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { authorize, sampleMethods } from './server.ts'

const PROCEDURE = '/signet.management.v1.ManagementService/GetUserByID'
const page: Page = { answer: () => textAnswer(200, 'here') }

/** A server whose store is so far behind that every request would wait too long, until `recover`. */
async function serveOverloaded(context: TestContext) {
  // Each look at the store takes 300 ms of this clock.
  let now = 0
  let storeDelayMs = Number.POSITIVE_INFINITY
  const finished: FinishedRequest[] = []
  const admission = new Admission({
    targetMs: 1_000,
    storeDelayMs: () => storeDelayMs,
    turns: {
      now: () => now,
      worked: () => 0,
      next: (run) => void setImmediate(run),
      after: (milliseconds, run) =>
        // Pause: the admission says how long it waits; its clock is made up.
        void setTimeout(() => {
          now += 300
          run()
        }, milliseconds),
    },
  })
  const waiting = QUEUED.map((priority) => admission.takeTurn(priority, { group: 'other', caller: 'other' }))
  while (now < 2_000) await setImmediately()
  const router = openRouter({
    methods: sampleMethods,
    authorize,
    admission,
    pages: new Map([
      ['/healthz', documentPage(() => textAnswer(200, 'ok'))],
      ['/login', page],
      ['/oauth/v2/token', page],
    ]),
    log: ({ error }) => assert.fail(String(error)),
    onFinish: (request) => finished.push(request),
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router })
  const recover = async () => {
    storeDelayMs = 0
    await Promise.all(waiting)
  }
  context.after(async () => {
    await recover()
    await port.close()
  })
  return { origin: `http://127.0.0.1:${port.address.port}`, finished, recover }
}

const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }

suite('an overloaded server', () => {
  test('refuses REST, Connect and gRPC with the same error, and says when to try again', async (t) => {
    const { origin, finished } = await serveOverloaded(t)
    const rest = await fetch(`${origin}/management/v1/users/1`, { headers })
    assert.equal(rest.status, 429)
    assert.equal(rest.headers.get('retry-after'), '2')
    const { code, details } = (await rest.json()) as { code: number; details: { id?: string; retryDelay?: string }[] }
    assert.equal(code, 8)
    assert.deepEqual([details[0]?.id, details[1]?.retryDelay], ['server.overloaded', '2s'])

    const connect = await fetch(`${origin}${PROCEDURE}`, { method: 'POST', headers, body: '{"id":"1"}' })
    assert.equal(connect.status, 429)
    assert.equal(((await connect.json()) as { code: string }).code, 'resource_exhausted')

    const call = { path: PROCEDURE, type: 'application/grpc', chunks: [frame(new Uint8Array())] }
    const grpc = await sendRaw(openSession(t, origin), call)
    assert.equal(grpc.grpcStatus, 8)
    assert.deepEqual(
      finished.map(({ code: finishedCode, isShed }) => [finishedCode, isShed]),
      [
        [8, true],
        [8, true],
        [8, true],
      ],
    )
  })

  test('answers all of very many whom it refuses, though not at once', async (t) => {
    const { origin, finished } = await serveOverloaded(t)
    const ask = async () => (await fetch(`${origin}/management/v1/users/1`, { headers })).status
    const session = openSession(t, origin)
    const call = { path: PROCEDURE, type: 'application/grpc', chunks: [frame(new Uint8Array())] }
    const callGrpc = async () => (await sendRaw(session, call)).grpcStatus
    const statuses = await Promise.all(Array.from({ length: 50 }, () => [ask(), callGrpc()]).flat())
    assert.deepEqual([...new Set(statuses)].sort(), [429, 8])
    assert.equal(finished.length, 100)
  })

  test('refuses lists longer than the others', async (t) => {
    const { origin } = await serveOverloaded(t)
    const list = await fetch(`${origin}/management/v1/users/_search`, { method: 'POST', headers, body: '{}' })
    assert.deepEqual([list.status, list.headers.get('retry-after')], [429, '5'])
  })

  test('tells a browser in a sentence, and a program in JSON', async (t) => {
    const { origin } = await serveOverloaded(t)
    const browser = await fetch(`${origin}/login`, { headers: { accept: 'text/html' } })
    assert.deepEqual([browser.status, browser.headers.get('retry-after')], [429, '1'])
    assert.equal(await browser.text(), 'The server is overloaded. Try again later.\n')
    const program = await fetch(`${origin}/oauth/v2/token`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
    assert.deepEqual([program.status, program.headers.get('content-type')], [429, 'application/json'])
  })

  test('answers health checks, and everything else as soon as it has recovered', async (t) => {
    const { origin, finished, recover } = await serveOverloaded(t)
    assert.equal((await fetch(`${origin}/healthz`)).status, 200)
    await recover()
    assert.equal((await fetch(`${origin}/management/v1/users/1`, { headers })).status, 200)
    assert.ok(finished.every(({ isShed }) => !isShed))
  })
})
