/**
 * Random HTTP/2 of a peer that means no good: frames that are cut short, never continued, on streams that are closed or
 * never were, with headers that cannot be decoded, windows that overflow, and bodies that continue after the answer.
 */
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  GOAWAY,
  HEADERS,
  PING,
  PREFACE,
  PRIORITY,
  PUSH_PROMISE,
  RST_STREAM,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
} from '../../test/faults/raw-http2.ts'
import { cutShort, noise, once, some } from './chance.ts'
import type { Random } from './mutations.ts'

const PADDED = 0x8
const WITH_PRIORITY = 0x20
const LARGEST_WINDOW = 0x7fffffff
/** Those that are answered early are the interesting ones: their bodies are still arriving. */
const PATHS = [
  '/',
  '/healthz',
  '/nowhere',
  '/zitadel.user.v2.UserService/GetUserByID',
  '/v2/users/1',
  '/oauth/v2/token',
]
const VERBS = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'CONNECT', 'BREW']
const FIELDS = [
  field('content-type', 'application/grpc'),
  field('content-type', 'application/json'),
  field('content-length', '10'),
  field('content-length', '-1'),
  field('te', 'trailers'),
  field('expect', '100-continue'),
  field('connection', 'close'),
  field('transfer-encoding', 'chunked'),
  field('Upper', 'case'),
  field(':status', '200'),
  field('', ''),
  field('x', '\0\r\n'),
  field('cookie', 'a=b'),
  field('x-long', 'y'.repeat(120)),
]
/** RFC 7541: an index of nothing, a size update that is too large, a Huffman text that is none, an integer without end. */
const BROKEN = ['ff80ffff7f', '3fffffff7f', '4081ff81ff', 'ffffffffffffff', 'be', '80', '00', '40', '7f'].map((hex) =>
  Buffer.from(hex, 'hex'),
)
const SETTING_IDS = [1, 2, 3, 4, 5, 6, 8, 9, 0xffff]
const NUMBERS = [0, 1, 2, 100, 16_383, 16_384, 65_535, 16_777_215, 16_777_216, LARGEST_WINDOW, 0xffffffff]

/** A name or a value as RFC 7541 §6.2.1 adds it to the table, from which later requests name it. */
function remembered(random: Random): Buffer {
  const plain = field(`x-${random.below(5)}`, 'v'.repeat(random.below(100)))
  plain[0] = 0x40
  return plain
}

/** The names of the table that were added first; many of them are not there. */
function named(random: Random): Buffer {
  return Buffer.from([0x80 | (62 + random.below(8))])
}

function headerBlock(random: Random): Buffer {
  const parts = [field(':method', random.pick(VERBS)), field(':scheme', 'http'), field(':path', random.pick(PATHS))]
  if (!once(random, 10)) parts.push(field(':authority', 'a'))
  parts.push(...some(random, 4, () => random.pick(FIELDS)))
  parts.push(...some(random, 2, () => remembered(random)))
  if (once(random, 3)) parts.push(named(random))
  if (once(random, 8)) parts.splice(random.below(parts.length), 0, random.pick(BROKEN))
  if (once(random, 20)) parts.splice(random.below(parts.length), 1)
  if (once(random, 30)) parts.push(noise(random, 40))
  const block = Buffer.concat(parts)
  return once(random, 10) ? block.subarray(0, random.below(block.length)) : block
}

/** What one connection does. It remembers the newest stream, so that most frames are about streams that exist. */
class Peer {
  readonly #random: Random
  #newest = -1

  constructor(random: Random) {
    this.#random = random
  }

  next(): Buffer {
    const make = this.#random.pick(this.#kinds)
    return make()
  }

  #any(): number {
    const random = this.#random
    if (this.#newest < 1 || once(random, 15)) return random.pick([0, 1, 2, 3, 99, LARGEST_WINDOW])
    return this.#newest - 2 * random.below(Math.min(4, (this.#newest + 1) / 2))
  }

  #flags(usual: number): number {
    return once(this.#random, 8) ? this.#random.below(256) : usual
  }

  #request = (): Buffer => {
    const random = this.#random
    this.#newest += once(random, 30) ? 20 : 2
    const block = headerBlock(random)
    const end = random.pick([0, 0, END_STREAM])
    if (once(random, 5)) return this.#continued(block, end)
    const isFinished = !once(random, 6)
    return frame(HEADERS, this.#flags(end | (isFinished ? END_HEADERS : 0)), this.#newest, block)
  }

