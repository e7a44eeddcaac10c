/** An exchange over HTTP/1.1. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Bounds, outOfBounds, readBody } from './body.ts'
import { Exchange, type Opening, type Streams } from './exchange.ts'
import { markStreaming, type StreamingExchange } from './exchange-streaming.ts'
import { lingerAtClose } from './port/linger.ts'

/** A rest of a body up to this size is read and discarded, so that the connection can be reused. */
const WORTH_DISCARDING_BYTES = 64 * 1024

/** Node sends headers and a binary body in two packets, but headers and text in one, which is faster (measured). */
const WORTH_ONE_WRITE_BYTES = 16 * 1024

/** Latin-1 maps each byte to one character, so the bytes do not change. */
function bytesAsText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}

/** A request and its response on an HTTP/1.1 connection. */
export class Http1Exchange extends Exchange {
  readonly hasTrailers = false
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse, opening: Opening) {
    super({ ...opening, verb: request.method ?? '', target: request.url ?? '' })
    this.#request = request
    this.#response = response
    response.on('close', () => this.leave())
  }

  get peer(): string {
    return this.#request.socket.remoteAddress ?? ''
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  get headerNames(): readonly string[] {
    return Object.keys(this.#request.headers)
  }

  read(bounds: Bounds): Promise<Buffer> {
    if (Number(this.#request.headers['content-length'] ?? 0) > bounds.maxBytes)
      return Promise.reject(outOfBounds(bounds))
    return readBody(this.#request, bounds)
  }

  protected get source(): IncomingMessage {
    return this.#request
  }

  protected begin(status: number, headers: string[], streaming: StreamingExchange): Streams {
    markStreaming(this.#response, streaming)
    // Streaming starts the response before the request is read, so 100 Continue must be sent here.
    if (this.#awaitsContinue) this.#response.writeContinue()
    this.#response.writeHead(status, headers)
    // Tells the caller that it is authorized before the first line is processed.
    this.#response.flushHeaders()
    return { source: this.#request, sink: this.#response }
  }

  protected end(): void {
    const { socket } = this.#response
    lingerAtClose(this.#request)
    this.#response.end()
    if (!this.#request.complete) socket?.destroySoon()
  }

  protected needsLength(status: number): boolean {
    // RFC 9110 §8.6: not with 204.
    return status !== 204
  }

  protected write(status: number, headers: string[], body: Uint8Array | string | undefined): void {
    if (this.#mustClose()) headers.push('connection', 'close')
    lingerAtClose(this.#request)
    this.#response.writeHead(status, headers)
    if (typeof body === 'object' && body.length <= WORTH_ONE_WRITE_BYTES) {
      this.#response.end(bytesAsText(body), 'latin1')
    } else this.#response.end(body)
  }

  /**
   * RFC 9110 §10.1.1: whether the caller waits for 100 Continue before it sends the body. Node rejects other
   * expectations.
   */
  get #awaitsContinue(): boolean {
    const { headers, httpVersion } = this.#request
    return headers.expect !== undefined && httpVersion === '1.1'
  }

  /** Whether so much of the body is left that reading it costs more than a new connection. */
  #mustClose(): boolean {
    const { complete, headers } = this.#request
    if (complete) return false
    // RFC 9110 §10.1.1: a caller who receives a final response instead of 100 Continue may or may not send the body.
    if (this.#awaitsContinue) return true
    if (headers['transfer-encoding'] !== undefined) return true
    return Number(headers['content-length'] ?? 0) > WORTH_DISCARDING_BYTES
  }
}
