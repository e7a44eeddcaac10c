/** What is particular to one protocol. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { frame, openSession, sendRaw } from './raw.ts'
import { Everything, echoMethods } from './sample.ts'
import { sampleMethods, startServer } from './server.ts'

const echo = '/signet.sample.v2.SampleService/Echo'
const find = '/signet.sample.v2.SampleService/Find'
function message(text: string) {
  return toBinary(Everything, create(Everything, { text }))
}
const authorization = 'Bearer good'
/** Long enough to be worth compressing. */
const long = 'again '.repeat(2000)

suite('gRPC', () => {
  test('a success has its status in the trailers, a refusal in the only headers', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const chunks = [frame(message('a'))]
    const success = await sendRaw(session, { path: echo, type: 'application/grpc', chunks })
    assert.equal(success.headers['content-type'], 'application/grpc+proto')
    assert.equal(success.headers['grpc-status'], undefined)
    assert.equal(success.trailers['grpc-status'], '0')
    assert.deepEqual(success.body, frame(message('a')))
    const refusal = await sendRaw(session, {
      path: echo,
      type: 'application/grpc',
      chunks,
      headers: { authorization: '' },
    })
    assert.equal(refusal.headers['grpc-status'], '16')
    assert.equal(refusal.headers['grpc-message'], 'A valid access token is required.')
    assert.equal(refusal.body.length, 0)
    assert.equal(refusal.status, 200)
  })

  test('what is not ASCII is percent-encoded in grpc-message', async (context) => {
    const { url } = await startServer(context, sampleMethods)
    const session = openSession(context, url)
    const path = '/signet.management.v1.ManagementService/AddMachineUser'
    const { headers } = await sendRaw(session, {
      path,
      type: 'application/grpc+json',
      chunks: [frame(Buffer.from('{"userName":"taken","name":"n"}'))],
    })
    assert.equal(headers['grpc-message'], 'The user name %E2%80%9CZo%C3%AB%E2%80%9D is taken.')
  })

  test('a large reply is compressed for those who accept it, a compressed request is understood', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const chunks = [frame(gzipSync(message(long)), { flags: 1 })]
    for (const type of ['application/grpc', 'application/grpc-web']) {
      const headers = { 'grpc-encoding': 'gzip', 'grpc-accept-encoding': 'identity,deflate,gzip' }
      const answer = await sendRaw(session, { path: echo, type, chunks, headers })
      assert.equal(answer.headers['grpc-encoding'], 'gzip')
      assert.equal(answer.body[0], 1)
      const unpacked = gunzipSync(answer.body.subarray(5, 5 + answer.body.readUInt32BE(1)))
      assert.deepEqual(fromBinary(Everything, unpacked), create(Everything, { text: long }))
      const plain = await sendRaw(session, { path: echo, type, chunks, headers: { 'grpc-encoding': 'gzip' } })
      assert.equal(plain.headers['grpc-encoding'], undefined)
      assert.equal(plain.body[0], 0)
    }
  })

  test('te and user-agent may be missing, as with real servers', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    for (const headers of [{}, { te: 'trailers' }]) {
      const answer = await sendRaw(session, {
        path: echo,
        type: 'application/grpc',
        chunks: [frame(message(''))],
        headers,
      })
      assert.equal(answer.grpcStatus, 0)
    }
  })
})

