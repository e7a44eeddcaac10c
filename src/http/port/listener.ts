/**
 * The single port: a TCP listener that detects HTTP/1.1, HTTP/2 and TLS by the first bytes, limits slow and hostile
 * clients, and closes without losing a request.
 */
import { EventEmitter } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Router } from '../router.ts'
import { contain, type ReportFault } from './containment.ts'
import { dismiss, Http1Server, plainAnswer } from './http1.ts'
import { Http2Server } from './http2.ts'
import { defaultLimits, type Limits, sweepMs } from './limits.ts'
import { type ConnectionProtocol, sniff } from './sniff.ts'
import { type TlsFiles, TlsServer } from './tls.ts'

export interface PortOptions {
  readonly listen: { readonly host: string; readonly port: number }
  readonly router: Router
  readonly tls?: TlsFiles | undefined
  readonly limits?: Partial<Limits>
  /** Called for each connection. */
  accepted?(): void
  /** Called when a client was disconnected or rejected; `reason` is a short word for metrics. */
  dropped?(reason: string): void
  /** Called on an unexpected error. The request was answered with an error. */
  fault?(error: unknown): void
}

const TLS_ONLY = plainAnswer('400 Bad Request', 'This port accepts only TLS. Use https.')

function openHttp1(router: Router, limits: Limits, dropped: (reason: string) => void, fault: ReportFault) {
  return new Http1Server({
    limits,
    dropped,
    fault,
    serve(request, response) {
      try {
        router.http1(request, response)
      } catch (error) {
        fault(error)
        if (!response.headersSent) response.writeHead(500)
        response.end()
      }
    },
  })
}

function openHttp2(router: Router, limits: Limits, dropped: (reason: string) => void, fault: ReportFault) {
  return new Http2Server({
    limits,
    dropped,
    fault,
    serve(stream, headers, connection) {
      try {
        router.http2(stream, headers, connection)
      } catch (error) {
        fault(error)
        if (!stream.headersSent && !stream.destroyed) stream.respond({ ':status': 500 }, { endStream: true })
        else stream.close()
      }
    },
  })
}

/** An open port. */
export class Port {
  readonly #limits: Limits
  readonly #accepted: () => void
  readonly #dropped: (reason: string) => void
  readonly #fault: ReportFault
  readonly #http1: Http1Server
  readonly #http2: Http2Server
  readonly #tls: TlsServer | undefined
  readonly #listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket))
  readonly #sockets = new Set<Socket>()
  /** Connections whose protocol is not known yet. */
  readonly #undecided = new Set<Socket>()
  readonly #perAddress = new Map<string, number>()
  readonly #lastOut = new EventEmitter()
  #address: PortOptions['listen'] = { host: '', port: 0 }
  #sweeping: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined

  /** Does not listen before `listen` is called; `openPort` does both. */
  constructor({ router, tls, limits, accepted = () => {}, dropped = () => {}, fault = () => {} }: PortOptions) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#accepted = accepted
    this.#dropped = dropped
    this.#fault = fault
    contain(this.#listener, fault)
    this.#http1 = openHttp1(router, this.#limits, dropped, fault)
    this.#http2 = openHttp2(router, this.#limits, dropped, fault)
    this.#tls =
      tls &&
      new TlsServer(tls, {
        limits: this.#limits,
        dropped,
        fault,
        http1: (socket) => this.#http1.take(socket),
        http2: (socket) => this.#http2.take(socket),
      })
  }

  /** Rejects when the server cannot listen on the address. */
  async listen({ host, port }: PortOptions['listen']): Promise<void> {
    const listener = this.#listener
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject)
      listener.listen({ host, port, backlog: 1024 }, () => {
        listener.off('error', reject)
        resolve()
      })
    })
    const bound = listener.address() as AddressInfo
    this.#address = { host: bound.address, port: bound.port }
    // Without file descriptors, for example, a connection fails but the listener continues.
    listener.on('error', this.#fault)
    this.#sweeping = setInterval(() => {
      const now = performance.now()
      this.#http1.sweep(now)
      this.#http2.sweep(now)
    }, sweepMs(this.#limits)).unref()
  }

  /** The address that it listens on, or did until it was closed. */
  get address(): PortOptions['listen'] {
    return this.#address
  }

  get connections(): number {
    return this.#sockets.size
  }

  /** How many requests are being served. */
  get inFlight(): number {
    return this.#http1.inFlight + this.#http2.inFlight
  }

  /** Uses a new certificate for new connections. */
  renewTls(files: TlsFiles): void {
    this.#tls?.renew(files)
  }

  /**
   * Stops accepting connections, waits for requests in flight, and resolves when all connections are closed. After
   * `graceMs`, or on a second call, the remaining ones are cut off.
   */
  close({ graceMs = 9_000 }: { readonly graceMs?: number } = {}): Promise<void> {
    if (this.#closed) this.#cutOff()
    this.#closed ??= this.#drain(graceMs)
    return this.#closed
  }

  #take(socket: Socket): void {
    contain(socket, this.#fault)
    // A connection can be reset at any time. The code that serves it notices when it closes.
    socket.on('error', () => {})
    this.#accepted()
    if (!this.#accept(socket)) {
      this.#dropped('too_many_connections')
      socket.destroy()
      return
    }
    this.#undecided.add(socket)
    sniff(socket, this.#limits.headerMs, (protocol) => {
      this.#undecided.delete(socket)
      this.#handOver(socket, protocol)
    })
  }

  #handOver(socket: Socket, protocol: ConnectionProtocol): void {
    if (this.#tls) {
      if (protocol === 'tls') this.#tls.take(socket)
      else dismiss(socket, TLS_ONLY)
    } else if (protocol === 'http2') this.#http2.take(socket)
    else this.#http1.take(socket)
  }

  /** Counts a connection. Returns false when there are too many. */
  #accept(socket: Socket): boolean {
    const { connections, connectionsPerAddress } = this.#limits
    const from = socket.remoteAddress ?? ''
    const count = this.#perAddress.get(from) ?? 0
    const isFull = this.#sockets.size >= connections || count >= connectionsPerAddress
    if (this.#closed !== undefined || from === '' || isFull) return false
    this.#perAddress.set(from, count + 1)
    this.#sockets.add(socket)
    socket.on('close', () => this.#forget(socket, from))
    return true
  }

  #forget(socket: Socket, from: string): void {
    this.#sockets.delete(socket)
    if (this.#sockets.size === 0) this.#lastOut.emit('empty')
    this.#undecided.delete(socket)
    const left = (this.#perAddress.get(from) ?? 1) - 1
    if (left > 0) this.#perAddress.set(from, left)
    else this.#perAddress.delete(from)
  }

  #cutOff(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #drain(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#cutOff(), graceMs)
      const finish = () => {
        clearTimeout(deadline)
        clearInterval(this.#sweeping)
        this.#http1.close()
        this.#http2.close()
        resolve()
      }
      // The listener can finish before the last socket has emitted its event.
      this.#listener.close(() => (this.#sockets.size === 0 ? finish() : this.#lastOut.once('empty', finish)))
      for (const socket of this.#undecided) socket.destroy()
      this.#http1.drain()
      this.#http2.drain()
    })
  }
}

/** Opens the port. Rejects when the server cannot listen on the address. */
export async function openPort(options: PortOptions): Promise<Port> {
  const port = new Port(options)
  await port.listen(options.listen)
  return port
}
