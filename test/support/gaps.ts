/** Reads the log and compares its gaps with the recorded removals. */
import type { Removal, Store, StoredEvent } from '../../src/store/index.ts'

/** Every event of the log. */
export async function readLog(store: Store): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let from = 0; ; ) {
    const page = await store.events({ from, limit: 1000 })
    events.push(...page)
    const last = page.at(-1)
    if (last === undefined) return events
    from = last.sequence
  }
}

/** The sequences up to the last one that have no event. */
export function gapsIn(log: readonly StoredEvent[]): readonly number[] {
  const present = new Set(log.map(({ sequence }) => sequence))
  const last = log.at(-1)?.sequence ?? 0
  return Array.from({ length: last }, (_, index) => index + 1).filter((sequence) => !present.has(sequence))
}

/** The removals that events of this type record. */
export function recordsIn(log: readonly StoredEvent[], type: string): readonly Removal[] {
  return log.filter((event) => event.type === type).map(({ data }) => data as Removal)
}

/** The sequences that these records list as removed, in ascending order. */
export function toldBy(records: readonly Removal[]): readonly number[] {
  return records
    .flatMap(({ ranges }) =>
      ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
    )
    .sort((one, other) => one - other)
}
