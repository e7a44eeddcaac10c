/** Methods that stream: reflection as grpcurl asks for it, and what a stream is refused with. */
import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { suite, type TestContext, test } from 'node:test'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
} from '../../contract/gen/grpc/reflection/v1/reflection_pb.ts'
import { services } from '../../contract/gen/services.ts'
import { openPort } from '../../src/http/port/listener.ts'
import { reflectionMethods } from '../../src/http/protocols/reflection.ts'
import { openRouter } from '../../src/http/router.ts'
import { frame, openSession, sendRaw } from './raw.ts'
import { authorize } from './server.ts'

const { input, output } = ServerReflection.method.serverReflectionInfo
const paths = ['v1', 'v1alpha'].map((version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`)
const [path = ''] = paths
const type = 'application/grpc'

async function startReflection(context: TestContext, exchangeMs = 30_000): Promise<string> {
  const router = openRouter({
    streamMethods: reflectionMethods(services),
    authorize,
    log: (fault) => assert.fail(String(fault.error)),
  })
  const port = await openPort({ listen: { host: '127.0.0.1', port: 0 }, router, limits: { exchangeMs } })
  context.after(() => port.close({ graceMs: 100 }))
  return `http://127.0.0.1:${port.address.port}`
}

function request(messageRequest: MessageInitShape<typeof ServerReflectionRequestSchema>['messageRequest']) {
  const init = messageRequest === undefined ? {} : { messageRequest }
  return frame(toBinary(input, create(input, init)))
}

/** The messages of the frames in a body. */
function repliesIn(body: Buffer) {
  const replies = []
  for (let at = 0; at < body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1)
    replies.push(fromBinary(output, body.subarray(at + 5, end)).messageResponse)
    at = end
  }
  return replies
}

suite('gRPC reflection', () => {
  test('both versions list every service', async (context) => {
    const session = openSession(context, await startReflection(context))
    for (const path of paths) {
      const chunks = [request({ case: 'listServices', value: '' })]
      const { body, grpcStatus } = await sendRaw(session, { path, type, chunks })
      assert.equal(grpcStatus, 0)
      const [reply] = repliesIn(body)
      assert.ok(reply?.case === 'listServicesResponse')
      assert.deepEqual(
        reply.value.service.map(({ name }) => name),
        services.map(({ typeName }) => typeName),
      )
    }
  })

  test('a file comes with those that it imports, each once in a stream, whatever of it is asked for', async (context) => {
    const session = openSession(context, await startReflection(context))
    const chunks = [
      request({ case: 'fileContainingSymbol', value: 'signet.user.v2.UserService' }),
      request({ case: 'fileContainingSymbol', value: 'signet.user.v2.UserService.AddHumanUser' }),
      request({ case: 'fileContainingSymbol', value: 'signet.v1.ErrorDetail' }),
      request({ case: 'fileByFilename', value: 'signet/v1/options.proto' }),
      request({
        case: 'fileContainingExtension',
        value: { containingType: 'google.protobuf.MethodOptions', extensionNumber: 50001 },
      }),
    ]
    const { body } = await sendRaw(session, { path, type, chunks })
    const files = repliesIn(body).map((reply) => {
      assert.ok(reply.case === 'fileDescriptorResponse')
      return reply.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
    })
    const [whole = [], ...rest] = files
    assert.equal(whole[0]?.name, 'signet/user/v2/user_service.proto')
    const known = new Set(whole.map(({ name }) => name))
    for (const { dependency } of whole) for (const name of dependency) assert.ok(known.has(name), name)
    assert.deepEqual(
      rest.map((found) => found.map(({ name }) => name)),
      [
        ['signet/user/v2/user_service.proto'],
        ['signet/v1/error_detail.proto'],
        ['signet/v1/options.proto'],
        ['signet/v1/options.proto'],
      ],
    )
  })

  test('what does not exist is told in a reply, and the stream continues', async (context) => {
    const session = openSession(context, await startReflection(context))
    const chunks = [
      request({ case: 'fileContainingSymbol', value: 'signet.user.v2.UserService.Nothing' }),
      request({ case: 'fileByFilename', value: '/etc/passwd' }),
      request(undefined),
      request({ case: 'allExtensionNumbersOfType', value: 'google.protobuf.MethodOptions' }),
    ]
    const { body, grpcStatus } = await sendRaw(session, { path, type, chunks })
    assert.equal(grpcStatus, 0)
    const replies = repliesIn(body)
    const codes = replies.map((reply) => (reply.case === 'errorResponse' ? reply.value.errorCode : 0))
    assert.deepEqual(codes, [5, 5, 3, 0])
    const last = replies.at(-1)
    assert.ok(last?.case === 'allExtensionNumbersResponse' && last.value.extensionNumber.includes(50001))
  })

  test('is for gRPC alone, and a request has at most 4 KiB', async (context) => {
    const url = await startReflection(context)
    const session = openSession(context, url)
    for (const other of ['application/json', 'application/grpc-web', 'text/plain']) {
      const { status, headers } = await sendRaw(session, { path, type: other, chunks: [] })
      assert.deepEqual([status, headers['accept-post']], [415, 'application/grpc'])
    }
    assert.equal((await fetch(url + path)).status, 405)
    const long = request({ case: 'fileByFilename', value: 'x'.repeat(5_000) })
    assert.equal((await sendRaw(session, { path, type, chunks: [long] })).grpcStatus, 8)
    assert.equal((await sendRaw(session, { path, type, chunks: [Buffer.alloc(3)] })).grpcStatus, 3)
    const broken = frame(Buffer.from([0x0f]))
    assert.equal((await sendRaw(session, { path, type, chunks: [broken] })).grpcStatus, 3)
    const denied = await sendRaw(session, { path, type, chunks: [], headers: { authorization: '' } })
    assert.equal(denied.grpcStatus, 16)
  })

  test('answers while the stream is open, and a peer that then sends nothing is cut off', async (context) => {
    const session = connect(await startReflection(context, 300))
    context.after(() => session.destroy())
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': type,
      authorization: 'Bearer good',
    })
    const closed = new Promise<void>((resolve) => stream.on('close', resolve).on('error', () => {}))
    stream.write(request({ case: 'listServices', value: '' }))
    await new Promise((resolve) => stream.once('data', resolve))
    stream.resume()
    await closed
  })
})
