/** The request messages of a stream, as their frames arrive. */
import type { Readable } from 'node:stream'
import type { Message } from '@bufbuild/protobuf'
import type { StreamMethod } from '../../access/method.ts'
import { accessOf } from '../../access/requirement.ts'
import { binaryReader } from '../codec/binary-reader.ts'
import { jsonReader } from '../codec/json-reader.ts'
import { parseJson } from '../codec/json-text.ts'
import type { Codec } from './content-type.ts'
import {
  cancelled,
  Failed,
  type Failure,
  MAX_PUBLIC_REQUEST_BYTES,
  MAX_REQUEST_BYTES,
  malformed,
  notOneMessage,
  tooLarge,
} from './errors.ts'
import { decodeText, frameLength, readFrame } from './frames.ts'
import { STATUS } from './status.ts'

/** Requests in one stream. */
const MAX_REQUESTS = 10_000

const tooManyRequests: Failure = Object.freeze({
  status: STATUS.exhausted,
  id: 'stream.too_long',
  message: 'The stream has too many requests. Open a new one.',
})

export interface RequestFrames {
  readonly source: Readable
  readonly codec: Codec
  readonly isText: boolean
  /** How frames may be compressed. */
  readonly compression: string | undefined
  /** Nothing more is read then. */
  readonly signal: AbortSignal
  /** Something has arrived. */
  moved(): void
}

/** Reads the requests of a method. */
export function requestReader({ descriptor }: StreamMethod): (frames: RequestFrames) => AsyncGenerator<Message> {
  const { input, methodKind } = descriptor
  const isOne = methodKind === 'server_streaming'
  const maxBytes = accessOf(descriptor).public ? MAX_PUBLIC_REQUEST_BYTES : MAX_REQUEST_BYTES
  const readJson = jsonReader(input)
  const read = { proto: binaryReader(input), json: (bytes: Buffer) => readJson(parseJson(bytes)) }
  return async function* requests(frames) {
    const { codec, compression, signal } = frames
    let count = 0
    for await (const frame of framesIn(frames, maxBytes)) {
      count++
      if (isOne && count > 1) throw notOneMessage()
      if (count > MAX_REQUESTS) throw new Failed(tooManyRequests)
      yield read[codec](await readFrame(frame, compression, maxBytes))
    }
    if (isOne && count === 0 && !signal.aborted) throw notOneMessage()
  }
}

async function* framesIn(frames: RequestFrames, maxBytes: number): AsyncGenerator<Buffer> {
  const { signal, isText } = frames
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of isText ? wholeText(frames, maxBytes) : chunksOf(frames)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const length = frameLength(rest, maxBytes)
      if (length === undefined || rest.length < length) break
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
  if (rest.length > 0 && !signal.aborted) throw malformed('The request frame is incomplete.')
}

/** The bytes as they arrive; ends when the stream is to end. */
async function* chunksOf({ source, signal, moved }: RequestFrames): AsyncGenerator<Buffer> {
  const chunks = source.iterator({ destroyOnReturn: false })
  const stopped = new Promise<{ readonly done: true }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true }))
  })
  while (!signal.aborted) {
    const step = await Promise.race([chunks.next().catch(brokenOff), stopped])
    if (step.done) break
    moved()
    yield step.value
  }
}

/** Base64 can be padded piece by piece: it is decoded when all of it is there. */
async function* wholeText(frames: RequestFrames, maxBytes: number): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of chunksOf(frames)) {
    length += chunk.length
    if (length > 3 * maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  yield decodeText(Buffer.concat(chunks))
}

/** The peer closed the stream, or was cut off: no fault of ours. */
function brokenOff(): never {
  throw cancelled()
}
