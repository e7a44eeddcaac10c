/** gRPC methods that stream: frames in and frames out while the other side still sends, the outcome in the trailers. */

import type { Readable, Writable } from 'node:stream'
import { create, type DescMessage, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { Authorize } from '../../access/authorization.ts'
import type { StreamMethod } from '../../access/method.ts'
import { binaryReader } from '../codec/binary-reader.ts'
import type { Exchange } from '../exchange.ts'
import { Http2Exchange } from '../exchange-http2.ts'
import { StreamingExchange } from '../exchange-streaming.ts'
import { refuseConnect } from './connect.ts'
import { protocolOf } from './content-type.ts'
import { grpcStatusFields } from './error-details.ts'
import {
  cancelled,
  deadlineExceeded,
  Failed,
  type Failure,
  type Fault,
  failureOf,
  MAX_PUBLIC_REQUEST_BYTES,
  malformed,
  notOneMessage,
  wrongVerb,
} from './errors.ts'
import { frameLength, readFrame, writeFrame } from './frames.ts'
import { checkGrpcEncoding, framedHeaders, grpc } from './grpc.ts'
import { unsupportedType } from './rest.ts'
import { STATUS } from './status.ts'
import { parseGrpcTimeout } from './timeout.ts'

const GRPC_TYPE = 'application/grpc'
const { refuse } = grpc('proto')
const [HEADERS] = framedHeaders('application/grpc+proto')
const OK = { 'grpc-status': '0' }

/** Streams of this process at the same time: they may last, and anybody may open them. */
const MAX_STREAMS = 1_000
/** Requests in one stream. */
const MAX_REQUESTS = 10_000

const tooManyStreams: Failure = Object.freeze({
  status: STATUS.exhausted,
  id: 'stream.too_many',
  message: 'Too many streams are open.',
  retryAfterSeconds: 10,
})

const tooManyRequests: Failure = Object.freeze({
  status: STATUS.exhausted,
  id: 'stream.too_long',
  message: 'The stream has too many requests. Open a new one.',
})

const stopping: Failure = Object.freeze({
  status: STATUS.unavailable,
  id: 'stream.stopped',
  message: 'The server is about to stop. Open the stream again.',
})

/** Serves an exchange of one streaming method; never rejects. */
export type ServeStream = (exchange: Exchange) => Promise<void>

let open = 0

/** Makes a streaming method ready to be served. */
export function serveStream(method: StreamMethod, authorize: Authorize, log: (fault: Fault) => void): ServeStream {
  const { parent, name } = method.descriptor
  const fullName = `${parent.typeName}/${name}`
  return async (exchange) => {
    exchange.method = fullName
    if (exchange.verb !== 'POST') return refuseConnect(exchange, wrongVerb(['POST']))
    const choice = protocolOf(exchange.header('content-type'))
    const isGrpc = choice?.protocol === 'grpc' && choice.codec === 'proto'
    if (!isGrpc || !(exchange instanceof Http2Exchange)) {
      return refuseConnect(exchange, unsupportedType(GRPC_TYPE).failure)
    }
    exchange.protocol = 'grpc'
    const failureFor = (error: unknown) => failureOf(error, exchange.requestId, fullName, log)
    try {
      const timeoutMs = parseGrpcTimeout(exchange.header('grpc-timeout'))
      const encoding = checkGrpcEncoding(exchange)
      exchange.callerId = (await authorize(method, exchange)).callerId
      exchange.authorizedAt = performance.now()
      if (open >= MAX_STREAMS) throw new Failed(tooManyStreams)
      open++
      await new StreamRun({ method, exchange, encoding, timeoutMs, failureFor }).serve().finally(() => open--)
    } catch (error) {
      if (!exchange.isOver) refuse(exchange, failureFor(error))
    }
  }
}

interface StreamRunOptions {
  readonly method: StreamMethod
  readonly exchange: Http2Exchange
  readonly encoding: string | undefined
  readonly timeoutMs: number | undefined
  failureFor(error: unknown): Failure
}

/** One stream from its first request to its trailers. */
class StreamRun {
  readonly #options: StreamRunOptions
  readonly #ending = new AbortController()
  readonly #streaming = new StreamingExchange(() => this.#end(stopping))
  readonly #signal: AbortSignal
  /** Why it ends, when it does not end by itself. */
  #failure: Failure | undefined

  constructor(options: StreamRunOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.exchange.signal, this.#ending.signal])
  }

  async serve(): Promise<void> {
    const { method, exchange, timeoutMs, failureFor } = this.#options
    exchange.startDeadline(timeoutMs, () => this.#end(deadlineExceeded))
    const { source, sink } = exchange.openMessages(HEADERS, this.#streaming)
    try {
      for await (const reply of method.serve(this.#requests(source), this.#signal)) {
        if (exchange.isOver) return
        await this.#write(sink, reply)
      }
    } catch (error) {
      this.#failure ??= failureFor(error)
    }
    const { prefix, isOver } = exchange
    if (isOver) return
    const failure = this.#failure ?? (exchange.isExpired ? deadlineExceeded : undefined)
    exchange.errorId = failure?.id
    exchange.closeMessages(failure?.status.code ?? 0, failure === undefined ? OK : trailersOf(failure, prefix))
  }

  #end(failure: Failure): void {
    this.#failure ??= failure
    this.#ending.abort()
  }

  async #write(sink: Writable, reply: unknown): Promise<void> {
    const { method, exchange } = this.#options
    const { output } = method.descriptor
    const message = create(output, reply as MessageInitShape<DescMessage>)
    const frame = await writeFrame(toBinary(output, message), undefined)
    this.#streaming.isResting = false
    if (!sink.write(frame)) await drained(sink, exchange.signal)
    this.#streaming.move()
    // With the only request read and the reply gone, the peer has nothing to do but wait.
    this.#streaming.isResting = method.descriptor.methodKind === 'server_streaming'
  }

  /** The requests as they arrive; ends when the stream is to end. */
  async *#requests(source: Readable): AsyncGenerator<Message> {
    const { method, encoding } = this.#options
    const read = binaryReader(method.descriptor.input)
    const isOne = method.descriptor.methodKind === 'server_streaming'
    let count = 0
    for await (const frame of this.#frames(source)) {
      count++
      if (isOne && count > 1) throw notOneMessage()
      if (count > MAX_REQUESTS) throw new Failed(tooManyRequests)
      yield read(await readFrame(frame, encoding, MAX_PUBLIC_REQUEST_BYTES))
    }
    if (isOne && count === 0 && !this.#signal.aborted) throw notOneMessage()
  }

  async *#frames(source: Readable): AsyncGenerator<Buffer> {
    const chunks = source.iterator({ destroyOnReturn: false })
    const stopped = new Promise<{ readonly done: true }>((resolve) => {
      this.#signal.addEventListener('abort', () => resolve({ done: true }))
    })
    let rest: Buffer = Buffer.alloc(0)
    while (!this.#signal.aborted) {
      const step = await Promise.race([chunks.next().catch(brokenOff), stopped])
      if (step.done) break
      this.#streaming.move()
      rest = rest.length === 0 ? step.value : Buffer.concat([rest, step.value])
      for (;;) {
        const length = frameLength(rest, MAX_PUBLIC_REQUEST_BYTES)
        if (length === undefined || rest.length < length) break
        yield rest.subarray(0, length)
        rest = rest.subarray(length)
      }
    }
    if (rest.length > 0 && !this.#signal.aborted) throw malformed('The request frame is incomplete.')
  }
}

/** The peer closed the stream, or was cut off: no fault of ours. */
function brokenOff(): never {
  throw cancelled()
}

function trailersOf(failure: Failure, prefix: Exchange['prefix']): Readonly<Record<string, string>> {
  const fields = grpcStatusFields(failure, prefix)
  const names = fields.filter((_, index) => index % 2 === 0)
  return Object.fromEntries(names.map((name, index) => [name, fields[2 * index + 1] ?? '']))
}

/** Waits until a sink takes more, or for the caller to leave. */
function drained(sink: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      sink.off('drain', go).off('close', go)
      signal.removeEventListener('abort', go)
      resolve()
    }
    sink.on('drain', go).on('close', go)
    signal.addEventListener('abort', go)
  })
}
