/** The main thread's side of the writer thread. Replies come in the order of the requests. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { WriterReply, WriterRequest } from './batch.ts'
import { type Failure, translateFailure } from './errors.ts'
import type { WriterMessage, WriterOptions } from './write-thread.ts'

/** A reply that is not a failure. */
export type WriterAnswer = Exclude<WriterReply, Failure>

export interface Writer {
  /** Rejects with `store.unavailable` on a passing problem of the disk or a lock, with a fault when the thread is dead. */
  ask(request: WriterRequest): Promise<WriterAnswer>
  /** The last error, until a request succeeds again. */
  trouble(): Error | undefined
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (answer: WriterAnswer) => void
  readonly reject: (error: Error) => void
}

let startedAhead: Worker | undefined

function startThread(): Worker {
  const worker = new Worker(new URL('./write-thread.ts', import.meta.url), { name: 'sqlite-writer' })
  // An idle writer does not keep the process alive; `close` waits for a busy one.
  worker.unref()
  return worker
}

/** Starts the thread of the next writer, so that it starts while the rest of the program is loaded. It opens no file. */
export function startThreadAhead(): void {
  startedAhead ??= startThread()
}

/** Starts the thread, unless it was started ahead; it opens the file at the first request. */
export function startWriter(options: WriterOptions): Writer {
  const worker = startedAhead ?? startThread()
  startedAhead = undefined
  worker.postMessage({ type: 'configure', options } satisfies WriterMessage)
  const waiting: Waiting[] = []
  let dead: Error | undefined
  let closing = false
  let trouble: Error | undefined

  const die = (cause: unknown): void => {
    dead ??= new Error('The writer thread of the store has ended.', { cause })
    // It is unknown whether these were written, so they are faults and not refusals.
    for (const { reject } of waiting.splice(0)) reject(dead)
  }
  worker.on('message', (reply: WriterReply) => {
    const asked = waiting.shift()
    if (reply.type !== 'failed') {
      trouble = undefined
      asked?.resolve(reply)
      return
    }
    trouble = translateFailure(reply)
    asked?.reject(trouble)
  })
  worker.on('messageerror', die)
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`exit code ${code}`)))

  const ask = (request: WriterRequest): Promise<WriterAnswer> =>
    new Promise((resolve, reject) => {
      if (dead !== undefined) {
        reject(dead)
        return
      }
      if (waiting.length === 0) worker.ref()
      waiting.push({ resolve, reject })
      worker.postMessage(request)
    }).finally(() => {
      if (waiting.length === 0 && !closing) worker.unref()
    }) as Promise<WriterAnswer>

  return {
    ask,
    trouble: () => dead ?? trouble,
    async close() {
      if (dead !== undefined) return
      closing = true
      const ended = once(worker, 'exit')
      await ask({ type: 'close' })
      await ended
    },
  }
}
