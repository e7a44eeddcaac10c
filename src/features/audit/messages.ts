/** Converts events to messages, without their secrets. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  AggregateTypeSchema,
  EventSchema,
  EventTypeSchema,
} from '../../../contract/gen/signet/event/v1/event_pb.ts'
import { actingUser, actorName, actorType } from '../../kernel/actor.ts'
import { payloadOf } from '../../module/event-payload.ts'
import type { StoredEvent } from '../../store/index.ts'
import type { Thing } from './things.ts'

function toSentence(words: string): string {
  const text = words.replaceAll(/[._-]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** An event type and its English name: `user.machine_added.v1` is "User machine added". */
export function eventType(type: string): MessageInitShape<typeof EventTypeSchema> {
  return {
    type,
    localized: { key: type, localizedMessage: toSentence(type.replace(/\.v\d+$/, '')) },
  }
}

/** A type of object that events refer to. */
export function aggregateType(kind: string): MessageInitShape<typeof AggregateTypeSchema> {
  return {
    type: kind,
    localized: { key: kind, localizedMessage: toSentence(kind) },
  }
}

/** An event without its secrets. `editor` is the display name of the user who caused it. */
export function eventMessage(
  event: StoredEvent,
  editor: string,
  things: readonly Thing[] = [],
): MessageInitShape<typeof EventSchema> {
  return {
    editor: {
      userId: actorName(event.actor),
      displayName: editor,
      service: actingUser(event.actor) === undefined ? actorType(event.actor) : '',
    },
    aggregate: { id: event.id, type: aggregateType(event.kind), resourceOwner: event.owner },
    sequence: BigInt(event.sequence),
    creationDate: timestampFromMs(event.at),
    payload: payloadOf(event.data),
    type: eventType(event.type),
    things: [...things],
  }
}
