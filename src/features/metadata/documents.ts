/** The kind `user-metadata`, and what other rooms do with it as part of their writes. */
import { refused } from '../../kernel/refusal.ts'
import {
  type Document,
  kind,
  type Page,
  type Query,
  type SearchableText,
  type Store,
  type Work,
} from '../../store/index.ts'
import { type Metadata, metadata, type SetMetadata } from './decider.ts'
import { metadataEvents } from './events.ts'
import { metadataRefusals } from './refusals.ts'

/** Keys as typed and values have no index of their own: they are asked for together with a user or a folded key. */
export const userMetadata = kind({
  name: 'user-metadata',
  version: 1,
  events: metadataEvents,
  decider: metadata,
  refusals: metadataRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text' },
    key: { path: ['search', 'key'], type: 'text' },
    value: { path: ['search', 'value'], type: 'text' },
    typedKey: { path: ['key'], type: 'text', indexed: false },
  },
})

/** A name by which metadata can be filtered. */
export type MetadataField = keyof typeof userMetadata.fields & string

/** What entries are searched by: their key, folded or as typed. */
export const METADATA_KEY: SearchableText<MetadataField> = { folded: 'key', typed: ['typedKey'] }

/** The id of an entry follows from whose and under which key it is. No user id has a space in it. */
export function metadataId(userId: string, key: string): string {
  return `${userId} ${key}`
}

/** One value to keep; the bytes are not read. */
export interface NewMetadata {
  readonly key: string
  readonly value: Uint8Array
}

/** Throws, naming the field, when a key has characters that cannot be kept. */
export function checkMetadataKeys(entries: readonly { readonly key: string }[], field: string): void {
  const violations = entries.flatMap(({ key }, index) =>
    key.isWellFormed() && !/\p{Cc}/u.test(key)
      ? []
      : [{ field: `${field}[${index}].key`, description: 'must not contain control characters' }],
  )
  if (violations.length > 0) throw refused(metadataRefusals, 'metadata.key_invalid', { violations })
}

/** Sets entries of a user as part of a write; of two with the same key the last one counts. */
export async function setMetadata(
  work: Work,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  entries: readonly NewMetadata[],
): Promise<void> {
  for (const { key, value } of entries) {
    const command = { type: 'set', userId, key, value: Buffer.from(value).toString('base64') } as const
    await work.decide(userMetadata, metadataId(userId, key), command, organizationId)
  }
}

/** Removes entries of a user as part of a write; refused when one of them is not there. */
export async function removeMetadata(work: Work, userId: string, keys: Iterable<string>): Promise<void> {
  for (const key of new Set(keys)) await work.decide(userMetadata, metadataId(userId, key), { type: 'remove' })
}

/** An entry of a user; undefined when there is none. */
export async function findMetadata(
  store: Store,
  userId: string,
  key: string,
): Promise<Document<SetMetadata> | undefined> {
  const document = await store.get(userMetadata, metadataId(userId, key))
  return document?.state.status === 'set' ? (document as Document<SetMetadata>) : undefined
}

/** Entries of users, for lists. */
export async function listMetadata(store: Store, query: Query<MetadataField>): Promise<Page<SetMetadata>> {
  // Removed entries have no fields, so that every condition on a user leaves them out.
  return (await store.find(userMetadata, query)) as Page<Metadata> as Page<SetMetadata>
}

const AT_ONCE = 500

/** What goes when a user is removed: everything that is kept about them. */
export function removeMetadataOf(store: Store) {
  return async (work: Work, userId: string): Promise<void> => {
    const where = { field: 'userId', equals: userId } as const
    for (let offset = 0, more = true; more; offset += AT_ONCE) {
      const { documents } = await store.find(userMetadata, { where, orderBy: 'id', limit: AT_ONCE, offset })
      for (const { id } of documents) {
        const entry = await work.get(userMetadata, id)
        if (entry?.state.status === 'set') await work.decide(userMetadata, id, { type: 'remove' })
      }
      more = documents.length === AT_ONCE
    }
  }
}
