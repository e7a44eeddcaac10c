/** Deadlines and callers who go away. */
import assert from 'node:assert/strict'
import { connect as connectHttp2 } from 'node:http2'
import { suite, test } from 'node:test'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { Method } from '../../src/access/method.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { sampleMethods, startServer } from './server.ts'

const headers = { authorization: 'Bearer good' }
const slow = { userName: 'slow', name: 'n' }
const path = '/signet.management.v1.ManagementService/AddMachineUser'

/** The sample methods, with the moments at which a handler begins and at which it learns that it may stop. */
function watched() {
  const { promise: stopped, resolve: note } = Promise.withResolvers<unknown>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let hasBegun = false
  const served = sampleMethods.map((method): Method => {
    return {
      descriptor: method.descriptor,
      handle(message, call) {
        hasBegun = true
        begin()
        call.signal.addEventListener('abort', () => note(call.signal.reason))
        return method.handle(message, call)
      },
    }
  })
  return { served, stopped, begun, hasBegun: () => hasBegun }
}

suite('deadlines', () => {
  test('a deadline that passes is told at once, in every protocol, and the handler is stopped', async (context) => {
    for (const create of [createConnectTransport, createGrpcTransport, createGrpcWebTransport]) {
      const { served, stopped, hasBegun } = watched()
      const { url: baseUrl, finished, faults } = await startServer(context, served)
      const client = createClient(ManagementService, create({ baseUrl, httpVersion: '2' }))
      // The client would give up by itself; that it hears the server's own words shows who was first.
      for (let ms = 50; !hasBegun(); ms *= 2) {
        // On a busy machine a short deadline has passed before a handler is asked at all.
        const deadline = { headers: { ...headers, 'grpc-timeout': `${ms}m`, 'connect-timeout-ms': String(ms) } }
        await assert.rejects(client.addMachineUser(slow, deadline), /The deadline of the request was exceeded/)
      }
      assert.equal(((await stopped) as DOMException).name, 'TimeoutError')
      assert.deepEqual([finished[0]?.code, faults.length], [4, 0])
    }
  })

  test('REST keeps a deadline too', async (context) => {
    const { url } = await startServer(context)
    const response = await fetch(`${url}/management/v1/users/machine`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'grpc-timeout': '20000u' },
      body: JSON.stringify(slow),
    })
    assert.deepEqual([response.status, ((await response.json()) as { code: number }).code], [504, 4])
  })

  test('a deadline shorter than any timer is exceeded, even by a handler that answers at once', async (context) => {
    const { url } = await startServer(context)
    const session = openSession(context, url)
    const body = Buffer.from('{"userName":"u","name":"n"}')
    for (const timeout of ['1n', '0n', '1u']) {
      const { grpcStatus } = await sendRaw(session, {
        path,
        type: 'application/grpc+json',
        chunks: [frame(body)],
        headers: { 'grpc-timeout': timeout },
      })
      assert.equal(grpcStatus, 4, timeout)
    }
    const connect = await sendRaw(session, {
      path,
      type: 'application/json',
      chunks: [body],
      headers: { 'connect-timeout-ms': '0' },
    })
    assert.equal(connect.status, 504)
  })

  test('a malformed timeout is the mistake of the caller', async (context) => {
    const { url } = await startServer(context)
    const send = (extra: Record<string, string>) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', ...extra },
        body: '{"userName":"u","name":"n"}',
      })
    for (const value of ['', 'x', '-1', '1.5', '12345678901']) {
      assert.equal((await send({ 'connect-timeout-ms': value })).status, 400, value)
    }
    assert.equal((await send({ 'connect-timeout-ms': '9999999999' })).status, 200)
  })

  test('a caller who goes away stops the handler, over HTTP/1.1 and HTTP/2', async (context) => {
    for (const version of [1, 2]) {
      const { served, stopped, begun } = watched()
      const { url, finished, faults } = await startServer(context, served)
      if (version === 1) {
        const controller = new AbortController()
        void begun.then(() => controller.abort())
        await assert.rejects(
          fetch(url + path, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(slow),
            signal: controller.signal,
          }),
        )
      } else {
        const session = connectHttp2(url)
        const stream = session.request({
          ':method': 'POST',
          ':path': path,
          ...headers,
          'content-type': 'application/json',
        })
        stream.on('error', () => {})
        stream.end(JSON.stringify(slow))
        void begun.then(() => session.destroy())
      }
      assert.equal(((await stopped) as DOMException).name, 'AbortError')
      assert.deepEqual([finished[0]?.code, finished[0]?.status, faults.length], [1, 0, 0])
    }
  })
})
