/**
 * Work after the commit. A job is leased by one runner at a time, tried again with growing pauses, and parked after
 * the last try. It runs at least once: a node that dies in the middle leaves the job to the next one.
 */
import { type Clock, type Instant, instant, systemClock } from '../kernel/instant.ts'
import type { Engine, JobQuery, LeasedJob } from './engine.ts'
import { toJson } from './fold.ts'

/** A job in the hands of its handler. */
export interface Job {
  readonly id: string
  readonly data: unknown
  /** How often it was tried before. */
  readonly attempts: number
  /** Aborted when the runner stops. */
  readonly signal: AbortSignal
}

/** Does the work, by kind of job. What it throws is the reason to try again. */
export type JobHandlers = Readonly<Record<string, (job: Job) => Promise<void>>>

/** Thrown by a handler when another try cannot help: the job is parked at once. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

export interface JobOptions {
  readonly clock?: Clock
  /** How many run at once. */
  readonly concurrency?: number
  /** How long a job stays with a runner that no longer says anything. */
  readonly leaseMilliseconds?: number
  /** How often jobs of other nodes, and those that are due later, are looked for. */
  readonly pollMilliseconds?: number
  /** Pause before the next try; undefined after the last one. */
  readonly pauseAfter?: (attempts: number) => number | undefined
  /** Told of each failed try; never gets the job's data. */
  readonly onFailure?: (failure: JobFailure) => void
  /** Told when the store could not be asked; the runner goes on. */
  readonly onTrouble?: (error: unknown) => void
}

export interface JobFailure {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly parked: boolean
  readonly error: unknown
}

export interface JobRunner {
  /** Looks for jobs now. */
  wake(): void
  /** Starts no more jobs, tells the running ones, and waits for them. */
  stop(): Promise<void>
}

/** 1 s, 2 s, 4 s … at most 15 minutes; 20 tries, about two and a half hours. */
export function defaultPause(attempts: number): number | undefined {
  return attempts >= 20 ? undefined : Math.min(1000 * 2 ** (attempts - 1), 900_000)
}

/** Runs due jobs until it is stopped. */
export function runJobs(engine: JobEngine, handlers: JobHandlers, options: JobOptions = {}): JobRunner {
  const {
    clock = systemClock,
    concurrency = 4,
    leaseMilliseconds = 60_000,
    pollMilliseconds = 1000,
    pauseAfter = defaultPause,
    onFailure = () => {},
    onTrouble = () => {},
  } = options
  const kinds = Object.keys(handlers)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let lookAgain = false

  /** A runner outlives the store's troubles: a job that could not be marked is found again when its lease runs out. */
  const settle = (promise: Promise<void>): Promise<void> => promise.catch(onTrouble)

  const until = (): Instant => instant(clock() + leaseMilliseconds)

  const look = async (): Promise<void> => {
    do {
      lookAgain = false
      const free = concurrency - running.size
      if (free <= 0 || stopping.signal.aborted) return
      const jobs = await engine.leaseJobs(kinds, clock(), until(), free)
      for (const job of jobs) start(job)
      if (jobs.length === free) lookAgain = true
    } while (lookAgain)
  }

  const start = (job: LeasedJob): void => {
    const run = runOne(job).finally(() => {
      running.delete(run)
      wake()
    })
    running.add(run)
  }

  const runOne = async (job: LeasedJob): Promise<void> => {
    // Each lease counts as a try: a job that takes its node down with it is parked like any other.
    if (job.attempts > 0 && pauseAfter(job.attempts) === undefined) {
      await settle(engine.parkJob(job.id, 'The last attempt did not finish.', clock()))
      return
    }
    // Renewed three times per lease, so that one lost renewal does not hand the job to somebody else.
    const renewal = setInterval(() => void settle(engine.renewJob(job.id, until())), leaseMilliseconds / 3)
    try {
      await handlers[job.kind]?.({
        id: job.id,
        data: JSON.parse(job.data),
        attempts: job.attempts,
        signal: stopping.signal,
      })
    } catch (error) {
      clearInterval(renewal)
      await settle(fail(job, error))
      return
    } finally {
      clearInterval(renewal)
    }
    // When this fails, the lease runs out and the job is done once more: at least once.
    await settle(engine.finishJob(job.id))
  }

  const fail = async (job: LeasedJob, error: unknown): Promise<void> => {
    const attempts = job.attempts + 1
    const reason = reasonOf(error)
    const pause = error instanceof GivenUp ? undefined : pauseAfter(attempts)
    onFailure({ id: job.id, kind: job.kind, attempts, parked: pause === undefined, error })
    if (pause === undefined) await engine.parkJob(job.id, reason, clock())
    else await engine.retryJob(job.id, instant(clock() + pause), reason)
  }

  const wake = (): void => {
    lookAgain = true
    if (looking !== undefined || stopping.signal.aborted) return
    looking = settle(look()).then(() => {
      looking = undefined
      if (lookAgain && running.size < concurrency) wake()
    })
  }

  const poll = setInterval(wake, pollMilliseconds)
  poll.unref()
  wake()

  return {
    wake,
    async stop() {
      stopping.abort()
      clearInterval(poll)
      await looking
      await Promise.all(running)
    },
  }
}

