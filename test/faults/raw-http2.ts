/** HTTP/2 by hand: frames that no well-behaved client would send. */
import { connect, type Socket } from 'node:net'

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

// RFC 9113 §6: the frame types used here.
export const DATA = 0
export const HEADERS = 1
export const PRIORITY = 2
export const RST_STREAM = 3
export const SETTINGS = 4
export const PUSH_PROMISE = 5
export const PING = 6
export const GOAWAY = 7
export const WINDOW_UPDATE = 8
export const CONTINUATION = 9

export const END_STREAM = 0x1
export const ACK = 0x1
export const END_HEADERS = 0x4

/** One frame, RFC 9113 §4.1. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A frame as it was heard. */
export interface HeardFrame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** The whole frames at the beginning of these bytes. */
export function framesIn(heard: string): readonly HeardFrame[] {
  const bytes = Buffer.from(heard, 'latin1')
  const frames: HeardFrame[] = []
  for (let at = 0; at + 9 <= bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3)
    if (end > bytes.length) break
    const [type, flags, stream] = [bytes.readUInt8(at + 3), bytes.readUInt8(at + 4), bytes.readUInt32BE(at + 5)]
    frames.push({ type, flags, stream, payload: bytes.subarray(at + 9, end) })
    at = end
  }
  return frames
}

function literal(text: string) {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])
}

/** A header field without indexing, RFC 7541 §6.2.2; texts are shorter than 127 bytes. */
export function field(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), literal(name), literal(value)])
}

/** `GET /` with the static table, RFC 7541 appendix A. */
export const getSlash = Buffer.concat([Buffer.from([0x82, 0x86, 0x84]), field(':authority', 'a')])

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A GOAWAY without debug data. */
const GOAWAY_BYTES = 17

/** A raw connection that remembers what it heard and whether the other side ended it. */
export interface Peer {
  readonly socket: Socket
  readonly closed: Promise<void>
  readonly isClosed: boolean
  heard(): string
  /** The error code of the GOAWAY that came last, RFC 9113 §6.8; undefined when the last frame is none. */
  goaway(): number | undefined
}

export function meet(port: number, first: Uint8Array | string = ''): Peer {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const chunks: Buffer[] = []
  let isClosed = false
  let tail = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-GOAWAY_BYTES)
    // Enough to tell what was said; a flood of answers is not kept.
    if (chunks.length < 2_000) chunks.push(chunk)
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve()
    })
  })
  if (first.length > 0) socket.write(first)
  return {
    socket,
    closed,
    get isClosed() {
      return isClosed
    },
    heard: () => Buffer.concat(chunks).toString('latin1'),
    goaway: () => (tail.length === GOAWAY_BYTES && tail[3] === GOAWAY ? tail.readUInt32BE(13) : undefined),
  }
}

/** A connection that has done the opening of HTTP/2. */
export function meet2(port: number): Peer {
  return meet(port, Buffer.concat([PREFACE, frame(SETTINGS, 0, 0)]))
}

/** Writes `chunk` again and again, at most `times`, until the other side hangs up; waits for room as an attacker would. */
export async function flood(peer: Peer, times: number, chunk: (round: number) => Uint8Array): Promise<void> {
  for (let round = 0; round < times && !peer.isClosed; round++) {
    if (peer.socket.write(chunk(round))) {
      if (round % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    const room = new Promise<void>((resolve) => peer.socket.once('drain', resolve))
    await Promise.race([room, peer.closed, new Promise((resolve) => setTimeout(resolve, 500))])
  }
}
