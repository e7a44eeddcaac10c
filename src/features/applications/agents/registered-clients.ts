/** Clients that registered themselves (RFC 7591), and the tokens with which they manage their registration (RFC 7592). */
import { isDeepStrictEqual } from 'node:util'
import { accept, type Decider, refuse } from '../../../kernel/decider.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { App } from '../../../module/app.ts'
import { type Document, kind, type Reader, type Retention, removalKind, type Work } from '../../../store/index.ts'
import { type RegisteredClientEvent, registeredClientEvents, type SecretHash } from '../events.ts'
import { type ApplicationRefusal, applicationRefusals } from '../refusals.ts'
import type { ClientMetadata } from './client-metadata.ts'

const DAY_MS = 86_400_000
/** A registration that nobody used ends after this time. */
export const UNUSED_MS = 7 * DAY_MS
/** One that was used ends this time after its last use. */
export const IDLE_MS = 90 * DAY_MS
/** How often one can be changed: whoever registered without an account must not fill the log by changing it again and again. */
const MOST_CHANGES = 50

export interface RegisteredClient {
  readonly status: 'registered'
  readonly metadata: ClientMetadata
  /** Undefined: it may be used for all projects of its owner that allow such clients. */
  readonly projectId?: string
  readonly secret: SecretHash
  readonly registeredAt: Instant
  readonly endsAt: Instant
  /** How often it was changed. */
  readonly changes?: number
}

type State =
  | { readonly status: 'unknown' }
  | { readonly status: 'removed'; readonly endsAt: Instant }
  | RegisteredClient

type Command =
  | {
      readonly type: 'register'
      readonly metadata: ClientMetadata
      readonly projectId?: string | undefined
      readonly hash: string
      readonly at: Instant
    }
  | { readonly type: 'change'; readonly metadata: ClientMetadata }
  | { readonly type: 'use' | 'remove'; readonly at: Instant }

const registered: Decider<Command, State, RegisteredClientEvent, ApplicationRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (event.type === 'registered_client.added.v1') {
      return { status: 'registered', ...event.data, endsAt: instant(event.data.registeredAt + UNUSED_MS) }
    }
    if (state.status !== 'registered') return state
    switch (event.type) {
      case 'registered_client.changed.v1':
        return { ...state, metadata: event.data.metadata, changes: (state.changes ?? 0) + 1 }
      case 'registered_client.used.v1':
        return { ...state, endsAt: instant(event.data.at + IDLE_MS) }
      case 'registered_client.removed.v1':
        return { status: 'removed', endsAt: event.data.at }
    }
  },

  decide(command, state) {
    if (command.type === 'register') {
      if (state.status !== 'unknown') return refuse('application.client_id_taken')
      const { metadata, projectId, hash, at: registeredAt } = command
      const data = { metadata, ...(projectId !== undefined && { projectId }), secret: { hash }, registeredAt }
      return accept({ type: 'registered_client.added.v1', data })
    }
    if (state.status !== 'registered') return refuse('application.not_found')
    switch (command.type) {
      case 'change':
        if (isDeepStrictEqual(command.metadata, state.metadata)) return accept()
        if ((state.changes ?? 0) >= MOST_CHANGES) return refuse('application.too_many_registrations')
        return accept({ type: 'registered_client.changed.v1', data: { metadata: command.metadata } })
      case 'use':
        return accept({ type: 'registered_client.used.v1', data: { at: command.at } })
      case 'remove':
        return accept({ type: 'registered_client.removed.v1', data: { at: command.at } })
    }
  },
}

/** The ID is the client ID; the owner is the organization that let it in, or the instance for those that nobody did. */
export const registeredClients = kind({
  name: 'registered-client',
  ids: 'own',
  waits: { endsAlone: 'Its token changes the registration itself.' },
  path: false,
  version: 3,
  events: registeredClientEvents,
  decider: registered,
  refusals: applicationRefusals,
  fields: {
    registeredAt: { path: ['registeredAt'], type: 'number' },
    endsAt: { path: ['endsAt'], type: 'number' },
    projectId: { path: ['projectId'], type: 'text' },
  },
  limits: [{ things: 'registered clients', holder: 'an organization', by: ['owner'], number: 20_000 }],
  removable: true,
})

export const registeredClientRetirements = removalKind('registered-client-retirement', 'registered_client.retired.v1')

/** Deletes registrations that ended. */
export const registeredClientRetention: Retention<State> = {
  kind: registeredClients,
  records: registeredClientRetirements,
  retentionMs: DAY_MS,
  batchSize: 200,
  findEnded: (store, endedBy, limit) => store.findIds(registeredClients, { field: 'endsAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.status !== 'unknown' && state.endsAt <= endedBy,
}

const ID = /^dcr-\d{18}$/

export function newRegisteredId(app: Pick<App, 'newId'>): string {
  return `dcr-${app.newId()}`
}

/** Whether a client ID has the form of those that registered themselves. */
export function isRegisteredId(clientId: string): boolean {
  return ID.test(clientId)
}

/** The registration of a client, unless it has ended. */
export async function registeredClient(
  app: App,
  clientId: string,
  reader: Reader = app.store,
): Promise<Document<RegisteredClient> | undefined> {
  if (!isRegisteredId(clientId)) return undefined
  const found = await reader.get(registeredClients, clientId)
  if (found?.state.status !== 'registered' || found.state.endsAt <= app.clock()) return undefined
  return found as Document<RegisteredClient>
}

/** Notes in a write that a client is used, once a day: it ends some time after that. */
export async function noteUse(app: App, work: Work, clientId: string): Promise<void> {
  const found = await registeredClient(app, clientId, work)
  const { at } = work.origin
  if (found === undefined || found.state.endsAt > at + IDLE_MS - DAY_MS) return
  await work.decide(registeredClients, clientId, { type: 'use', at })
}
