/**
 * The limit to compare with: the bare runtime, which reads the body, decodes the message, encodes an answer and does
 * nothing else. No routing, no limits, no authentication, no errors.
 */
import { createServer } from 'node:http'
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { create, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf'
import {
  AddMachineUserRequestSchema,
  type AddMachineUserResponse,
  AddMachineUserResponseSchema,
} from '../contract/gen/signet/management/v1/machine_pb.ts'
import {
  GetSessionRequestSchema,
  GetSessionResponseSchema,
} from '../contract/gen/signet/session/v2/session_service_pb.ts'
import { serve } from './child.ts'
import { frameMessage, reply, session } from './messages.ts'

function answer(): AddMachineUserResponse {
  return create(AddMachineUserResponseSchema, reply())
}

const GRPC_WEB_TRAILERS = (() => {
  const text = Buffer.from('grpc-status: 0\r\n')
  const bytes = Buffer.alloc(5 + text.length)
  bytes[0] = 0x80
  bytes.writeUInt32BE(text.length, 1)
  bytes.set(text, 5)
  return bytes
})()

const answers: Record<string, (body: Buffer) => { type: string; body: Uint8Array | string }> = {
  'grpc-web': (body) => {
    fromBinary(AddMachineUserRequestSchema, body.subarray(5))
    const message = frameMessage(toBinary(AddMachineUserResponseSchema, answer()))
    return { type: 'application/grpc-web+proto', body: Buffer.concat([message, GRPC_WEB_TRAILERS]) }
  },
  proto: (body) => {
    fromBinary(AddMachineUserRequestSchema, body)
    return { type: 'application/proto', body: toBinary(AddMachineUserResponseSchema, answer()) }
  },
  json: (body) => {
    fromJsonString(AddMachineUserRequestSchema, body.toString())
    return { type: 'application/json', body: toJsonString(AddMachineUserResponseSchema, answer()) }
  },
}

function serveHttp1(form: string) {
  const respond = answers[form]
  if (!respond) throw new Error(`no such form: ${form}`)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { type, body } = respond(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
      response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
      response.end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => serve((server.address() as AddressInfo).port))
}

/** What a gRPC server reads and answers: a machine user, or a session. */
const grpcAnswers: Record<string, (message: Buffer) => Uint8Array> = {
  grpc: (message) => {
    fromBinary(AddMachineUserRequestSchema, message)
    return toBinary(AddMachineUserResponseSchema, answer())
  },
  'grpc-session': (message) => {
    fromBinary(GetSessionRequestSchema, message)
    return toBinary(GetSessionResponseSchema, create(GetSessionResponseSchema, { session: session() }))
  },
}

function serveGrpc(respond: (message: Buffer) => Uint8Array) {
  const server = createHttp2Server()
  server.on('stream', (stream: ServerHttp2Stream) => {
    const chunks: Buffer[] = []
    // Without a listener a reset by the peer would end the process.
    stream.on('error', () => undefined)
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const reply = respond(Buffer.concat(chunks).subarray(5))
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end(frameMessage(reply))
    })
  })
  server.listen(0, '127.0.0.1', () => serve((server.address() as AddressInfo).port))
}

const form = process.argv[2] ?? 'grpc'
const respond = grpcAnswers[form]
if (respond) serveGrpc(respond)
else serveHttp1(form)
