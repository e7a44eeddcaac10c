/**
 * What events are about, by name. An event names what it refers to by ID, and often only the first event of its stream does:
 * that a role was withdrawn names neither the user nor the project.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../module/app.ts'
import { payloadOf } from '../../module/event-payload.ts'
import type { StoredEvent } from '../../store/index.ts'
import { isLiving, shownName, type User, users } from '../users/index.ts'

/** What an event is about: the object that it happened to, or a member of its payload. */
export interface Thing {
  readonly member: string
  /** The name of its kind. */
  readonly type: string
  readonly id: string
  /** Empty if it was removed. */
  readonly name: string
}

/** What is named by name; everything else is known by what it is about. */
const NAMED: ReadonlySet<string> = new Set([
  'user',
  'organization',
  'project',
  'application',
  'group',
  'identity-provider',
  'webhook',
  'target',
])

/** The members of payloads that name something, and what. */
const MEMBERS: Readonly<Record<string, string>> = {
  userId: 'user',
  organizationId: 'organization',
  grantedOrganizationId: 'organization',
  projectId: 'project',
  applicationId: 'application',
  groupId: 'group',
  idpId: 'identity-provider',
  targetId: 'target',
}

/** Streams between other things: what they are about is in their first event alone. */
const BETWEEN: ReadonlySet<string> = new Set([
  'authorization',
  'membership',
  'group-member',
  'group-metadata',
  'user-metadata',
  'project-role',
  'project-grant',
  'passkey',
  'personal-access-token',
  'machine-key',
  'application-key',
  'identity-link',
  'session',
  'grant',
])

type Reference = Omit<Thing, 'name'>

const streamOf = ({ kind, id }: StoredEvent) => `${kind} ${id}`

/** What a payload names. A membership says where it is by a level and an ID. */
function namedIn(payload: JsonObject): readonly Reference[] {
  const { level, scopeId } = payload
  const place =
    typeof level === 'string' && typeof scopeId === 'string' && NAMED.has(level)
      ? [{ member: 'scopeId', type: level, id: scopeId }]
      : []
  const members = Object.entries(MEMBERS).flatMap(([member, type]) => {
    const id = payload[member]
    return typeof id === 'string' && id !== '' ? [{ member, type, id }] : []
  })
  return [...members, ...place]
}

/** The thing whose ID the stream has, if it has a name: a password has the ID of its user. */
function objectOf({ kinds }: App, { kind: name, id }: StoredEvent): readonly Reference[] {
  const ids = kinds.find((kind) => kind.name === name)?.ids
  const of = typeof ids === 'object' && 'of' in ids ? [ids.of].flat() : [name]
  const type = of.find((one) => NAMED.has(one))
  return type === undefined ? [] : [{ member: 'object', type, id }]
}

/** The payloads of the first events of streams. */
async function firstPayloads(
  store: App['store'],
  streams: ReadonlyMap<string, Pick<StoredEvent, 'kind' | 'id'>>,
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = await Promise.all(
    [...streams].map(async ([stream, { id, kind }]) => {
      const [first] = await store.events({ id, kinds: [kind], limit: 1 })
      return first && ([stream, payloadOf(first.data)] as const)
    }),
  )
  return new Map(found.filter((one) => one !== undefined))
}

/** What the first events of streams say that these events continue. */
function beginningsOf({ store }: App, events: readonly StoredEvent[]): Promise<ReadonlyMap<string, JsonObject>> {
  const later = events.filter(({ kind, data }) => BETWEEN.has(kind) && namedIn(payloadOf(data)).length === 0)
  return firstPayloads(store, new Map(later.map((event) => [streamOf(event), event])))
}

function nameOf(type: string, state: unknown): string {
  if (type === users.name) return isLiving(state as User) ? shownName(state as Parameters<typeof shownName>[0]) : ''
  const { name } = state as { readonly name?: unknown }
  return typeof name === 'string' ? name : ''
}

/** Reads all names at once, a list for each kind. */
async function namesOf({ store, kinds }: App, references: readonly Reference[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, Set<string>>()
  for (const { type, id } of references) ids.set(type, (ids.get(type) ?? new Set()).add(id))
  const lists = await Promise.all(
    [...ids].map(async ([type, wanted]) => {
      const kind = kinds.find(({ name }) => name === type)
      if (kind === undefined) return []
      const where = { field: 'id', in: [...wanted] } as const
      const { documents } = await store.find(kind, { where, limit: wanted.size })
      return documents.map(({ id, state }) => [`${type} ${id}`, nameOf(type, state)] as const)
    }),
  )
  const living = new Map<string, string>(lists.flat())
  // What was removed had a name, too; the names of people leave with them.
  const gone = references.filter(({ type, id }) => type !== users.name && !living.has(`${type} ${id}`))
  const removed = await firstPayloads(store, new Map(gone.map(({ type, id }) => [`${type} ${id}`, { kind: type, id }])))
  const names = [...removed].map(([thing, { name }]) => [thing, typeof name === 'string' ? name : ''] as const)
  return new Map([...living, ...names])
}

/** What each of these events is about, in their order. For callers who may read the whole instance. */
export async function thingsOf(app: App, events: readonly StoredEvent[]): Promise<readonly (readonly Thing[])[]> {
  const beginnings = await beginningsOf(app, events)
  const references = events.map((event) => {
    const begun = beginnings.get(streamOf(event))
    return [...objectOf(app, event), ...namedIn({ ...begun, ...payloadOf(event.data) })]
  })
  const names = await namesOf(app, references.flat())
  return references.map((all) => all.map((one) => ({ ...one, name: names.get(`${one.type} ${one.id}`) ?? '' })))
}
