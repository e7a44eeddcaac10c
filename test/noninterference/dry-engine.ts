/**
 * A database that can answer commits without writing them. The server decides and replies as if it had written, what it
 * would have written is seen before it is stored, and the next request finds the same world.
 */
import type { Commit, Engine, Outcome } from '../../src/store/engine.ts'
import type { TestEngine } from '../support/engines.ts'

export class Gate {
  #isClosed = false
  #commits: Commit[] = []
  readonly #streamOf: (kind: string) => string

  /** `streamOf` plants a fault: kinds for which it answers the same share their streams. */
  constructor(streamOf: (kind: string) => string = (kind) => kind) {
    this.#streamOf = streamOf
  }

  /** From now on nothing is written. */
  close(): void {
    this.#isClosed = true
  }

  /** From now on everything is written again. */
  open(): void {
    this.#isClosed = false
  }

  /** What would have been written since it was asked the last time. */
  take(): readonly Commit[] {
    const commits = this.#commits
    this.#commits = []
    return commits
  }

  /** Engines that write only while the gate is open. */
  on(engine: TestEngine): TestEngine {
    return {
      name: engine.name,
      open: async (contents) => {
        const database = await engine.open(contents)
        return {
          ...database,
          engine: this.#guard(database.engine),
          reopen: async () => this.#guard(await database.reopen()),
        }
      },
    }
  }

  #guard(engine: Engine): Engine {
    const streamOf = this.#streamOf
    const shared = <Of extends { readonly kind: string }>(of: Of): Of => ({ ...of, kind: streamOf(of.kind) })
    const commit = async (given: readonly Commit[]) => {
      const batch = given.map((one) => ({
        ...one,
        changes: one.changes.map(shared),
        guards: one.guards.map(shared),
      }))
      if (!this.#isClosed) return engine.commit(batch)
      this.#commits.push(...batch)
      return Promise.all(batch.map((one) => outcomeOf(engine, one)))
    }
    return new Proxy(engine, {
      get(target, name) {
        if (name === 'commit') return commit
        if (name === 'get' || name === 'stream') {
          return (kind: string, id: string) => target[name](streamOf(kind), id)
        }
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

/** What the database would answer: nobody else writes, so only what is unique can be in the way. */
async function outcomeOf(engine: Engine, { claims, released }: Commit): Promise<Outcome> {
  for (const [index, { kind, value, id }] of claims.entries()) {
    const holder = await engine.findClaimHolder(kind, value)
    const isFree =
      holder === undefined || holder === id || released.some((one) => one.kind === kind && one.value === value)
    if (!isFree) return { type: 'taken', index }
  }
  return { type: 'committed', sequence: (await engine.head()).sequence }
}
