/** The store on top of an engine: it validates reads, commits decisions in groups and retries them on conflict. */
import { actorText } from '../kernel/actor.ts'
import { refused } from '../kernel/refusal.ts'
import { FinishedCounts } from './cache/finished-counts.ts'
import { asOneRequest, sawCommit, sawConflict } from './cache/read-scope.ts'
import type { Computation } from './computation.ts'
import type { Engine } from './engine.ts'
import { rebuildFold } from './fold.ts'
import { follow } from './follow/follow.ts'
import { LogTail } from './follow/log-tail.ts'
import { storeJobs } from './jobs/run-jobs.ts'
import type { AnyKind } from './kind.ts'
import { hasRelated, type Lookup, lookUpRelated } from './lists/related.ts'
import { NO_OBSERVER, type StoreObserver } from './observer.ts'
import { checkKindName, columnOf } from './query/columns.ts'
import { compileQuery } from './query/index.ts'
import { storeRefusals } from './refusals.ts'
import { isStorableText } from './text.ts'
import type { Finder, Query, Store } from './types.ts'
import { commitQueue } from './write/commit-queue.ts'
import { type Turn, Turns } from './write/document-turns.ts'
import { CollectionLimits, checkLimits } from './write/limits.ts'
import { OpenWork, type PlannedCommit, toDocument } from './write/work.ts'

/** How often a write is decided again. Writers of this process take turns then, so only those of others can be faster. */
const RETRIES = 10

/** The kinds by name, after a check of what they declare. */
function byName(kinds: readonly AnyKind[]): ReadonlyMap<string, AnyKind> {
  const known = new Map<string, AnyKind>()
  for (const kind of kinds) {
    checkKindName(kind)
    checkLimits(kind)
    if (known.has(kind.name)) throw new Error(`two kinds are named ${kind.name}`)
    known.set(kind.name, kind)
  }
  return known
}

/** Prepares the engine for these kinds, rebuilds the documents that another version folded, and opens the store. */
export async function openStore(
  engine: Engine,
  kinds: readonly AnyKind[],
  observer: StoreObserver = NO_OBSERVER,
): Promise<Store> {
  const known = byName(kinds)
  const rebuild = async (some: readonly AnyKind[], onFolded?: (events: number) => void): Promise<void> => {
    for (const kind of some) await engine.rebuild(kind, rebuildFold(kind, onFolded))
  }
  const stale = await engine.prepare(kinds)
  for (const { name, version } of stale) observer.building?.({ kind: name, version, done: 0, total: 0 })
  await rebuild(stale)

  // The writer thread of SQLite takes the next batch without waiting for the main thread. PostgreSQL gets one call after
  // the other, and a longer wait makes a larger batch.
  const queue = commitQueue(engine, { inFlight: engine.name === 'sqlite' ? 2 : 1 }, observer)
  const jobs = storeJobs(engine, observer)
  const tail = new LogTail(engine)
  const counts = new FinishedCounts((range) => engine.counted(range))

  // A kind that was not prepared has no indexes and is not rebuilt: an error is better than slow or stale answers.
  const checkKind = (kind: AnyKind): void => {
    if (known.get(kind.name) !== kind) throw new Error(`the store was not opened with the kind ${kind.name}`)
  }

  /** The sequence of a commit, or undefined on conflict. */
  const commit = async ({ commit, taken }: PlannedCommit, attempt: number): Promise<number | undefined> => {
    const outcome = await queue.commit(commit)
    if (outcome.type !== 'committed') sawConflict()
    if (outcome.type === 'taken') throw taken[outcome.index]?.() ?? new Error('an unknown claim is taken')
    if (outcome.type === 'conflict') {
      observer.conflicted(commit.changes, attempt)
      return undefined
    }
    observer.committed(commit.changes)
    counts.added(commit.counts)
    tail.wake()
    if (commit.jobs.length > 0) jobs.wake()
    sawCommit(outcome.sequence)
    return outcome.sequence
  }

  const get: Store['get'] = async (kind, id) => {
    checkKind(kind)
    // No document can have an id that cannot be stored, and the databases would not accept it as a parameter.
    const found = isStorableText(id) ? engine.get(kind.name, id) : undefined
    const row = found instanceof Promise ? await found : found
    return row === undefined || row.gone ? undefined : toDocument(row)
  }
  const find = finder(engine, checkKind)
  const findValues: Store['findValues'] = (kind, where, field) => {
    checkKind(kind)
    const query = compileQuery(kind, { where, limit: 0 }, engine.dialect)
    return engine.values(query, columnOf(kind, field).sql, Number.MAX_SAFE_INTEGER)
  }

  return {
    engine: engine.name,
    jobs: jobs.methods,
    // SQLite validates its cache without waiting, once for each turn of the event loop.
    asOneRequest: engine.name === 'postgres' ? asOneRequest : (run) => run(),
    get,
    find,
    async findIds(kind, where, limit) {
      checkKind(kind)
      const query = compileQuery(kind, { where, limit: limit ?? 0 }, engine.dialect)
      return (await engine.values(query, 'id', limit ?? Number.MAX_SAFE_INTEGER)).map(String)
    },
    findValues,
    findGreatest: greatestFinder(engine, checkKind),
    getRemoved: removedReader(engine, checkKind),
    computed: computer(engine, { get, find }),
    findClaimHolder: async (claimKind, value) =>
      isStorableText(value) ? engine.findClaimHolder(claimKind, value) : undefined,
    ...logMethods(engine, tail),
    counted: async (query) => (isStorableText(query.scope) ? counts.counted(query) : []),
    async removeCounts(before) {
      await engine.removeCounts(before)
      counts.clear()
    },
    write: writer(engine, checkKind, commit, new CollectionLimits(find, findValues)),
    async rebuild(some = kinds, onFolded) {
      await rebuild(some, onFolded)
      counts.clear()
    },
    buildIndexes: async () => (await engine.buildIndexes?.()) ?? 0,
    load: () => ({ waitingCommits: queue.waiting, connections: engine.connections?.() }),
    ping: () => engine.ping(),
    delayMs: () => Math.max(queue.delayMs(), engine.delayMs?.() ?? 0),
    async close() {
      tail.close()
      await jobs.stop()
      await queue.drain()
      await engine.close()
    },
  }
}

