/** Real clients of every protocol behind one function, so that the same call can be made in all of them. */
import {
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from '@bufbuild/protobuf'
import { ConnectError, type Transport } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { type Answer, readDetail, readRestProblem, readStatus } from './answer.ts'

/** One call: the method, its message, and where REST finds it. */
export interface Request {
  readonly method: DescMethodUnary
  readonly message: Message
  readonly rest: { readonly verb: string; readonly path: string; readonly hasBody: boolean }
  readonly headers: Readonly<Record<string, string>>
}

export interface Caller {
  readonly name: string
  call(request: Request): Promise<Answer>
  close?(): void
}

function pathOf({ parent, name }: DescMethodUnary) {
  return `/${parent.typeName}/${name}`
}

function throughTransport(name: string, transport: Transport): Caller {
  return {
    name,
    async call({ method, message, headers }) {
      try {
        const { message: reply } = await transport.unary(method, undefined, undefined, headers, message)
        return { reply: toJson(method.output, reply) }
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error
        const details = error.details.map((detail) => {
          if (!('type' in detail) || !(detail.value instanceof Uint8Array)) throw new Error('not an incoming detail')
          return readDetail(String(detail.type), detail.value)
        })
        return { problem: { code: error.code, message: error.rawMessage, details } }
      }
    },
  }
}

function throughGrpcJs(port: number, options: object, name: string): Caller {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options)
  return {
    name,
    close: () => client.close(),
    call: ({ method, message, headers }) =>
      new Promise((resolve) => {
        const metadata = new Metadata()
        for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
        const encode = (value: Message) => Buffer.from(toBinary(method.input, value))
        const decode = (bytes: Buffer) => fromBinary(method.output as DescMessage, bytes)
        client.makeUnaryRequest(
          pathOf(method),
          encode,
          decode,
          message,
          metadata,
          (error: ServiceError | null, reply) => {
            if (error === null) resolve({ reply: toJson(method.output, reply as Message) })
            else {
              const [bytes] = error.metadata.get('grpc-status-details-bin')
              const problem =
                bytes instanceof Buffer ? readStatus(bytes) : { code: error.code, message: error.details, details: [] }
              resolve({ problem: { ...problem, code: error.code, message: error.details } })
            }
          },
        )
      }),
  }
}

function throughRest(url: string): Caller {
  return {
    name: 'fetch, REST',
    async call({ method, message, rest, headers }) {
      const response = await fetch(url + rest.path, {
        method: rest.verb,
        headers: { ...headers, ...(rest.hasBody ? { 'content-type': 'application/json' } : {}) },
        ...(rest.hasBody ? { body: JSON.stringify(toJson(method.input, message)) } : {}),
      })
      const body = JSON.parse(await response.text())
      return response.ok ? { reply: body as JsonValue } : { problem: readRestProblem(body) }
    },
  }
}

/** grpc-web-text, which no client at hand speaks in Node: frames by hand, in base64. */
function throughText(url: string): Caller {
  return {
    name: 'fetch, gRPC-web-text',
    async call({ method, message, headers }) {
      const bytes = toBinary(method.input, message)
      const frame = Buffer.concat([Buffer.alloc(5), bytes])
      frame.writeUInt32BE(bytes.length, 1)
      const response = await fetch(url + pathOf(method), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/grpc-web-text', 'x-grpc-web': '1' },
        body: frame.toString('base64'),
      })
      const body = Buffer.from(await response.text(), 'base64')
      const length = body.readUInt32BE(1)
      if (body[0] === 0)
        return { reply: toJson(method.output, fromBinary(method.output, body.subarray(5, 5 + length))) }
      const trailers = new Map(
        body
          .toString('latin1', 5)
          .trim()
          .split('\r\n')
          .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const),
      )
      const problem = readStatus(Buffer.from(trailers.get('grpc-status-details-bin') ?? '', 'base64'))
      return {
        problem: {
          ...problem,
          code: Number(trailers.get('grpc-status')),
          message: decodeURIComponent(trailers.get('grpc-message') ?? ''),
        },
      }
    },
  }
}

/** Every client that the server must answer alike. */
export function openCallers(port: number): readonly Caller[] {
  const baseUrl = `http://127.0.0.1:${port}`
  const callers: Caller[] = []
  for (const httpVersion of ['1.1', '2'] as const) {
    for (const useBinaryFormat of [true, false]) {
      const form = `${useBinaryFormat ? 'binary' : 'JSON'}, HTTP/${httpVersion}`
      const options = { baseUrl, httpVersion, useBinaryFormat }
      callers.push(throughTransport(`Connect, ${form}`, createConnectTransport(options)))
      callers.push(throughTransport(`gRPC-web, ${form}`, createGrpcWebTransport(options)))
    }
  }
  callers.push(throughTransport('gRPC, connect-node', createGrpcTransport({ baseUrl })))
  callers.push(throughTransport('gRPC JSON, connect-node', createGrpcTransport({ baseUrl, useBinaryFormat: false })))
  callers.push(throughGrpcJs(port, {}, 'gRPC, grpc-js'))
  callers.push(throughGrpcJs(port, { 'grpc.default_compression_algorithm': 2 }, 'gRPC with gzip, grpc-js'))
  callers.push(throughRest(baseUrl), throughText(baseUrl))
  return callers
}
