/** gRPC over HTTP/2: one frame in the request, one in the response, and the status in the trailers. */
import type { Message } from '@bufbuild/protobuf'
import type { Exchange } from '../exchange.ts'
import { Http2Exchange } from '../exchange-http2.ts'
import type { Codec } from './content-type.ts'
import type { Protocol } from './dispatch.ts'
import { grpcStatusFields } from './error-details.ts'
import { unknownEncoding } from './errors.ts'
import { framedBounds, readFrame, writeFrame } from './frames.ts'
import type { Served } from './served.ts'
import { parseGrpcTimeout } from './timeout.ts'

const ACCEPT_ENCODING = 'identity,gzip'
const OK = { 'grpc-status': '0' }

/** Refuses a request whose messages have an unsupported compression. */
export function checkGrpcEncoding(exchange: Exchange): string | undefined {
  const encoding = exchange.header('grpc-encoding')
  if (encoding === undefined || encoding === 'identity' || encoding === 'gzip') return encoding
  throw unknownEncoding('grpc-accept-encoding', ACCEPT_ENCODING)
}

/** The request message of a framed body. */
export function readFramed(exchange: Exchange, served: Served, codec: Codec, body: Buffer): Message | Promise<Message> {
  const message = readFrame(body, checkGrpcEncoding(exchange), served.maxBytes)
  const { read } = served.codecs[codec]
  return message instanceof Promise ? message.then(read) : read(message)
}

/** The framed response, compressed if that is useful. */
export function writeFramed(exchange: Exchange, served: Served, codec: Codec, message: Message) {
  const written = served.codecs[codec].write(message)
  const bytes = typeof written === 'string' ? Buffer.from(written) : written
  return writeFrame(bytes, exchange.header('grpc-accept-encoding'))
}

/** The headers of a response, by whether its frame is compressed: name, value, name, value … */
export function framedHeaders(contentType: string): readonly [plain: readonly string[], gzip: readonly string[]] {
  const plain = ['content-type', contentType, 'grpc-accept-encoding', ACCEPT_ENCODING]
  return [plain, [...plain, 'grpc-encoding', 'gzip']]
}

/** gRPC in one codec. */
export function grpc(codec: Codec): Protocol {
  const contentType = `application/grpc+${codec}`
  const [plain, gzip] = framedHeaders(contentType)

  const send = (exchange: Exchange, served: Served, frame: Buffer) => {
    const headers = frame[0] === 0 ? plain : gzip
    const all = served.headers.length === 0 ? headers : [...headers, ...served.headers]
    if (exchange instanceof Http2Exchange) exchange.replyWithTrailers(all, frame, OK)
  }

  return {
    name: 'grpc',
    bounds: framedBounds,
    timeout: (exchange) => parseGrpcTimeout(exchange.header('grpc-timeout')),
    read: (exchange, served, body) => readFramed(exchange, served, codec, body),
    answer(exchange, served, message) {
      const frame = writeFramed(exchange, served, codec, message)
      return frame instanceof Promise
        ? frame.then((done) => send(exchange, served, done))
        : send(exchange, served, frame)
    },
    refuse(exchange, failure, served) {
      exchange.errorId = failure.id
      // "Trailers-Only": status and headers in one.
      const headers = [
        'content-type',
        contentType,
        ...(served?.headers ?? []),
        ...(failure.headers ?? []),
        ...grpcStatusFields(failure, exchange.prefix),
      ]
      exchange.reply({ status: 200, code: failure.status.code, headers })
    },
  }
}
