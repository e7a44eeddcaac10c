/**
 * Threads of our own for hashing, with a queue that is bounded in time. Not libuv's pool: its four threads also
 * serve name look-ups and files, and their priority cannot be lowered.
 */
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { refused } from '../../kernel/refusal.ts'
import { passwordRefusals } from './refusals.ts'
import type { Answer, Outcome, Task } from './thread.ts'

/** How busy a group of threads is, for metrics. */
export interface Load {
  readonly running: number
  readonly waiting: number
  /** Tasks done and tasks refused since the start. */
  readonly finished: number
  readonly refused: number
}

/** How many, and how long a line before them. */
export interface ThreadsOptions {
  /** How many tasks run at once; each has a thread, started when first needed. */
  readonly size: number
  /** How long a newcomer may have to wait before it is refused instead. */
  readonly queueSeconds: number
  /** What a thread runs; tests pass their own. */
  readonly script?: URL
}

/** A group of hashing threads. */
export interface Threads {
  /** Does the task, or refuses it with `password.busy` when the queue is full. */
  run(task: Task, expectedMilliseconds: number): Promise<Outcome>
  readLoad(): Load
  /** Finishes what was taken on, then ends the threads. */
  close(): Promise<void>
}

interface Job {
  readonly task: Task
  readonly expectedMilliseconds: number
  readonly settled: PromiseWithResolvers<Outcome>
}

/** Tasks shorter than this are mostly overhead and say nothing about the speed of the machine. */
const LEAST_TELLING_MILLISECONDS = 5
/** The weight of the newest measurement in the moving average. */
const NEWEST_WEIGHT = 0.1

const SCRIPT = new URL('./thread.ts', import.meta.url)

/** Nothing of this process' environment but where compiled code is: a thread without would load a compiler of its own. */
function compiledCode(): Record<string, string> {
  const folder = getCompileCacheDir()
  // Node names the folder of this version inside of the one that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Opens a group of hashing threads; none is started before there is a task. */
export function openThreads({ size, queueSeconds, script = SCRIPT }: ThreadsOptions): Threads {
  const idle: Worker[] = []
  const running = new Map<Worker, Job>()
  const waiting: Job[] = []
  let isClosed = false
  let finished = 0
  let turnedAway = 0
  /** Sum over the tasks running and waiting. */
  let expectedInAll = 0
  /** Moving average of the time that tasks take against the time expected of them. */
  let pace = 1

  const readBacklogSeconds = (): number => (expectedInAll * pace) / size / 1000

  const takeJobFrom = (worker: Worker): Job | undefined => {
    const job = running.get(worker)
    running.delete(worker)
    // Never a rounding error left behind by subtraction.
    expectedInAll = running.size + waiting.length === 0 ? 0 : expectedInAll - (job?.expectedMilliseconds ?? 0)
    return job
  }

  const measure = (job: Job, milliseconds: number): void => {
    if (job.expectedMilliseconds < LEAST_TELLING_MILLISECONDS) return
    pace += NEWEST_WEIGHT * (milliseconds / job.expectedMilliseconds - pace)
  }

  const finish = (worker: Worker, answer: Answer): void => {
    const job = takeJobFrom(worker)
    idle.push(worker)
    if (job !== undefined) {
      finished += 1
      measure(job, answer.milliseconds)
      if ('outcome' in answer) job.settled.resolve(answer.outcome)
      else job.settled.reject(new Error(`A password could not be hashed: ${answer.failure}`))
    }
    startWaiting()
    // An idle thread does not keep the process alive.
    if (!running.has(worker)) worker.unref()
  }

  /** A thread that dies takes its own task with it and no other; the next task starts a new one. */
  const bury = (worker: Worker, error: Error): void => {
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
    takeJobFrom(worker)?.settled.reject(error)
    startWaiting()
  }

  const startThread = (): Worker => {
    const worker = new Worker(script, {
      name: 'passwords',
      env: compiledCode(),
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    })
    worker.on('message', (answer: Answer) => finish(worker, answer))
    worker.on('error', (cause) => bury(worker, new Error('A hashing thread died.', { cause })))
    worker.on('exit', (code) => bury(worker, new Error(`A hashing thread ended with code ${code}.`)))
    return worker
  }

  const startWaiting = (): void => {
    while (running.size < size) {
      const job = waiting.shift()
      if (job === undefined) return
      const worker = idle.pop() ?? startThread()
      running.set(worker, job)
      worker.ref()
      worker.postMessage(job.task)
    }
  }

  return {
    run(task, expectedMilliseconds) {
      if (isClosed) return Promise.reject(new Error('The hashing threads are closed.'))
      const backlogSeconds = readBacklogSeconds()
      if (running.size >= size && backlogSeconds >= queueSeconds) {
        turnedAway += 1
        const retryAfterSeconds = Math.max(1, Math.ceil(backlogSeconds))
        return Promise.reject(refused(passwordRefusals, 'password.busy', { retryAfterSeconds }))
      }
      const job: Job = { task, expectedMilliseconds, settled: Promise.withResolvers() }
      expectedInAll += expectedMilliseconds
      waiting.push(job)
      startWaiting()
      return job.settled.promise
    },

    readLoad: () => ({ running: running.size, waiting: waiting.length, finished, refused: turnedAway }),

    async close() {
      isClosed = true
      await Promise.allSettled([...running.values(), ...waiting].map((job) => job.settled.promise))
      await Promise.all(idle.map((worker) => worker.terminate()))
    },
  }
}
