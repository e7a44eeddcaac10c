/**
 * Hashing threads with a queue that is limited by waiting time. libuv's pool is not used, because its four threads also
 * serve DNS lookups and files, and their priority cannot be lowered.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { refused } from '../../kernel/refusal.ts'
import { passwordRefusals } from './refusals.ts'
import type { Answer, Outcome, Task } from './thread.ts'

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
  /** How long a new task can be expected to wait before it is refused. */
  readonly queueSeconds: number
  /** The script of a thread. Tests pass their own. */
  readonly script?: URL
}

interface Job {
  readonly task: Task
  readonly expectedMilliseconds: number
  readonly settled: PromiseWithResolvers<Outcome>
}

/** Shorter tasks are mostly overhead and say nothing about the speed of the machine. */
const LEAST_TELLING_MILLISECONDS = 5
/** The weight of the newest measurement in the moving average. */
const NEWEST_WEIGHT = 0.1

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
  readonly #waiting: Job[] = []
  #isClosed = false
  #finished = 0
  #refused = 0
  /** The expected time of all running and waiting tasks. */
  #expectedInAll = 0
  /** Moving average of the actual time of tasks relative to the expected time. */
  #pace = 1

  constructor({ size, queueSeconds, script = SCRIPT }: ThreadsOptions) {
    this.#options = { size, queueSeconds, script }
  }

  /** Runs a task, or refuses it with `password.busy` when the queue is full. */
  run(task: Task, expectedMilliseconds: number): Promise<Outcome> {
    if (this.#isClosed) return Promise.reject(new Error('The hashing threads are closed.'))
    const { size, queueSeconds } = this.#options
    const backlogSeconds = (this.#expectedInAll * this.#pace) / size / 1000
    if (this.#running.size >= size && backlogSeconds >= queueSeconds) {
      this.#refused += 1
      const retryAfterSeconds = Math.max(1, Math.ceil(backlogSeconds))
      return Promise.reject(refused(passwordRefusals, 'password.busy', { retryAfterSeconds }))
    }
    const job: Job = { task, expectedMilliseconds, settled: Promise.withResolvers() }
    this.#expectedInAll += expectedMilliseconds
    this.#waiting.push(job)
    this.#startWaiting()
    return job.settled.promise
  }

  readLoad(): Load {
    return {
      running: this.#running.size,
      waiting: this.#waiting.length,
      finished: this.#finished,
      refused: this.#refused,
    }
  }

  /** Completes the accepted tasks, then stops the threads. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#running.values(), ...this.#waiting].map((job) => job.settled.promise))
    await Promise.all(this.#idle.map((worker) => worker.terminate()))
  }

  #takeJobFrom(worker: Worker): Job | undefined {
    const job = this.#running.get(worker)
    this.#running.delete(worker)
    // Set to zero when no task is left, so that no rounding error remains.
    const isEmpty = this.#running.size + this.#waiting.length === 0
    this.#expectedInAll = isEmpty ? 0 : this.#expectedInAll - (job?.expectedMilliseconds ?? 0)
    return job
  }

  #measure(job: Job, milliseconds: number): void {
    if (job.expectedMilliseconds < LEAST_TELLING_MILLISECONDS) return
    this.#pace += NEWEST_WEIGHT * (milliseconds / job.expectedMilliseconds - this.#pace)
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
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (answer: Answer) => this.#finish(worker, answer))
    worker.on('error', (cause) => this.#removeThread(worker, new Error('A hashing thread died.', { cause })))
    worker.on('exit', (code) => this.#removeThread(worker, new Error(`A hashing thread ended with code ${code}.`)))
    return worker
  }

  #startWaiting(): void {
    while (this.#running.size < this.#options.size) {
      const job = this.#waiting.shift()
      if (job === undefined) return
      const worker = this.#idle.pop() ?? this.#startThread()
      this.#running.set(worker, job)
      worker.ref()
      worker.postMessage(job.task)
    }
  }
}
