/**
 * What this process has written since the cache was last brought up to date. If the log has no other new events, it need
 * not be read to learn what changed.
 */
import type { Changed, Commit, DocumentRow } from './engine.ts'

/** The existing documents that a commit has changed, as they are since; `last` is the sequence of its last event. */
export function changedRows({ at, changes }: Commit, last: number): readonly DocumentRow[] {
  const rows: DocumentRow[] = []
  // Events are numbered in the order of the changes.
  let sequence = last
  for (const change of changes.toReversed()) {
    const { kind, id, owner, state, parsed, gone, createdAt, expected, events } = change
    const revision = expected + events.length
    if (expected > 0) rows.push({ kind, id, owner, state, gone, revision, sequence, createdAt, changedAt: at, parsed })
    sequence -= events.length
  }
  return rows
}

export class Written {
  #rows: DocumentRow[] = []
  #changes: Changed[] = []
  #events = 0

  /** How many events there are. They have different sequences, so as many new ones in the log are all of this process. */
  get events(): number {
    return this.#events
  }

  /** The changed streams, as the log would list them. */
  get changes(): readonly Changed[] {
    return this.#changes
  }

  /** The existing documents that were changed. */
  get rows(): readonly DocumentRow[] {
    return this.#rows
  }

  /** Adds a commit; `last` is the sequence of its last event. */
  add(commit: Commit, last: number): void {
    let sequence = last
    for (const { kind, id, events } of commit.changes.toReversed()) {
      this.#changes.push([kind, id, sequence])
      sequence -= events.length
      this.#events += events.length
    }
    for (const { kind } of commit.removed) this.#changes.push([kind, null, last])
    for (const row of changedRows(commit, last)) this.#rows.push(row)
  }

  clear(): void {
    if (this.#events === 0) return
    this.#rows = []
    this.#changes = []
    this.#events = 0
  }
}
