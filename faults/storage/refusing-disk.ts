/** What clients of SQLite see while the disk takes no more: which writes were acknowledged, and whether reads continue. */
import { newId } from '../../src/kernel/id.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { Store } from '../../src/store/index.ts'
import { boxes, by } from '../../test/support/sample-kind.ts'

/** Writes one document of 50 kB and returns its ID. */
export async function pack(store: Store): Promise<string> {
  const command = { type: 'pack', label: newId(), note: 'x'.repeat(50_000) } as const
  return (await store.write(by('ann'), (work) => work.decide(boxes, newId(), command, 'org-1'))).value.id
}

/** Whether it is the refusal that clients see while the database cannot be used. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refused && error.code === 'store.unavailable'
}

/** A write that is refused as unavailable gives undefined. */
export async function tryPack(store: Store): Promise<string | undefined> {
  try {
    return await pack(store)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return undefined
  }
}

/** How many of these documents cannot be read. */
export async function countUnreadable(store: Store, ids: readonly string[]): Promise<number> {
  let missing = 0
  for (const id of ids) if ((await store.get(boxes, id))?.revision !== 1) missing++
  return missing
}

/** Whether the log has exactly these documents, in this order. */
export async function isLogOf(store: Store, ids: readonly string[]): Promise<boolean> {
  const log = await store.events({ limit: ids.length + 100 })
  return (
    log.length === ids.length && log.every(({ id, sequence }, index) => id === ids[index] && sequence === index + 1)
  )
}
