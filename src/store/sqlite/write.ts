/** The main thread's end of the writer thread: questions in order, answers in order, and never a silent death. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { refused } from '../../kernel/refusal.ts'
import { storeRefusals } from '../refusals.ts'
import type { WriterReply, WriterRequest } from './batch.ts'
import type { WriterOptions } from './write-thread.ts'

/** An answer that is not a failure. */
export type WriterAnswer = Exclude<WriterReply, { readonly type: 'failed' }>

export interface Writer {
  /** Rejects with `store.unavailable` when the disk or a lock says no, with a fault when the thread is dead. */
  ask(request: WriterRequest): Promise<WriterAnswer>
  /** What went wrong last, until something goes well again. */
  trouble(): Error | undefined
  close(): Promise<void>
}

// BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN: the disk, a lock or the memory, not a mistake in the program.
const PASSING_TROUBLES: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 13, 14])

/** SQLite's error as others may see it: troubles of the disk as `store.unavailable`, everything else as it is. */
export function translateSqliteError(error: Error, code: number | undefined): Error {
  return code !== undefined && PASSING_TROUBLES.has(code & 0xff)
    ? Object.assign(refused(storeRefusals, 'store.unavailable', { retryAfterSeconds: 1 }), { cause: error })
    : error
}

interface Waiting {
  readonly resolve: (answer: WriterAnswer) => void
  readonly reject: (error: Error) => void
}

/** Starts the thread; it opens the file when it is asked for something first. */
export function startWriter(options: WriterOptions): Writer {
  const worker = new Worker(new URL('./write-thread.ts', import.meta.url), {
    workerData: options,
    name: 'sqlite-writer',
  })
  const waiting: Waiting[] = []
  let dead: Error | undefined
  let closing = false
  let trouble: Error | undefined

  const die = (cause: unknown): void => {
    dead ??= new Error('The writer thread of the store has ended.', { cause })
    // Nobody knows whether these were written: a fault, and no promise that they were not.
    for (const { reject } of waiting.splice(0)) reject(dead)
  }
  worker.on('message', (reply: WriterReply) => {
    const asked = waiting.shift()
    if (reply.type !== 'failed') {
      trouble = undefined
      asked?.resolve(reply)
      return
    }
    trouble = translateSqliteError(new Error(reply.message), reply.code)
    asked?.reject(trouble)
  })
  worker.on('messageerror', die)
  worker.on('error', die)
  worker.on('exit', (code) => die(new Error(`exit code ${code}`)))
  // The process may end while nothing is being written; `close` is what waits.
  worker.unref()

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
