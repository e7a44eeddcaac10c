/** Input that is wrong in every way we could think of: each is answered clearly, and the process lives. */
import assert from 'node:assert/strict'
import { connect as connectTcp } from 'node:net'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import { openCallers } from './callers.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { Everything, echoMethods } from './sample.ts'
import { startServer } from './server.ts'

const echo = '/signet.sample.v2.SampleService/Echo'
const MEBIBYTE = 1024 * 1024
function message(text: string) {
  return toBinary(Everything, create(Everything, { text }))
}
/** A message of exactly this many bytes. */
function messageOf(bytes: number) {
  return message('x'.repeat(bytes - message('x'.repeat(bytes - 16)).length + bytes - 16))
}

suite('bad input', () => {
  test('four mebibytes are accepted and one byte more is not, in every protocol', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const limit = 4 * MEBIBYTE
    const json = (bytes: number) => Buffer.from(JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) }))
    const text = (bytes: number) => Buffer.from(frame(messageOf(bytes)).toString('base64'))
    const forms: readonly (readonly [type: string, path: string, body: (bytes: number) => Uint8Array])[] = [
      ['application/grpc', echo, (bytes) => frame(messageOf(bytes))],
      ['application/grpc-web', echo, (bytes) => frame(messageOf(bytes))],
      ['application/grpc-web-text', echo, text],
      ['application/proto', echo, messageOf],
      ['application/json', echo, json],
      ['application/json', '/v2/samples', json],
    ]
    for (const [type, path, body] of forms) {
      const fits = await sendRaw(session, { path, type, chunks: [body(limit)] })
      assert.deepEqual([fits.status, fits.grpcStatus ?? 0], [200, 0], type)
      const refused = await sendRaw(session, { path, type, chunks: [body(limit + 1)] })
      assert.equal(refused.grpcStatus ?? refused.status, type.includes('grpc') ? 8 : 413, type)
    }
  })

  test('a client that sends too much hears so, also when it was still sending', async (context) => {
    const { port } = await startServer(context, echoMethods)
    const [method] = echoMethods
    if (method === undefined) throw new Error('the sample has no methods')
    for (const caller of openCallers(port)) {
      const answer = await caller.call({
        method: method.descriptor,
        message: create(Everything, { text: 'x'.repeat(5 * MEBIBYTE) }),
        rest: { verb: 'POST', path: '/v2/samples', hasBody: true },
        headers: { authorization: 'Bearer good' },
      })
      // Compressed it is small, and large only when it is unpacked.
      assert.ok('problem' in answer && answer.problem.code === 8, `${caller.name}: ${JSON.stringify(answer)}`)
      assert.match(answer.problem.message, /larger than 4194304 bytes/)
      caller.close?.()
    }
  })

  test('a stream of a gigabyte is refused before much of it is sent', async (context) => {
    const { port, url, finished } = await startServer(context, echoMethods)
    const chunk = Buffer.alloc(MEBIBYTE, 0x78)
    const gigabyte = 1024

    const sentOverHttp1 = await new Promise<{ sent: number; answer: string }>((resolve) => {
      const socket = connectTcp(port, '127.0.0.1')
      let answer = ''
      let sent = 0
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve({ sent, answer }))
      socket.write(
        'POST /v2/samples HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\ncontent-type: application/json\r\n' +
          'transfer-encoding: chunked\r\n\r\n',
      )
      const pump = () => {
        while (sent < gigabyte && socket.writable) {
          sent++
          socket.write(`${chunk.length.toString(16)}\r\n`)
          socket.write(chunk)
          if (!socket.write('\r\n')) return
        }
      }
      socket.on('drain', pump)
      pump()
    })
    assert.match(sentOverHttp1.answer, /^HTTP\/1\.1 413 /)
    assert.match(sentOverHttp1.answer, /"code":8/)
    assert.ok(sentOverHttp1.sent < 32, `${sentOverHttp1.sent} MiB were sent`)

    const session = openSession(context, url)
    const sentOverHttp2 = await new Promise<{ sent: number; status: unknown }>((resolve) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': echo,
        authorization: 'Bearer good',
        'content-type': 'application/proto',
      })
      let status: unknown
      let sent = 0
      stream.on('response', (headers) => {
        status = headers[':status']
      })
      stream.on('error', () => {})
      stream.resume()
      stream.on('close', () => resolve({ sent, status }))
      const pump = () => {
        while (sent < gigabyte && stream.writable) {
          sent++
          if (!stream.write(chunk)) return
        }
      }
      stream.on('drain', pump)
      pump()
    })
    assert.equal(sentOverHttp2.status, 413)
    assert.ok(sentOverHttp2.sent < 16, `${sentOverHttp2.sent} MiB were sent`)
    assert.deepEqual(
      finished.map(({ code }) => code),
      [8, 8],
    )
  })

  test('a declared length beyond the limit is refused at once, without waiting for the bytes', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    for (const [type, head] of [
      ['application/grpc', frame(Buffer.alloc(3), { length: 0xffffffff })],
      ['application/grpc-web', frame(Buffer.alloc(3), { length: 5 * MEBIBYTE })],
      ['application/grpc-web-text', Buffer.from(frame(Buffer.alloc(4), { length: 5 * MEBIBYTE }).toString('base64'))],
    ] as const) {
      const stream = session.request({
        ':method': 'POST',
        ':path': echo,
        authorization: 'Bearer good',
        'content-type': type,
      })
      stream.on('error', () => {})
      stream.write(head)
      const status = await new Promise((resolve) => stream.on('response', (headers) => resolve(headers['grpc-status'])))
      if (type === 'application/grpc') assert.equal(status, '8')
      stream.close()
    }
  })

  test('what swells beyond the limit when it is decompressed is refused', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const member = gzipSync(Buffer.alloc(64 * MEBIBYTE))
    const bomb = Buffer.concat(Array.from({ length: 16 }, () => member))
    const gzip = { 'content-encoding': 'gzip' }
    const framed = frame(bomb, { flags: 1 })
    for (const [type, path, chunk, headers] of [
      ['application/proto', echo, bomb, gzip],
      ['application/json', echo, bomb, gzip],
      ['application/json', '/v2/samples', bomb, gzip],
      ['application/grpc', echo, framed, { 'grpc-encoding': 'gzip' }],
      ['application/grpc-web+proto', echo, framed, { 'grpc-encoding': 'gzip' }],
    ] as const) {
      const { status, grpcStatus } = await sendRaw(session, { path, type, chunks: [chunk], headers })
      assert.equal(grpcStatus ?? status, type.includes('grpc') ? 8 : 413, type)
    }
  })

  test('an encoding that is unknown, nested or not what it says is refused', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const send = (type: string, headers: Record<string, string>, chunk: Buffer) =>
      sendRaw(session, { path: echo, type, headers, chunks: [chunk] })
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
      assert.equal((await send('application/proto', { 'content-encoding': encoding }, gzipSync(''))).status, 415)
      const grpc = await send('application/grpc', { 'grpc-encoding': encoding }, frame(gzipSync(''), { flags: 1 }))
      assert.equal(grpc.grpcStatus, 12)
      assert.equal(grpc.headers['grpc-accept-encoding'], 'identity,gzip')
    }
    for (const garbage of [Buffer.from('not gzip'), gzipSync('x').subarray(0, 12)]) {
      assert.equal((await send('application/proto', { 'content-encoding': 'gzip' }, garbage)).status, 400)
      const grpc = await send('application/grpc', { 'grpc-encoding': 'gzip' }, frame(garbage, { flags: 1 }))
      assert.equal(grpc.grpcStatus, 3)
    }
  })

  test('a path without its slash, or of nothing that is served, reaches no method', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    const paths = [
      echo.slice(1),
      `/${echo}`,
      `${echo}/`,
      `${echo}%20`,
      '*',
      '/',
      '/..%2f',
      '/constructor',
      '/__proto__/toString',
    ]
    for (const path of paths) {
      for (const type of ['application/grpc', 'application/grpc-web', 'application/proto']) {
        const chunks = [frame(message('a'))]
        // Some paths end at the HTTP/2 library already, with a reset of the stream.
        const answer = await sendRaw(session, { path, type, chunks }).catch(() => undefined)
        if (answer === undefined) assert.equal(path.startsWith('/'), false, path)
        else
          assert.equal(answer.grpcStatus ?? answer.status, type === 'application/proto' ? 501 : 12, `${path}, ${type}`)
      }
    }
  })

  test('gRPC of a flavour nobody speaks, or over HTTP/1.1, is 415', async (context) => {
    const { url } = await startServer(context, echoMethods)
    const session = openSession(context, url)
    for (const type of ['application/grpc+thrift', 'application/grpcx', 'application/connect+proto', '']) {
      assert.equal((await sendRaw(session, { path: echo, type, chunks: [frame(message('a'))] })).status, 415, type)
    }
    const headers = { authorization: 'Bearer good', 'content-type': 'application/grpc' }
    const body = new Uint8Array(frame(message('a')))
    assert.equal((await fetch(url + echo, { method: 'POST', headers, body })).status, 415)
  })

  test('headers with names that mean something to JavaScript are only headers', async (context) => {
    const { port } = await startServer(context, echoMethods)
    const answer = await new Promise<string>((resolve) => {
      const socket = connectTcp(port, '127.0.0.1')
      let received = ''
      socket.on('data', (data) => {
        received += data
      })
      socket.on('close', () => resolve(received))
      socket.end(
        'GET /v2/samples/x HTTP/1.1\r\nhost: x\r\n__proto__: y\r\nconstructor: z\r\n' +
          'authorization: Bearer good\r\nconnection: close\r\n\r\n',
      )
    })
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.deepEqual(Object.keys(Object.prototype), [])
  })
})
