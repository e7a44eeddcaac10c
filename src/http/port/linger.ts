/**
 * The lingering close of RFC 9112 §9.6, which HTTP/2 needs as well. If a server responds before it has read the whole
 * request and closes immediately, TCP resets the connection, and a client that is still sending loses the response. So
 * only our side is closed, and data that still arrives is discarded until the client ends or exceeds the limits
 * (decision 0024).
 */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** How much data is discarded, and for how long. */
export interface Patience {
  /** From the response to the end of the connection. */
  readonly wholeMs: number
  /** Time without any data. */
  readonly stillMs: number
  readonly bytes: number
}

/**
 * Enough for clients that send some tens of megabytes before they read the response, even on a slow network. Too little
 * to be useful for a client that never stops sending.
 */
const PATIENCE: Patience = { wholeMs: 10_000, stillMs: 2_000, bytes: 64 * 1024 * 1024 }

/** A peer that floods has a moment to see that it was cut off. */
const GOAWAY_PATIENCE: Patience = { wholeMs: 500, stillMs: 500, bytes: 16 * 1024 * 1024 }

/** The fastest peer sends some megabytes in this time. */
const WATCH_MS = 20

const lingering = new WeakSet<object>()

/** Whether a connection is in a lingering close. RFC 9112 §9.6 forbids serving requests after `connection: close`. */
export function isLingering(socket: object): boolean {
  return lingering.has(socket)
}

function closeAtOnce(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}

function linger(request: IncomingMessage, { wholeMs, stillMs, bytes }: Patience): void {
  const { socket } = request
  lingering.add(socket)
  const startedAt = performance.now()
  const allowed = socket.bytesRead + bytes
  let seen = socket.bytesRead
  let movedAt = startedAt
  // Polled, because Node does not report a body that it discards itself.
  const watching = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > seen) movedAt = now
    seen = socket.bytesRead
    if (seen > allowed || now - movedAt >= stillMs || now - startedAt >= wholeMs) socket.destroy()
  }, WATCH_MS)
  socket.once('close', () => clearInterval(watching))
  // The reader has its result. It must neither keep more data nor stop the flow.
  request.removeAllListeners('data')
  request.once('end', () => closeAtOnce(socket))
  request.resume()
  // TLS has no half-close: RFC 5246 §7.2.1 makes the client discard its pending data, and some clients report that as a
  // failure.
  if (!('encrypted' in socket)) socket.end()
}

/** Makes Node linger over unread data when it closes the connection after this response. */
export function lingerAtClose(request: IncomingMessage, patience: Patience = PATIENCE): void {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) closeAtOnce(socket)
    else if (!isLingering(socket)) linger(request, patience)
  }
}

/**
 * Has a peer that is cut off from HTTP/2 see why. The library closes the socket as soon as GOAWAY is written; what the
 * peer has sent meanwhile would make TCP reset the connection and take the GOAWAY away. So it is dropped for a moment.
 */
export function lingerAfterGoaway(socket: Socket, { wholeMs, bytes }: Patience = GOAWAY_PATIENCE): void {
  const destroy = () => {
    clearTimeout(timer)
    Socket.prototype.destroy.call(socket)
  }
  const timer = setTimeout(destroy, wholeMs)
  let left = bytes
  let hasBegun = false
  socket.destroy = (error) => {
    // The first call is the library's; every other one means it.
    if (hasBegun || error !== undefined || socket.readableEnded) {
      destroy()
      return socket
    }
    hasBegun = true
    socket.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) destroy()
    })
    socket.once('end', destroy)
    socket.resume()
    return socket
  }
  socket.once('close', () => clearTimeout(timer))
}
