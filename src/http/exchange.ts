/** One request and its response, independent of the HTTP version: only what the protocols need. */
import { hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { RequestHead } from '../access/call.ts'
import type { Bounds } from './body.ts'
import type { ClientAddress } from './client-address.ts'
import { UNKNOWN_FIELDS_HEADER } from './codec/unknown-fields.ts'
import type { StreamingExchange } from './exchange-streaming.ts'
import { runContained } from './port/containment.ts'
import type { Prefix } from './protocols/aliases.ts'
import { CROSS_ORIGIN_HEADERS } from './protocols/cors.ts'

/** The longest delay of Node's timers. A longer timeout means no deadline. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The result of a request, for logs and metrics. */
export interface FinishedRequest {
  /** Full name of the method or path of the page; empty when the request matched neither. */
  readonly method: string
  readonly protocol: string
  /** gRPC code, 0 for success. */
  readonly code: number
  /** HTTP status; 0 when the caller disconnected before one was sent. */
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  /** ID of the user who called; undefined when the caller is unknown. */
  readonly callerId?: string | undefined
  /** Address of the client, behind the proxies that are trusted. */
  readonly client: string
  /** Whether it was refused because of overload. */
  readonly isShed?: boolean
  /** Code of the error that the caller got. */
  readonly errorId?: string | undefined
  /** Why it was refused, for the debug log. */
  readonly reason?: string | undefined
  /** Whether it was a stream, which lasts as long as both sides want. */
  readonly isStream?: boolean
  /** The trace that the request belongs to, when there are traces. */
  readonly traceId?: string | undefined
  /** What the time was spent on, in milliseconds; only of methods, as far as they came. */
  readonly parts?: RequestParts | undefined
}

/** The parts of the time that a method took, in milliseconds. */
export interface RequestParts {
  readonly authorizeMs: number
  /** From the authorization to the parsed message: the caller may be slow to send it. */
  readonly readMs?: number
  readonly handleMs?: number
  readonly answerMs?: number
}

/** The span of a request. */
export interface RequestTrace {
  readonly traceId: string
  end(finished: FinishedRequest): void
}

/** Starts the spans of requests. */
export interface RequestTracer {
  /** Sets the trace of the exchange and runs the function in it. */
  serve(exchange: Exchange, run: () => void): void
}

/** The data that an exchange is created from. */
export interface ExchangeParts {
  readonly requestId: string
  readonly verb: string
  /** Path and query as received. */
  readonly target: string
  readonly clientOf: ClientAddress
  /** What tells a caller without a valid token where to get one (RFC 9728 §5.1). */
  readonly challenge: string
  /** Called once, when the response is handed over or the caller has disconnected. */
  onFinish(finished: FinishedRequest): void
}

const NO_PARAMETERS: readonly string[] = []
const SAFETY_HEADERS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff']

/** The data that the router passes to all exchanges. */
export type Opening = Pick<ExchangeParts, 'requestId' | 'clientOf' | 'challenge' | 'onFinish'>

/** A response, independent of the HTTP version. */
export interface Reply {
  readonly status: number
  /** Name, value, name, value … */
  readonly headers: readonly string[]
  /** Whether only the request ID is added to the headers, without default and CORS headers. */
  readonly hasAllHeaders?: boolean
  readonly body?: Uint8Array | string
  readonly code: number
}

/** Both directions of an exchange whose request and response are streams. */
export interface Streams {
  readonly source: Readable
  readonly sink: Writable
}

/** One request and its response. */
export abstract class Exchange implements RequestHead {
  readonly requestId: string
  readonly #challenge: string
  /** GET, POST … */
  readonly verb: string
  readonly path: string
  readonly query: string
  /** The name prefix that the caller uses. */
  prefix: Prefix = 'signet'
  /** Full name of the method and name of the protocol, once known. */
  method = ''
  protocol = 'rest'
  /** ID of the caller, once authorized. */
  callerId: string | undefined
  /** Whether it is refused because of overload: such requests are counted, and not logged one by one. */
  isShed = false
  /** The values of the path parameters of a REST route. */
  parameters: readonly string[] = NO_PARAMETERS

  /** The members of the request that no field has, as the response names them. */
  unknownFields: string | undefined

  /** Code of the error that the caller gets, and why, for the debug log. */
  errorId: string | undefined
  reason: string | undefined
  /** Set when there are traces. */
  trace: RequestTrace | undefined
  /** When a method was authorized, its message parsed and its handler done; 0: not yet. On the clock of `performance`. */
  authorizedAt = 0
  parsedAt = 0
  handledAt = 0

  readonly #startedAt = performance.now()
  readonly #clientOf: ClientAddress
  #client: string | undefined
  #credentialsDigest: string | undefined
  readonly #onFinish: (finished: FinishedRequest) => void
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  /** When the caller's deadline passes, on the clock of `performance`. */
  #deadline = Number.POSITIVE_INFINITY
  /** Of a reply that has begun and not ended. */
  #status = 0

  constructor({ requestId, verb, target, clientOf, challenge, onFinish }: ExchangeParts) {
    this.requestId = requestId
    this.#challenge = challenge
    this.verb = verb
    const path = originForm(target)
    const question = path.indexOf('?')
    this.path = question < 0 ? path : path.slice(0, question)
    this.query = question < 0 ? '' : path.slice(question + 1)
    this.#clientOf = clientOf
    this.#onFinish = onFinish
  }

  /** What tells a caller without a valid token where to get one; who sent a token is told that it is not (RFC 6750 §3.1). */
  get challenge(): string {
    if ((this.header('authorization') ?? '').trim() === '') return this.#challenge
    const [scheme = '', ...parts] = this.#challenge.split(' ')
    return `${scheme} ${['error="invalid_token"', ...parts].join(', ')}`
  }

  /** Address of the client, behind the proxies that are trusted. */
  get client(): string {
    this.#client ??= this.#clientOf(this.peer, (name) => this.header(name))
    return this.#client
  }

  /** Made when first read, and once: it costs more than looking up the token. */
  get credentialsDigest(): string | undefined {
    const authorization = this.#credentialsDigest === undefined ? this.header('authorization') : undefined
    if (authorization !== undefined) this.#credentialsDigest = hash('sha256', authorization, 'base64')
    return this.#credentialsDigest
  }

  /** Address of the other end of the connection: the client, or a proxy in front of the server. */
  abstract readonly peer: string
  /** A request header by its lower-case name. */
  abstract header(name: string): string | undefined
  /** Of all request headers, in lower case. */
  abstract readonly headerNames: readonly string[]
  /** Starts to read the body. */
  abstract read(bounds: Bounds): Promise<Buffer>
  /** Whether trailers can be sent, which gRPC requires. */
  abstract readonly hasTrailers: boolean

  /** Whether the response was sent or the caller has disconnected, so that no work is left. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the caller's deadline has passed; timers are coarser than the deadlines that callers may set. */
  get isExpired(): boolean {
    return this.#deadline < Number.POSITIVE_INFINITY && performance.now() >= this.#deadline
  }

  /** Made when first read, because most requests need none. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#isOver) this.#controller.abort()
    }
    return this.#controller.signal
  }

  /** Calls `expire` and aborts the signal when the caller's deadline has passed. */
  startDeadline(timeoutMs: number | undefined, expire: () => void): void {
    if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS) return
    this.#deadline = this.#startedAt + timeoutMs
    const end = () => {
      expire()
      this.#controller?.abort(new DOMException('The deadline was exceeded.', 'TimeoutError'))
    }
    this.#timer = setTimeout(() => this.contain(end), timeoutMs)
  }

  /** Runs a part of the work of this exchange. An unexpected error ends the exchange, and nothing else. */
  contain(run: () => void | Promise<void>): void {
    runContained(this.source, run)
  }

  /** Sends the response. A second response of the same exchange is dropped. */
  reply(reply: Reply): void {
    if (this.#isOver) return
    this.finish(reply.code, reply.status)
    const { body } = reply
    const length = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
    const headers = reply.hasAllHeaders
      ? [...reply.headers, 'x-request-id', this.requestId]
      : this.headersFor(reply.headers)
    if (length > 0 || this.needsLength(reply.status)) headers.push('content-length', String(length))
    this.write(reply.status, headers, length === 0 || this.verb === 'HEAD' ? undefined : body)
  }

  /** Starts a response of unknown length while the request is still arriving. It has no total deadline. */
  openStream(status: number, headers: readonly string[], streaming: StreamingExchange): Streams {
    this.#status = status
    return this.begin(status, this.headersFor(headers), streaming)
  }

  /** Ends a response that was started with `openStream`; `code` is the gRPC code for logs and metrics. */
  closeStream(code: number): void {
    if (!this.#isOver) this.finish(code, this.#status)
    this.end()
  }

  /** Discards the rest of a request whose response is almost complete, until its end or for this time. */
  async awaitEndOfRequest(milliseconds: number): Promise<void> {
    const { source } = this
    if (source.readableEnded || source.destroyed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      const finish = () => {
        clearTimeout(timer)
        resolve()
      }
      source.once('end', finish).once('close', finish).resume()
    })
  }

  protected abstract readonly source: Readable
  protected abstract begin(status: number, headers: string[], streaming: StreamingExchange): Streams
  protected abstract end(): void
  protected abstract write(status: number, headers: string[], body: Uint8Array | string | undefined): void

  /** Whether an empty body needs a content-length header. */
  protected abstract needsLength(status: number): boolean

  /** The headers of this response, with the default headers. */
  protected headersFor(own: readonly string[]): string[] {
    const headers = [...own, ...SAFETY_HEADERS, 'x-request-id', this.requestId]
    if (this.unknownFields !== undefined) headers.push(UNKNOWN_FIELDS_HEADER, this.unknownFields)
    if (this.header('origin') !== undefined) headers.push(...CROSS_ORIGIN_HEADERS)
    return headers
  }

  protected finish(code: number, status: number): void {
    this.#isOver = true
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    const { method, protocol, requestId, callerId, client, errorId, reason, isShed, trace } = this
    const endedAt = performance.now()
    const durationMs = endedAt - this.#startedAt
    const parts = this.authorizedAt === 0 ? undefined : this.#partsUntil(endedAt)
    const traceId = trace?.traceId
    const isStream = this.#status !== 0
    const finished = {
      ...{ method, protocol, code, status, requestId, callerId, client, durationMs },
      ...{ errorId, reason, isShed, isStream, traceId, parts },
    }
    trace?.end(finished)
    this.#onFinish(finished)
  }

  #partsUntil(endedAt: number): RequestParts {
    const { authorizedAt, parsedAt, handledAt } = this
    const authorizeMs = authorizedAt - this.#startedAt
    if (parsedAt === 0) return { authorizeMs, readMs: endedAt - authorizedAt }
    const readMs = parsedAt - authorizedAt
    if (handledAt === 0) return { authorizeMs, readMs, handleMs: endedAt - parsedAt }
    return { authorizeMs, readMs, handleMs: handledAt - parsedAt, answerMs: endedAt - handledAt }
  }

  /** The client closed the request. */
  protected leave(): void {
    if (this.#isOver) return
    this.finish(1, this.#status)
    this.#controller?.abort(new DOMException('The client closed the request.', 'AbortError'))
  }
}

/** RFC 9112 §3.2.2: the target can be an absolute URL. The proxy in front of the server checks its origin. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)
  if (origin === null) return target
  const rest = target.slice(origin[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
