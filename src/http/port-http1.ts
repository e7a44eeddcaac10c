/** The HTTP/1.1 half of the port: Node's parser with our deadlines, and a way to drain it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limits } from './limits.ts'
import { sweepMs } from './limits.ts'
import { isLingering } from './linger.ts'
import { longExchangeOf } from './long-exchange.ts'
import { Roll } from './roll.ts'

export interface Half {
  /** Serves a connection whose first bytes may already be in its buffer. */
  take(socket: Socket): void
  /** Cuts off peers that are over their time. */
  sweep(now: number): void
  /** Ends idle connections, and the others after what is in flight. */
  drain(): void
  /** Stops its timers; connections are the port's to destroy. */
  close(): void
  /** Requests being served. */
  readonly inFlight: number
}

interface Options {
  readonly limits: Limits
  serve(request: IncomingMessage, response: ServerResponse): void
  dropped(reason: string): void
}

function rawAnswer(status: string, contentType: string, body: string): string {
  return `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: ${contentType}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** An answer in ASCII for a peer that no parser stands before yet. */
export function plainAnswer(status: string, line: string): string {
  return rawAnswer(status, 'text/plain', `${line}\n`)
}

/** What a peer is told whose bytes were no HTTP; the contract's error shape as far as it goes without a method. */
function complaint(status: string, id: string, message: string): string {
  const detail = { '@type': 'type.googleapis.com/signet.v1.ErrorDetail', id, message }
  return rawAnswer(status, 'application/json', JSON.stringify({ code: 3, message, details: [detail] }))
}

const COMPLAINTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: complaint(
    '431 Request Header Fields Too Large',
    'http.headers_too_large',
    'The headers are too large.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: complaint(
    '413 Content Too Large',
    'http.chunk_too_large',
    'The chunk extensions are too large.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: complaint('408 Request Timeout', 'http.timeout', 'The request did not arrive in time.'),
}
const MALFORMED = complaint('400 Bad Request', 'http.malformed', 'The HTTP request is malformed.')

/** Says one last thing to a socket and closes it, without waiting for a peer that does not read. */
export function dismiss(socket: Socket, words: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(words, () => socket.destroy())
  setTimeout(() => socket.destroy(), 1_000).unref()
}

export function openHttp1({ limits, serve, dropped }: Options): Half {
  const served = new Roll<ServerResponse>()
  /** Requests that are answered and still arriving. */
  const belated = new Map<IncomingMessage, number>()
  let isDraining = false
  const server = createServer({
    headersTimeout: limits.headerMs,
    // Some exchanges may last; which ones, only the sweep knows.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: sweepMs(limits),
    maxHeaderSize: limits.headerBytes,
  })
  server.on('request', (request, response) => {
    if (isLingering(request.socket)) {
      request.socket.destroy()
      return
    }
    const startedAt = Date.now()
    const place = served.add(response, startedAt)
    if (isDraining) response.shouldKeepAlive = false
    response.on('close', () => {
      served.remove(place)
      if (!request.complete && !request.socket.destroyed) belated.set(request, startedAt)
      if (isDraining) server.closeIdleConnections()
    })
    // A body that breaks off is reported on the request; whoever reads it has a listener of their own.
    request.on('error', () => {})
    response.on('error', () => {})
    serve(request, response)
  })
  // Leave to send the body is given to whoever it is read from, not to those who are refused without it.
  server.on('checkContinue', (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isLingering(socket)) {
      socket.destroy()
      return
    }
    if (error.code !== 'ECONNRESET') dropped(error.code ?? 'http1')
    // An answer already under way must not get a second one mixed into it.
    const answering = [...served].some(({ item }) => item.socket === socket && item.headersSent)
    if (answering || error.code === 'ECONNRESET') socket.destroy()
    else dismiss(socket as Socket, COMPLAINTS[error.code ?? ''] ?? MALFORMED)
  })
  const cutOffLate = (socket: Socket) => {
    // Told before, and given a moment to read it.
    if (!socket.writable) return
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  }
  // The deadlines are checked by a timer that starts with this event; the listening itself is done by the port.
  server.emit('listening')
  return {
    take(socket) {
      server.emit('connection', socket)
      process.nextTick(() => socket.resume())
    },
    sweep(now) {
      for (const [request, startedAt] of belated) {
        const isLate = now - startedAt >= limits.exchangeMs
        if (request.complete || request.socket.destroyed || isLate) belated.delete(request)
        if (isLate && !request.complete) cutOffLate(request.socket)
      }
      for (const { item: response, startedAt } of served) {
        const long = longExchangeOf(response)
        if (isDraining) long?.drain()
        const stillFor = now - (long?.movedAt ?? startedAt)
        if (stillFor < limits.exchangeMs) continue
        if (!response.req.complete && !response.headersSent) {
          cutOffLate(response.req.socket)
          continue
        }
        // A body that is late was answered with 408; what is left then is a peer that does not read.
        if (stillFor < limits.exchangeMs * 1.1) continue
        dropped('http1_exchange')
        response.destroy()
        response.socket?.destroy()
      }
    },
    drain() {
      isDraining = true
      for (const { item: response } of served) {
        if (!response.headersSent) response.shouldKeepAlive = false
        longExchangeOf(response)?.drain()
      }
      server.closeIdleConnections()
    },
    close() {
      server.close()
    },
    get inFlight() {
      return served.size
    },
  }
}
