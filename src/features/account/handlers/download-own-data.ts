/** Everything that is stored about a user, for themself: the documents of all modules and their events, without secrets. */
import type { JsonObject } from '@bufbuild/protobuf'
import { actorName } from '../../../kernel/actor.ts'
import type { App } from '../../../module/app.ts'
import { payloadOf, shownDocument } from '../../../module/event-payload.ts'
import type { AnyKind, Document, StoredEvent } from '../../../store/index.ts'
import type { Person } from '../../sign-in/index.ts'

/** The documents of one kind that one user can have in a download; there are fewer of each. */
const MOST_DOCUMENTS = 1000
const MOST_EVENTS = 10_000

/** The documents of a kind about a user. What is about nobody is not read, whatever ID it has: users can choose theirs. */
async function documentsOf({ store }: App, kind: AnyKind, userId: string): Promise<readonly Document<unknown>[]> {
  if (kind.personal === undefined) return []
  if (kind.personal.by === 'id') {
    const document: Document<unknown> | undefined = await store.get(kind, userId)
    return document === undefined ? [] : [document]
  }
  const where = { field: kind.personal.by, equals: userId } as const
  return (await store.find(kind, { where, orderBy: 'id', limit: MOST_DOCUMENTS })).documents
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function shownEvent({ type, at, actor, kind, id, data }: StoredEvent): JsonObject {
  return { type, at: time(at), actor: actorName(actor), object: { kind, id }, data: payloadOf(data) }
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
  const done = await app.store.events({ actor: { user: userId }, limit: MOST_EVENTS })
  const activity = done
    .filter(({ kind, id }) => !own.has(`${kind}/${id}`))
    .map(({ type, at, kind, id }) => ({ type, at: time(at), object: { kind, id } }))
  return { userId, createdAt: time(app.clock()), data: about, events, activity }
}
