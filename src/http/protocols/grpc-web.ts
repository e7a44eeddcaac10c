/**
 * gRPC-web over HTTP/1.1 and HTTP/2: like gRPC, but the trailers are the last frame of the body; as base64 in `-text`.
 */

import type { Exchange } from '../exchange.ts'
import type { Codec } from './content-type.ts'
import type { Protocol } from './dispatch.ts'
import { grpcStatusFields } from './error-details.ts'
import { decodeText, framedBounds, framedTextBounds, trailersFrame } from './frames.ts'
import { framedHeaders, readFramed, writeFramed } from './grpc.ts'
import type { Served } from './served.ts'
import { parseGrpcTimeout } from './timeout.ts'

const OK = trailersFrame(['grpc-status', '0'])

/** gRPC-web in one codec, binary or as text. */
export function grpcWeb(codec: Codec, isText: boolean): Protocol {
  const contentType = `application/grpc-web${isText ? '-text' : ''}+${codec}`
  const [plain, gzip] = framedHeaders(contentType)
  const encode = (body: Buffer) => (isText ? body.toString('base64') : body)

  const send = (exchange: Exchange, served: Served, frame: Buffer) => {
    const headers = [...(frame[0] === 0 ? plain : gzip), ...served.headers]
    exchange.reply({ status: 200, code: 0, headers, body: encode(Buffer.concat([frame, OK])) })
  }

  return {
    name: isText ? 'grpc-web-text' : 'grpc-web',
    bounds: isText ? framedTextBounds : framedBounds,
    timeout: (exchange) => parseGrpcTimeout(exchange.header('grpc-timeout')),
    read: (exchange, served, body) => readFramed(exchange, served, codec, isText ? decodeText(body) : body),
    answer(exchange, served, message) {
      const frame = writeFramed(exchange, served, codec, message)
      return frame instanceof Promise
        ? frame.then((done) => send(exchange, served, done))
        : send(exchange, served, frame)
    },
    refuse(exchange, failure, served) {
      exchange.errorId = failure.id
      const headers = ['content-type', contentType, ...(served?.headers ?? []), ...(failure.headers ?? [])]
      const body = encode(trailersFrame(grpcStatusFields(failure, exchange.prefix)))
      exchange.reply({ status: 200, code: failure.status.code, headers, body })
    },
  }
}
