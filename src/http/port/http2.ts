/** HTTP/2 on the port: sessions with limits for all that a client can send, deadlines, and GOAWAY. */
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type Http2Server as NodeServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { streamingExchangeOf } from '../exchange-streaming.ts'
import { contain, type ReportFault, runContained } from './containment.ts'
import type { HttpServer } from './http1.ts'
import { Http2Connection } from './http2-connection.ts'
import { InFlight } from './in-flight.ts'
import type { Limits } from './limits.ts'
import { lingerAfterGoaway } from './linger.ts'
import { SessionLifetime } from './session-lifetime.ts'
import { replaceStreamTables } from './stream-table.ts'

export interface Http2Options {
  readonly limits: Limits
  serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, connection: Http2Connection): void
  dropped(reason: string): void
  readonly fault: ReportFault
}

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_CANCEL } = constants
const LAST_STREAM_ID = 2 ** 31 - 1
const GOODBYE_MS = 1_000
/** How often to look for header blocks that were rejected: nothing reports them. */
const WATCH_MS = 100
/** An answer of this many bytes is one DATA frame (RFC 9113 §4.2). */
const FRAME_BYTES = 16_384
/** A client that estimates the bandwidth sends a PING for each DATA frame; no client sends more than two for a request. */
const CONTROL_FRAMES_PER_REQUEST = 2
/** Until it has read our settings, a client may open more streams than we allow; those are rejected too. */
const REJECTED_BEFORE_SETTINGS = 10_000

/** One session: its streams, its deadlines and its end. */
class Session {
  readonly #session: ServerHttp2Session
  readonly #socket: Socket
  readonly #options: Http2Options
  readonly #connection: Http2Connection
  readonly #lifetime: SessionLifetime
  readonly #streams = new InFlight<ServerHttp2Stream>()
  /** ID of the newest stream whose headers are complete. */
  #newest = 0
  /** Since when the session has no streams. */
  #idleAt = performance.now()
  /** Since when a stream has incomplete headers; 0 = none. */
  #unfinishedAt = 0
  /** Since when the session is closing; 0 = it is not. */
  #leavingAt = 0
  #controlFrames = 0
  #countedAt = performance.now()
  /** Requests, all and when counting began. */
  #requests = 0
  #requestsBefore = 0
  #writtenBefore = 0
  #isExpelled = false