  #continued(block: Buffer, end: number): Buffer {
    const cut = this.#random.below(block.length + 1)
    const last = once(this.#random, 4) ? 0 : END_HEADERS
    return Buffer.concat([
      frame(HEADERS, end, this.#newest, block.subarray(0, cut)),
      frame(CONTINUATION, last, once(this.#random, 8) ? this.#any() : this.#newest, block.subarray(cut)),
    ])
  }

  #trailers = (): Buffer => {
    const random = this.#random
    const block = Buffer.concat([
      ...some(random, 3, () => random.pick(FIELDS)),
      ...some(random, 2, () => remembered(random)),
    ])
    return frame(
      HEADERS,
      this.#flags(random.pick([END_STREAM | END_HEADERS, END_HEADERS, END_STREAM, 0])),
      this.#any(),
      block,
    )
  }

  #body = (): Buffer => {
    const random = this.#random
    const content = once(random, 10) ? Buffer.alloc(16_384) : noise(random, 30)
    return frame(DATA, this.#flags(random.pick([0, 0, END_STREAM])), this.#any(), content)
  }

  #flood = (): Buffer => {
    const make = this.#random.pick([this.#reset, this.#body, this.#request, this.#ping, this.#settings, this.#window])
    return Buffer.concat(some(this.#random, 50, make))
  }

  /** Answered before its body has arrived, and in the same write a header block that nothing continues. */
  #earlyAnswer = (): Buffer => {
    const random = this.#random
    this.#newest += 2
    const post = [
      field(':method', 'POST'),
      field(':scheme', 'http'),
      field(':path', random.pick(PATHS)),
      field(':authority', 'a'),
    ]
    const begun = frame(HEADERS, END_HEADERS, this.#newest, Buffer.concat(post))
    const body = some(random, 3, () => frame(DATA, 0, this.#newest, noise(random, 30)))
    this.#newest += 2
    const unfinished = frame(HEADERS, random.pick([0, END_STREAM]), this.#newest, Buffer.concat(post))
    return Buffer.concat([begun, ...body, unfinished, ...some(random, 2, () => this.next())])
  }

  #rapidReset = (): Buffer => {
    const request = this.#request()
    return Buffer.concat([request, frame(RST_STREAM, 0, this.#newest, uint32(8))])
  }

  #reset = (): Buffer => frame(RST_STREAM, 0, this.#any(), uint32(this.#random.below(15)))
  #ping = (): Buffer =>
    frame(PING, this.#flags(0), once(this.#random, 10) ? 1 : 0, Buffer.alloc(once(this.#random, 10) ? 7 : 8))
  #window = (): Buffer => frame(WINDOW_UPDATE, 0, this.#any(), uint32(this.#random.pick(NUMBERS)))
  #goaway = (): Buffer =>
    frame(
      GOAWAY,
      0,
      0,
      Buffer.concat([uint32(this.#random.pick(NUMBERS)), uint32(this.#random.below(15)), noise(this.#random, 20)]),
    )
  #priority = (): Buffer =>
    frame(PRIORITY, 0, this.#any(), Buffer.concat([uint32(this.#any()), noise(this.#random, 1)]))
  #promise = (): Buffer =>
    frame(PUSH_PROMISE, END_HEADERS, this.#any(), Buffer.concat([uint32(2), headerBlock(this.#random)]))
  #padded = (): Buffer =>
    frame(
      this.#random.pick([DATA, HEADERS]),
      PADDED | WITH_PRIORITY | END_HEADERS,
      this.#any(),
      noise(this.#random, 60),
    )
  #unknown = (): Buffer => frame(this.#random.below(256), this.#random.below(256), this.#any(), noise(this.#random, 60))
  #garbage = (): Buffer => noise(this.#random, 60)

  #settings = (): Buffer => {
    const random = this.#random
    if (once(random, 4)) return frame(SETTINGS, ACK, 0)
    const entries = some(random, 4, () => {
      const entry = Buffer.alloc(6)
      entry.writeUInt16BE(random.pick(SETTING_IDS))
      entry.writeUInt32BE(random.pick(NUMBERS), 2)
      return entry
    })
    return frame(SETTINGS, this.#flags(0), once(random, 15) ? 1 : 0, Buffer.concat(entries))
  }

  readonly #kinds = [
    ...Array.from({ length: 8 }, () => this.#request),
    ...Array.from({ length: 4 }, () => this.#body),
    ...Array.from({ length: 2 }, () => this.#earlyAnswer),
    ...[
      this.#trailers,
      this.#trailers,
      this.#reset,
      this.#reset,
      this.#rapidReset,
      this.#ping,
      this.#window,
      this.#settings,
    ],
    ...[
      this.#settings,
      this.#goaway,
      this.#priority,
      this.#promise,
      this.#padded,
      this.#unknown,
      this.#garbage,
      this.#flood,
    ],
  ]
}

/** What a hostile peer writes on one connection over HTTP/2, in these pieces. */
export function hostileFrames(random: Random): readonly Buffer[] {
  const peer = new Peer(random)
  const opening = Buffer.concat([PREFACE, once(random, 15) ? Buffer.alloc(0) : frame(SETTINGS, 0, 0)])
  return cutShort(random, [opening, ...Array.from({ length: 1 + random.below(12) }, () => peer.next())])
}

/** How many frames these bytes are for who reads them. */
export function countFrames(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(PREFACE) === 0 ? PREFACE.length : 0; at + 9 <= bytes.length; count++) {
    at += 9 + bytes.readUIntBE(at, 3)
  }
  return count
}
