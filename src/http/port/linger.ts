/**
 * The lingering close of RFC 9112 §9.6, which HTTP/2 needs as well. A server that answers before it has read the whole request and closes at once makes
 * TCP reset the connection, and the reset takes the answer from a client that was still sending. So our side is closed
 * alone, and what the peer still sends is dropped, never kept, until it ends or is over its bounds (decision 24).
 */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/** How much is let in and dropped, and for how long. */
export interface Patience {
  /** From the answer to the end of the connection. */
  readonly wholeMs: number
  /** Without a byte. */
  readonly stillMs: number
  readonly bytes: number
}

/**
 * Enough for clients that write all of some tens of megabytes before they look at the answer, even on a slow network;
 * too little to be worth anything for a peer that sends for ever.
 */
const PATIENCE: Patience = { wholeMs: 10_000, stillMs: 2_000, bytes: 64 * 1024 * 1024 }

/** A peer that floods has a moment to see that it was cut off. */
const GOAWAY_PATIENCE: Patience = { wholeMs: 500, stillMs: 500, bytes: 16 * 1024 * 1024 }

/** The fastest peer sends some megabytes in this time. */
const WATCH_MS = 20

const lingering = new WeakSet<object>()

/** Whether a connection is only waited for: RFC 9112 §9.6 forbids to serve what comes behind `connection: close`. */
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
  // Looked at from time to time, because Node does not report a body that it drops itself.
  const watching = setInterval(() => {
    const now = performance.now()
    if (socket.bytesRead > seen) movedAt = now
    seen = socket.bytesRead
    if (seen > allowed || now - movedAt >= stillMs || now - startedAt >= wholeMs) socket.destroy()
  }, WATCH_MS)
  socket.once('close', () => clearInterval(watching))
  // The code that was reading has its answer; it must neither keep more nor stop the flow.
  request.removeAllListeners('data')
  request.once('end', () => closeAtOnce(socket))
  request.resume()
  // TLS has no such half: RFC 5246 §7.2.1 has the peer drop what it was about to send, and some take that for a failure.
  if (!('encrypted' in socket)) socket.end()
}

/** Has Node, when it closes the connection behind the answer to this request, linger over what was not read. */
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
