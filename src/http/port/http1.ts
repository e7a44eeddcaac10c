/** HTTP/1.1 on the port: Node's parser with our deadlines and a graceful shutdown. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { documentationOfError } from '../../kernel/page-paths.ts'
import { streamingExchangeOf } from '../exchange-streaming.ts'
import { contain, type ReportFault, runContained } from './containment.ts'
import { InFlight } from './in-flight.ts'
import { type Limits, sweepMs } from './limits.ts'
import { isLingering } from './linger.ts'

/** The interface of both HTTP versions for the port. */
export interface HttpServer {
  /** Serves a connection whose first bytes can already be in its buffer. */
  take(socket: Socket): void
  /** Closes connections that exceed their deadlines. */
  sweep(now: number): void
  /** Closes idle connections, and the others after their requests in flight. */
  drain(): void
  /** Stops its timers; the port destroys the connections. */
  close(): void
  /** How many requests are being served. */
  readonly inFlight: number
}

export interface Http1Options {
  readonly limits: Limits
  serve(request: IncomingMessage, response: ServerResponse): void
  dropped(reason: string): void
  readonly fault: ReportFault
}

/** RFC 9112 §3.2: a request with more than one Host field is refused. Node keeps the first and ignores the others. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

function rawAnswer(status: string, contentType: string, body: string): string {
  return `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** A plain-text response for a connection that has no parser yet. */
export function plainAnswer(status: string, line: string): string {
  return rawAnswer(status, 'text/plain', `${line}\n`)
}

/** The answer to bytes that are no HTTP: the contract's error shape as far as it goes without a method. */
function errorBody(id: string, message: string): string {
  const detail = { '@type': 'type.googleapis.com/signet.v1.ErrorDetail', id, message }
  const links = [{ description: 'About this error', url: documentationOfError(id) }]
  const help = { '@type': 'type.googleapis.com/google.rpc.Help', links }
  return JSON.stringify({ code: 3, message, details: [detail, help] })
}

function errorAnswer(status: string, id: string, message: string): string {
  return rawAnswer(status, 'application/json', errorBody(id, message))
}

const ERROR_ANSWERS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: errorAnswer(
    '431 Request Header Fields Too Large',
    'http.headers_too_large',
    'The headers are too large.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: errorAnswer(
    '413 Content Too Large',
    'http.chunk_too_large',
    'The chunk extensions are too large.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: errorAnswer('408 Request Timeout', 'http.timeout', 'The request did not arrive in time.'),
}
const MALFORMED_BODY = errorBody('http.malformed', 'The HTTP request is malformed.')
const MALFORMED = rawAnswer('400 Bad Request', 'application/json', MALFORMED_BODY)

/** Sends a last response and closes the connection, without waiting for a client that does not read. */
export function dismiss(socket: Socket, answer: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(answer, () => socket.destroy())
  setTimeout(() => socket.destroy(), 1_000).unref()
}

export class Http1Server implements HttpServer {
  readonly #limits: Limits
  readonly #serve: Http1Options['serve']
  readonly #dropped: Http1Options['dropped']
  readonly #fault: ReportFault
  readonly #server: Server
  readonly #served = new InFlight<ServerResponse>()
  /** Requests that are answered but still arriving. */
  readonly #belated = new Map<IncomingMessage, number>()
  #isDraining = false

  constructor({ limits, serve, dropped, fault }: Http1Options) {
    this.#limits = limits
    this.#serve = serve
    this.#dropped = dropped
    this.#fault = fault
    this.#server = createServer({
      headersTimeout: limits.headerMs,
      // Streaming exchanges can last longer. Only the sweep knows which ones.
      requestTimeout: 0,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: sweepMs(limits),
      maxHeaderSize: limits.headerBytes,
    })
    contain(this.#server, fault)
    this.#server.on('request', (request, response) => this.#begin(request, response))
    // 100 Continue is sent when the body is read, not when the request is refused without reading it.
    this.#server.on('checkContinue', (request, response) => {
      contain(request, fault)
      request.once('resume', () => {
        if (!response.headersSent) response.writeContinue()
      })
      this.#server.emit('request', request, response)
    })
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#refuse(error, socket as Socket))
    // This event starts the timer that checks deadlines. The port itself does the listening.
    this.#server.emit('listening')
  }

  take(socket: Socket): void {
    this.#server.emit('connection', socket)
    process.nextTick(() => socket.resume())
  }

  sweep(now: number): void {
    for (const [request, startedAt] of this.#belated) {
      const isLate = now - startedAt >= this.#limits.exchangeMs
      if (request.complete || request.socket.destroyed || isLate) this.#belated.delete(request)
      if (isLate && !request.complete) runContained(request, () => this.#cutOffLate(request.socket))
    }
    for (const { item, startedAt } of this.#served) runContained(item, () => this.#sweepOne(item, startedAt, now))
  }

  drain(): void {
    this.#isDraining = true
    for (const { item: response } of this.#served) {
      if (!response.headersSent) response.shouldKeepAlive = false
      streamingExchangeOf(response)?.drain()
    }
    this.#server.closeIdleConnections()
  }

  close(): void {
    this.#server.close()
  }

  get inFlight(): number {
    return this.#served.size
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    contain(request, this.#fault)
    contain(response, this.#fault)
    if (isLingering(request.socket)) {
      request.socket.destroy()
      return
    }
    if (hasTwoHosts(request.rawHeaders)) {
      this.#dropped('http1_host')
      response.shouldKeepAlive = false
      response.writeHead(400, { 'content-type': 'application/json' }).end(MALFORMED_BODY)
      return
    }
    const startedAt = performance.now()
    const place = this.#served.add(response, startedAt)
    if (this.#isDraining) response.shouldKeepAlive = false
    response.on('close', () => {
      this.#served.remove(place)
      if (!request.complete && !request.socket.destroyed) this.#belated.set(request, startedAt)
      if (this.#isDraining) this.#server.closeIdleConnections()
    })
    // An aborted body is reported on the request; its reader has a separate listener.
    request.on('error', () => {})
    response.on('error', () => {})
    this.#serve(request, response)
  }

  #refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (isLingering(socket)) {
      socket.destroy()
      return
    }
    if (error.code !== 'ECONNRESET') this.#dropped(error.code ?? 'http1')
    // A response in progress must not be mixed with a second one.
    const isAnswering = [...this.#served].some(({ item }) => item.socket === socket && item.headersSent)
    if (isAnswering || error.code === 'ECONNRESET') socket.destroy()
    else dismiss(socket, ERROR_ANSWERS[error.code ?? ''] ?? MALFORMED)
  }

  #cutOffLate(socket: Socket): void {
    // It was answered before and needs a moment to read the response.
    if (!socket.writable) return
    this.#server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }

  #sweepOne(response: ServerResponse, startedAt: number, now: number): void {
    const { exchangeMs } = this.#limits
    const streaming = streamingExchangeOf(response)
    if (this.#isDraining) streaming?.drain()
    const stillFor = now - (streaming?.movedAt ?? startedAt)
    if (stillFor < exchangeMs) return
    if (!response.req.complete && !response.headersSent) {
      this.#cutOffLate(response.req.socket)
      return
    }
    // A late body got a 408 response. This client does not read it.
    if (stillFor < exchangeMs * 1.1) return
    this.#dropped('http1_exchange')
    response.destroy()
    response.socket?.destroy()
  }
}
