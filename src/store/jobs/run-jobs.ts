/**
 * Runs jobs, the work after a commit. One runner leases a job at a time, tries it again with growing pauses, and parks
 * it after the last try. A job runs at least once: when a node dies, another one runs its jobs again.
 */
import { type Instant, instant, systemClock } from '../../kernel/instant.ts'
import { asOneRequest } from '../cache/read-scope.ts'
import type { Engine, LeasedJob } from '../engine.ts'
import { toJson } from '../fold.ts'
import { type FinishedJob, NO_OBSERVER, type StoreObserver } from '../observer.ts'
import type { JobHandlers, JobOptions, JobRunner, StoreJobs } from '../types.ts'

/** Thrown by a handler when another try cannot help: the job is parked at once. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** Another runner has the job: this one had not renewed its lease in time. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor() {
    super('Another node runs this job now.')
  }
}

/** 1 s, 2 s, 4 s … at most 15 minutes; 20 tries, about two and a half hours. */
export function defaultPause(attempts: number): number | undefined {
  return attempts >= 20 ? undefined : Math.min(1000 * 2 ** (attempts - 1), 900_000)
}

/** The options of a runner, with their defaults. */
type RunnerOptions = Required<Omit<JobOptions, 'repeatMilliseconds'>> & Pick<JobOptions, 'repeatMilliseconds'>

const DEFAULTS: RunnerOptions = {
  clock: systemClock,
  concurrency: 4,
  leaseMilliseconds: 60_000,
  pollMilliseconds: 1000,
  pauseAfter: defaultPause,
  onFailure: () => {},
  onTrouble: () => {},
}

/** Runs due jobs of these kinds until it is stopped. */
class Runner implements JobRunner {
  readonly #engine: JobEngine
  readonly #handlers: JobHandlers
  readonly #kinds: readonly string[]
  readonly #options: RunnerOptions
  readonly #observer: StoreObserver
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #poll: NodeJS.Timeout
  #looking: Promise<void> | undefined
  #lookAgain = false

  constructor(engine: JobEngine, handlers: JobHandlers, options: JobOptions, observer: StoreObserver) {
    this.#engine = engine
    this.#observer = observer
    this.#handlers = handlers
    this.#kinds = Object.keys(handlers)
    this.#options = { ...DEFAULTS, ...options }
    this.#poll = setInterval(() => this.wake(), this.#options.pollMilliseconds)
    this.#poll.unref()
    this.wake()
  }

