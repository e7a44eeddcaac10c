/** The connection below an HTTP/2 session. */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { runContained } from './containment.ts'

/** The part of a connection's handle that Node keeps to itself: the library reads from it, not from the socket. */
interface Handle {
  readStart(): void
  readStop(): void
}

/** How long a connection is held for a peer that does not take the answer: it must be read for that to change. */
const LONGEST_HOLD_MS = 1_000

export class Http2Connection {
  readonly #session: ServerHttp2Session
  readonly #socket: Socket
  #holding = 0

  /** `socket` is the connection itself: what the session offers as its socket throws as soon as the session ends. */
  constructor(session: ServerHttp2Session, socket: Socket) {
    this.#session = session
    this.#socket = socket
  }

  /** Address of the other end. */
  get peer(): string {
    return this.#socket.remoteAddress ?? ''
  }

  /** Reads nothing until the stream is closed, so that its answer leaves before anything else arrives. */
  holdUntilClosed(stream: ServerHttp2Stream): void {
    const handle = this.#handle
    if (handle === undefined) return
    this.#holding++
    handle.readStop()
    const release = () => {
      clearTimeout(timer)
      stream.off('close', release)
      this.#holding--
      if (this.#holding === 0) this.#handle?.readStart()
    }
    const timer = setTimeout(() => runContained(stream, release), LONGEST_HOLD_MS)
    stream.once('close', release)
  }

  /** Undefined once the session or its socket has ended. */
  get #handle(): Handle | undefined {
    if (this.#session.destroyed || this.#socket.destroyed) return undefined
    const { _handle: handle } = this.#socket as unknown as { readonly _handle: Handle | null | undefined }
    return handle ?? undefined
  }
}
