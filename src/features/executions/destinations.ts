/** Targets as destinations of the queue: events that meet a condition, and calls that nobody waits for. */
import { actorName } from '../../kernel/actor.ts'
import type { App } from '../../module/app.ts'
import type { DestinationKind, EventFilter, OutgoingRequest } from '../../module/destinations.ts'
import { heldBackOf, payloadOf } from '../../module/event-payload.ts'
import type { Document, StoredEvent } from '../../store/index.ts'
import { callLater } from '../deliveries/index.ts'
import { findTarget, type LivingTarget, prepareCall, queueOf, TARGET_QUEUES, targets } from '../targets/index.ts'
import { type ExecutionTable, executions, executionTable } from './documents.ts'
import { eventTypeKeys, shownEventName } from './event-names.ts'
import { goJson, goTime, withoutEmpty } from './go-json.ts'
import { PEER_OBJECT_NAMES } from './peer-event-names.ts'

/** How many requests a target gets in a second at most. */
const MOST_PER_SECOND = 100

interface Wanted {
  readonly types: string[]
  /** The first sequence that an event condition with this target counts after. */
  since: number
}

const wanted = new WeakMap<ExecutionTable, ReadonlyMap<string, Wanted>>()

/** By target: the types of events that it gets. Of several conditions that an event meets, only the most exact counts. */
async function wantedByTarget(app: App): Promise<ReadonlyMap<string, Wanted>> {
  const table = await executionTable(app)
  if (!table.has('event')) return new Map()
  const known = wanted.get(table)
  if (known !== undefined) return known
  const made = new Map<string, Wanted>()
  for (const [type, keys] of eventTypeKeys(app)) {
    const execution = table.find(keys)
    for (const id of execution?.targetIds ?? []) {
      const since = execution?.since[id] ?? 0
      const before = made.get(id) ?? { types: [], since }
      before.types.push(type)
      before.since = Math.min(before.since, since)
      made.set(id, before)
    }
  }
  wanted.set(table, made)
  return made
}

function filterOf(one: Wanted | undefined): EventFilter | undefined {
  return one && { types: one.types }
}

/** What a target gets for an event. */
function eventPayload({ instanceId }: App, event: StoredEvent): string {
  const heldBack = heldBackOf(event.data).map((path) => `event_payload.${path}`)
  // Entries of somebody have the ID of that and their key.
  const [aggregateID] = event.id.split(' ')
  return goJson({
    aggregateID,
    aggregateType: PEER_OBJECT_NAMES[event.kind] ?? event.kind,
    resourceOwner: event.owner,
    instanceID: instanceId,
    version: /v\d+$/.exec(event.type)?.[0] ?? 'v1',
    sequence: event.sequence,
    event_type: shownEventName(event.type),
    created_at: goTime(event.at),
    ...withoutEmpty({ userID: actorName(event.actor) }),
    event_payload: payloadOf(event.data),
    ...(heldBack.length > 0 && { heldBack }),
  })
}

async function requestTo(
  app: App,
  id: string,
  payload: string,
  messageId: string,
): Promise<OutgoingRequest | undefined> {
  const target = await findTarget(app.store, id)
  if (target === undefined) return undefined
  const { endpoint, headers, body } = await prepareCall(app, target, payload, messageId)
  return { url: endpoint, headers, body }
}

export const targetDestinations: DestinationKind<App> = {
  name: TARGET_QUEUES,
  dependsOn: [targets.name, executions.name],

  async list(app) {
    const all = await wantedByTarget(app)
    return [...all].map(([id, { types }]) => ({ id, wants: { types } }))
  },

  async find(app, id) {
    const target = await findTarget(app.store, id)
    if (target === undefined) return undefined
    const own = (await wantedByTarget(app)).get(id)
    return {
      owner: target.owner,
      isActive: true,
      since: own?.since ?? 0,
      wants: filterOf(own),
      timeoutMs: target.state.timeoutMs,
      perSecond: MOST_PER_SECOND,
    }
  },

  eventRequest: (app, id, event) => requestTo(app, id, eventPayload(app, event), `evt_${event.sequence}`),

  callRequest: (app, id, call) => requestTo(app, id, String(call.payload), `msg_${call.id.split(':').at(-1)}`),
}

/** Has a payload sent later, also when this process ends before. A failure interrupts nothing. */
export async function queueCall(app: App, { id }: Document<LivingTarget>, payload: string): Promise<void> {
  await callLater(app, queueOf(id), payload).catch((error: unknown) =>
    app.log.warn({ targetId: id, error }, 'an asynchronous call could not be queued'),
  )
}