  wake(): void {
    this.#lookAgain = true
    if (this.#looking !== undefined || this.#stopping.signal.aborted) return
    this.#looking = this.#reportTrouble(this.#look()).then(() => {
      this.#looking = undefined
      if (this.#lookAgain && this.#running.size < this.#options.concurrency) this.wake()
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll)
    this.#stopping.abort()
    await this.#looking
    await Promise.all(this.#running)
  }

  /** The runner survives errors of the store: a job that could not be updated is found again when its lease expires. */
  #reportTrouble(promise: Promise<void>): Promise<void> {
    return promise.catch(this.#options.onTrouble)
  }

  #until(): Instant {
    const { clock, leaseMilliseconds } = this.#options
    return instant(clock() + leaseMilliseconds)
  }

  async #look(): Promise<void> {
    const { clock, concurrency } = this.#options
    do {
      this.#lookAgain = false
      const free = concurrency - this.#running.size
      if (free <= 0 || this.#stopping.signal.aborted) return
      const jobs = await this.#engine.leaseJobs(this.#kinds, clock(), this.#until(), free)
      for (const job of jobs) this.#start(job)
      if (jobs.length === free) this.#lookAgain = true
    } while (this.#lookAgain)
  }

  #start(job: LeasedJob): void {
    const run = this.#run(job).finally(() => {
      this.#running.delete(run)
      this.wake()
    })
    this.#running.add(run)
  }

  async #run(job: LeasedJob): Promise<void> {
    const { clock, leaseMilliseconds, repeatMilliseconds, pauseAfter } = this.#options
    const engine = this.#engine
    // Each lease counts as a try: a job that crashes its node is parked like any other.
    if (job.attempts > 0 && pauseAfter(job.attempts) === undefined) {
      await this.#reportTrouble(engine.parkJob(job.id, 'The last attempt did not finish.', clock()))
      return
    }
    // Renewed three times per lease, so that one lost renewal does not hand the job to another runner.
    const renew = () => void this.#reportTrouble(engine.renewJob(job.id, this.#until()))
    const renewal = setInterval(renew, leaseMilliseconds / 3)
    const startedAt = performance.now()
    let text = job.data
    const result: { next?: Awaited<ReturnType<JobHandlers[string]>> } = {}
    try {
      const { id, kind, attempts } = job
      const save = async (data: unknown) => {
        const before = text
        text = toJson(data)
        if (!(await engine.saveJob(id, before, text))) throw new LeaseLost()
      }
      const given = { id, attempts, data: JSON.parse(job.data), signal: this.#stopping.signal, save }
      // The runner may have been woken by a request, whose reads may be older than this job.
      await this.#observer.runJob(kind, () =>
        asOneRequest(async () => {
          result.next = await this.#handlers[kind]?.(given)
        }),
      )
    } catch (error) {
      clearInterval(renewal)
      await this.#reportTrouble(this.#fail(job, error, startedAt))
      return
    } finally {
      clearInterval(renewal)
    }
    this.#report(job, startedAt, 'done')
    // When this fails, the lease expires and the job runs once more: at least once.
    if (result.next !== undefined) {
      const { kind = job.kind, wokenKind = kind, dueAt } = result.next
      await this.#reportTrouble(engine.continueJob(job.id, text, { kind, wokenKind, dueAt, seen: job.dueAt }))
      return
    }
    const done =
      repeatMilliseconds === undefined
        ? engine.finishRun(job.id, job.dueAt)
        : engine.repeatJob(job.id, instant(clock() + repeatMilliseconds))
    await this.#reportTrouble(done)
  }

  #report(
    { id, kind, attempts }: LeasedJob,
    startedAt: number,
    outcome: FinishedJob['outcome'],
    pauseMs?: number,
  ): void {
    const milliseconds = performance.now() - startedAt
    this.#observer.jobFinished({ id, kind, attempts: attempts + 1, milliseconds, outcome, pauseMs })
  }

  async #fail(job: LeasedJob, error: unknown, startedAt: number): Promise<void> {
    const { clock, pauseAfter, onFailure } = this.#options
    if (error instanceof LeaseLost) return
    // It did not fail: the process stops, and the next one continues with it.
    if (this.#stopping.signal.aborted && error === this.#stopping.signal.reason) {
      await this.#engine.retryJob(job.id, clock(), '')
      return
    }
    const attempts = job.attempts + 1
    const reason = reasonOf(error)
    const pause = error instanceof GivenUp ? undefined : pauseAfter(attempts)
    this.#report(job, startedAt, pause === undefined ? 'parked' : 'delayed', pause)
    onFailure({ id: job.id, kind: job.kind, attempts, parked: pause === undefined, error })
    if (pause === undefined) await this.#engine.parkJob(job.id, reason, clock())
    else await this.#engine.retryJob(job.id, instant(clock() + pause), reason)
  }
}

/** Starts a runner. */
export function runJobs(
  engine: JobEngine,
  handlers: JobHandlers,
  options: JobOptions = {},
  observer: StoreObserver = NO_OBSERVER,
): JobRunner {
  return new Runner(engine, handlers, options, observer)
}

/** A text that the table can store, for anything that was thrown. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1000).toWellFormed().replaceAll('\0', '')
}

/** The methods of an engine that a runner uses. */
export type JobEngine = Pick<
  Engine,
  'leaseJobs' | 'renewJob' | 'saveJob' | 'continueJob' | 'finishRun' | 'repeatJob' | 'retryJob' | 'parkJob'
>

/** The jobs of one store, and how the store wakes and stops their runners. */
export function storeJobs(
  engine: Engine,
  observer: StoreObserver,
): { readonly methods: StoreJobs; wake(): void; stop(): Promise<void> } {
  const runners = new Set<JobRunner>()
  const wake = (): void => {
    for (const runner of runners) runner.wake()
  }
  const methods: StoreJobs = {
    run(handlers, options) {
      const runner = runJobs(engine, handlers, options, observer)
      const stop = (): Promise<void> => {
        runners.delete(runner)
        return runner.stop()
      }
      runners.add(runner)
      return { wake: () => runner.wake(), stop }
    },
    async read(id) {
      const row = await engine.readJob(id)
      return row === undefined ? undefined : { ...row, data: JSON.parse(row.data) as unknown }
    },
    async finish(ids) {
      for (const id of ids) await engine.finishJob(id)
    },
    async wake(ids, kinds, to, now) {
      const woken = await engine.wakeJobs(ids, kinds, to, now)
      if (woken > 0) wake()
      return woken
    },
    schedule: (id, kind, dueAt) => engine.addJobOnce(id, kind, dueAt),
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
    measure: (kind, from, to) => engine.measureJobs(kind, from, to),
  }
  return {
    methods,
    wake,
    async stop() {
      await Promise.all([...runners].map((runner) => runner.stop()))
    },
  }
}