suite('Connect', () => {
  test('GET calls a method that changes nothing, and no other', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const get = (path: string, query: Record<string, string>) =>
      fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers: { authorization } })
    const json = await get(find, { connect: 'v1', encoding: 'json', message: '{"text":"ü"}' })
    assert.deepEqual(await json.json(), { text: 'ü' })
    const packed = gzipSync(message('a')).toString('base64url')
    const proto = await get(find, { encoding: 'proto', base64: '1', compression: 'gzip', message: packed })
    assert.deepEqual(new Uint8Array(await proto.arrayBuffer()), message('a'))
    assert.equal(proto.headers.get('content-type'), 'application/proto')
    assert.equal((await get(find, { encoding: 'proto', base64: '1', message: '*' })).status, 400)
    assert.equal((await get(find, { connect: 'v2', encoding: 'json', message: '{}' })).status, 400)
    for (const query of [{ encoding: 'xml' }, { message: '{}' }]) assert.equal((await get(find, query)).status, 415)
    const refused = await get(echo, { encoding: 'json', message: '{}' })
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST'])
  })

  test('what a procedure cannot be asked with is refused as Connect refuses', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const send = async (path: string, init: RequestInit, type = '') => {
      const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) }
      const answer = await fetch(url + path, { ...init, headers })
      return { status: answer.status, code: ((await answer.json()) as { code: unknown }).code }
    }
    const unsupported = { status: 415, code: 'invalid_argument' }
    const notAllowed = { status: 405, code: 'unimplemented' }
    assert.deepEqual(await send(echo, { method: 'POST', body: 'a' }, 'text/plain'), unsupported)
    assert.deepEqual(await send(echo, { method: 'POST', body: 'a' }, 'application/grpc'), unsupported)
    assert.deepEqual(await send(`${find}?encoding=xml`, {}), unsupported)
    assert.deepEqual(await send(echo, { method: 'PUT', body: 'a' }, 'application/json'), notAllowed)
    assert.deepEqual(await send(`${echo}?encoding=json`, {}), notAllowed)
  })

  test('a method that does not exist is unimplemented, and nothing more is said about it', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const path = '/signet.sample.v2.SampleService/Nothing'
    for (const type of ['application/grpc', 'application/grpc-web']) {
      const { headers, body, grpcStatus } = await sendRaw(session, { path, type, chunks: [frame(message('a'))] })
      assert.equal(grpcStatus, 12)
      assert.equal(headers['grpc-status-details-bin'], undefined)
      assert.ok(!body.includes('grpc-status-details-bin'))
    }
    const connect = await sendRaw(session, { path, type: 'application/proto', chunks: [] })
    const { code, details } = JSON.parse(connect.body.toString())
    assert.deepEqual([connect.status, code, details], [501, 'unimplemented', []])
  })

  test('another version of the protocol is refused', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const send = (version: string) =>
      fetch(url + echo, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'connect-protocol-version': version },
        body: '{}',
      })
    assert.equal((await send('1')).status, 200)
    assert.equal((await send('2')).status, 400)
  })

  test('bodies are compressed both ways', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const response = await fetch(url + echo, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/proto',
        'content-encoding': 'gzip',
        'accept-encoding': 'gzip',
      },
      body: gzipSync(message(long)),
    })
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), message(long))
  })

  test('an error names each detail by type, as bytes and readably', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + echo, { method: 'POST', headers, body: '{}' })
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    const body = (await response.json()) as { code: string; details: { type: string; value: string; debug: object }[] }
    assert.equal(body.code, 'unauthenticated')
    const debug = { id: 'access.unauthenticated', message: 'A valid access token is required.' }
    assert.deepEqual(body.details[0]?.debug, debug)
    assert.equal(body.details[0]?.value.includes('='), false)
  })
})

test('what was served is reported once, with method, protocol, code and status', async (context) => {
  const { url, finished } = await startServer(context, echoMethods)
  const session = openSession(context, url)
  const chunks = [frame(message('a'))]
  await sendRaw(session, { path: echo, type: 'application/grpc', chunks, headers: { 'x-request-id': 'trace-0001' } })
  await sendRaw(session, { path: echo, type: 'application/grpc-web', chunks, headers: { authorization: '' } })
  await sendRaw(session, { path: '/v2/samples', type: 'application/json', chunks: [Buffer.from('{')] })
  await sendRaw(session, { path: '/nowhere', type: 'application/json', chunks: [] })
  const method = 'signet.sample.v2.SampleService/Echo'
  assert.deepEqual(
    finished.map(({ method, protocol, code, status }) => [method, protocol, code, status]),
    [
      [method, 'grpc', 0, 200],
      [method, 'grpc-web', 16, 200],
      [method, 'rest', 3, 400],
      ['', 'rest', 5, 404],
    ],
  )
  assert.equal(finished[0]?.requestId, 'trace-0001')
  assert.ok(finished.every(({ durationMs }) => durationMs >= 0))
})
