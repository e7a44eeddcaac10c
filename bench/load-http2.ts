/**
 * A load generator for HTTP/2 without TLS that writes frames itself (RFC 9113): far cheaper than a client library, so
 * that the server is what is measured. It understands just enough to keep streams going.
 */
import { connect, type Socket } from 'node:net'
import type { Load } from './load.ts'

export interface Http2Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  body(): Uint8Array | Conversation
  /** How long a caller waits after a refusal, on average, as `Retry-After` asks for; without it, not at all. */
  readonly pauseAfterFailureMs?: number
}

/** A request whose answer the load needs. */
export interface Conversation {
  readonly bytes: Uint8Array
  /** The data of a good answer: one gRPC frame. */
  answered(data: Buffer): void
}

const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 } as const
const END_STREAM = 1
const ACK = 1
const END_HEADERS = 4
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(9 + payload.length)
  bytes.writeUIntBE(payload.length, 0, 3)
  bytes[3] = type
  bytes[4] = flags
  bytes.writeUInt32BE(stream, 5)
  bytes.set(payload, 9)
  return bytes
}

/** RFC 7541 §6.2.2: a literal field without indexing, plain text. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), hpackString(name), hpackString(value)])
}

function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  const length: number[] = []
  if (bytes.length < 127) length.push(bytes.length)
  else {
    length.push(127)
    let rest = bytes.length - 127
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
    length.push(rest)
  }
  return Buffer.concat([Buffer.from(length), bytes])
}

function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32BE(bytes)
  return frame(FRAME.windowUpdate, 0, stream, payload)
}

/** Keeps `streams` requests in flight on each of `sessions` connections; an answer with a body counts as good. */
export function loadHttp2(port: number, request: Http2Request, sessions: number, streams: number): Load {
  const sockets: Socket[] = []
  const latencies: number[] = []
  let ok = 0
  let failed = 0
  let running = true
  let isPaused = false
  /** Sends the next request of each caller that waits for the end of a pause. */
  const waiting: (() => void)[] = []
  const fields = Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'http'),
    literal(':path', request.path),
    literal(':authority', 'localhost'),
    ...Object.entries(request.headers).map(([name, value]) => literal(name, value)),
  ])

  const open = () => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    sockets.push(socket)
    let next = 1
    let credit = 0
    let pending: Buffer = Buffer.alloc(0)
    const inFlight = new Map<number, { sentAt: number; gotBody: boolean; answered?: (data: Buffer) => void }>()
    const send = () => {
      const body = request.body()
      const [bytes, answered] = 'bytes' in body ? [body.bytes, body.answered] : [body, undefined]
      inFlight.set(next, { sentAt: performance.now(), gotBody: false, ...(answered && { answered }) })
      socket.write(frame(FRAME.headers, END_HEADERS, next, fields))
      socket.write(frame(FRAME.data, END_STREAM, next, bytes))
      next += 2
    }
    const finish = (stream: number, good: boolean) => {
      const started = inFlight.get(stream)
      if (!started) return
      inFlight.delete(stream)
      if (good) {
        ok++
        latencies.push(performance.now() - started.sentAt)
      } else failed++
      if (!running) return
      if (isPaused) waiting.push(send)
      else if (good || request.pauseAfterFailureMs === undefined) send()
      else setTimeout(() => running && send(), request.pauseAfterFailureMs * (0.5 + Math.random()))
    }
    const receive = (type: number, flags: number, stream: number, payload: Buffer) => {
      if (type === FRAME.data) {
        credit += payload.length
        const started = inFlight.get(stream)
        if (started && payload.length > 0) {
          started.gotBody = true
          started.answered?.(payload)
        }
      }
      if (type === FRAME.settings && (flags & ACK) === 0) socket.write(frame(FRAME.settings, ACK, 0, Buffer.alloc(0)))
      if (type === FRAME.ping && (flags & ACK) === 0) socket.write(frame(FRAME.ping, ACK, 0, payload))
      if (type === FRAME.reset) finish(stream, false)
      if ((type === FRAME.data || type === FRAME.headers) && (flags & END_STREAM) !== 0)
        finish(stream, inFlight.get(stream)?.gotBody === true)
      if (type === FRAME.goAway && running) failed++
    }
    socket.on('connect', () => {
      socket.write(Buffer.concat([PREFACE, frame(FRAME.settings, 0, 0, Buffer.alloc(0)), windowUpdate(0, 1 << 30)]))
      for (let index = 0; index < streams; index++) send()
    })
    socket.on('error', () => {
      if (running) failed++
    })
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      let at = 0
      socket.cork()
      while (pending.length - at >= 9) {
        const length = pending.readUIntBE(at, 3)
        if (pending.length - at < 9 + length) break
        const type = pending[at + 3] as number
        const flags = pending[at + 4] as number
        const stream = pending.readUInt32BE(at + 5) & 0x7fffffff
        receive(type, flags, stream, pending.subarray(at + 9, at + 9 + length))
        at += 9 + length
      }
      pending = pending.subarray(at)
      if (credit > 1 << 24) {
        socket.write(windowUpdate(0, credit))
        credit = 0
      }
      socket.uncork()
    })
  }
  for (let index = 0; index < sessions; index++) open()

  return {
    take: () => {
      const taken = { ok, failed, latencies: latencies.splice(0) }
      ok = 0
      failed = 0
      return taken
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      for (const send of waiting.splice(0)) send()
    },
    stop: () => {
      running = false
      for (const socket of sockets) socket.destroy()
    },
  }
}
