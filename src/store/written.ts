/**
 * What this process has written since the cache was last brought up to date. If the log has no other new events, it need
 * not be read to learn what changed. And a document that is in use is kept as it was written, unless a later event has
 * changed it.
 */
import type { Instant } from '../kernel/instant.ts'
import type { Changed, Commit, DocumentRow, StreamChange } from './engine.ts'

export class Written {
  /** By kind and id. */
  readonly #rows = new Map<string, Map<string, DocumentRow>>()
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

  /** Adds a commit; `last` is the sequence of its last event. */
  add({ at, changes, removed }: Commit, last: number): void {
    // Events are numbered in the order of the changes.
    let sequence = last
    for (const change of changes.toReversed()) {
      const { kind, id, events } = change
      if (change.expected > 0) this.#addRow(change, sequence, at)
      this.#changes.push([kind, id, sequence])
      sequence -= events.length
      this.#events += events.length
    }
    for (const { kind } of removed) this.#changes.push([kind, null, last])
  }

  #addRow(change: StreamChange, sequence: number, changedAt: Instant): void {
    const { kind, id, owner, state, parsed, gone, createdAt, expected, events } = change
    const revision = expected + events.length
    const ofKind = this.#rows.get(kind) ?? new Map<string, DocumentRow>()
    this.#rows.set(kind, ofKind)
    if ((ofKind.get(id)?.sequence ?? 0) > sequence) return
    ofKind.set(id, { kind, id, owner, state, gone, revision, sequence, createdAt, changedAt, parsed })
  }

  /** The changed documents whose event is the last one of their stream in a list of all changes. */
  current(changes: readonly Changed[]): readonly DocumentRow[] {
    if (this.#rows.size === 0) return []
    const last = new Map<DocumentRow, number>()
    const removed = new Set<string>()
    for (const [kind, id, sequence] of changes) {
      const row = id === null ? undefined : this.#rows.get(kind)?.get(id)
      if (id === null) removed.add(kind)
      if (row !== undefined) last.set(row, Math.max(sequence, last.get(row) ?? 0))
    }
    return [...last].flatMap(([row, sequence]) => (sequence === row.sequence && !removed.has(row.kind) ? [row] : []))
  }

  clear(): void {
    if (this.#events === 0) return
    this.#rows.clear()
    this.#changes = []
    this.#events = 0
  }
}
