/** Sets and removes metadata of groups. */
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import type { Origin, Work } from '../../../store/index.ts'
import { metadataId, type NewMetadata } from '../../metadata/index.ts'
import { findGroup, groupMetadata } from '../documents.ts'
import { groupRefusals } from '../refusals.ts'

/** Sets entries of a group as part of a write; an empty value removes one. Answers when one of them last changed. */
export async function setGroupEntries(work: Work, groupId: string, entries: readonly NewMetadata[]): Promise<number> {
  const found = await findGroup(work, groupId)
  if (found === undefined) throw refused(groupRefusals, 'group.not_found')
  const dates: number[] = []
  for (const { key, value } of entries) {
    const base64 = Buffer.from(value).toString('base64')
    const command =
      base64 === '' ? ({ type: 'remove' } as const) : ({ type: 'set', groupId, key, value: base64 } as const)
    const entry = await work.decide(groupMetadata, metadataId(groupId, key), command, found.owner)
    if (entry.revision > 0) dates.push(entry.changedAt)
  }
  return dates.length === 0 ? found.changedAt : Math.max(...dates)
}

/** Removes up to `limit` entries of a removed group; answers how many. */
export async function removeSomeEntries(app: App, groupId: string, origin: Origin, limit: number): Promise<number> {
  const ids = await app.store.findIds(groupMetadata, { field: 'groupId', equals: groupId }, limit)
  if (ids.length === 0) return 0
  await app.store.write(origin, async (work) => {
    for (const id of ids) await work.decide(groupMetadata, id, { type: 'remove' })
  })
  return ids.length
}
