/** The kind `user-metadata`, and the functions of other modules to set, remove and find entries. */

import { eachAtOnce } from '../../kernel/each-at-once.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import { type Within, within } from '../../kernel/within.ts'
import type { App } from '../../module/app.ts'
import type { SearchableText } from '../../store/index.ts'
import { type Document, type Filter, kind, type Page, type Query, type Work } from '../../store/index.ts'
import { type Metadata, metadata, type SetMetadata } from './decider.ts'
import { metadataEvents } from './events.ts'
import { metadataRefusals } from './refusals.ts'

/**
 * What one user or organization may have: as many entries as one request can set, and as many characters of base64 as
 * one request can carry. So whatever a request may contain can be stored, once.
 */
export const METADATA_LIMIT = { things: 'metadata entries', number: 1_000, bytes: { field: 'size', most: 6_000_000 } }

/** `typedKey` has no index: it is only used together with a user or a folded key. */
export const userMetadata = kind({
  name: 'user-metadata',
  ids: { joined: ['user', 'key'] },
  waits: false,
  path: false,
  version: 3,
  personal: { by: 'userId' },
  events: metadataEvents,
  decider: metadata,
  refusals: metadataRefusals,
  fields: {
    userId: { path: ['userId'], type: 'text', beside: ['size'] },
    key: { path: ['search', 'key'], type: 'text' },
    value: { path: ['search', 'value'], type: 'text' },
    typedKey: { path: ['key'], type: 'text', indexed: false },
    size: { path: ['size'], type: 'number', indexed: false },
    listed1: { path: ['search', 'listed', 'listed1'], type: 'text', sparse: true },
    listed2: { path: ['search', 'listed', 'listed2'], type: 'text', sparse: true },
    listed3: { path: ['search', 'listed', 'listed3'], type: 'text', sparse: true },
    listedMore: { path: ['search', 'listed', 'more'], type: 'number', sparse: true },
  },
  limits: [{ ...METADATA_LIMIT, holder: 'a user', by: ['userId'] }],
})

/** A field by which metadata can be filtered. */
export type MetadataField = keyof typeof userMetadata.fields & string

/** The text that entries are searched by: their key, folded or as typed. */
export const METADATA_KEY: SearchableText<MetadataField> = { folded: 'key', typed: ['typedKey'] }

/** The ID of an entry: user and key. No user ID contains a space. */
export function metadataId(userId: string, key: string): string {
  return `${userId} ${key}`
}

/** An entry to set. The server does not interpret its bytes. */
export interface NewMetadata {
  readonly key: string
  readonly value: Uint8Array
}

/** Throws, and names the field, when a key contains characters that cannot be stored. */
export function checkMetadataKeys(entries: readonly { readonly key: string }[], field: string): void {
  const violations = entries.flatMap(({ key }, index) =>
    key.isWellFormed() && !/\p{Cc}/u.test(key)
      ? []
      : [{ field: `${field}[${index}].key`, description: 'must not contain control characters' }],
  )
  if (violations.length > 0) throw refused(metadataRefusals, 'metadata.key_invalid', { violations })
}

/**
 * Sets entries of a user as part of a write; an empty value removes one. If a key occurs twice, the last one applies.
 * Returns when they last changed: a value that was there already keeps its date.
 */
export async function setMetadata(
  work: Work,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  entries: readonly NewMetadata[],
): Promise<Instant | undefined> {
  const dates: number[] = []
  // All at once; the decisions below then wait for nothing, and are in the order of the entries.
  await eachAtOnce(entries, ({ key }) => work.get(userMetadata, metadataId(userId, key)))
  for (const { key, value } of entries) {
    const id = metadataId(userId, key)
    if (value.length === 0) {
      if ((await work.get(userMetadata, id))?.state.status === 'set')
        dates.push((await work.decide(userMetadata, id, { type: 'remove' })).changedAt)
      continue
    }
    const command = { type: 'set', userId, key, value: Buffer.from(value).toString('base64') } as const
    dates.push((await work.decide(userMetadata, id, command, organizationId)).changedAt)
  }
  return dates.length === 0 ? undefined : instant(Math.max(...dates))
}

/**
 * Removes entries of a user as part of a write, unless that was done before; refused when one never existed. Returns them
 * in the order of their keys.
 */
export async function removeMetadata(
  work: Work,
  userId: string,
  keys: Iterable<string>,
): Promise<readonly Document<Metadata>[]> {
  const removed: Document<Metadata>[] = []
  for (const key of new Set(keys)) {
    const id = metadataId(userId, key)
    const before = await work.get(userMetadata, id)
    removed.push(before?.state.status === 'none' ? before : await work.decide(userMetadata, id, { type: 'remove' }))
  }
  return removed
}

/** An entry of a user; undefined when there is none. */
export async function findMetadata(app: App, userId: string, key: string): Promise<Document<SetMetadata> | undefined> {
  const document = await app.store.get(userMetadata, metadataId(userId, key))
  return document?.state.status === 'set' ? (document as Document<SetMetadata>) : undefined
}

/** Entries of users, for lists. */
export async function listMetadata(app: App, query: Query<MetadataField>): Promise<Page<SetMetadata>> {
  // Removed entries have no fields, so no condition on a user matches them.
  return (await app.store.find(userMetadata, query)) as Page<Metadata> as Page<SetMetadata>
}

/** How many characters of base64 the entries have that meet a condition. */
export async function sizeOfMetadata(app: App, where: Filter<MetadataField>): Promise<number> {
  const sizes = await app.store.findValues(userMetadata, where, 'size')
  return sizes.reduce((sum: number, size) => sum + Number(size), 0)
}

/**
 * The entries of a user, by key, for answers that must not become large: all of them or, if together they have more than
 * `most` characters, the smaller ones.
 */
export async function metadataWithin(app: App, userId: string, most: number): Promise<Within<SetMetadata>> {
  const ofUser = { field: 'userId', equals: userId } as const
  const sizes = (await app.store.findValues(userMetadata, ofUser, 'size')).map(Number).sort((a, b) => a - b)
  const { kept, isCut } = within(sizes, most, (size) => size)
  const tooLarge = sizes[kept.length]
  const where = tooLarge === undefined ? ofUser : { all: [ofUser, { field: 'size', below: tooLarge } as const] }
  const { documents } = await listMetadata(app, { where, orderBy: 'id', limit: METADATA_LIMIT.number })
  return { kept: documents.map(({ state }) => state), isCut }
}

/** Removes all entries of a user in the commit that removes the user; does nothing when there are none. */
export async function removeMetadataOf(app: App, work: Work, userId: string): Promise<void> {
  const where = { field: 'userId', equals: userId } as const
  await eachAtOnce(await app.store.findIds(userMetadata, where), async (id) => {
    const entry = await work.get(userMetadata, id)
    if (entry?.state.status === 'set') await work.decide(userMetadata, id, { type: 'remove' })
  })
}
