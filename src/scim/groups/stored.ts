/** Groups as they are stored, with the metadata that SCIM keeps for them. */
import { findGroup, groupMetadata, groupRefusals, type LivingGroup, lastTurns } from '../../features/groups/index.ts'
import { metadataId } from '../../features/metadata/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { Overtaken, type ScimCall } from '../resources.ts'
import { type CallerSettings, keyOf } from '../settings.ts'
import { versionOf, withTurn } from '../versions.ts'

const OTHER_KEY = keyOf('other')

/** A group with what SCIM keeps for it, without its members. */
export interface StoredGroup {
  readonly group: Document<LivingGroup>
  readonly externalId: string
  /** What the schema does not know, as JSON; empty for none. */
  readonly other: string
  /** The sequence of each entry, by key. */
  readonly sequences: ReadonlyMap<string, number>
  readonly version: string
  readonly changedAt: number
}

/** The keys of all that SCIM keeps for a group. */
export function keysOf({ externalIdKey }: CallerSettings): readonly [externalId: string, other: string] {
  return [externalIdKey, OTHER_KEY]
}

/** Reads what SCIM keeps for some groups. */
export async function withEntries(
  { app, settings }: ScimCall,
  documents: readonly Document<LivingGroup>[],
): Promise<readonly StoredGroup[]> {
  if (documents.length === 0) return []
  const keys = keysOf(settings)
  const ids = documents.map(({ id }) => id)
  const where = { all: [{ field: 'groupId', in: ids } as const, { field: 'typedKey', in: keys } as const] }
  const { documents: found } = await app.store.find(groupMetadata, {
    where,
    orderBy: 'id',
    limit: ids.length * keys.length,
  })
  const turns = await lastTurns(app, ids)
  const byGroup = Map.groupBy(found, ({ state }) => (state.status === 'set' ? state.groupId : ''))
  return documents.map((group) => {
    const texts = new Map<string, string>()
    const sequences = new Map<string, number>()
    let changedAt = Math.max(group.changedAt, turns.get(group.id) ?? 0)
    for (const { state, sequence, changedAt: at } of byGroup.get(group.id) ?? []) {
      if (state.status !== 'set') continue
      texts.set(state.key, Buffer.from(state.value, 'base64').toString('utf8'))
      sequences.set(state.key, sequence)
      changedAt = Math.max(changedAt, at)
    }
    return {
      group,
      externalId: texts.get(settings.externalIdKey) ?? '',
      other: texts.get(OTHER_KEY) ?? '',
      sequences,
      version: withTurn(versionOf([group.sequence, keys.map((key) => sequences.get(key) ?? 0)]), turns.get(group.id)),
      changedAt,
    }
  })
}

/** The group in the organization of the call. */
export async function storedGroup(scim: ScimCall, id: string): Promise<StoredGroup> {
  const group = await findGroup(scim.app.store, id)
  const [stored] = group?.owner === scim.call.organizationId ? await withEntries(scim, [group]) : []
  if (stored === undefined) throw refused(groupRefusals, 'group.not_found')
  return stored
}

/** Throws when a group has changed since it was read, or what is kept for it. */
export async function requireSameGroup(
  work: Work,
  settings: CallerSettings,
  { group, sequences }: StoredGroup,
): Promise<void> {
  const [now, ...entries] = await Promise.all([
    findGroup(work, group.id),
    ...keysOf(settings).map((key) => work.get(groupMetadata, metadataId(group.id, key))),
  ])
  const isSame = entries.every((entry, index) => {
    const sequence = entry?.state.status === 'set' ? entry.sequence : undefined
    return sequence === sequences.get(keysOf(settings)[index] ?? '')
  })
  if (!isSame || now?.sequence !== group.sequence) throw new Overtaken('the group has changed')
}
