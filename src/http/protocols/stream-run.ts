/** One stream from its first request to its outcome. It never has more to send than one portion of replies. */
import type { Writable } from 'node:stream'
import type { Message } from '@bufbuild/protobuf'
import type { AuthorizedRequest } from '../../access/authorization.ts'
import type { StreamMethod } from '../../access/method.ts'
import type { Admission } from '../admission/admission.ts'
import type { Exchange, Streams } from '../exchange.ts'
import { StreamingExchange } from '../exchange-streaming.ts'
import { deadlineExceeded, type Failure } from './errors.ts'
import { STATUS } from './status.ts'
import type { StreamProtocol } from './stream-protocols.ts'

const stopping: Failure = Object.freeze({
  status: STATUS.unavailable,
  id: 'stream.stopped',
  message: 'The server is about to stop. Open the stream again.',
})

export interface StreamRunOptions {
  readonly method: StreamMethod
  readonly exchange: Exchange
  readonly protocol: StreamProtocol
  readonly authorized: AuthorizedRequest
  /** The requests. Whoever reads them from the source opens the reply; otherwise it is opened for the first portion. */
  requests(open: () => Streams, signal: AbortSignal, moved: () => void): AsyncIterable<Message>
  /** Throws when a request breaks the limits of the contract. */
  check(message: Message): void
  asOneRequest<Value>(run: () => Value): Value
  /** Lets other requests go first when the server is overloaded: there may be much to read. */
  readonly admission?: Admission | undefined
  failureFor(error: unknown): Failure
}

const sinks = new Set<Writable>()

/** What the open streams of this process have not yet sent, in bytes. */
export function waitingBytes(): number {
  let bytes = 0
  for (const { writableLength } of sinks) bytes += writableLength
  return bytes
}

/** How portions were encoded that several streams send. */
const encoded = new WeakMap<readonly unknown[], Map<string, Buffer>>()

function encodeOnce(protocol: StreamProtocol, method: StreamMethod, portion: readonly unknown[]): Buffer {
  const forms = encoded.get(portion) ?? new Map<string, Buffer>()
  const known = forms.get(protocol.encoding)
  if (known !== undefined) return known
  const bytes = protocol.encode(method, portion)
  encoded.set(portion, forms.set(protocol.encoding, bytes))
  return bytes
}

export class StreamRun {
  readonly #options: StreamRunOptions
  readonly #ending = new AbortController()
  readonly #streaming = new StreamingExchange(() => this.#end(stopping))
  readonly #signal: AbortSignal
  #streams: Streams | undefined
  /** Why it ends, when it does not end by itself. */
  #failure: Failure | undefined

  constructor(options: StreamRunOptions) {
    this.#options = options
    this.#signal = AbortSignal.any([options.exchange.signal, this.#ending.signal])
  }

  async serve(): Promise<void> {
    const { method, exchange, protocol, authorized, asOneRequest, failureFor } = this.#options
    exchange.startDeadline(protocol.timeout(exchange), () => this.#end(deadlineExceeded))
    // The stream may last: what it asks for later is a request of its own, and sees what was written since the first one.
    const confirm = () => asOneRequest(async () => void (await authorized.again()))
    try {
      const caller = { call: authorized.call, confirm }
      for await (const portion of method.serve(this.#requests(), this.#signal, caller)) {
        if (exchange.isOver) return
        await this.#write(portion)
        await this.#takeTurn()
      }
    } catch (error) {
      this.#failure ??= failureFor(error)
    } finally {
      if (this.#streams !== undefined) sinks.delete(this.#streams.sink)
    }
    if (exchange.isOver) return
    const failure = this.#failure ?? (exchange.isExpired ? deadlineExceeded : undefined)
    exchange.errorId = failure?.id
    if (failure !== undefined && this.#streams === undefined) protocol.refuse(exchange, failure)
    else protocol.close(exchange, this.#open(), failure)
  }

  readonly #open = (): Streams => {
    if (this.#streams !== undefined) return this.#streams
    const { exchange, protocol } = this.#options
    this.#streams = protocol.open(exchange, this.#streaming)
    sinks.add(this.#streams.sink)
    return this.#streams
  }

  #end(failure: Failure): void {
    this.#failure ??= failure
    this.#ending.abort()
  }

  async *#requests(): AsyncGenerator<Message> {
    const { authorized, requests, check } = this.#options
    for await (const message of requests(this.#open, this.#signal, () => this.#streaming.move())) {
      await authorized.checkMessage(message)
      check(message)
      yield message
    }
  }

  async #write(portion: readonly unknown[]): Promise<void> {
    const { method, exchange, protocol } = this.#options
    const { sink } = this.#open()
    this.#streaming.isResting = false
    if (!sink.write(encodeOnce(protocol, method, portion))) await drained(sink, exchange.signal)
    this.#streaming.move()
    // With the only request read and the replies gone, the peer has nothing to do but wait.
    this.#streaming.isResting = method.descriptor.methodKind === 'server_streaming'
  }

  async #takeTurn(): Promise<void> {
    const { admission, authorized } = this.#options
    const { callerId = '', callerOrganizationId = '' } = authorized
    if (admission?.isBusy === true) await admission.takeTurn('bulk', { group: callerOrganizationId, caller: callerId })
  }
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
