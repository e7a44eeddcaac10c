/** The object of an event as a webhook gets it, if it wants it: as it is when the request is sent. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { App } from '../../module/app.ts'
import { shownDocument } from '../../module/event-payload.ts'
import type { AnyKind, Document, StoredEvent } from '../../store/index.ts'
import type { LivingWebhook } from './decider.ts'

/**
 * Undefined: the webhook does not want it. Null: there is none any more, or it now belongs to another organization, whose
 * objects are none of this webhook's business.
 */
export async function includedDocument(
  { store, kinds, instanceId }: App,
  { owner, state }: Document<LivingWebhook>,
  event: StoredEvent,
): Promise<JsonObject | null | undefined> {
  if (!state.includesDocument) return undefined
  const kind: AnyKind | undefined = kinds.find(({ name }) => name === event.kind)
  // A request of its own: the queue runs for seconds, and what it has read may be older than the event.
  const read = async (): Promise<Document<unknown> | undefined> => kind && store.get(kind, event.id)
  const found = await store.asOneRequest(read)
  if (found === undefined || (owner !== instanceId && found.owner !== owner)) return null
  // What lists are searched by is made of the other members.
  const { search: _, ...shown } = shownDocument(found)
  return { ...shown, id: event.id, revision: found.revision }
}
