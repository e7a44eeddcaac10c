/**
 * `GET /v2/events/stream`: the stream of `EventService/Subscribe` as server-sent events. The fields of the request are in the
 * query; `Last-Event-ID` goes before `after`, because that is how browsers continue after they have lost the connection.
 */
import { create, type Message, type MessageInitShape, toJsonString } from '@bufbuild/protobuf'
import { EventSchema } from '../../../contract/gen/signet/event/v1/event_pb.ts'
import {
  EventService,
  type SubscribeRequest,
  SubscribeResponseSchema,
} from '../../../contract/gen/signet/event/v1/event_service_pb.ts'
import type { Authorize } from '../../access/authorization.ts'
import type { StreamMethod } from '../../access/method.ts'
import type { Admission } from '../admission/admission.ts'
import { FieldPath } from '../codec/field-path.ts'
import type { Draft } from '../codec/json-reader.ts'
import { noteUnknownFields } from '../codec/unknown-fields.ts'
import { brokenLimits, limitsOf } from '../codec/validate.ts'
import type { Exchange, Streams } from '../exchange.ts'
import { restErrorBody } from '../protocols/error-details.ts'
import { type Failure, type Fault, failureOf } from '../protocols/errors.ts'
import { refuseRest } from '../protocols/rest.ts'
import { readQuery } from '../protocols/rest-parameters.ts'
import type { StreamProtocol } from '../protocols/stream-protocols.ts'
import { StreamRun } from '../protocols/stream-run.ts'
import { parseGrpcTimeout } from '../protocols/timeout.ts'
import type { StreamRoute } from '../router.ts'
import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from './address.ts'

/** How long a browser waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000

const HEADERS = ['content-type', EVENT_STREAM_TYPE, 'x-accel-buffering', 'no']

export interface EventStreamOptions {
  /** The methods of the app that stream. */
  readonly streamMethods: readonly StreamMethod[]
  readonly authorize: Authorize
  readonly admission?: Admission | undefined
  asOneRequest<Value>(run: () => Value): Value
  log(fault: Fault): void
}

function messageText(reply: unknown): string {
  const { position, content } = create(
    SubscribeResponseSchema,
    reply as MessageInitShape<typeof SubscribeResponseSchema>,
  )
  if (content.case === 'event') return `id: ${position}\ndata: ${toJsonString(EventSchema, content.value)}\n\n`
  const lag = String(content.value?.lag ?? 0n)
  return `id: ${position}\nevent: heartbeat\ndata: ${JSON.stringify({ position, lag })}\n\n`
}

/** The outcome is the last message: there is no other place for it. */
function endText(exchange: Exchange, failure: Failure): string {
  return `event: end\ndata: ${restErrorBody(failure, exchange.prefix)}\n\n`
}

const PROTOCOL: StreamProtocol = {
  name: 'sse',
  encoding: 'sse',
  timeout: (exchange) => parseGrpcTimeout(exchange.header('grpc-timeout')),
  open(exchange, streaming) {
    const streams = exchange.openStream(200, HEADERS, streaming)
    streams.sink.write(`retry: ${RETRY_MS}\n\n`)
    return streams
  },
  encode: (_method, portion) => Buffer.from(portion.map(messageText).join('')),
  close(exchange, { sink }: Streams, failure) {
    if (failure !== undefined && !sink.destroyed) sink.write(endText(exchange, failure))
    exchange.closeStream(failure?.status.code ?? 0)
  },
  refuse: refuseRest,
}

/** The request in the address and in the header of a browser that connects again. */
function readRequest(exchange: Exchange, input: StreamMethod['descriptor']['input']): Message {
  const message = create(input)
  const fieldPath = new FieldPath()
  if (exchange.query !== '') readQuery(input, exchange.query, message as unknown as Draft, fieldPath)
  fieldPath.finish(() => brokenLimits(input, message))
  noteUnknownFields(message, fieldPath.unknownFields)
  const last = exchange.header('last-event-id')
  if (last !== undefined && last !== '') (message as SubscribeRequest).after = last
  return message
}

async function* only(message: Message): AsyncGenerator<Message> {
  yield message
}

/** The route; one for each process. */
export function eventStreamRoute(options: EventStreamOptions): StreamRoute {
  const { streamMethods, authorize, admission, asOneRequest, log } = options
  const method = streamMethods.find(({ descriptor }) => descriptor === EventService.method.subscribe)
  if (method === undefined) throw new Error('the event stream needs Subscribe')
  const { descriptor } = method
  const name = `${descriptor.parent.typeName}/${descriptor.name}`
  const check = limitsOf(descriptor.input)
  return {
    verb: 'GET',
    path: EVENT_STREAM_PATH,
    async serve(exchange) {
      exchange.method = name
      exchange.protocol = PROTOCOL.name
      const failureFor = (error: unknown) => failureOf(error, exchange, name, log)
      try {
        const authorized = await authorize(method, exchange)
        exchange.callerId = authorized.callerId
        exchange.authorizedAt = performance.now()
        const request = readRequest(exchange, descriptor.input)
        check(request)
        const requests = () => only(request)
        await new StreamRun({
          ...{ method, exchange, protocol: PROTOCOL, authorized, check, asOneRequest, admission, failureFor, requests },
        }).serve()
      } catch (error) {
        if (!exchange.isOver) refuseRest(exchange, failureFor(error))
      }
    },
  }
}
