/**
 * Runs jobs, the work after a commit. One runner leases a job at a time, tries it again with growing pauses, and parks
 * it after the last try. A job runs at least once: when a node dies, another one runs its jobs again.
 */
import { type Instant, instant, systemClock } from '../kernel/instant.ts'
import type { Engine, LeasedJob } from './engine.ts'
import { toJson } from './fold.ts'
import type { JobHandlers, JobOptions, JobRunner, StoreJobs } from './types.ts'

/** Thrown by a handler when another try cannot help: the job is parked at once. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** 1 s, 2 s, 4 s … at most 15 minutes; 20 tries, about two and a half hours. */
export function defaultPause(attempts: number): number | undefined {
  return attempts >= 20 ? undefined : Math.min(1000 * 2 ** (attempts - 1), 900_000)
}

/** Runs due jobs of these kinds until it is stopped. */
export function runJobs(engine: JobEngine, handlers: JobHandlers, options: JobOptions = {}): JobRunner {
  const {
    clock = systemClock,
    concurrency = 4,
    leaseMilliseconds = 60_000,
    pollMilliseconds = 1000,
    repeatMilliseconds,
    pauseAfter = defaultPause,
    onFailure = () => {},
    onTrouble = () => {},
  } = options
  const kinds = Object.keys(handlers)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let looking: Promise<void> | undefined
  let lookAgain = false

  /** The runner survives errors of the store: a job that could not be updated is found again when its lease expires. */
  const reportTrouble = (promise: Promise<void>): Promise<void> => promise.catch(onTrouble)

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
    // Each lease counts as a try: a job that crashes its node is parked like any other.
    if (job.attempts > 0 && pauseAfter(job.attempts) === undefined) {
      await reportTrouble(engine.parkJob(job.id, 'The last attempt did not finish.', clock()))
      return
    }
    // Renewed three times per lease, so that one lost renewal does not hand the job to another runner.
    const renewal = setInterval(() => void reportTrouble(engine.renewJob(job.id, until())), leaseMilliseconds / 3)
    try {
      await handlers[job.kind]?.({
        id: job.id,
        data: JSON.parse(job.data),
        attempts: job.attempts,
        signal: stopping.signal,
      })
    } catch (error) {
      clearInterval(renewal)
      await reportTrouble(fail(job, error))
      return
    } finally {
      clearInterval(renewal)
    }
    // When this fails, the lease expires and the job runs once more: at least once.
    const done =
      repeatMilliseconds === undefined
        ? engine.finishJob(job.id)
        : engine.repeatJob(job.id, instant(clock() + repeatMilliseconds))
    await reportTrouble(done)
  }

  const fail = async (job: LeasedJob, error: unknown): Promise<void> => {
    // It did not fail: the process stops, and the next one goes on with it.
    if (stopping.signal.aborted && error === stopping.signal.reason) {
      await engine.retryJob(job.id, clock(), '')
      return
    }
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
    looking = reportTrouble(look()).then(() => {
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

/** A text that the table can store, for anything that was thrown. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000).toWellFormed().replaceAll('\0', '')
}

/** The methods of an engine that a runner uses. */
export type JobEngine = Pick<Engine, 'leaseJobs' | 'renewJob' | 'finishJob' | 'repeatJob' | 'retryJob' | 'parkJob'>

/** The jobs of one store, and how the store wakes and stops their runners. */
export function storeJobs(engine: Engine): { readonly methods: StoreJobs; wake(): void; stop(): Promise<void> } {
  const runners = new Set<JobRunner>()
  const wake = (): void => {
    for (const runner of runners) runner.wake()
  }
  const methods: StoreJobs = {
    run(handlers, options) {
      const runner = runJobs(engine, handlers, options)
      const stop = (): Promise<void> => {
        runners.delete(runner)
        return runner.stop()
      }
      runners.add(runner)
      return { wake: runner.wake, stop }
    },
    schedule: (id, kind, dueAt) => engine.addJobOnce(id, kind, dueAt),
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
    methods,
    wake,
    async stop() {
      await Promise.all([...runners].map((runner) => runner.stop()))
    },
  }
}
