/** Methods that stream: frames in and frames out while the other side still sends, in the protocol of the caller. */
import type { Authorize } from '../../access/authorization.ts'
import type { StreamMethod } from '../../access/method.ts'
import { accessOf } from '../../access/requirement.ts'
import type { Admission } from '../admission/admission.ts'
import { limitsOf } from '../codec/validate.ts'
import type { Exchange } from '../exchange.ts'
import { refuseConnect } from './connect.ts'
import { Failed, type Failure, type Fault, failureOf, wrongVerb } from './errors.ts'
import { allow } from './preflight.ts'
import { unsupportedType } from './rest.ts'
import { STATUS } from './status.ts'
import { streamProtocolOf, streamTypes } from './stream-protocols.ts'
import { requestReader } from './stream-requests.ts'
import { StreamRun } from './stream-run.ts'

/** Streams of this process at the same time that anybody may open: they may last. Others are limited by their methods. */
const MAX_PUBLIC_STREAMS = 1_000

const tooManyStreams: Failure = Object.freeze({
  status: STATUS.exhausted,
  id: 'stream.too_many',
  message: 'Too many streams are open.',
  retryAfterSeconds: 10,
})

/** Serves an exchange of one streaming method; never rejects. */
export type ServeStream = (exchange: Exchange) => Promise<void>

export interface StreamServing {
  readonly authorize: Authorize
  readonly admission?: Admission | undefined
  asOneRequest<Value>(run: () => Value): Value
  log(fault: Fault): void
}

let openPublic = 0

/** Makes a streaming method ready to be served. */
export function serveStream(method: StreamMethod, serving: StreamServing): ServeStream {
  const { authorize, admission, asOneRequest, log } = serving
  const { descriptor } = method
  const fullName = `${descriptor.parent.typeName}/${descriptor.name}`
  const isPublic = accessOf(descriptor).public
  const read = requestReader(method)
  const check = limitsOf(descriptor.input, undefined)
  return async (exchange) => {
    exchange.method = fullName
    if (exchange.verb === 'OPTIONS') return allow(exchange, ['POST'])
    if (exchange.verb !== 'POST') return refuseConnect(exchange, wrongVerb(['POST']))
    const protocol = streamProtocolOf(method, exchange)
    if (protocol === undefined) return refuseConnect(exchange, unsupportedType(streamTypes(method)).failure)
    exchange.protocol = protocol.name
    const failureFor = (error: unknown) => failureOf(error, exchange, fullName, log)
    try {
      const compression = protocol.compression(exchange)
      protocol.timeout(exchange)
      const authorized = await authorize(method, exchange)
      exchange.callerId = authorized.callerId
      exchange.authorizedAt = performance.now()
      if (isPublic && openPublic >= MAX_PUBLIC_STREAMS) throw new Failed(tooManyStreams)
      const { codec, isText } = protocol
      const run = new StreamRun({
        ...{ method, exchange, protocol, authorized, check, asOneRequest, admission, failureFor },
        requests: (open, signal, moved) => read({ source: open().source, codec, isText, compression, signal, moved }),
      })
      if (isPublic) openPublic++
      await run.serve().finally(() => {
        if (isPublic) openPublic--
      })
    } catch (error) {
      if (!exchange.isOver) protocol.refuse(exchange, failureFor(error))
    }
  }
}
