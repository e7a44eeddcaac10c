/** The event stream: the log from a position on, without its secrets, for callers who may read the whole instance. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  EventService,
  type SubscribeRequest,
  type SubscribeResponseSchema,
} from '../../../contract/gen/signet/event/v1/event_service_pb.ts'
import type { StreamCaller, StreamMethod } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import { Places } from '../../kernel/share.ts'
import { type App, perApp } from '../../module/app.ts'
import type { Metric } from '../../module/module.ts'
import {
  type Portion,
  type Position,
  positionOf,
  positionText,
  readPosition,
  type StoredEvent,
} from '../../store/index.ts'
import { eventMessage } from './messages.ts'
import { auditRefusals } from './refusals.ts'
import { checkTexts } from './rpc.ts'

/** How often a heartbeat comes, and the longest that a caller gets events who may not read them any more. */
const HEARTBEAT_MS = 5_000

type Reply = MessageInitShape<typeof SubscribeResponseSchema>

/** Streams last: 2,000 on a node, half of them for one organization, and 50 for one caller. */
const placesOf = perApp(() => new Places(2_000, 1_000, 50))

function afterOf({ after }: SubscribeRequest): Position | undefined {
  if (after === '') return undefined
  const position = readPosition(after)
  if (position !== undefined) return position
  const violations = [{ field: 'after', description: 'must be a position, or the sequence of an event' }]
  throw refused(auditRefusals, 'audit.position_invalid', { violations })
}

function filterOf({ types, kinds, organizationId, objectId }: SubscribeRequest) {
  checkTexts({ types, kinds, organizationId: [organizationId], objectId: [objectId] })
  return {
    ...(types.length > 0 && { types }),
    ...(kinds.length > 0 && { kinds }),
    ...(organizationId !== '' && { owner: organizationId }),
    ...(objectId !== '' && { id: objectId }),
  }
}

const replies = new WeakMap<readonly StoredEvent[], readonly Reply[]>()

/** The replies for events, made once: subscribers with equal filters get the same events. */
function repliesFor(events: readonly StoredEvent[]): readonly Reply[] {
  const known = replies.get(events)
  if (known !== undefined) return known
  const made = events.map(
    (event): Reply => ({
      position: positionText(positionOf(event)),
      content: { case: 'event', value: eventMessage(event, '') },
    }),
  )
  replies.set(events, made)
  return made
}

function heartbeat({ position, lag }: Portion): Reply {
  return { position: positionText(position), content: { case: 'heartbeat', value: { lag: BigInt(lag) } } }
}

/** The event stream; tests pass another time between heartbeats. */
export function subscribeMethod(app: App, beatMs = HEARTBEAT_MS): StreamMethod {
  const { store } = app
  const places = placesOf(app)
  async function* follow(request: SubscribeRequest, signal: AbortSignal, { confirm }: StreamCaller) {
    for await (const portion of store.follow({ ...filterOf(request), after: afterOf(request), beatMs, signal })) {
      if (portion.events.length > 0) yield repliesFor(portion.events)
      else {
        await confirm()
        yield [heartbeat(portion)]
      }
    }
  }

  async function* serve(requests: AsyncIterable<unknown>, signal: AbortSignal, caller: StreamCaller) {
    const { organizationId, userId } = caller.call.caller
    const leave = places.take(organizationId, userId)
    if (leave === undefined) throw refused(auditRefusals, 'audit.too_many_streams', { retryAfterSeconds: 10 })
    try {
      for await (const request of requests as AsyncIterable<SubscribeRequest>) {
        yield* follow(request, signal, caller)
        return
      }
    } finally {
      leave()
    }
  }
  return { descriptor: EventService.method.subscribe, serve }
}

/** The streams of this module. */
export function auditStreams(app: App): readonly StreamMethod[] {
  return [subscribeMethod(app)]
}

/** What the streams cost. */
export function auditMetrics(app: App): readonly Metric[] {
  const { store } = app
  return [
    {
      name: 'signet_event_streams',
      help: 'Open event streams.',
      type: 'gauge',
      merge: 'sum',
      read: () => placesOf(app).taken,
    },
    {
      name: 'signet_event_stream_kept_bytes',
      help: 'Events at the end of the log that are kept in memory for event streams, in bytes.',
      type: 'gauge',
      merge: 'sum',
      read: () => store.following().keptBytes,
    },
  ]
}
