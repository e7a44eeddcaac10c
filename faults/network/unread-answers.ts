/**
 * A peer over HTTP/2 that allows large answers, reads nothing of them, and then sends trailers that never end, cannot be
 * decoded or are too many (decision 55).
 */
import {
  END_HEADERS,
  END_STREAM,
  field,
  frame,
  HEADERS,
  PREFACE,
  RST_STREAM,
  SETTINGS,
  uint32,
  WINDOW_UPDATE,
} from '../../test/faults/raw-http2.ts'
import { once } from './chance.ts'
import type { Random } from './mutations.ts'

/** RFC 9113 §6.5.2: the largest window of a stream. */
const WIDEST = Buffer.concat([Buffer.from([0, 4]), uint32(0x7fffffff)])
const A_FIELD = field('x-a', 'some value')
/** At least. The kernel takes about four megabytes for a peer that does not read, and an answer has half of one. */
const REQUESTS = 10

const TRAILERS: readonly ((stream: number) => Buffer)[] = [
  (stream) => frame(HEADERS, END_STREAM, stream, A_FIELD),
  (stream) => frame(HEADERS, END_STREAM | END_HEADERS, stream, Buffer.concat([A_FIELD, Buffer.alloc(8, 0xff)])),
  (stream) => frame(HEADERS, END_STREAM | END_HEADERS, stream, Buffer.concat(Array(300).fill(A_FIELD))),
]

/** Two writes: the requests for `large`, and what follows when the answers are on their way. */
export function unreadAnswers(random: Random, large: string): readonly [Buffer, Buffer] {
  const request = Buffer.concat([
    ...[field(':method', 'GET'), field(':scheme', 'http'), field(':path', large), field(':authority', 'a')],
  ])
  const streams = Array.from({ length: REQUESTS + random.below(REQUESTS) }, (_, index) => 2 * index + 1)
  const opening = [
    PREFACE,
    frame(SETTINGS, 0, 0, WIDEST),
    frame(WINDOW_UPDATE, 0, 0, uint32(0x7fff0000)),
    ...streams.map((stream) => frame(HEADERS, END_HEADERS, stream, request)),
  ]
  const trailers = streams.filter(() => !once(random, 3)).map((stream) => random.pick(TRAILERS)(stream))
  const resets = streams.filter(() => once(random, 4)).map((stream) => frame(RST_STREAM, 0, stream, uint32(8)))
  // The first kinds end the session: one of them alone in half of all cases, so that the others are met as well.
  const last = once(random, 2) ? trailers.slice(0, 1) : trailers
  return [Buffer.concat(opening), Buffer.concat(once(random, 2) ? [...last, ...resets] : [...resets, ...last])]
}
