/**
 * The end of the log, read once for all followers of this process: every few milliseconds while there are followers, and at
 * once after a commit of this process. Every commit locks one row, so events become visible in the order of their numbers,
 * and what was read up to a number is complete. The newest events are kept, up to a number of bytes; followers who are
 * further behind read the log itself, so that slow ones cost no memory.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stamp } from '../history.ts'
import type { EventQuery, StoredEvent } from '../stored-event.ts'
import { type Batch, inBatches, type KeyedFilter } from './batch.ts'
import { BEGINNING, type Position, positionOf } from './position.ts'

/** Where the log is read. */
export interface LogSource {
  head(): Promise<Stamp>
  events(query: EventQuery): Promise<readonly StoredEvent[]>
}

export interface TailOptions {
  /** How often to look for events of other processes. */
  readonly everyMs: number
  /** How much of the end of the log is kept. */
  readonly keptBytes: number
}

const TAIL_OPTIONS: TailOptions = { everyMs: 25, keptBytes: 2 * 1024 * 1024 }

const EVENTS_AT_ONCE = 250

/** After a commit of this process. Those that follow at once are read with it. */
const SOON_MS = 3

/** A follower that waits at the end of the log. */
export interface Waiting {
  readonly filter: KeyedFilter
  /** Moved on past events that do not match. */
  position: Position
  /** There is something for it, or the tail has ended. */
  wake(): void
}

/** What the tail has in memory, for metrics. */
export interface TailLoad {
  readonly followers: number
  readonly keptBytes: number
}

export class LogTail {
  readonly #source: LogSource
  readonly #options: TailOptions
  // What the tail reads belongs to no request, although one of them starts it.
  readonly #outside = AsyncLocalStorage.snapshot()
  readonly #waiting = new Set<Waiting>()
  #followers = 0
  #batches: Batch[] = []
  #keptBytes = 0
  /** The sequence before the first event that is kept. */
  #keptFrom = 0
  /** The log is known up to here. */
  #end: Position = BEGINNING
  #history = ''
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  /** Something was committed since the last look began. */
  #isWoken = false
  /** Another one after the last follower has left: what was being read then is not wanted any more. */
  #run = 0
  #opening: Promise<void> | undefined
  /** Another one when the log is not the one that followers have read. */
  #age = 0
  #trouble: unknown

  constructor(source: LogSource, options: TailOptions = TAIL_OPTIONS) {
    this.#source = source
    this.#options = options
  }

  get end(): Position {
    return this.#end
  }

  get load(): TailLoad {
    return { followers: this.#followers, keptBytes: this.#keptBytes }
  }

  /** What a follower compares: when it has changed, the log is another one. */
  get age(): number {
    return this.#age
  }

  /** Nothing is read any more: the store is closed. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Why the tail could not be read lately. */
  get trouble(): unknown {
    return this.#trouble
  }

  /** Begins to read for one more follower; returns how to leave. */
  async join(): Promise<() => void> {
    this.#followers++
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      if (--this.#followers === 0) this.#rest()
    }
    this.#opening ??= this.#outside(() => this.#open())
    const opening = this.#opening
    try {
      await opening
    } catch (error) {
      // Unless another one has begun: whoever waits at the end must not be moved by opening twice.
      if (this.#opening === opening) this.#opening = undefined
      leave()
      throw error
    }
    return leave
  }

  /** The batch with the event after a sequence; undefined when it is no longer kept. */
  batchAfter(sequence: number): Batch | undefined {
    if (sequence < this.#keptFrom) return undefined
    let [low, high] = [0, this.#batches.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#batches[middle]?.end.sequence ?? 0) > sequence) high = middle
      else low = middle + 1
    }
    return this.#batches[low]
  }

  /** Waits at the end of the log; `leave` when nothing is expected any more. */
  wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting)
    return () => this.#waiting.delete(waiting)
  }

  /** Something was committed. */
  readonly wake = (): void => {
    if (this.#isWoken || this.#timer === undefined) return
    this.#isWoken = true
    if (this.#looking === undefined) this.#schedule(SOON_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#rest()
    this.#wakeAll()
  }

  async #open(): Promise<void> {
    this.#trouble = undefined
    const { sequence, history } = await this.#source.head()
    const [last] = sequence === 0 ? [] : await this.#source.events({ from: sequence - 1, limit: 1 })
    this.#history = history
    this.#end = last?.sequence === sequence ? positionOf(last) : { sequence, mark: '' }
    this.#keptFrom = sequence
    if (this.#followers > 0) this.#schedule(this.#options.everyMs)
  }

  /** The last follower has left. */
  #rest(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#opening = undefined
    this.#isWoken = false
    this.#run++
    this.#drop()
  }

  #drop(): void {
    this.#batches = []
    this.#keptBytes = 0
    this.#keptFrom = this.#end.sequence
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#followers === 0) return
    this.#timer = setTimeout(() => {
      this.#looking ??= this.#outside(() => this.#look()).finally(() => {
        this.#looking = undefined
        if (this.#timer !== undefined) this.#schedule(this.#isWoken ? SOON_MS : this.#options.everyMs)
      })
    }, milliseconds)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const run = this.#run
    this.#isWoken = false
    try {
      const head = await this.#source.head()
      if (head.history !== this.#history || head.sequence < this.#end.sequence) await this.#confirm(head)
      while (this.#end.sequence < head.sequence && run === this.#run) {
        const events = await this.#source.events({ from: this.#end.sequence, limit: EVENTS_AT_ONCE })
        if (run !== this.#run) break
        for (const batch of inBatches(events)) this.#add(batch)
        if (events.length < EVENTS_AT_ONCE) break
      }
      this.#trouble = undefined
    } catch (error) {
      // It is tried again. Followers learn of it only if it lasts until their next beat.
      this.#trouble = error
    }
  }

  /** After a failover or a rebuild: whether the log still has what was read last. If not, followers must begin again. */
  async #confirm(head: Stamp): Promise<void> {
    const run = this.#run
    const { sequence, mark } = this.#end
    const [event] = sequence === 0 ? [] : await this.#source.events({ from: sequence - 1, limit: 1 })
    if (run !== this.#run) return
    const isGone = sequence > 0 && (event === undefined || head.sequence < sequence)
    const isOther = event?.sequence === sequence && mark !== '' && positionOf(event).mark !== mark
    this.#history = head.history
    if (!isGone && !isOther) return
    this.#age++
    this.#end = event?.sequence === head.sequence ? positionOf(event) : { sequence: head.sequence, mark: '' }
    this.#drop()
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const { wake } of this.#waiting) wake()
  }

  #add(batch: Batch): void {
    this.#batches.push(batch)
    this.#keptBytes += batch.bytes
    this.#end = batch.end
    while (this.#keptBytes > this.#options.keptBytes && this.#batches.length > 0) {
      const oldest = this.#batches.shift()
      this.#keptBytes -= oldest?.bytes ?? 0
      this.#keptFrom = oldest?.end.sequence ?? this.#keptFrom
    }
    for (const waiting of this.#waiting) {
      if (batch.matching(waiting.filter).length > 0) waiting.wake()
      else if (batch.end.sequence > waiting.position.sequence) waiting.position = batch.end
    }
  }
}
