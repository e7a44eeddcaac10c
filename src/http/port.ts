/**
 * The one port: a TCP listener that tells HTTP/1.1, HTTP/2 and TLS apart by the first bytes, keeps slow and hostile
 * peers within limits, and can be closed without losing a request.
 */
import { EventEmitter } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Front } from './front.ts'
import { defaultLimits, type Limits, sweepMs } from './limits.ts'
import { findPage, type Pages, servePage1, servePage2 } from './page.ts'
import { dismiss, openHttp1, plainAnswer } from './port-http1.ts'
import { openHttp2 } from './port-http2.ts'
import { sniff } from './port-sniff.ts'
import { openTls, type TlsFiles } from './port-tls.ts'

export interface PortOptions {
  readonly listen: { readonly host: string; readonly port: number }
  /** Who answers what is not a page of the port's own. */
  readonly front: Front
  readonly tls?: TlsFiles | undefined
  readonly pages?: Pages
  readonly limits?: Partial<Limits>
  /** A peer was cut off or turned away; `reason` is a short word for metrics. */
  dropped?(reason: string): void
  /** Something threw where nothing may; the request was answered with an error. */
  fault?(error: unknown): void
}

export interface Port {
  readonly address: { readonly host: string; readonly port: number }
  readonly connections: number
  /** Requests being served. */
  readonly inFlight: number
  /** New certificate for new connections. */
  renewTls(files: TlsFiles): void
  /**
   * Stops accepting, lets what is in flight finish, and resolves when every connection is closed; after `graceMs`, or
   * when called once more, the rest is cut off.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

const TLS_ONLY = plainAnswer('400 Bad Request', 'This port accepts only TLS. Use https.')

/** Opens the port; rejects when the address cannot be listened on. */
export async function openPort(options: PortOptions): Promise<Port> {
  const { front, pages = new Map(), dropped = () => {}, fault = () => {} } = options
  const limits = { ...defaultLimits, ...options.limits }
  const sockets = new Set<Socket>()
  const undecided = new Set<Socket>()
  const perAddress = new Map<string, number>()
  const lastOut = new EventEmitter()
  let isClosing = false

  const http1 = openHttp1({
    limits,
    dropped,
    serve(request, response) {
      const page = findPage(pages, request.url)
      try {
        if (page) servePage1(page, request, response).catch(fault)
        else front.http1(request, response)
      } catch (error) {
        fault(error)
        if (!response.headersSent) response.writeHead(500)
        response.end()
      }
    },
  })
  const http2 = openHttp2({
    limits,
    dropped,
    serve(stream, headers) {
      const page = findPage(pages, headers[':path'])
      try {
        if (page) servePage2(page, stream, headers).catch(fault)
        else front.http2(stream, headers)
      } catch (error) {
        fault(error)
        if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': 500 }, { endStream: true })
        else stream.close()
      }
    },
  })
  const tls = options.tls && openTls(options.tls, { limits, dropped, http1: http1.take, http2: http2.take })

  const admit = (socket: Socket): boolean => {
    const from = socket.remoteAddress ?? ''
    const count = perAddress.get(from) ?? 0
    if (isClosing || from === '' || sockets.size >= limits.connections || count >= limits.connectionsPerAddress)
      return false
    perAddress.set(from, count + 1)
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) lastOut.emit('empty')
      undecided.delete(socket)
      const left = (perAddress.get(from) ?? 1) - 1
      if (left > 0) perAddress.set(from, left)
      else perAddress.delete(from)
    })
    return true
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    // Resets may come at any moment of a connection's life; whoever serves it learns of them by its closing.
    socket.on('error', () => {})
    if (!admit(socket)) {
      dropped('too_many_connections')
      socket.destroy()
      return
    }
    undecided.add(socket)
    sniff(socket, limits.headerMs, (spoken) => {
      undecided.delete(socket)
      if (tls) {
        if (spoken === 'tls') tls.take(socket)
        else dismiss(socket, TLS_ONLY)
      } else if (spoken === 'http2') http2.take(socket)
      else http1.take(socket)
    })
  })

  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ host: options.listen.host, port: options.listen.port, backlog: 1024 }, () => {
      listener.off('error', reject)
      resolve()
    })
  })
  // Out of file descriptors, say: the connection is lost, the listener is not.
  listener.on('error', fault)
  const { address, port } = listener.address() as AddressInfo

  const sweeping = setInterval(() => {
    const now = Date.now()
    http1.sweep(now)
    http2.sweep(now)
  }, sweepMs(limits)).unref()

  const cutOff = () => {
    for (const socket of sockets) socket.destroy()
  }

  const drain = (graceMs: number): Promise<void> =>
    new Promise((resolve) => {
      isClosing = true
      const deadline = setTimeout(cutOff, graceMs)
      const finish = () => {
        clearTimeout(deadline)
        clearInterval(sweeping)
        http1.close()
        http2.close()
        resolve()
      }
      // The listener may be done a moment before the last socket has said so.
      listener.close(() => (sockets.size === 0 ? finish() : lastOut.once('empty', finish)))
      for (const socket of undecided) socket.destroy()
      http1.drain()
      http2.drain()
    })
  let closed: Promise<void> | undefined

  return {
    address: { host: address, port },
    get connections() {
      return sockets.size
    },
    get inFlight() {
      return http1.inFlight + http2.inFlight
    },
    renewTls: (files) => tls?.renew(files),
    close({ graceMs = 9_000 } = {}) {
      if (closed) cutOff()
      closed ??= drain(graceMs)
      return closed
    },
  }
}
