/** How streams of messages are written in each protocol: gRPC, gRPC-web and Connect. */
import { create, type DescMessage, type MessageInitShape, toBinary, toJsonString } from '@bufbuild/protobuf'
import type { StreamMethod } from '../../access/method.ts'
import type { Exchange, Streams } from '../exchange.ts'
import { Http2Exchange } from '../exchange-http2.ts'
import type { StreamingExchange } from '../exchange-streaming.ts'
import { type Codec, mediaType } from './content-type.ts'
import { connectErrorBody, grpcStatusFields } from './error-details.ts'
import { type Failure, unknownEncoding } from './errors.ts'
import { endOfStreamFrame, frameOf, trailersFrame } from './frames.ts'
import { checkGrpcEncoding, framedHeaders, grpc } from './grpc.ts'
import { grpcWeb } from './grpc-web.ts'
import { parseConnectTimeout, parseGrpcTimeout } from './timeout.ts'

/** A protocol: how a stream begins, continues and ends. */
export interface StreamProtocol {
  readonly name: string
  /** How long the caller waits, in milliseconds. */
  timeout(exchange: Exchange): number | undefined
  /** Begins the reply. */
  open(exchange: Exchange, streaming: StreamingExchange): Streams
  /** The messages of a portion as they are sent. */
  encode(method: StreamMethod, portion: readonly unknown[]): Buffer
  /** Portions with the same key are encoded alike. */
  readonly encoding: string
  /** Ends the reply. */
  close(exchange: Exchange, streams: Streams, failure: Failure | undefined): void
  /** Instead of `open`. */
  refuse(exchange: Exchange, failure: Failure): void
}

/** A protocol whose requests are frames. */
export interface FramedProtocol extends StreamProtocol {
  readonly codec: Codec
  /** Whether the frames are in base64. */
  readonly isText: boolean
  /** How request frames may be compressed; throws when it is not supported. */
  compression(exchange: Exchange): string | undefined
}

/** The messages of a portion as frames. */
function framesOf(codec: Codec, { descriptor: { output } }: StreamMethod, portion: readonly unknown[]): Buffer {
  const frames = portion.map((reply) => {
    const message = create(output, reply as MessageInitShape<DescMessage>)
    return frameOf(codec === 'proto' ? toBinary(output, message) : Buffer.from(toJsonString(output, message)))
  })
  return Buffer.concat(frames)
}

function framed(codec: Codec): Pick<FramedProtocol, 'codec' | 'isText' | 'encoding' | 'encode'> {
  return { codec, isText: false, encoding: codec, encode: (method, portion) => framesOf(codec, method, portion) }
}

const ofGrpc = {
  timeout: (exchange: Exchange) => parseGrpcTimeout(exchange.header('grpc-timeout')),
  compression: checkGrpcEncoding,
}

/** gRPC: the outcome is in the trailers. */
function grpcStream(codec: Codec): FramedProtocol {
  const [headers] = framedHeaders(`application/grpc+${codec}`)
  return {
    ...framed(codec),
    ...ofGrpc,
    name: 'grpc',
    open(exchange, streaming) {
      if (!(exchange instanceof Http2Exchange)) throw new Error('gRPC needs HTTP/2')
      return exchange.openMessages(headers, streaming)
    },
    close(exchange, _streams, failure) {
      if (!(exchange instanceof Http2Exchange)) return
      const fields = failure === undefined ? ['grpc-status', '0'] : grpcStatusFields(failure, exchange.prefix)
      const names = fields.filter((_, index) => index % 2 === 0)
      const trailers = Object.fromEntries(names.map((name, index) => [name, fields[2 * index + 1] ?? '']))
      exchange.closeMessages(failure?.status.code ?? 0, trailers)
    },
    refuse: grpc(codec).refuse,
  }
}

/** Ends a reply with its last bytes. */
function endWith(exchange: Exchange, { sink }: Streams, bytes: Buffer | string, failure: Failure | undefined): void {
  if (!sink.destroyed) sink.write(bytes)
  exchange.closeStream(failure?.status.code ?? 0)
}

