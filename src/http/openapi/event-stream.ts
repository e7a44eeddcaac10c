/** The event stream in the OpenAPI document: a path whose response is a stream. */
import type { DescService } from '@bufbuild/protobuf'
import { EventSchema } from '../../../contract/gen/signet/event/v1/event_pb.ts'
import { EventService } from '../../../contract/gen/signet/event/v1/event_service_pb.ts'
import { EVENT_STREAM_PATH, EVENT_STREAM_TYPE } from '../events/address.ts'
import type { Placed } from './operation.ts'
import { type Schema, type SchemaBook, schemaOfField, schemaOfMessage } from './schema.ts'

function refer(name: string): Schema {
  return { $ref: `#/components/responses/${name}` }
}

const LAST_EVENT_ID: Schema = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last message that was received. Goes before `after`.',
  schema: { type: 'string' },
}

const MESSAGES =
  'Server-sent events. A message without a name has an event as JSON, and its position as `id`. A message named `heartbeat` ' +
  'has `position` and `lag`, the number of events that the log has after it. The last message is named `end` and has the ' +
  'error, if there is one.'

/** The operation, if the event service is served. */
export function eventStreamOperation(book: SchemaBook, services: readonly DescService[]): Placed | undefined {
  if (!services.includes(EventService)) return undefined
  const { subscribe } = EventService.method
  const parameters = subscribe.input.fields.map((field) => {
    return { name: field.jsonName, in: 'query', required: false, schema: schemaOfField(book, field) }
  })
  const operation = {
    operationId: 'event.v1.StreamEvents',
    summary: 'Sends the events after a position, and then those that are added, as server-sent events.',
    tags: [EventService.typeName],
    description: 'Requires `events.read` on the instance.',
    security: [{ bearer: [] }],
    'x-permission': 'events.read',
    parameters: [...parameters, LAST_EVENT_ID],
    responses: {
      200: {
        description: MESSAGES,
        content: { [EVENT_STREAM_TYPE]: { schema: schemaOfMessage(book, EventSchema) } },
      },
      400: refer('Invalid'),
      401: refer('Unauthenticated'),
      403: refer('Forbidden'),
      429: refer('Exhausted'),
      default: refer('Unexpected'),
    },
  }
  return { path: EVENT_STREAM_PATH, verb: 'get', operation }
}
