/**
 * Hashing threads with a queue that is limited by waiting time. libuv's pool is not used, because its four threads also
 * serve DNS lookups and files, and their priority cannot be lowered.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { FairQueue, type Queued } from '../../kernel/fair-queue.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import { passwordRefusals } from './refusals.ts'
import type { Answer, Outcome, Task, ThreadData } from './thread.ts'

/** The load of a group of threads, for metrics. */
export interface Load {
  readonly running: number
  readonly waiting: number
  /** Tasks that were completed and refused since the start. */
  readonly finished: number
  readonly refused: number
}

/** The size of a group and of its queue. */
export interface ThreadsOptions {
  /** Number of tasks that run at the same time. Each has a thread, which starts at its first task. */
  readonly size: number
  /** How long the tasks of one owner may take together; when there are more, new ones of this owner are refused. */
  readonly queueSeconds: number
  /** How many times this all owners together may make a new task wait. */
  readonly mostQueues?: number
  /** The priority on Linux, from 0 to 19: threads with a higher number yield to those with a lower one. */
  readonly niceness?: number
  /** What a thread runs; tests pass their own. */
  readonly script?: URL
}

/** What it costs is the time that it is expected to take, in milliseconds. */
interface Job extends Queued {
  readonly task: Task
  readonly settled: PromiseWithResolvers<Outcome>
}

/** Shorter tasks are mostly overhead, or a hash that is given up on, and say nothing about the speed of the machine. */
const LEAST_TELLING_MILLISECONDS = 5
/** The weight of the newest measurement in the moving average. */
const NEWEST_WEIGHT = 0.1
const USUAL_MOST_QUEUES = 10
/** A core that is wanted by a request and by a hash goes to the request. */
const USUAL_NICENESS = 5

const SCRIPT = new URL('./thread.ts', import.meta.url)

/** Passes on only the compile cache of the environment. Without it, each thread would compile the code again. */
function compiledCode(): Record<string, string> {
  const folder = getCompileCacheDir()
  // Node adds a folder for its version inside the configured one.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** A group of hashing threads. Threads start with the first tasks. */
export class Threads {
  readonly #options: Required<ThreadsOptions>
  readonly #idle: Worker[] = []
  readonly #running = new Map<Worker, Job>()
  readonly #queue = new FairQueue<Job>()
  #isClosed = false
  #finished = 0
  #refused = 0
  /** Moving average of the time that tasks take against the time expected of them. */
  #pace = 1

  constructor(options: ThreadsOptions) {
    this.#options = { mostQueues: USUAL_MOST_QUEUES, niceness: USUAL_NICENESS, script: SCRIPT, ...options }
  }

  /** Does the task, or refuses it with `password.busy` when the queue of its owners is full. Owners take turns. */
  run(task: Task, expectedMilliseconds: number, owners: Owners): Promise<Outcome> {
    if (this.#isClosed) return Promise.reject(new Error('The hashing threads are closed.'))
    const job: Job = { task, owners, cost: expectedMilliseconds, settled: Promise.withResolvers() }
    const secondsToWait = this.#secondsToWait(job)
    if (secondsToWait !== undefined) {
      this.#refused += 1
      const retryAfterSeconds = Math.max(1, Math.ceil(secondsToWait))
      return Promise.reject(refused(passwordRefusals, 'password.busy', { retryAfterSeconds }))
    }
    this.#queue.add(job)
    this.#startWaiting()
    return job.settled.promise
  }

  /** How long a task that cannot be taken on now should wait; undefined when it can. */
  #secondsToWait(job: Job): number | undefined {
    const { size, queueSeconds, mostQueues } = this.#options
    if (this.#running.size < size) return undefined
    const inSeconds = (milliseconds: number) => (milliseconds * this.#pace) / size / 1000
    const own = inSeconds(this.#queue.ofOwner(job.owners))
    if (own >= queueSeconds) return own
    const turn = inSeconds(this.#queue.before(job))
    return turn >= queueSeconds * mostQueues ? turn : undefined
  }

  readLoad(): Load {
    return {
      running: this.#running.size,
      waiting: this.#queue.length,
      finished: this.#finished,
      refused: this.#refused,
    }
  }

  /** Completes the accepted tasks, then stops the threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#running.values(), ...this.#queue.waiting()].map((job) => job.settled.promise))
    await Promise.all(this.#idle.map((worker) => worker.terminate()))
  }

  #takeJobFrom(worker: Worker): Job | undefined {
    const job = this.#running.get(worker)
    this.#running.delete(worker)
    if (job !== undefined) this.#queue.done(job)
    return job
  }

  #measure(job: Job, milliseconds: number): void {
    if (Math.min(job.cost, milliseconds) < LEAST_TELLING_MILLISECONDS) return
    this.#pace += NEWEST_WEIGHT * (milliseconds / job.cost - this.#pace)
  }

  #finish(worker: Worker, answer: Answer): void {
    const job = this.#takeJobFrom(worker)
    this.#idle.push(worker)
    if (job !== undefined) {
      this.#finished += 1
      this.#measure(job, answer.milliseconds)
      if ('outcome' in answer) job.settled.resolve(answer.outcome)
      else job.settled.reject(new Error(`A password could not be hashed: ${answer.failure}`))
    }
    this.#startWaiting()
    // An idle thread does not keep the process alive.
    if (!this.#running.has(worker)) worker.unref()
  }

  /** A thread that dies fails only its own task. The next task starts a new thread. */
  #removeThread(worker: Worker, error: Error): void {
    const place = this.#idle.indexOf(worker)
    if (place >= 0) this.#idle.splice(place, 1)
    this.#takeJobFrom(worker)?.settled.reject(error)
    this.#startWaiting()
  }

  #startThread(): Worker {
    const worker = new Worker(this.#options.script, {
      name: 'passwords',
      env: compiledCode(),
      workerData: { niceness: this.#options.niceness } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (answer: Answer) => this.#finish(worker, answer))
    worker.on('error', (cause) => this.#removeThread(worker, new Error('A hashing thread died.', { cause })))
    worker.on('exit', (code) => this.#removeThread(worker, new Error(`A hashing thread ended with code ${code}.`)))
    return worker
  }

  #startWaiting(): void {
    while (this.#running.size < this.#options.size) {
      const job = this.#queue.next()
      if (job === undefined) return
      const worker = this.#idle.pop() ?? this.#startThread()
      this.#running.set(worker, job)
      worker.ref()
      worker.postMessage(job.task)
    }
  }
}
