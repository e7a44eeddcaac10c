/** What a webhook says: the event in words and ids, never a secret. Its schema is served at `EVENT_SCHEMA_PATH`. */

import type { JsonObject } from '@bufbuild/protobuf'
import { type Actor, actorName, actorType } from '../../kernel/actor.ts'
import type { App } from '../../module/app.ts'
import { payloadOf } from '../../module/event-payload.ts'
import { OBJECT_IMPORTED, type StoredEvent } from '../../store/index.ts'

/** Raised when a member changes its meaning or is removed. New members may be added. */
const PAYLOAD_VERSION = 1
export const EVENT_SCHEMA_PATH = '/v2/events/schema'
export const TEST_TYPE = 'webhook.test'

/** Who did it. A user can have one of the words as ID: `type` tells them apart. */
function actorShown(actor: Actor): { readonly type: string; readonly id: string } {
  return { type: actorType(actor), id: actorName(actor) }
}

/** `document`: the object as it is now, where the webhook wants it; null: it is gone, or belongs to somebody else now. */
export function eventBody(
  { instanceId }: Pick<App, 'instanceId'>,
  event: StoredEvent,
  document?: JsonObject | null | undefined,
) {
  const { type, at, sequence, kind, id, revision, owner, actor, data } = event
  return {
    type,
    timestamp: new Date(at).toISOString(),
    version: PAYLOAD_VERSION,
    data: {
      instanceId,
      ...(owner !== instanceId && { organizationId: owner }),
      sequence,
      object: { type: kind, id, revision },
      actor: actorShown(actor),
      event: payloadOf(data),
      ...(document !== undefined && { document }),
    },
  }
}

/** The body of a test: the same members, about the webhook itself. */
export function testBody({ instanceId, clock }: App, webhookId: string, organizationId: string | undefined) {
  return {
    type: TEST_TYPE,
    timestamp: new Date(clock()).toISOString(),
    version: PAYLOAD_VERSION,
    data: {
      instanceId,
      ...(organizationId !== undefined && { organizationId }),
      sequence: 0,
      object: { type: 'webhook', id: webhookId, revision: 0 },
      actor: actorShown('server'),
      event: {},
    },
  }
}

/** The same for each attempt and each replay: receivers recognize what they have by it. */
export function messageId(
  { instanceId }: Pick<App, 'instanceId'>,
  { sequence }: Pick<StoredEvent, 'sequence'>,
): string {
  return `evt_${instanceId}_${sequence}`
}

/** Every type of event with the kind of its object. */
export function eventTypes({ kinds }: Pick<App, 'kinds'>): ReadonlyMap<string, readonly string[]> {
  const types = new Map<string, string[]>([[OBJECT_IMPORTED, kinds.map(({ name }) => name)]])
  for (const { name, events } of kinds) for (const type of Object.keys(events)) types.set(type, [name])
  return new Map([...types].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The JSON Schema of the body, with every type of this version of the server. */
export function eventSchema(app: Pick<App, 'kinds' | 'externalUrl'>) {
  const text = { type: 'string' }
  const types = [...eventTypes(app)]
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: new URL(EVENT_SCHEMA_PATH, app.externalUrl).href,
    title: 'Event',
    description: 'The body of a webhook request. Members may be added; ignore those that you do not know.',
    type: 'object',
    required: ['type', 'timestamp', 'version', 'data'],
    properties: {
      type: { ...text, description: 'The type of the event.', enum: [TEST_TYPE, ...types.map(([type]) => type)] },
      timestamp: { ...text, format: 'date-time', description: 'When it happened.' },
      version: { const: PAYLOAD_VERSION },
      data: {
        type: 'object',
        required: ['instanceId', 'sequence', 'object', 'actor', 'event'],
        properties: {
          instanceId: text,
          organizationId: { ...text, description: 'The organization that owns the object. Not set for the instance.' },
          sequence: { type: 'integer', minimum: 0, description: 'The position in the log. Grows with time.' },
          object: {
            type: 'object',
            required: ['type', 'id', 'revision'],
            properties: {
              type: { ...text, description: 'The kind of the object.' },
              id: text,
              revision: {
                type: 'integer',
                minimum: 0,
                description: 'The number of the event among those of the object.',
              },
            },
          },
          actor: {
            type: 'object',
            required: ['type', 'id'],
            properties: {
              type: { enum: ['user', 'transmitter', 'server', 'visitor', 'anonymous'], description: 'Who did it.' },
              id: { ...text, description: 'The ID of the user or transmitter, or a word for somebody else.' },
            },
          },
          event: {
            type: 'object',
            description: 'What the event says, without secrets and without the contents of files.',
          },
          document: {
            type: ['object', 'null'],
            description:
              'Only if the webhook includes it: the object as it was when the request was sent, which may be after later ' +
              'events, without secrets and without the contents of files. Null: it no longer exists, or belongs to another organization.',
            required: ['id', 'revision', 'createdAt', 'changedAt'],
            properties: {
              id: text,
              revision: {
                type: 'integer',
                minimum: 1,
                description: 'The number of its last event. Drop an older document.',
              },
              createdAt: { ...text, format: 'date-time' },
              changedAt: { ...text, format: 'date-time' },
            },
          },
        },
      },
    },
    allOf: types.map(([type, kinds]) => ({
      if: { properties: { type: { const: type } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { properties: { data: { properties: { object: { properties: { type: { enum: kinds } } } } } } },
    })),
  }
}
