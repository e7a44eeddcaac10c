/** Follows the log from a position: first what is there, then what is added, in order and each event once. */
import { refused } from '../../kernel/refusal.ts'
import { storeRefusals } from '../refusals.ts'
import type { StoredEvent } from '../stored-event.ts'
import { type EventFilter, fitting, type KeyedFilter, keyed, NONE } from './batch.ts'
import type { LogSource, LogTail } from './log-tail.ts'
import { type Position, positionOf } from './position.ts'

export interface FollowOptions extends EventFilter {
  /** Exclusive start; undefined: the present end of the log. */
  readonly after?: Position | undefined
  /** How often a portion comes at least, even if there is nothing. */
  readonly beatMs: number
  readonly signal: AbortSignal
}

/** The next events that match. */
export interface Portion {
  /** Empty at a beat. Followers with equal filters get the same array, so that what is made of it can be shared. */
  readonly events: readonly StoredEvent[]
  /** Where to continue. */
  readonly position: Position
  /** How many events the log has after the position, whether they match or not. */
  readonly lag: number
}

/** For a follower who reads the log itself. What is more than a portion is read again: it may never be wanted. */
const EVENTS_AT_ONCE = 100

/** Follows the log until the signal is aborted. A beat comes as soon as the end is reached. */
export async function* follow(
  source: LogSource,
  tail: LogTail,
  { after, beatMs, signal, ...filter }: FollowOptions,
): AsyncGenerator<Portion> {
  if (after !== undefined) await checkPosition(source, after)
  const leave = await tail.join()
  const following = new Following(source, tail, keyed(filter), after)
  let beatAt = performance.now() + beatMs
  let hasReachedEnd = false
  // Once, and not at each wait: listeners of a composed signal are not cheap.
  signal.addEventListener('abort', following.wake)
  try {
    while (!signal.aborted) {
      following.check()
      const events = following.isAtEnd ? NONE : await following.next()
      if (events.length > 0) yield following.portion(events)
      const now = performance.now()
      if (now >= beatAt || (following.isAtEnd && !hasReachedEnd)) {
        hasReachedEnd ||= following.isAtEnd
        beatAt = now + beatMs
        yield following.portion(NONE)
      } else if (following.isAtEnd && !signal.aborted) await following.wait(beatAt - now)
    }
  } finally {
    signal.removeEventListener('abort', following.wake)
    leave()
  }
}

/** Throws when a position is not of this log, as after a restored backup: whoever continues there would miss something. */
async function checkPosition(source: LogSource, { sequence, mark }: Position): Promise<void> {
  if (sequence === 0) return
  const [event] = await source.events({ from: sequence - 1, limit: 1 })
  if (event === undefined) throw refused(storeRefusals, 'store.position_unknown')
  // An event that was removed from the log since then says nothing about the others.
  if (mark === '' || event.sequence !== sequence) return
  if (positionOf(event).mark !== mark) throw refused(storeRefusals, 'store.position_unknown')
}

class Following {
  readonly #source: LogSource
  readonly #tail: LogTail
  readonly #filter: KeyedFilter
  readonly #age: number
  #position: Position
  /** Of the present wait. */
  #wake: (() => void) | undefined

  constructor(source: LogSource, tail: LogTail, filter: KeyedFilter, after: Position | undefined) {
    this.#source = source
    this.#tail = tail
    this.#filter = filter
    this.#age = tail.age
    this.#position = after ?? tail.end
  }

  /** Ends the present wait, if there is one. */
  readonly wake = (): void => this.#wake?.()

  /** Another node may have been ahead of this one when it gave out the position. */
  get isAtEnd(): boolean {
    return this.#position.sequence >= this.#tail.end.sequence
  }

  /** Throws when the log cannot be followed any more. */
  check(): void {
    if (this.#tail.isClosed) throw refused(storeRefusals, 'store.unavailable')
    if (this.#tail.age !== this.#age) throw refused(storeRefusals, 'store.log_changed')
    if (this.#tail.trouble !== undefined) throw this.#tail.trouble
  }

  portion(events: readonly StoredEvent[]): Portion {
    const lag = Math.max(0, this.#tail.end.sequence - this.#position.sequence)
    return { events, position: this.#position, lag }
  }

  /** The next events that match, from memory if they are there; none when those of a batch do not match. */
  async next(): Promise<readonly StoredEvent[]> {
    const { sequence } = this.#position
    const batch = this.#tail.batchAfter(sequence)
    if (batch === undefined) return this.#read()
    const events = batch.matching(this.#filter)
    this.#position = batch.end
    return (events[0]?.sequence ?? 0) > sequence ? events : events.filter((event) => event.sequence > sequence)
  }

  async #read(): Promise<readonly StoredEvent[]> {
    const { key: _, ...filter } = this.#filter
    // Read first: all that matches up to here is in the page, unless that is full.
    const { end } = this.#tail
    const page = await this.#source.events({ ...filter, from: this.#position.sequence, limit: EVENTS_AT_ONCE })
    const events = page.slice(0, fitting(page))
    const last = events.at(-1)
    const isAll = events.length === page.length && page.length < EVENTS_AT_ONCE
    if (last !== undefined && (!isAll || last.sequence >= end.sequence)) this.#position = positionOf(last)
    else if (isAll) this.#position = end
    return events
  }

  /** Waits for something that matches, for this time at most. */
  async wait(milliseconds: number): Promise<void> {
    // Something may have been read since the last look: whoever waits is at the end.
    if (!this.isAtEnd || this.#tail.isClosed || this.#tail.age !== this.#age) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#wake = undefined
        clearTimeout(timer)
        leave()
        this.#position = waiting.position
        resolve()
      }
      const waiting = { filter: this.#filter, position: this.#position, wake }
      const leave = this.#tail.wait(waiting)
      const timer = setTimeout(wake, milliseconds)
      this.#wake = wake
    })
  }
}
