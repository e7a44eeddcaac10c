/**
 * Removes streams from the log some time after they have ended. Otherwise the log would grow with every sign-in. Each
 * commit that removes streams appends one event with the sequences of the removed events and a digest over them. It
 * explains all gaps in the log and proves whether an older copy of the log is genuine.
 */
import { createHash } from 'node:crypto'
import { actorText } from '../kernel/actor.ts'
import { accept } from '../kernel/decider.ts'
import { data, declareEvents, type Event, type EventData } from '../kernel/event.ts'
import { type Clock, type Instant, instant } from '../kernel/instant.ts'
import { COUNTS_KEPT_MS } from './counters.ts'
import { type AnyKind, type Kind, kind } from './kind.ts'
import type { Document, Job, JobFailure, JobRunner, RemovedStream, Store, Work } from './types.ts'

/** What an event records about the streams that were removed with it. */
export interface Removal {
  readonly streams: number
  readonly events: number
  /** The removed sequences, first and last included, in ascending order. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** SHA-256 of the removed events, to compare with an older copy of the log. */
  readonly digest: string
}

/**
 * Sums up the streams that one commit removes. The digest covers one line of JSON for each event, in the order of their
 * sequences: sequence, kind, id, revision, type, data, actor, owner, at.
 */
export function recordRemoved(removed: readonly RemovedStream[]): Removal {
  const events = removed.flatMap((stream) => stream.events).sort((one, other) => one.sequence - other.sequence)
  const hash = createHash('sha256')
  const ranges: [number, number][] = []
  for (const { sequence, kind, id, revision, type, data, actor, owner, at } of events) {
    hash.update(`${JSON.stringify([sequence, kind, id, revision, type, data, actorText(actor), owner, at])}\n`)
    const range = ranges.at(-1)
    if (range?.[1] === sequence - 1) range[1] = sequence
    else ranges.push([sequence, sequence])
  }
  const streams = removed.filter((stream) => stream.events.length > 0).length
  return { streams, events: events.length, ranges, digest: hash.digest('hex') }
}

/** How many streams of a kind were removed so far, and how many events with them. */
interface RemovedTotals {
  readonly streams: number
  readonly events: number
}

interface RecordRemoval {
  readonly type: 'record_removal'
  readonly removal: Removal
}

/** Records the removals of another kind's streams. It has one stream, whose id is that of the instance. */
type RemovalKind<Type extends string = string> = Kind<RecordRemoval, RemovedTotals, Event<Type, Removal>, never, never>

/** Declares the kind that records removals, with the type of its event. */
export function removalKind<Type extends string>(name: string, type: Type): RemovalKind<Type> {
  return kind({
    name,
    ids: { of: 'instance' },
    waits: false,
    path: false,
    version: 2,
    events: declareEvents({ [type]: data<Removal>() }) as Record<Type, EventData<Removal>>,
    decider: {
      initial: { streams: 0, events: 0 },
      evolve: ({ streams, events }, { data }) => ({ streams: streams + data.streams, events: events + data.events }),
      decide: ({ removal }) => accept({ type, data: removal }),
    },
    refusals: {},
    fields: {},
  })
}

/** How long the ended streams of a kind stay in the log. */
export interface Retention<State = unknown> {
  /** It must be `removable`. */
  readonly kind: AnyKind
  /** The kind that records the removals. */
  readonly records: RemovalKind
  /** Time between the end of a stream and its removal. */
  readonly retentionMs: number
  /** How many streams one commit removes at most. */
  readonly batchSize: number
  /** Ids of some streams that had ended by `endedBy`, found by an index: the kind may have millions of streams. */
  findEnded(store: Store, endedBy: Instant, limit: number): Promise<readonly string[]>
  /** Whether a stream had ended by `endedBy`; asked again inside the write that removes it. */
  hasEnded(document: Document<State>, endedBy: Instant): boolean
}

interface InstanceStore {
  readonly store: Store
  readonly instanceId: string
}

/** How often a node looks whether it is time: the job is due once an hour. */
const POLL_MS = 30_000

async function removeOne(
  work: Work,
  { kind, hasEnded }: Retention,
  id: string,
  endedBy: Instant,
): Promise<readonly RemovedStream[]> {
  const document = await work.get(kind, id)
  // Another node may have removed it already.
  return document === undefined || !hasEnded(document, endedBy) ? [] : [await work.removeStream(kind, id)]
}

/** Removes all streams whose retention time has passed; returns how many there were. */
export async function removeEnded(
  { store, instanceId }: InstanceStore,
  retention: Retention,
  at: Instant,
  signal?: AbortSignal,
): Promise<number> {
  const endedBy = instant(at - retention.retentionMs)
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const ids = await retention.findEnded(store, endedBy, retention.batchSize)
    if (ids.length === 0) return total
    const { value } = await store.write({ actor: 'server', at }, async (work) => {
      const removed = (await Promise.all(ids.map((id) => removeOne(work, retention, id, endedBy)))).flat()
      if (removed.length === 0) return 0
      const command = { type: 'record_removal', removal: recordRemoved(removed) } as const
      await work.decide(retention.records, instanceId, command, instanceId)
      return removed.length
    })
    // Another node is removing the same streams and will continue.
    if (value === 0) return total
    total += value
  }
}

export interface RetentionOptions {
  readonly retentions: readonly Retention[]
  readonly clock: Clock
  /** Called after each failed try. The next one is soon; other kinds are not affected. */
  readonly onFailure: (failure: JobFailure) => void
  /** Called when the store could not be reached; the runner continues. */
  readonly onTrouble?: (error: unknown) => void
  /** Time from the very first start to the first run, and between two runs. Default: a minute, an hour. */
  readonly firstMs?: number
  readonly everyMs?: number
  readonly pollMilliseconds?: number
}

/** The kind of the job that removes ended streams, and its id: there is one, whatever the number of nodes. */
export const RETENTION_JOB = 'retention'

/** For jobs that repeat without end: 1 s, 2 s, 4 s … at most an hour, and never given up. */
export function endlessPause(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 20), 3_600_000)
}

async function removeAll(target: InstanceStore, { retentions, clock }: RetentionOptions, signal: AbortSignal) {
  const failed: string[] = []
  let cause: unknown
  await target.store.removeCounts(instant(clock() - COUNTS_KEPT_MS))
  for (const retention of retentions) {
    try {
      await removeEnded(target, retention, clock(), signal)
    } catch (error) {
      signal.throwIfAborted()
      failed.push(retention.kind.name)
      cause ??= error
    }
  }
  if (failed.length > 0) {
    throw new Error(`ended streams could not be removed from the log: ${failed.join(', ')}`, { cause })
  }
}

/** Removes ended streams once an hour until it is stopped: a durable job, which one node at a time runs. */
export async function startRetention(target: InstanceStore, options: RetentionOptions): Promise<JobRunner> {
  const { clock, onFailure, onTrouble = () => {}, firstMs = 60_000, everyMs = 3_600_000, pollMilliseconds } = options
  const { jobs } = target.store
  await jobs.schedule(RETENTION_JOB, RETENTION_JOB, instant(clock() + firstMs))
  const handlers = { [RETENTION_JOB]: ({ signal }: Job) => removeAll(target, options, signal) }
  return jobs.run(handlers, {
    clock,
    onFailure,
    onTrouble,
    pauseAfter: endlessPause,
    repeatMilliseconds: everyMs,
    pollMilliseconds: pollMilliseconds ?? POLL_MS,
  })
}
