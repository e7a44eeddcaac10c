/** Detects the protocol of a connection by its first bytes. */
import type { Socket } from 'node:net'

/** The protocol of a connection. */
export type ConnectionProtocol = 'tls' | 'http1' | 'http2'

// RFC 9113 §3.4: the first bytes of all HTTP/2 clients with prior knowledge.
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

// RFC 8446 §5.1: a TLS connection starts with a record of type handshake.
const TLS_HANDSHAKE = 0x16

/** Undefined while the bytes can still become HTTP/1.1 or HTTP/2. */
export function protocolOf(bytes: Uint8Array): ConnectionProtocol | undefined {
  if (bytes.length === 0) return undefined
  if (bytes[0] === TLS_HANDSHAKE) return 'tls'
  const compared = Math.min(bytes.length, PREFACE.length)
  if (PREFACE.compare(bytes, 0, compared, 0, compared) !== 0) return 'http1'
  return compared === PREFACE.length ? 'http2' : undefined
}

/**
 * Reads until the protocol is known, puts the bytes back and passes on the paused socket. A socket without data for
 * `deadlineMs` is destroyed. The receiver resumes the socket once it listens.
 */
export function sniff(socket: Socket, deadlineMs: number, known: (protocol: ConnectionProtocol) => void): void {
  let bytes: Buffer = Buffer.alloc(0)
  const deadline = setTimeout(() => socket.destroy(), deadlineMs)
  const stop = () => {
    clearTimeout(deadline)
    socket.off('data', read)
    socket.off('end', end)
    socket.off('close', stop)
  }
  const end = () => {
    stop()
    socket.destroy()
  }
  const read = (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    const protocol = protocolOf(bytes)
    if (protocol === undefined) return
    stop()
    socket.pause()
    socket.unshift(bytes)
    known(protocol)
  }
  socket.on('data', read)
  socket.on('end', end)
  socket.on('close', stop)
}
