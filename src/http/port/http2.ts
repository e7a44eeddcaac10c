/** The HTTP/2 half of the port: sessions with limits on everything a peer may send, deadlines, and GOAWAY. */
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { longExchangeOf } from '../exchange-streaming.ts'
import type { Half } from './http1.ts'
import { Roll } from './in-flight.ts'
import type { Limits } from './limits.ts'

interface Options {
  readonly limits: Limits
  serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void
  dropped(reason: string): void
}

/** What the sweep knows of one session. */
interface Guest {
  readonly socket: Socket
  readonly streams: Roll<ServerHttp2Stream>
  /** Id of the newest stream whose headers arrived whole. */
  newest: number
  /** Since when there was no stream, the last time there was none. */
  idleAt: number
  /** Since when a stream has begun whose headers are not whole; 0 = none has. */
  unfinishedAt: number
  /** Since when it is told to go; 0 = it may stay. */
  leavingAt: number
  controlFrames: number
  countedAt: number
}

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_CANCEL } = constants
const LAST_STREAM_ID = 2 ** 31 - 1
const GOODBYE_MS = 1_000

export function openHttp2({ limits, serve, dropped }: Options): Half {
  const guests = new Map<ServerHttp2Session, Guest>()
  let isDraining = false
  const server = createServer({
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
  // A session's troubles are its peer's; the server lives on.
  server.on('sessionError', (error: NodeJS.ErrnoException) => dropped(error.code ?? 'http2'))
  server.on('error', () => {})
  // The session is made and announced while the socket is handed over; it gives no way to the socket itself.
  let taking: Socket | undefined
  server.on('session', (session) => {
    if (taking) welcome(session, taking)
  })

  const expel = (session: ServerHttp2Session, guest: Guest, reason: string) => {
    dropped(reason)
    session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM)
    setTimeout(() => guest.socket.destroy(), 100).unref()
  }

  const leave = (session: ServerHttp2Session, guest: Guest) => {
    if (guest.leavingAt !== 0) return
    guest.leavingAt = Date.now()
    for (const { item } of guest.streams) longExchangeOf(item)?.drain()
    const close = () => {
      if (!session.closed && !session.destroyed) session.close()
    }
    // With no stream open the library reads no further once GOAWAY is sent, so there is nothing to wait for.
    if (guest.streams.size === 0) {
      close()
      return
    }
    // RFC 9113 §6.8: first a GOAWAY that refuses nothing, then, when the peer has seen it, the one that does; so a
    // request that crosses it on the way is still served.
    session.goaway(0, LAST_STREAM_ID)
    if (!session.ping(close)) close()
    setTimeout(close, GOODBYE_MS).unref()
  }

  const countControlFrame = (session: ServerHttp2Session, guest: Guest) => {
    const now = Date.now()
    if (now - guest.countedAt >= 1_000) {
      guest.countedAt = now
      guest.controlFrames = 0
    }
    guest.controlFrames++
    if (guest.controlFrames === limits.controlFramesPerSecond) expel(session, guest, 'http2_control_flood')
  }

  const welcome = (session: ServerHttp2Session, socket: Socket) => {
    const now = Date.now()
    const guest: Guest = {
      socket,
      streams: new Roll(),
      newest: 0,
      idleAt: now,
      unfinishedAt: 0,
      leavingAt: 0,
      controlFrames: 0,
      countedAt: now,
    }
    guests.set(session, guest)
    session.on('close', () => guests.delete(session))
    session.on('ping', () => countControlFrame(session, guest))
    session.on('remoteSettings', () => countControlFrame(session, guest))
    session.on('stream', (stream, headers) => {
      guest.newest = stream.id ?? guest.newest
      const place = guest.streams.add(stream, Date.now())
      stream.on('close', () => {
        guest.streams.remove(place)
        if (guest.streams.size > 0) return
        guest.idleAt = Date.now()
        if (guest.leavingAt !== 0 && !session.closed && !session.destroyed) session.close()
      })
      // A reset by the peer is reported here; without a listener it would end the process.
      stream.on('error', () => {})
      serve(stream, headers)
    })
    if (isDraining) leave(session, guest)
  }

  const sweepOne = (session: ServerHttp2Session, guest: Guest, now: number) => {
    if (session.destroyed) {
      guest.socket.destroy()
      return
    }
    // Node reports a stream when its headers are whole; the library beneath counts it as soon as they begin. A gap
    // between the two is a HEADERS block without END_HEADERS, which nothing else would ever end.
    const hasUnfinished = (session.state.lastProcStreamID ?? 0) > guest.newest
    if (!hasUnfinished) guest.unfinishedAt = 0
    else if (guest.unfinishedAt === 0) guest.unfinishedAt = now
    if (hasUnfinished && now - guest.unfinishedAt >= limits.headerMs) {
      expel(session, guest, 'http2_headers')
      return
    }
    for (const { item: stream, startedAt } of guest.streams) {
      const long = longExchangeOf(stream)
      // Begun while the session was already told to go.
      if (guest.leavingAt !== 0) long?.drain()
      const stillFor = now - (long?.movedAt ?? startedAt)
      if (stillFor < limits.exchangeMs) continue
      dropped('http2_exchange')
      stream.close(NGHTTP2_CANCEL)
      // A peer that does not read cannot be told; what remains of the stream goes with its connection.
      if (stillFor >= limits.exchangeMs * 2) expel(session, guest, 'http2_exchange')
    }
    if (guest.streams.size > 0) return
    if (guest.leavingAt !== 0) {
      if (now - guest.leavingAt >= GOODBYE_MS * 2) guest.socket.destroy()
      return
    }
    if (now - guest.idleAt >= (guest.newest === 0 ? limits.headerMs : limits.idleMs)) leave(session, guest)
  }

  return {
    take(socket) {
      // A peer that has said its last word hears nothing more: HTTP/2 knows no half-closed connection.
      socket.allowHalfOpen = false
      taking = socket
      server.emit('connection', socket)
      taking = undefined
      process.nextTick(() => socket.resume())
    },
    sweep(now) {
      for (const [session, guest] of guests) sweepOne(session, guest, now)
    },
    drain() {
      isDraining = true
      for (const [session, guest] of guests) leave(session, guest)
    },
    close() {
      server.close()
    },
    get inFlight() {
      let count = 0
      for (const { streams } of guests.values()) count += streams.size
      return count
    },
  }
}
