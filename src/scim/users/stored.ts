/** Users as they are stored, with the metadata that SCIM keeps for them. */
import {
  listMetadata,
  type MetadataField,
  metadataId,
  sizeOfMetadata,
  userMetadata,
} from '../../features/metadata/index.ts'
import { type HumanUser, users } from '../../features/users/index.ts'
import type { App } from '../../module/app.ts'
import type { Document, Filter, Work } from '../../store/index.ts'
import { ScimError } from '../errors.ts'
import { Overtaken } from '../resources.ts'
import { type CallerSettings, keyOf, PREFIX } from '../settings.ts'
import { versionOf } from '../versions.ts'
import { EXTRA_NAMES, type Extras } from './mapping.ts'

/** The keys of all that SCIM keeps for a user. */
export function keysOf({ externalIdKey }: CallerSettings): readonly string[] {
  return [externalIdKey, ...EXTRA_NAMES.map(keyOf)]
}

/** A user with what SCIM keeps for it. */
export interface StoredUser {
  readonly user: Document<HumanUser>
  readonly externalId: string | undefined
  readonly extras: Extras
  /** The sequence of each entry, by key. */
  readonly sequences: ReadonlyMap<string, number>
  readonly version: string
  readonly changedAt: number
}

/** An entry of a user as it is stored. */
type Entry = Awaited<ReturnType<typeof listMetadata>>['documents'][number]

/** A user with what these entries say. */
function storedUser(settings: CallerSettings, user: Document<HumanUser>, entries: readonly Entry[]): StoredUser {
  const extras = new Map<string, string>()
  const sequences = new Map<string, number>()
  let externalId: string | undefined
  let { changedAt } = user as { changedAt: number }
  for (const { state, sequence, changedAt: at } of entries) {
    const text = Buffer.from(state.value, 'base64').toString('utf8')
    if (state.key === settings.externalIdKey) externalId = text
    else extras.set(state.key.slice(PREFIX.length), text)
    sequences.set(state.key, sequence)
    changedAt = Math.max(changedAt, at)
  }
  const ordered = [...sequences].sort(([one], [other]) => (one < other ? -1 : 1))
  return { user, externalId, extras, sequences, version: versionOf([user.sequence, ordered]), changedAt }
}

/**
 * A user that a write has added with these entries, without reading it again. The answer is to be asked for after the commit,
 * which gives the documents their sequences.
 */
export async function addedIn(
  work: Work,
  settings: CallerSettings,
  userId: string,
  keys: readonly string[],
): Promise<() => StoredUser> {
  const user = await work.get(users, userId)
  const entries = await Promise.all(keys.map((key) => work.get(userMetadata, metadataId(userId, key))))
  const set = entries.filter((entry) => entry?.state.status === 'set')
  return () => storedUser(settings, user as Document<HumanUser>, set as Entry[])
}

/** What is kept for the users of one answer, or of those that a filter compares, in characters. */
const MOST_KEPT = 10_000_000

/** Reads what SCIM keeps for some users. */
export async function withExtras(
  app: App,
  settings: CallerSettings,
  documents: readonly Document<HumanUser>[],
): Promise<readonly StoredUser[]> {
  if (documents.length === 0) return []
  const keys = keysOf(settings)
  const where: Filter<MetadataField> = {
    all: [
      { field: 'userId', in: documents.map(({ id }) => id) },
      { field: 'typedKey', in: keys },
    ],
  }
  if (documents.length > 1 && (await sizeOfMetadata(app, where)) > MOST_KEPT) {
    const why = `The attributes of ${documents.length} users have more than ${MOST_KEPT} characters.`
    throw new ScimError(400, `${why} Ask for fewer users, by count or another filter.`, 'tooMany')
  }
  const entries = await listMetadata(app, { where, orderBy: 'id', limit: documents.length * keys.length })
  const byUser = Map.groupBy(entries.documents, ({ state }) => state.userId)
  return documents.map((user) => storedUser(settings, user, byUser.get(user.id) ?? []))
}

/**
 * Throws when a user has changed since it was read, or what is kept for it under these keys. All of them, if the caller
 * has named a version; otherwise those that were there and those that are written.
 */
export async function requireUnchanged(
  work: Work,
  { user, sequences }: StoredUser,
  written: readonly string[],
): Promise<void> {
  const keys = [...new Set([...sequences.keys(), ...written])]
  const [now, ...entries] = await Promise.all([
    work.get(users, user.id),
    ...keys.map((key) => work.get(userMetadata, metadataId(user.id, key))),
  ])
  const isSame =
    now?.sequence === user.sequence &&
    entries.every((entry, index) => {
      const known = sequences.get(keys[index] ?? '')
      return entry?.state.status === 'set' ? entry.sequence === known : known === undefined
    })
  if (!isSame) throw new Overtaken('the user has changed')
}
