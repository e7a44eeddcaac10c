/** Small requests that would cause much work: what is inflated and parsed is counted, not how long it takes. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Health } from '../../contract/gen/grpc/health/v1/health_pb.ts'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { methods } from '../../src/access/method.ts'
import { MAX_ELEMENTS } from '../../src/http/codec/elements.ts'
import { work } from '../../src/http/work.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { echoMethods } from './sample.ts'
import { authorize, startServer } from './server.ts'

const MEBIBYTE = 1024 * 1024
const check = '/grpc.health.v1.Health/Check'
const echo = '/signet.sample.v2.SampleService/Echo'
const exhausted = 8

/** Fields of two bytes, four mebibytes of them, as a few kilobytes of gzip. */
const tinyFields = gzipSync(Buffer.alloc(4 * MEBIBYTE, Buffer.from([0x08, 0x01])))
const emptyObjects = Buffer.from(`[${'{},'.repeat(1_300_000)}{}]`)

/** Anybody may call what the contract calls public. */
const everybody: typeof authorize = (method, request) =>
  authorize(method, { ...request, signal: request.signal, requestId: request.requestId, header: () => 'Bearer good' })

const publicMethods = [
  ...methods(Health, { check: async () => ({ status: 1 }) }),
  ...methods(AdminService, { healthz: async () => ({}) }),
]

/** What was worked during a call. */
async function worked<Value>(call: () => Promise<Value>) {
  const before = { ...work }
  const answer = await call()
  return {
    answer,
    elements: work.elements - before.elements,
    inflatedBytes: work.inflatedBytes - before.inflatedBytes,
  }
}

suite('small requests that would cause much work', () => {
  test('of a public method, no more is inflated than its message needs', async (context) => {
    assert.ok(tinyFields.length < 8_192)
    const { url } = await startServer(context, publicMethods, everybody)
    const session = openSession(context, url)
    const gzip = { 'content-encoding': 'gzip', 'grpc-encoding': 'gzip' }
    for (const [type, body, headers] of [
      ['application/proto', tinyFields, gzip],
      ['application/grpc', frame(tinyFields, { flags: 1 }), gzip],
      ['application/grpc-web', frame(tinyFields, { flags: 1 }), gzip],
      ['application/json', emptyObjects, {}],
      ['application/json', gzipSync(emptyObjects), gzip],
    ] as const) {
      for (const path of [check, '/signet.admin.v1.AdminService/Healthz']) {
        const { answer, elements, inflatedBytes } = await worked(() =>
          sendRaw(session, { path, type, chunks: [body], headers }),
        )
        assert.ok(answer.grpcStatus === exhausted || [400, 413].includes(answer.status), `${type}: ${answer.status}`)
        assert.ok(inflatedBytes <= 8_192, `${type}: ${inflatedBytes} bytes were inflated`)
        assert.equal(elements, 0, type)
      }
    }
  })

  test('a compressed message of a public method is inflated until it is too large', async (context) => {
    const { url } = await startServer(context, publicMethods, everybody)
    const session = openSession(context, url)
    const chunks = [frame(gzipSync(Buffer.alloc(MEBIBYTE, Buffer.from([0x08, 0x01]))), { flags: 1 })]
    const headers = { 'grpc-encoding': 'gzip' }
    const { answer, inflatedBytes, elements } = await worked(() =>
      sendRaw(session, { path: check, type: 'application/grpc', chunks, headers }),
    )
    assert.equal(answer.grpcStatus, exhausted)
    assert.ok(inflatedBytes <= 8_192, `${inflatedBytes} bytes were inflated`)
    assert.equal(elements, 0)
  })

  test('without a token, nothing is inflated and nothing parsed', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    for (const [type, body, encoding] of [
      ['application/proto', tinyFields, 'gzip'],
      ['application/json', emptyObjects, 'identity'],
    ] as const) {
      const headers = { authorization: '', 'content-encoding': encoding }
      const { answer, elements, inflatedBytes } = await worked(() =>
        sendRaw(session, { path: echo, type, chunks: [body], headers }),
      )
      assert.deepEqual([answer.status, elements, inflatedBytes], [401, 0, 0])
    }
  })

  test('with a token, a message is parsed only while it has few elements', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    for (const [type, body, encoding] of [
      ['application/proto', tinyFields, 'gzip'],
      ['application/json', emptyObjects, 'identity'],
      ['application/json', Buffer.from(`{"numbers":[${'1,'.repeat(1_000_000)}1]}`), 'identity'],
    ] as const) {
      const headers = { 'content-encoding': encoding }
      const { answer, elements } = await worked(() => sendRaw(session, { path: echo, type, chunks: [body], headers }))
      assert.equal(answer.status, 400)
      assert.match(answer.body.toString(), /more than 65536 elements/)
      assert.ok(elements <= MAX_ELEMENTS)
    }
  })
})