/** Reads the log, and follows it. */
function logMethods(engine: Engine, tail: LogTail): Pick<Store, 'events' | 'follow' | 'following'> {
  return {
    async events(query) {
      const { id = '', actor = 'server', owner = '', kinds = [], types = [] } = query
      return [id, actorText(actor), owner, ...kinds, ...types].every(isStorableText) ? engine.events(query) : []
    },
    follow: (options) => follow(engine, tail, options),
    following: () => tail.load,
  }
}

type CommitPlan = (plan: PlannedCommit, attempt: number) => Promise<number | undefined>

/** Decides and commits. A decision whose documents have changed meanwhile is made again. */
function writer(
  engine: Engine,
  checkKind: (kind: AnyKind) => void,
  commit: CommitPlan,
  limits: CollectionLimits,
): Store['write'] {
  const turns = new Turns()
  return async (origin, build) => {
    let turn: Turn | undefined
    try {
      for (let attempt = 0; attempt <= RETRIES; attempt++) {
        const work = new OpenWork(engine, origin, checkKind, attempt > 0)
        const built = await settle(build(work))
        if ('error' in built && (await work.hasDrawnTaken())) continue
        const recorded = work.recordedRefusal
        if (recorded === undefined && 'error' in built) throw built.error
        const plan = recorded?.commit ?? work.plan()
        // On a busy machine a turn can be too short for a commit: who was too slow waits for another one.
        const hasNoTurn = turn === undefined || turn.isOver
        const isTooEarly = hasNoTurn && turns.isAwaited(plan.commit)
        const sequence = isTooEarly
          ? undefined
          : await limits.during(recorded ? [] : work.streams, () => commit(plan, attempt))
        if (sequence === undefined) {
          if (turn === undefined || turn.isOver) turn = await turns.take(plan.commit)
        } else if (recorded !== undefined) {
          throw recorded.refusal
        } else if ('value' in built) {
          work.committed(plan.commit, sequence)
          const hasChanged = plan.commit.changes.length > 0
          return { value: built.value, sequence, at: origin.at, hasChanged }
        }
      }
    } finally {
      turn?.end()
    }
    throw refused(storeRefusals, 'store.conflict')
  }
}

/** Reads what is left of removed documents. */
function removedReader(engine: Engine, checkKind: (kind: AnyKind) => void): Store['getRemoved'] {
  return async (kind, id) => {
    checkKind(kind)
    const row = isStorableText(id) ? await engine.get(kind.name, id) : undefined
    return row?.gone ? toDocument(row) : undefined
  }
}

/** Finds the greatest value of a field. */
function greatestFinder(engine: Engine, checkKind: (kind: AnyKind) => void): Store['findGreatest'] {
  return async (kind, where, field) => {
    checkKind(kind)
    const { sql, type } = columnOf(kind, field)
    const query = compileQuery(kind, { where, limit: 0 }, engine.dialect)
    const [greatest] = await engine.values(query, `max(${sql}${type === 'text' ? engine.dialect.bytewise : ''})`, 1)
    return typeof greatest === 'string' || typeof greatest === 'number' ? greatest : undefined
  }
}

/** Finds documents. */
function finder(engine: Engine, checkKind: (kind: AnyKind) => void): Store['find'] {
  const lookup: Lookup = {
    values(kind, where, field, limit) {
      const query = compileQuery(kind, { where, limit: 0 }, engine.dialect)
      return engine.values(query, columnOf(kind, field).sql, limit)
    },
    get dialect() {
      return engine.dialect
    },
  }
  const findRelated = async (kind: AnyKind, query: Query) => {
    const where = await lookUpRelated(query.where ?? { all: [] }, lookup)
    return engine.find(compileQuery(kind, { ...query, where }, engine.dialect))
  }
  return async (kind, query) => {
    checkKind(kind)
    const asked = compileQuery(kind, query, engine.dialect)
    const found = asked.isRelated ? findRelated(kind, query) : engine.find(asked)
    const { rows, total, sequence } = found instanceof Promise ? await found : found
    return { documents: rows.map((row) => toDocument(row)), total, sequence }
  }
}

/** Computes values and records what was read for them. */
function computer(engine: Engine, { get, find }: Finder): Store['computed'] {
  return async <About extends readonly string[], Value>(computation: Computation<About, Value>, ...about: About) => {
    const key = computation.keyOf(about)
    const known = engine.computed.get(key)
    const kept = known instanceof Promise ? await known : known
    if (kept !== undefined) return kept as Value
    const keep = engine.computed.begin()
    const documents: { kind: string; id: string }[] = []
    const kinds: string[] = []
    let found = 0
    const recording: Finder = {
      get(kind, id) {
        documents.push({ kind: kind.name, id })
        return get(kind, id)
      },
      async find(kind, query) {
        if (hasRelated(query.where)) throw new Error('a computed value cannot depend on related documents')
        kinds.push(kind.name)
        const page = await find(kind, query)
        found += page.documents.length
        return page
      },
    }
    const value = await computation.compute(recording, about)
    if (value !== undefined) keep(key, value, { documents, kinds, found })
    return value
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
