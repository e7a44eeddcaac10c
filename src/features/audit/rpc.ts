/** The event log, for callers who may read the whole instance. */

import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { ListEventsRequest } from '../../../contract/gen/signet/admin/v1/event_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { actingUser, namedActor } from '../../kernel/actor.ts'
import { instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { instantOf } from '../../module/instants.ts'
import { limitOf } from '../../module/paging.ts'
import { type EventQuery, OBJECT_IMPORTED, type StoredEvent } from '../../store/index.ts'
import { isLiving, shownName, users } from '../users/index.ts'
import { aggregateType, eventMessage, eventType } from './messages.ts'
import { auditRefusals } from './refusals.ts'
import { thingsOf } from './things.ts'

/** The time window: a range, or one starting point in the direction of the list. */
function windowOf({ creationDateFilter: filter, asc }: ListEventsRequest): Pick<EventQuery, 'since' | 'until'> {
  if (filter.case === 'range') {
    const { since, until } = filter.value
    return { ...(since && { since: instantOf(since) }), ...(until && { until: instantOf(until) }) }
  }
  if (filter.case !== 'from') return {}
  const from = instantOf(filter.value)
  // `until` is exclusive, but the list includes its starting point in both directions.
  return asc ? { since: from } : { until: instant(from + 1) }
}

/** Refuses text that no event can contain and the database would not accept. */
export function checkTexts(texts: Readonly<Record<string, readonly string[]>>): void {
  const violations = Object.entries(texts)
    .filter(([, values]) => values.some((value) => !value.isWellFormed() || value.includes('\0')))
    .map(([field]) => ({ field, description: 'must not contain control characters' }))
  if (violations.length > 0) throw refused(auditRefusals, 'audit.filter_invalid', { violations })
}

function queryOf(request: ListEventsRequest): EventQuery {
  const { sequence, limit, asc, editorUserId, eventTypes, aggregateId, aggregateTypes, resourceOwner } = request
  checkTexts({
    editorUserId: [editorUserId],
    eventTypes,
    aggregateId: [aggregateId],
    aggregateTypes,
    resourceOwner: [resourceOwner],
  })
  return {
    limit: limitOf(limit, 'limit'),
    descending: !asc,
    ...(sequence > 0n && { from: Math.min(Number(sequence), Number.MAX_SAFE_INTEGER) }),
    ...(editorUserId !== '' && { actor: namedActor(editorUserId) }),
    ...(eventTypes.length > 0 && { types: eventTypes }),
    ...(aggregateId !== '' && { id: aggregateId }),
    ...(aggregateTypes.length > 0 && { kinds: aggregateTypes }),
    ...(resourceOwner !== '' && { owner: resourceOwner }),
    ...windowOf(request),
  }
}

/** The IDs of the users who caused events. */
export function usersOf(events: readonly StoredEvent[]): string[] {
  return [...new Set(events.flatMap(({ actor }) => actingUser(actor) ?? []))]
}

/** The display names of the users who caused the events, by ID; none for the server itself and for removed users. */
async function editorsOf({ store }: App, events: readonly StoredEvent[]): Promise<ReadonlyMap<string, string>> {
  const ids = usersOf(events)
  if (ids.length === 0) return new Map()
  const { documents } = await store.find(users, { where: { field: 'id', in: ids }, limit: ids.length })
  return new Map(documents.map(({ id, state }) => [id, isLiving(state) ? shownName(state) : '']))
}

function adminRpc(app: App): Implementation<typeof AdminService> {
  const { store, kinds } = app
  return {
    async listEvents(request) {
      const events = await store.events(queryOf(request))
      const [editors, things] = await Promise.all([editorsOf(app, events), thingsOf(app, events)])
      return {
        events: events.map((event, at) =>
          eventMessage(event, editors.get(actingUser(event.actor) ?? '') ?? '', things[at]),
        ),
      }
    },

    async listEventTypes() {
      // Kinds can share events.
      const eventTypes = new Set([OBJECT_IMPORTED, ...kinds.flatMap(({ events }) => Object.keys(events))])
      return { eventTypes: [...eventTypes].sort().map(eventType) }
    },

    async listAggregateTypes() {
      return {
        aggregateTypes: kinds
          .map(({ name }) => name)
          .sort()
          .map(aggregateType),
      }
    },
  }
}

/** The methods of this module. */
export function auditMethods(app: App): readonly Method[] {
  return methods(AdminService, adminRpc(app))
}
