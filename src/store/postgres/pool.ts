/** A bounded pool of connections to the primary. Callers wait for a bounded time in a bounded queue. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_OBSERVER, type StoreObserver, type TraceContext } from '../observer.ts'
import type { Connections } from '../types.ts'
import { type Connection, type ConnectionOptions, connect } from './connection.ts'
import { isLost, isPermanent, translateError, unavailable } from './errors.ts'

export interface PoolOptions extends ConnectionOptions {
  readonly size: number
  /** How long to wait for a connection, or for a primary to appear. */
  readonly patienceMs: number
  readonly maxWaiting: number
  readonly observer?: StoreObserver | undefined
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 500

/** Connects, and tries again while the server is unreachable, until `deadline` (of `performance.now()`). */
export async function connectBefore(options: ConnectionOptions, deadline: number): Promise<Connection> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await connect(options)
    } catch (error) {
      if (isPermanent(error) || performance.now() + pause > deadline) throw unavailable(error)
      await sleep(pause)
    }
  }
}

interface Waiter {
  readonly resolve: (connection: Connection | undefined) => void
  readonly timer: NodeJS.Timeout
  readonly since: number
}

export class Pool {
  readonly #options: PoolOptions
  readonly #observer: StoreObserver
  readonly #idle: Connection[] = []
  readonly #waiting: Waiter[] = []
  #open = 0
  #generation = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#observer = options.observer ?? NO_OBSERVER
  }

  /** How busy it is. */
  get load(): Connections {
    const idle = this.#idle.length
    return { inUse: this.#open - idle, idle, waiting: this.#waiting.length }
  }

  /** Where the calling code is in a trace; undefined when nothing traces. */
  get context(): TraceContext {
    return this.#observer.contextOf?.()
  }

  /**
   * Runs one read. When the connection is lost, it runs once more on a new one: a read may be repeated. `operation` is
   * a short word for metrics, `contexts` those of all callers that the read is for.
   */
  async read<Value>(
    operation: string,
    run: (connection: Connection) => Promise<Value>,
    contexts: readonly TraceContext[] = [this.context],
  ): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      const askedAt = performance.now()
      const connection = await this.#acquire()
      const startedAt = performance.now()
      let hasFailed = true
      try {
        const value = await run(connection)
        hasFailed = false
        return value
      } catch (error) {
        if (!isLost(error)) throw translateError(error)
        connection.isBroken = true
        this.#dropGeneration(connection)
        if (attempt === 2) throw translateError(error)
      } finally {
        this.#observer.queried({ operation, askedAt, startedAt, endedAt: performance.now(), contexts, hasFailed })
        this.#release(connection)
      }
    }
  }

  /** How long the first caller in the queue has waited, in milliseconds; 0 when none waits. */
  delayMs(): number {
    const [first] = this.#waiting
    return first === undefined ? 0 : performance.now() - first.since
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiter of this.#waiting.splice(0)) this.#wake(waiter, undefined)
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()))
  }

  async #acquire(): Promise<Connection> {
    const deadline = performance.now() + this.#options.patienceMs
    for (;;) {
      if (this.#isClosed) throw unavailable(new Error('the store is closed'))
      const idle = this.#idle.pop()
      if (idle) return idle
      if (this.#open < this.#options.size) return await this.#openOne(deadline)
      const handed = await this.#wait(deadline)
      if (handed) return handed
      if (performance.now() >= deadline) throw unavailable(new Error('timed out waiting for a free connection'))
    }
  }

  async #openOne(deadline: number): Promise<Connection> {
    this.#open += 1
    const generation = this.#generation
    try {
      const connection = await connectBefore(this.#options, deadline)
      connection.generation = generation
      connection.onBroken = () => {
        const index = this.#idle.indexOf(connection)
        if (index < 0) return
        this.#idle.splice(index, 1)
        this.#drop(connection)
      }
      return connection
    } catch (error) {
      this.#open -= 1
      this.#wakeNext(undefined)
      throw error
    }
  }

  /** When one connection is lost, those of the same generation most likely are, too. */
  #dropGeneration({ generation }: Connection): void {
    if (generation !== this.#generation) return
    this.#generation += 1
    for (const other of this.#idle.splice(0)) this.#drop(other)
  }

  #wait(deadline: number): Promise<Connection | undefined> {
    if (this.#waiting.length >= this.#options.maxWaiting)
      throw unavailable(new Error('too many callers wait for a connection'))
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        resolve(undefined)
      }, deadline - performance.now())
      const waiter = { resolve, timer, since: performance.now() }
      this.#waiting.push(waiter)
    })
  }

  #release(connection: Connection): void {
    const isStale = connection.generation !== this.#generation
    if (connection.isBroken || isStale || this.#isClosed) this.#drop(connection)
    else if (!this.#wakeNext(connection)) this.#idle.push(connection)
  }

  #drop(connection: Connection): void {
    this.#open -= 1
    void connection.end()
    this.#wakeNext(undefined)
  }

  /** Hands a connection (or, with undefined, the permission to open one) to the caller that has waited longest. */
  #wakeNext(connection: Connection | undefined): boolean {
    const waiter = this.#waiting.shift()
    if (waiter) this.#wake(waiter, connection)
    return waiter !== undefined
  }

  #wake(waiter: Waiter, connection: Connection | undefined): void {
    clearTimeout(waiter.timer)
    waiter.resolve(connection)
  }
}
