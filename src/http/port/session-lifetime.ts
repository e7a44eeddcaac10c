/**
 * Node ends the process (`current_nghttp2_memory_ == 0`) when an HTTP/2 session is freed while one of its streams still
 * holds header fields: trailers that were cut short, or refused. A stream is freed when it is destroyed, unless the socket
 * still has bytes of it to write: then it is left to the garbage collector, as the session is, which takes either first.
 * A peer that does not read its answer, begins trailers and leaves is enough, with Node 24.21.0 and 26.10.0, the releases
 * that were tried (decision 55).
 *
 * So a session ends after the writes of its socket, and stays in memory until the streams are freed that ended before.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { Socket } from 'node:net'

/** Remembers the handle of a session until that of its stream is freed. */
const kept = new FinalizationRegistry<object>(() => {})

let handleSymbol: symbol | undefined

/** What Node frees: the object below a session or a stream. Undefined when this version of Node keeps it elsewhere. */
export function handleOf(owner: object): object | undefined {
  handleSymbol ??= Object.getOwnPropertySymbols(owner).find(({ description }) => description === 'kHandle')
  return handleSymbol && (owner as Record<symbol, object | undefined>)[handleSymbol]
}

export class SessionLifetime {
  readonly #socket: Socket
  /** Weak, because the handle holds callbacks that hold the session. */
  readonly #handle: WeakRef<object> | undefined
  #hasHadStreams = false
  #isSocketClosed = false
  /** Why the session is to end as soon as its socket has. */
  #reason: Parameters<ServerHttp2Session['destroy']> | undefined

  /** To be called for a new session. */
  constructor(session: ServerHttp2Session, socket: Socket) {
    this.#socket = socket
    const handle = handleOf(session)
    if (handle !== undefined) this.#handle = new WeakRef(handle)
    const destroy = session.destroy
    session.destroy = (...reason) => {
      if (this.#isWriting) this.#reason ??= reason
      else destroy.apply(session, reason)
      // A peer that does not read would not see a GOAWAY either.
      if (this.#reason !== undefined) Socket.prototype.destroy.call(socket)
    }
    // Before the listener by which Node ends the session.
    socket.prependOnceListener('close', () => {
      this.#isSocketClosed = true
      const reason = this.#reason
      // The stack of an error leads to the handle.
      this.#reason = undefined
      if (reason !== undefined) destroy.apply(session, reason)
    })
  }

  /** To be called for a new stream. Answers its handle, which it loses when it is destroyed. */
  begin(stream: ServerHttp2Stream): object | undefined {
    this.#hasHadStreams = true
    return handleOf(stream)
  }

  /** To be called for a stream that was closed. */
  outlive(stream: ServerHttp2Stream, handle: object | undefined): void {
    // Once everything is written, the stream is freed at once.
    if (stream.writableFinished || handle === undefined) return
    const session = this.#handle?.deref()
    if (session !== undefined) kept.register(handle, session)
  }

  /** Whether the socket may hold bytes of a stream: until they are written, or it is closed. */
  get #isWriting(): boolean {
    if (!this.#hasHadStreams || this.#isSocketClosed) return false
    const { _handle: handle } = this.#socket as unknown as {
      readonly _handle?: { readonly writeQueueSize: number } | null
    }
    return this.#socket.destroyed || (handle?.writeQueueSize ?? 0) > 0
  }
}
