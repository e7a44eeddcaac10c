/**
 * The main thread's end of the scan thread, to which queries go that have to read very much. One is asked at a time; the
 * others wait here, so that closing waits for one scan at most.
 */
import { Worker } from 'node:worker_threads'
import { refused } from '../../kernel/refusal.ts'
import type { CompiledQuery, FoundRows } from '../engine.ts'
import { storeRefusals } from '../refusals.ts'
import type { ScanOptions, ScanReply, ScanRequest } from './scan-thread.ts'
import { documentRow } from './search.ts'
import { translateSqliteError } from './write.ts'

/** So many scans may wait; at a second each, more would wait in vain. */
const MAX_WAITING = 32

export interface ScanThread {
  /** Everything comes from one snapshot, taken after this was called. `store.unavailable` when too many wait. */
  find(query: CompiledQuery): Promise<FoundRows>
  /** Refuses what waits and lets the scan that runs come to its end. */
  close(): Promise<void>
}

interface Waiting {
  readonly query: CompiledQuery
  readonly resolve: (found: FoundRows) => void
  readonly reject: (error: Error) => void
}

/** Does nothing before the first scan; starts the thread anew should it ever die. */
export function scanThread(options: ScanOptions): ScanThread {
  const waiting: Waiting[] = []
  let worker: Worker | undefined
  let running: Waiting | undefined
  let closed: PromiseWithResolvers<void> | undefined

  const unavailable = (cause: unknown): Error =>
    Object.assign(refused(storeRefusals, 'store.unavailable', { retryAfterSeconds: 1 }), { cause })

  const start = (): Worker => {
    const started = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      workerData: options,
      name: 'sqlite-scan',
    })
    started.on('message', (reply: ScanReply) => {
      const asked = running
      running = undefined
      if (reply.type === 'found') asked?.resolve({ ...reply, rows: reply.rows.map(documentRow) })
      else asked?.reject(translateSqliteError(new Error(reply.message), reply.code))
      next()
    })
    const die = (cause: unknown): void => {
      if (worker !== started) return
      worker = undefined
      running?.reject(unavailable(cause))
      running = undefined
      next()
    }
    started.on('messageerror', die)
    started.on('error', die)
    started.on('exit', (code) => die(new Error(`The scan thread of the store has ended with code ${code}.`)))
    return started
  }

  const ask = (request: ScanRequest): void => {
    worker ??= start()
    worker.ref()
    worker.postMessage(request)
  }

  /** Asks for what waits longest; with nothing to do, the thread keeps no process from ending. */
  const next = (): void => {
    if (running !== undefined) return
    running = waiting.shift()
    if (running !== undefined) ask({ type: 'find', query: running.query })
    else if (closed === undefined) worker?.unref()
    else if (worker === undefined) closed.resolve()
    else ask({ type: 'close' })
  }

  return {
    find: (query) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined || waiting.length >= MAX_WAITING) {
          reject(unavailable(new Error(closed === undefined ? 'Too many scans are waiting.' : 'The store is closed.')))
          return
        }
        waiting.push({ query, resolve, reject })
        next()
      }),
    close() {
      if (closed === undefined) {
        closed = Promise.withResolvers<void>()
        for (const { reject } of waiting.splice(0)) reject(unavailable(new Error('The store is closed.')))
        next()
      }
      return closed.promise
    },
  }
}
