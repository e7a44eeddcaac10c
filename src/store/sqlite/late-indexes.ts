/**
 * Indexes that are built after the store is open, one after the other, by the writer. Until then, queries do without them:
 * they are slower and run on the scan thread.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, sqliteDialect } from '../query/dialect.ts'
import type { IndexChange } from './schema.ts'

/** How long to wait when another process is writing. */
const PAUSE_MS = 1_000

export class LateIndexes {
  #changes: readonly IndexChange[] = []
  readonly #missing = new Set<string>()
  #isStopped = false
  /** Whether an index is still to be built. */
  readonly isMissing = (index: string): boolean => this.#missing.has(index)
  /** Queries of this dialect name no index that is missing. */
  readonly dialect: Dialect = { ...sqliteDialect, isMissing: this.isMissing }

  /** Sets what there is to do. */
  plan(changes: readonly IndexChange[]): void {
    this.#changes = changes
    this.#missing.clear()
    for (const { name, isDrop } of changes) if (!isDrop) this.#missing.add(name)
  }

  /** Builds and drops; `run` executes a statement of the writer. Returns how many indexes were built or dropped. */
  async build(run: (sql: string) => Promise<unknown>): Promise<number> {
    const changes = this.#changes
    this.#changes = []
    let done = 0
    for (const { name, sql } of changes) {
      for (let isDone = false; !isDone && !this.#isStopped; ) {
        isDone = await run(sql).then(
          () => true,
          () => false,
        )
        if (!isDone) await sleep(PAUSE_MS, undefined, { ref: false })
      }
      if (this.#isStopped) break
      this.#missing.delete(name)
      done += 1
    }
    return done
  }

  /** The index that is being built is completed, no other one is begun. */
  stop(): void {
    this.#isStopped = true
  }
}