/** A text that fits into the table whatever was thrown. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000).toWellFormed().replaceAll('\0', '')
}

/** What a runner needs of an engine. */
export type JobEngine = Pick<Engine, 'leaseJobs' | 'renewJob' | 'finishJob' | 'retryJob' | 'parkJob'>

/** What the store offers for jobs beside `work.enqueue`. */
export interface StoreJobs {
  /** Starts to run jobs of these kinds; the store stops the runner when it is closed. */
  run(handlers: JobHandlers, options?: JobOptions): JobRunner
  /** Jobs that failed for good, oldest first. */
  parked(limit: number): Promise<readonly ParkedJob[]>
  /** Jobs of one kind with their data, in the order of their birth. */
  list(query: JobQuery): Promise<readonly StoredJob[]>
  /** Replaces the data of a job, as when its sealed values are sealed anew; nothing happens when it is gone. */
  rewrite(id: string, data: unknown): Promise<void>
  /** Tries a parked job again, as if for the first time; false when it is not parked, or not of the given kind. */
  unpark(id: string, dueAt: Instant, kind?: string): Promise<boolean>
  /** How many there are, of every kind or of one. */
  count(kind?: string): Promise<{ readonly waiting: number; readonly parked: number }>
}

/** A job as its own room sees it. */
export interface StoredJob {
  readonly id: string
  readonly data: unknown
  readonly attempts: number
  readonly parked: boolean
  /** What the last try failed with. */
  readonly error: string
  /** When it is due; of a parked one, when it was parked. */
  readonly dueAt: Instant
}

export interface ParkedJob {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly error: string
}

/** The jobs of one store, and the hand that wakes and stops its runners. */
export function storeJobs(engine: Engine): { readonly front: StoreJobs; wake(): void; stop(): Promise<void> } {
  const runners = new Set<JobRunner>()
  const wake = (): void => {
    for (const runner of runners) runner.wake()
  }
  const front: StoreJobs = {
    run(handlers, options) {
      const runner = runJobs(engine, handlers, options)
      const stop = (): Promise<void> => {
        runners.delete(runner)
        return runner.stop()
      }
      runners.add(runner)
      return { wake: runner.wake, stop }
    },
    async parked(limit) {
      const jobs = await engine.parkedJobs(limit)
      return jobs.map(({ id, kind, attempts, error }) => ({ id, kind, attempts, error }))
    },
    async list(query) {
      const rows = await engine.listJobs(query)
      return rows.map(({ kind: _, data, ...row }) => ({ ...row, data: JSON.parse(data) as unknown }))
    },
    rewrite: (id, data) => engine.rewriteJob(id, toJson(data)),
    async unpark(id, dueAt, kind) {
      const unparked = await engine.unparkJob(id, dueAt, kind)
      if (unparked) wake()
      return unparked
    },
    count: (kind) => engine.countJobs(kind),
  }
  return {
    front,
    wake,
    async stop() {
      await Promise.all([...runners].map((runner) => runner.stop()))
    },
  }
}
