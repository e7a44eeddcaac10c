/** An exchange over HTTP/2. It uses the stream directly, because Node's compatibility layer is a third slower. */
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type Bounds, outOfBounds, readBody } from './body.ts'
import { Exchange, type Opening, type Streams } from './exchange.ts'
import { markStreaming, type StreamingExchange } from './exchange-streaming.ts'
import type { Http2Connection } from './port/http2-connection.ts'

const WITH_TRAILERS = { waitForTrailers: true }
const WITHOUT_BODY = { endStream: true }

/** A request and its response on one stream of an HTTP/2 connection. */
export class Http2Exchange extends Exchange {
  readonly hasTrailers = true
  readonly #stream: ServerHttp2Stream
  readonly #headers: IncomingHttpHeaders
  readonly #connection: Http2Connection
  /** Of a reply of messages, whose outcome is known at its end. */
  #trailers: Readonly<Record<string, string>> | undefined

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Http2Connection, opening: Opening) {
    super({ ...opening, verb: headers[':method'] ?? '', target: headers[':path'] ?? '' })
    this.#stream = stream
    this.#headers = headers
    this.#connection = connection
    stream.on('close', () => this.leave())
    // A reset is followed by `close`; without a listener it would end the process.
    stream.on('error', () => {})
  }

  get peer(): string {
    return this.#connection.peer
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  get headerNames(): readonly string[] {
    return Object.keys(this.#headers)
  }

  read(bounds: Bounds): Promise<Buffer> {
    if (Number(this.#headers['content-length'] ?? 0) > bounds.maxBytes) return Promise.reject(outOfBounds(bounds))
    return readBody(this.#stream, bounds)
  }

  /** Sends a body followed by trailers, which end a successful gRPC response. */
  replyWithTrailers(headers: readonly string[], body: Uint8Array, trailers: Readonly<Record<string, string>>): void {
    if (this.isOver) return
    this.finish(0, 200)
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    stream.on('wantTrailers', () => {
      if (!stream.destroyed) stream.sendTrailers(trailers)
    })
    stream.respond([':status', '200', ...this.headersFor(headers)], WITH_TRAILERS)
    stream.end(body)
  }

  /** Begins a reply of messages that ends with trailers, as streams of gRPC do. */
  openMessages(headers: readonly string[], streaming: StreamingExchange): Streams {
    const stream = this.#stream
    stream.on('wantTrailers', () => {
      if (!stream.destroyed) stream.sendTrailers(this.#trailers ?? {})
      this.#afterwards(() => {
        if (this.#isArriving) stream.close(constants.NGHTTP2_NO_ERROR)
      })
    })
    this.#trailers = {}
    return this.openStream(200, headers, streaming)
  }

  /** Ends a reply that was begun with `openMessages`. */
  closeMessages(code: number, trailers: Readonly<Record<string, string>>): void {
    this.#trailers = trailers
    this.closeStream(code)
  }

  protected get source(): ServerHttp2Stream {
    return this.#stream
  }

  protected begin(status: number, headers: string[], streaming: StreamingExchange): Streams {
    const stream = this.#stream
    markStreaming(stream, streaming)
    const options = this.#trailers === undefined ? undefined : WITH_TRAILERS
    if (!stream.destroyed && !stream.closed) stream.respond([':status', String(status), ...headers], options)
    return { source: stream, sink: stream }
  }

  protected end(): void {
    if (this.#trailers === undefined) this.#send(() => this.#stream.end())
    else if (!this.#stream.destroyed) this.#stream.end()
  }

  protected needsLength(): boolean {
    return false
  }

  protected write(status: number, headers: string[], body: Uint8Array | string | undefined): void {
    const stream = this.#stream
    const all = [':status', String(status), ...headers]
    this.#send(() => {
      if (body === undefined) stream.respond(all, WITHOUT_BODY)
      else {
        stream.respond(all)
        stream.end(body)
      }
    })
  }

  /**
   * Sends the end of the answer. When it comes before the end of the request, RFC 9113 §8.1: the peer is asked, without
   * blame, to stop sending. A client may count such a stream as ended and open another one in its place, which would be
   * one too many here and cost it the connection: nothing more is read until the reset is on its way behind the answer.
   */
  #send(send: () => void): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    if (stream.readableEnded) {
      send()
      return
    }
    // What has arrived is dropped, or the window of the connection would shrink with every refusal.
    stream.removeAllListeners('data')
    stream.resume()
    if (!this.#isArriving) {
      send()
      return
    }
    this.#connection.holdUntilClosed(stream)
    // Not while the library reads a frame: it would drop the answer for the sake of the reset.
    this.#afterwards(() => {
      if (stream.destroyed || stream.closed) return
      send()
      stream.once('finish', () => {
        if (this.#isArriving) stream.close(constants.NGHTTP2_NO_ERROR)
      })
    })
  }

  /** Runs it when the library has read the present frames. */
  #afterwards(run: () => void): void {
    setImmediate(() => this.contain(run))
  }

  /** Whether the peer has not ended the request. */
  get #isArriving(): boolean {
    return !this.#stream.destroyed && this.#stream.state.remoteClose === 0
  }
}
