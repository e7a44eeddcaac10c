/** The store over an engine: reads as they are, writes as decisions that are committed in groups and retried on conflict. */
import { refused } from '../kernel/refusal.ts'
import { commitQueue } from './commit-queue.ts'
import type { Engine } from './engine.ts'
import { rebuildFold } from './fold.ts'
import type { Store } from './index.ts'
import { storeJobs } from './jobs.ts'
import type { AnyKind } from './kind.ts'
import { kindLiteral } from './query/columns.ts'
import { compileQuery, postgresDialect, sqliteDialect } from './query/index.ts'
import { storeRefusals } from './refusals.ts'
import { isStorableText } from './text.ts'
import { beginWork, type PlannedCommit, toDocument } from './work.ts'

const RETRIES = 3

/** Prepares the engine for these kinds, folds again what an older version folded, and opens the store. */
export async function openStore(engine: Engine, kinds: readonly AnyKind[]): Promise<Store> {
  const known = new Map<string, AnyKind>()
  for (const kind of kinds) {
    kindLiteral(kind)
    if (known.has(kind.name)) throw new Error(`two kinds are named ${kind.name}`)
    known.set(kind.name, kind)
  }
  const rebuild = async (some: readonly AnyKind[]): Promise<void> => {
    for (const kind of some) await engine.rebuild(kind, rebuildFold(kind))
  }
  await rebuild(await engine.prepare(kinds))

  const dialect = engine.name === 'postgres' ? postgresDialect : sqliteDialect
  // The writer thread of SQLite goes from one batch to the next by itself. To PostgreSQL it is one call after the other,
  // and what waits longer goes in a larger batch.
  const queue = commitQueue(engine, { underWay: engine.name === 'sqlite' ? 2 : 1 })
  const jobs = storeJobs(engine)

  // A kind that was not prepared has no indexes and is not rebuilt: better a loud mistake than a slow surprise.
  const checkKind = (kind: AnyKind): void => {
    if (known.get(kind.name) !== kind) throw new Error(`the store was not opened with the kind ${kind.name}`)
  }

  /** The sequence of a commit, or undefined when it met another one. */
  const commit = async ({ commit, taken }: PlannedCommit): Promise<number | undefined> => {
    const outcome = await queue.commit(commit)
    if (outcome.type === 'taken') throw taken[outcome.index]?.() ?? new Error('an unknown claim is taken')
    if (outcome.type === 'conflict') return undefined
    if (commit.jobs.length > 0) jobs.wake()
    return outcome.sequence
  }

  return {
    engine: engine.name,
    jobs: jobs.front,
    async get(kind, id) {
      checkKind(kind)
      // What cannot be stored is not there; the databases would not even take the question.
      const found = isStorableText(id) ? engine.get(kind.name, id) : undefined
      const row = found instanceof Promise ? await found : found
      return row === undefined || row.gone ? undefined : toDocument(row)
    },
    async find(kind, query) {
      checkKind(kind)
      const found = engine.find(compileQuery(kind, query, dialect))
      const { rows, total, sequence } = found instanceof Promise ? await found : found
      return { documents: rows.map((row) => toDocument(row)), total, sequence }
    },
    holder: async (claimKind, value) => (isStorableText(value) ? engine.holder(claimKind, value) : undefined),
    async events(query) {
      const { id = '', actor = '', owner = '', kinds = [], types = [] } = query
      return [id, actor, owner, ...kinds, ...types].every(isStorableText) ? engine.events(query) : []
    },
    async write(origin, build) {
      for (let attempt = 0; attempt <= RETRIES; attempt++) {
        const open = beginWork(engine, origin, checkKind)
        const built = await settle(build(open.work))
        const remembered = open.remembered()
        if (remembered !== undefined) {
          if ((await commit(remembered.commit)) === undefined) continue
          throw remembered.refusal
        }
        if ('error' in built) throw built.error
        const sequence = await commit(open.plan())
        if (sequence !== undefined) return { value: built.value, sequence, at: origin.at }
      }
      throw refused(storeRefusals, 'store.conflict')
    },
    rebuild: (some = kinds) => rebuild(some),
    ping: () => engine.ping(),
    async close() {
      await jobs.stop()
      await queue.drain()
      await engine.close()
    },
  }
}

type Settled<Value> = { readonly value: Value } | { readonly error: unknown }

async function settle<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await promise }
  } catch (error) {
    return { error }
  }
}