/** gRPC-web: the outcome is in the last frame. */
function grpcWebStream(codec: Codec, isText: boolean): FramedProtocol {
  const { name, refuse } = grpcWeb(codec, isText)
  const [headers] = framedHeaders(`application/${name}+${codec}`)
  const inForm = (bytes: Buffer) => (isText ? Buffer.from(bytes.toString('base64')) : bytes)
  return {
    ...ofGrpc,
    name,
    codec,
    isText,
    encoding: isText ? `${codec} in base64` : codec,
    encode: (method, portion) => inForm(framesOf(codec, method, portion)),
    open: (exchange, streaming) => exchange.openStream(200, headers, streaming),
    close(exchange, streams, failure) {
      const fields = failure === undefined ? ['grpc-status', '0'] : grpcStatusFields(failure, exchange.prefix)
      endWith(exchange, streams, inForm(trailersFrame(fields)), failure)
    },
    refuse,
  }
}

/** Connect: the outcome is JSON in the last frame; the HTTP status is always 200. */
function connectStream(codec: Codec): FramedProtocol {
  const headers = ['content-type', `application/connect+${codec}`, 'connect-accept-encoding', 'gzip']
  const endOf = (exchange: Exchange, failure: Failure | undefined) =>
    endOfStreamFrame(failure === undefined ? '{}' : `{"error":${connectErrorBody(failure, exchange.prefix)}}`)
  return {
    ...framed(codec),
    name: 'connect',
    timeout: (exchange) => parseConnectTimeout(exchange.header('connect-timeout-ms')),
    compression(exchange) {
      const encoding = exchange.header('connect-content-encoding')
      if (encoding === undefined || encoding === 'identity' || encoding === 'gzip') return encoding
      throw unknownEncoding('connect-accept-encoding', 'gzip')
    },
    open: (exchange, streaming) => exchange.openStream(200, headers, streaming),
    close: (exchange, streams, failure) => endWith(exchange, streams, endOf(exchange, failure), failure),
    refuse(exchange, failure) {
      exchange.errorId = failure.id
      exchange.reply({ status: 200, code: failure.status.code, headers, body: endOf(exchange, failure) })
    },
  }
}

const ON_HTTP_2: ReadonlyMap<string, FramedProtocol> = new Map([
  ['application/grpc', grpcStream('proto')],
  ['application/grpc+proto', grpcStream('proto')],
  ['application/grpc+json', grpcStream('json')],
])

const ANYWHERE: ReadonlyMap<string, FramedProtocol> = new Map([
  ['application/grpc-web', grpcWebStream('proto', false)],
  ['application/grpc-web+proto', grpcWebStream('proto', false)],
  ['application/grpc-web+json', grpcWebStream('json', false)],
  ['application/grpc-web-text', grpcWebStream('proto', true)],
  ['application/grpc-web-text+proto', grpcWebStream('proto', true)],
  ['application/connect+proto', connectStream('proto')],
  ['application/connect+json', connectStream('json')],
])

/** The types of requests of a method, as they are listed when another one is refused. */
export function streamTypes({ descriptor }: StreamMethod): string {
  if (descriptor.methodKind === 'bidi_streaming') return 'application/grpc'
  return [...ON_HTTP_2.keys(), ...ANYWHERE.keys()].join(', ')
}

/** The protocol of a request; undefined when its content type is not served. Streams in both directions need gRPC. */
export function streamProtocolOf({ descriptor }: StreamMethod, exchange: Exchange): FramedProtocol | undefined {
  const type = mediaType(exchange.header('content-type'))
  const onHttp2 = exchange instanceof Http2Exchange ? ON_HTTP_2.get(type) : undefined
  if (descriptor.methodKind === 'bidi_streaming') return onHttp2?.codec === 'proto' ? onHttp2 : undefined
  return onHttp2 ?? ANYWHERE.get(type)
}
