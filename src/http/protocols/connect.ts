/** The unary Connect protocol: the bare message in the body, the result in the HTTP status, errors as JSON. */
import type { Message } from '@bufbuild/protobuf'
import { plainBounds } from '../body.ts'
import { decodeBase64 } from '../codec/json-scalars.ts'
import type { Exchange } from '../exchange.ts'
import { decompress, ENCODINGS, replyWith } from './compression.ts'
import type { Codec } from './content-type.ts'
import type { Protocol } from './dispatch.ts'
import { connectErrorBody, failureHeaders } from './error-details.ts'
import { type Failure, malformed, tooLarge, unknownEncoding } from './errors.ts'
import type { Served } from './served.ts'
import { parseConnectTimeout } from './timeout.ts'

const JSON_TYPE = ['content-type', 'application/json']

/** Writes a failure as Connect does; also for whatever cannot be served on the path of a procedure. */
export function refuseConnect(exchange: Exchange, failure: Failure, served?: Served): void {
  exchange.errorId = failure.id
  const headers = [...JSON_TYPE, ...(served?.headers ?? []), ...failureHeaders(failure)]
  const body = connectErrorBody(failure, exchange.prefix)
  exchange.reply({ status: failure.http ?? failure.status.http, code: failure.status.code, headers, body })
}

function checkVersion(version: string | undefined | null, expected: string): void {
  if (version !== undefined && version !== null && version !== expected) {
    throw malformed('The version of the Connect protocol is not supported. Use version 1.')
  }
}

function unpack(bytes: Buffer, encoding: string | undefined | null, maxBytes: number): Buffer | Promise<Buffer> {
  if (encoding === undefined || encoding === null || encoding === '' || encoding === 'identity') return bytes
  if (encoding === 'gzip') return decompress(bytes, maxBytes)
  throw unknownEncoding('accept-encoding', ENCODINGS)
}

function readWith(served: Served, codec: Codec, bytes: Buffer | Promise<Buffer>): Message | Promise<Message> {
  const { read } = served.codecs[codec]
  return bytes instanceof Promise ? bytes.then(read) : read(bytes)
}

function timeout(exchange: Exchange) {
  return parseConnectTimeout(exchange.header('connect-timeout-ms'))
}

function answerWith(codec: Codec): Protocol['answer'] {
  const headers = ['content-type', `application/${codec}`]
  return (exchange, served, message) =>
    replyWith(exchange, 200, [...headers, ...served.headers], served.codecs[codec].write(message))
}

/** Connect with POST in one codec. */
export function connect(codec: Codec): Protocol {
  return {
    name: 'connect',
    bounds: plainBounds,
    timeout,
    read(exchange, served, body) {
      checkVersion(exchange.header('connect-protocol-version'), '1')
      return readWith(served, codec, unpack(body, exchange.header('content-encoding'), served.maxBytes))
    },
    answer: answerWith(codec),
    refuse: refuseConnect,
  }
}

/** Connect with GET, for methods that change nothing. The message is in the query. */
export function connectGet(codec: Codec): Protocol {
  return {
    name: 'connect',
    bounds: undefined,
    timeout,
    read(exchange, served) {
      const query = new URLSearchParams(exchange.query)
      checkVersion(query.get('connect'), 'v1')
      const text = query.get('message') ?? ''
      const bytes = query.get('base64') === '1' ? decodeBase64(text) : Buffer.from(text)
      if (bytes === undefined) throw malformed('The message is not valid base64.')
      if (bytes.length > served.maxBytes) throw tooLarge(served.maxBytes)
      return readWith(served, codec, unpack(bytes, query.get('compression'), served.maxBytes))
    },
    answer: answerWith(codec),
    refuse: refuseConnect,
  }
}

/** The codec in the query of a Connect GET. */
export function codecOfQuery(query: string): Codec | undefined {
  const encoding = new URLSearchParams(query).get('encoding')
  return encoding === 'json' || encoding === 'proto' ? encoding : undefined
}
