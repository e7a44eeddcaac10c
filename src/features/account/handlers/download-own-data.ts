/** Everything that is stored about a user, for themself: the documents of all modules and their events, without secrets. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../../module/app.ts'
import { payloadOf, shownDocument } from '../../../module/event-payload.ts'
import type { AnyKind, Document, StoredEvent } from '../../../store/index.ts'
import type { Person } from '../../sign-in/index.ts'

/** The documents of one kind that one user can have in a download; there are fewer of each. */
const MOST_DOCUMENTS = 1000
const MOST_EVENTS = 10_000

/** The documents about a user: those under their ID, and those with it in a field. */
async function documentsOf({ store }: App, kind: AnyKind, userId: string): Promise<readonly Document<unknown>[]> {
  const own: Document<unknown> | undefined = await store.get(kind, userId)
  if (!Object.hasOwn(kind.fields, 'userId')) return own === undefined ? [] : [own]
  const query = { where: { field: 'userId', equals: userId }, orderBy: 'id', limit: MOST_DOCUMENTS } as const
  const { documents } = await store.find(kind, query)
  return own === undefined || documents.some(({ id }) => id === own.id) ? documents : [own, ...documents]
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function shownEvent({ type, at, actor, kind, id, data }: StoredEvent): JsonObject {
  return { type, at: time(at), actor, object: { kind, id }, data: payloadOf(data) }
}

/** Reads the data of a user. What they did to other objects is listed without its contents, which are about others. */
export async function downloadOwnData(app: App, { userId }: Person): Promise<JsonObject> {
  const about: Record<string, JsonObject[]> = {}
  const events: JsonObject[] = []
  const own = new Set<string>()
  for (const kind of app.kinds) {
    const documents = await documentsOf(app, kind, userId)
    if (documents.length > 0) {
      about[kind.name] = documents.map(shownDocument)
    }
    for (const { id } of documents) {
      own.add(`${kind.name}/${id}`)
      const found = await app.store.events({ kinds: [kind.name], id, limit: MOST_EVENTS })
      events.push(...found.map(shownEvent))
    }
  }
  const done = await app.store.events({ actor: userId, limit: MOST_EVENTS })
  const activity = done
    .filter(({ kind, id }) => !own.has(`${kind}/${id}`))
    .map(({ type, at, kind, id }) => ({ type, at: time(at), object: { kind, id } }))
  return { userId, createdAt: time(app.clock()), data: about, events, activity }
}
