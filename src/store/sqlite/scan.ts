/**
 * The main thread's side of the scan thread, which runs queries that read many documents. It runs one at a time; the
 * others wait here and take turns by owner, and closing waits for one scan at most.
 */
import type { SQLInputValue } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { FairQueue, type Queued } from '../../kernel/fair-queue.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Owners } from '../../kernel/share.ts'
import type { FoundRows } from '../engine.ts'
import type { CompiledQuery } from '../query/index.ts'
import { storeRefusals } from '../refusals.ts'
import { translateFailure, unavailable } from './errors.ts'
import type { ScanReply, ScanRequest } from './scan-thread.ts'
import { documentRow } from './search.ts'

/**
 * How many scans may wait; at a second each, more would wait too long. When all places are taken, whoever has the most gives
 * one to those who have fewer.
 */
const MAX_WAITING = 32

export interface ScanThread {
  /** Reads one snapshot, taken after the call. Refuses with `store.overloaded` when too many of the owners wait. */
  find(query: CompiledQuery): Promise<FoundRows>
  /** As above, for one statement. */
  all(sql: string, ...parameters: readonly SQLInputValue[]): Promise<readonly unknown[][]>
  /** Refuses the waiting scans and waits for the running one. */
  close(): Promise<void>
}

interface Waiting extends Queued {
  readonly request: ScanRequest
  readonly resolve: (reply: ScanReply) => void
  readonly reject: (error: Error) => void
}

function overloaded(): Error {
  return refused(storeRefusals, 'store.overloaded', { retryAfterSeconds: 1 })
}

/** Starts the thread at the first scan, and again at the next scan after it died. */
export function scanThread(file: string, currentOwners: () => Owners): ScanThread {
  const waiting = new FairQueue<Waiting>()
  let worker: Worker | undefined
  let running: Waiting | undefined
  let closed: PromiseWithResolvers<void> | undefined

  const end = (): Waiting | undefined => {
    const ended = running
    running = undefined
    if (ended !== undefined) waiting.done(ended)
    return ended
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      workerData: file,
      name: 'sqlite-scan',
    })
    started.on('message', (reply: ScanReply) => {
      const asked = end()
      if (reply.type === 'found' || reply.type === 'rows') asked?.resolve(reply)
      else asked?.reject(translateFailure(reply))
      next()
    })
    const die = (cause: unknown): void => {
      if (worker !== started) return
      worker = undefined
      end()?.reject(unavailable(cause))
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

  /** Runs the scan whose turn it is. An idle thread does not keep the process alive. */
  const next = (): void => {
    if (running !== undefined) return
    running = waiting.next()
    if (running !== undefined) ask(running.request)
    else if (closed === undefined) worker?.unref()
    else if (worker === undefined) closed.resolve()
    else ask({ type: 'close' })
  }

  const read = (request: ScanRequest): Promise<ScanReply> =>
    new Promise((resolve, reject) => {
      if (closed !== undefined) {
        reject(unavailable(new Error('The store is closed.')))
        return
      }
      const owners = currentOwners()
      if (waiting.length >= MAX_WAITING) {
        const other = waiting.takeBackFor(owners)
        if (other === undefined) {
          reject(overloaded())
          return
        }
        other.reject(overloaded())
      }
      waiting.add({ request, resolve, reject, owners, cost: 1 })
      next()
    })

  return {
    async find(query) {
      const reply = await read({ type: 'find', query })
      if (reply.type !== 'found') throw new Error('The scan thread gave another answer.')
      return { ...reply, rows: reply.rows.map(documentRow) }
    },
    async all(sql, ...parameters) {
      const reply = await read({ type: 'read', sql, parameters })
      return reply.type === 'rows' ? reply.rows : []
    },
    close() {
      if (closed === undefined) {
        closed = Promise.withResolvers<void>()
        for (const { reject } of waiting.clear()) reject(unavailable(new Error('The store is closed.')))
        next()
      }
      return closed.promise
    },
  }
}
