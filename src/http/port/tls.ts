/** TLS on the port: the handshake with its deadline, then HTTP/1.1 or HTTP/2 according to ALPN. */
import type { Socket } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { contain, type ReportFault } from './containment.ts'
import type { Limits } from './limits.ts'

/** Certificate chain and private key, PEM. */
export interface TlsFiles {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

export interface TlsOptions {
  readonly limits: Limits
  http1(socket: Socket): void
  http2(socket: Socket): void
  dropped(reason: string): void
  readonly fault: ReportFault
}

/**
 * What is offered beside the certificate. RFC 9325 §3.1.1 and §4.2: nothing older than TLS 1.2, and there only suites with
 * forward secrecy and authenticated encryption. TLS 1.3 has no others.
 */
const OFFERED = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

/** Accepts connections that start with a TLS handshake. */
export class TlsServer {
  readonly #server: Server

  constructor(files: TlsFiles, { limits, http1, http2, dropped, fault }: TlsOptions) {
    this.#server = createServer({
      ...files,
      ...OFFERED,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: limits.headerMs,
    })
    contain(this.#server, fault)
    this.#server.on('secureConnection', (socket) => {
      contain(socket, fault)
      socket.on('error', () => {})
      // RFC 7301 §3.2: a client without ALPN gets the older protocol.
      if (socket.alpnProtocol === 'h2') http2(socket)
      else http1(socket)
    })
    this.#server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      dropped(error.code ?? 'tls')
      socket.destroy()
    })
    this.#server.on('error', () => dropped('tls'))
  }

  take(socket: Socket): void {
    // A client that disconnects during the handshake is removed immediately, not at the deadline.
    socket.allowHalfOpen = false
    this.#server.emit('connection', socket)
  }

  /** Uses a new certificate for new connections. */
  renew(files: TlsFiles): void {
    this.#server.setSecureContext({ ...files, ...OFFERED })
  }
}
