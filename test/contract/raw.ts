/** Requests by hand, for what no decent client would send. */
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import type { TestContext } from 'node:test'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly trailers: IncomingHttpHeaders
  readonly body: Buffer
  /** The gRPC status, wherever it stood: headers, trailers, or the last frame of gRPC-web. */
  readonly grpcStatus: number | undefined
}

export interface RawRequest {
  readonly path: string
  readonly type: string
  /** Sent one after the other, each as DATA of its own. */
  readonly chunks: readonly Uint8Array[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A gRPC frame that says of itself what it is told to say. */
export function frame(message: Uint8Array, { flags = 0, length = message.length } = {}): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(5), message])
  bytes.writeUInt8(flags, 0)
  bytes.writeUInt32BE(length, 1)
  return bytes
}

function statusIn(headers: IncomingHttpHeaders, trailers: IncomingHttpHeaders, body: Buffer): number | undefined {
  const status = trailers['grpc-status'] ?? headers['grpc-status']
  if (status !== undefined) return Number(status)
  const type = String(headers['content-type'])
  if (!type.startsWith('application/grpc-web')) return undefined
  const bytes = type.includes('-text') ? Buffer.from(body.toString('latin1'), 'base64') : body
  const found = /grpc-status: (\d+)/.exec(bytes.toString('latin1'))
  return found === null ? undefined : Number(found[1])
}

/** Sends a request on an HTTP/2 session and waits for whatever comes back. */
export function sendRaw(
  session: ClientHttp2Session,
  { path, type, chunks, headers = {} }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      authorization: 'Bearer good',
      ...(type === '' ? {} : { 'content-type': type }),
      ...headers,
    })
    let answered: IncomingHttpHeaders = {}
    let trailers: IncomingHttpHeaders = {}
    const parts: Buffer[] = []
    stream.on('response', (received) => {
      answered = received
    })
    stream.on('trailers', (received) => {
      trailers = received
    })
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const body = Buffer.concat(parts)
      const grpcStatus = statusIn(answered, trailers, body)
      resolve({ status: Number(answered[':status']), headers: answered, trailers, body, grpcStatus })
    })
    stream.on('error', reject)
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
  })
}

/** A session that ends with the test. */
export function openSession(test: TestContext, url: string): ClientHttp2Session {
  const session = connect(url, { maxSessionMemory: 100 })
  session.on('error', () => {})
  test.after(() => session.destroy())
  return session
}
