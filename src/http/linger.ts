/**
 * The lingering close of RFC 9112 §9.6. Who answers before the whole request was read and closes at once makes TCP reset
 * the connection, and the reset takes the answer from a client that was still sending. So our side is closed alone, and
 * what the peer still sends is dropped, never kept, until it closes as well or is over its bounds.
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

const linger = (request: IncomingMessage, { wholeMs, stillMs, bytes }: Patience): void => {
  const { socket } = request
  const cutOff = () => void socket.destroy()
  const whole = setTimeout(cutOff, wholeMs)
  const still = setTimeout(cutOff, stillMs)
  socket.once('close', () => {
    clearTimeout(whole)
    clearTimeout(still)
  })
  // Nothing is parsed any more: RFC 9112 §9.6 forbids to serve a request that comes behind `connection: close`.
  socket.removeAllListeners('data').removeAllListeners('end')
  let left = bytes
  socket.on('data', (chunk: Buffer) => {
    still.refresh()
    left -= chunk.length
    if (left < 0) cutOff()
  })
  socket.once('end', cutOff)
  socket.end()
  // The request may have been paused, and with it what lies beneath.
  request.resume()
  socket.resume()
}

/** Has Node, when it closes the connection behind the answer to this request, linger over what was not read. */
export const lingerAtClose = (request: IncomingMessage, patience: Patience = PATIENCE): void => {
  const { socket } = request
  if (request.complete || socket.destroyed) return
  socket.destroySoon = () => {
    if (request.complete || socket.destroyed) Socket.prototype.destroySoon.call(socket)
    else linger(request, patience)
  }
}