  constructor(session: ServerHttp2Session, socket: Socket, options: Http2Options) {
    this.#session = session
    this.#socket = socket
    this.#options = options
    this.#connection = new Http2Connection(session, socket)
    contain(session, options.fault)
    replaceStreamTables(session)
    this.#lifetime = new SessionLifetime(session, socket)
    session.on('ping', () => this.#countControlFrame())
    session.on('remoteSettings', () => this.#countControlFrame())
    session.on('stream', (stream, headers) => this.#begin(stream, headers))
  }

  get inFlight(): number {
    return this.#streams.size
  }

  /** Asks the client to leave, and closes the session when no request is in flight. */
  leave(): void {
    if (this.#leavingAt !== 0) return
    this.#leavingAt = performance.now()
    for (const { item } of this.#streams) streamingExchangeOf(item)?.drain()
    // Without open streams, the library reads nothing after GOAWAY, so there is nothing to wait for.
    if (this.#streams.size === 0) {
      this.#close()
      return
    }
    // RFC 9113 §6.8: the first GOAWAY refuses nothing; the second one follows when the client has seen it. So a request
    // that is sent at the same time is still served.
    this.#session.goaway(0, LAST_STREAM_ID)
    if (!this.#session.ping(() => this.#close())) this.#close()
    setTimeout(() => runContained(this.#session, () => this.#close()), GOODBYE_MS).unref()
  }

  /** Closes streams and sessions that exceed their deadlines. */
  sweep(now: number): void {
    if (this.#session.destroyed) {
      if (!this.#isExpelled) this.#socket.destroy()
      return
    }
    if (this.#isLateWithHeaders(now)) {
      this.#expel('http2_headers')
      return
    }
    for (const { item, startedAt } of this.#streams) this.#sweepStream(item, startedAt, now)
    if (this.#streams.size > 0) return
    if (this.#leavingAt !== 0) {
      if (now - this.#leavingAt >= GOODBYE_MS * 2) this.#socket.destroy()
      return
    }
    const { headerMs, idleMs } = this.#options.limits
    if (now - this.#idleAt >= (this.#newest === 0 ? headerMs : idleMs)) this.leave()
  }

  /**
   * Cuts off a peer whose header blocks are rejected again and again (an HPACK bomb): each is decoded to its end, which
   * costs far more than sending it. Node reports only streams whose headers it kept, so those missing were rejected.
   */
  watchHeaders(): void {
    if (this.#session.destroyed) return
    const begun = ((this.#session.state.lastProcStreamID ?? 0) + 1) >> 1
    const { rejectedHeaderBlocks } = this.#options.limits
    const allowed = this.#session.pendingSettingsAck ? REJECTED_BEFORE_SETTINGS : rejectedHeaderBlocks
    if (begun - this.#requests > allowed) this.#expel('http2_header_flood')
  }

  #begin(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    contain(stream, this.#options.fault)
    this.#newest = stream.id ?? this.#newest
    this.#requests++
    const handle = this.#lifetime.begin(stream)
    const place = this.#streams.add(stream, performance.now())
    stream.on('close', () => {
      this.#lifetime.outlive(stream, handle)
      this.#streams.remove(place)
      if (this.#streams.size > 0) return
      this.#idleAt = performance.now()
      if (this.#leavingAt !== 0) this.#close()
    })
    // A reset by the peer is reported here; without a listener it would end the process.
    stream.on('error', () => {})
    this.#options.serve(stream, headers, this.#connection)
  }

  #close(): void {
    if (!this.#session.closed && !this.#session.destroyed) this.#session.close()
  }

  #expel(reason: string): void {
    if (this.#isExpelled) return
    this.#isExpelled = true
    this.#options.dropped(reason)
    lingerAfterGoaway(this.#socket)
    // Not undefined: Node would take its default, NO_ERROR, and forget the code.
    this.#session.destroy(null as unknown as undefined, NGHTTP2_ENHANCE_YOUR_CALM)
  }

  /** Control frames in proportion to requests and answers are no flood. */
  #countControlFrame(): void {
    const now = performance.now()
    const { bytesWritten } = this.#socket
    if (now - this.#countedAt >= 1_000) {
      this.#countedAt = now
      this.#controlFrames = 0
      this.#requestsBefore = this.#requests
      this.#writtenBefore = bytesWritten
    }
    this.#controlFrames++
    const forRequests = (this.#requests - this.#requestsBefore) * CONTROL_FRAMES_PER_REQUEST
    const forAnswers = (bytesWritten - this.#writtenBefore) / FRAME_BYTES
    const allowed = this.#options.limits.controlFramesPerSecond + forRequests + forAnswers
    if (this.#controlFrames >= allowed) this.#expel('http2_control_flood')
  }

  /**
   * Node reports a stream when its headers are complete; the library below counts it as soon as they start. A
   * difference between the two is a HEADERS block without END_HEADERS, which has no other timeout.
   */
  #isLateWithHeaders(now: number): boolean {
    const hasUnfinished = (this.#session.state.lastProcStreamID ?? 0) > this.#newest
    if (!hasUnfinished) this.#unfinishedAt = 0
    else if (this.#unfinishedAt === 0) this.#unfinishedAt = now
    return hasUnfinished && now - this.#unfinishedAt >= this.#options.limits.headerMs
  }

  #sweepStream(stream: ServerHttp2Stream, startedAt: number, now: number): void {
    const { exchangeMs } = this.#options.limits
    const streaming = streamingExchangeOf(stream)
    // The stream started after the GOAWAY.
    if (this.#leavingAt !== 0) streaming?.drain()
    const stillFor = now - (streaming?.movedAt ?? startedAt)
    if (stillFor < exchangeMs) return
    this.#options.dropped('http2_exchange')
    stream.close(NGHTTP2_CANCEL)
    // A client that does not read cannot be notified. The rest of the stream ends with its connection.
    if (stillFor >= exchangeMs * 2) this.#expel('http2_exchange')
  }
}

export class Http2Server implements HttpServer {
  readonly #server: NodeServer
  readonly #sessions = new Map<ServerHttp2Session, Session>()
  /** The session is announced while its socket is handed over, and has no access to the socket itself. */
  #taking: Socket | undefined
  readonly #watching: NodeJS.Timeout
  #isDraining = false

  constructor(options: Http2Options) {
    const { limits, dropped } = options
    this.#watching = setInterval(() => {
      for (const [node, session] of this.#sessions) runContained(node, () => session.watchHeaders())
    }, WATCH_MS).unref()
    this.#server = createServer({
      maxSessionMemory: limits.sessionMegabytes,
      maxHeaderListPairs: limits.headerPairs,
      maxOutstandingPings: 10,
      maxSettings: 32,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: 100,
      streamResetBurst: limits.streamResetBurst,
      streamResetRate: limits.streamResetRate,
      settings: {
        maxConcurrentStreams: limits.streamsPerSession,
        maxHeaderListSize: limits.headerBytes,
        enablePush: false,
      },
    })
    contain(this.#server, options.fault)
    // An error of a session is caused by its client. The server continues.
    this.#server.on('sessionError', (error: NodeJS.ErrnoException) => dropped(error.code ?? 'http2'))
    this.#server.on('error', () => {})
    this.#server.on('session', (session) => {
      if (this.#taking) this.#open(session, this.#taking, options)
    })
  }

  take(socket: Socket): void {
    // HTTP/2 has no half-closed connections: a client that closed its side receives nothing more.
    socket.allowHalfOpen = false
    this.#taking = socket
    this.#server.emit('connection', socket)
    this.#taking = undefined
    process.nextTick(() => socket.resume())
  }

  sweep(now: number): void {
    for (const [node, session] of this.#sessions) runContained(node, () => session.sweep(now))
  }

  drain(): void {
    this.#isDraining = true
    for (const [node, session] of this.#sessions) runContained(node, () => session.leave())
  }

  close(): void {
    clearInterval(this.#watching)
    this.#server.close()
  }

  get inFlight(): number {
    let count = 0
    for (const session of this.#sessions.values()) count += session.inFlight
    return count
  }

  #open(node: ServerHttp2Session, socket: Socket, options: Http2Options): void {
    const session = new Session(node, socket, options)
    this.#sessions.set(node, session)
    node.on('close', () => this.#sessions.delete(node))
    if (this.#isDraining) session.leave()
  }
}
