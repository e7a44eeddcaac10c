/** An exchange over HTTP/2. It uses the stream directly, because Node's compatibility layer is a third slower. */
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type Bounds, readBody } from './body.ts'
import { Exchange, type Opening, type Streams } from './exchange.ts'
import { markStreaming, type StreamingExchange } from './exchange-streaming.ts'
import { tooLarge } from './protocols/errors.ts'

const WITH_TRAILERS = { waitForTrailers: true }
const PATIENCE_MS = 500
const PATIENCE_BYTES = 64 * 1024
const WITHOUT_BODY = { endStream: true }

/** A request and its response on one stream of an HTTP/2 connection. */
export class Http2Exchange extends Exchange {
  readonly hasTrailers = true
  readonly #stream: ServerHttp2Stream
  readonly #headers: IncomingHttpHeaders

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, opening: Opening) {
    super({ ...opening, verb: headers[':method'] ?? '', target: headers[':path'] ?? '' })
    this.#stream = stream
    this.#headers = headers
    stream.on('close', () => this.leave())
    // A reset is followed by `close`; without a listener it would end the process.
    stream.on('error', () => {})
  }

  get peer(): string {
    return this.#stream.session?.socket.remoteAddress ?? ''
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  read(bounds: Bounds): Promise<Buffer> {
    if (Number(this.#headers['content-length'] ?? 0) > bounds.maxBytes) return Promise.reject(tooLarge())
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

  protected get source(): ServerHttp2Stream {
    return this.#stream
  }

  protected begin(status: number, headers: string[], streaming: StreamingExchange): Streams {
    const stream = this.#stream
    markStreaming(stream, streaming)
    if (!stream.destroyed && !stream.closed) stream.respond([':status', String(status), ...headers])
    return { source: stream, sink: stream }
  }

  protected end(): void {
    const stream = this.#stream
    if (stream.destroyed) return
    stream.end()
    if (!stream.readableEnded) this.#dismissRest()
  }

  protected needsLength(): boolean {
    return false
  }

  protected write(status: number, headers: string[], body: Uint8Array | string | undefined): void {
    const stream = this.#stream
    if (stream.destroyed || stream.closed) return
    const all = [':status', String(status), ...headers]
    if (body === undefined) stream.respond(all, WITHOUT_BODY)
    else {
      stream.respond(all)
      stream.end(body)
    }
    if (!stream.readableEnded) this.#dismissRest()
  }

  /**
   * The response was sent before the whole request arrived. A little more data is accepted and discarded, which usually
   * lets the stream end normally. After that, RFC 9113 §8.1 asks the client to stop sending. This must not happen
   * earlier, because clients treat it as a failure when it arrives before the response.
   */
  #dismissRest(): void {
    const stream = this.#stream
    const close = () => stream.close(constants.NGHTTP2_NO_ERROR)
    const timer = setTimeout(close, PATIENCE_MS)
    stream.once('close', () => clearTimeout(timer))
    let left = PATIENCE_BYTES
    stream.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) close()
    })
    stream.resume()
  }
}
