/**
 * Admission control: what the server does when more is asked of it than it can do (docs/decisions/0045). Without
 * overload every request is started at once. When the event loop is behind, requests wait here, take turns by priority
 * and by caller, and are refused when they would wait too long. What counts is time, not the number of requests.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Share } from './fair-queue.ts'
import { type Priority, QUEUED, type QueuedPriority } from './priority.ts'
import { PriorityQueue } from './priority-queue.ts'

/** Time as admission sees it; tests pass their own. */
export interface Turns {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Runs after the input and output of this turn of the event loop, and not before everything else had a chance. */
  next(run: () => void): void
  /** Runs after this time. */
  after(milliseconds: number, run: () => void): void
}

export interface AdmissionOptions {
  /** How long a request may wait while requests wait all the time. */
  readonly targetMs: number
  /** How long it may wait otherwise, and how long the queue must be in use before the target applies. */
  readonly intervalMs: number
  /** How long requests wait for what is beside the event loop: the commit queue and the database connections. */
  storeDelayMs?(): number
  readonly turns?: Turns
}

/** One request at the entrance. */
export interface Entry {
  readonly priority: Priority
  /** Read only when the request has to wait. */
  share(): Share
  /** Starts the work. Must not throw. */
  start(): void
  /** Refuses the request. Must not throw. */
  refuse(): void
  /** Whether the caller has left. */
  isOver(): boolean
}

interface Waiting {
  readonly priority: QueuedPriority
  start(): void
  isOver(): boolean
}

/** What admission has done since the start. */
export interface AdmissionLoad {
  readonly waiting: Readonly<Record<QueuedPriority, number>>
  readonly refused: Readonly<Record<QueuedPriority, number>>
}

/** How long requests are started as they arrive before further ones have to wait. */
const DIRECT_MS = 5
/** How long waiting requests are started before the event loop looks for new ones: health checks wait no longer. */
const SLICE_MS = 2
/**
 * libuv accepts one connection in each turn of the event loop. While connections arrive, so many turns start no request:
 * otherwise clients would give up before their requests are seen, and connect again.
 */
const ACCEPTING_TURNS = 8
/** A turn that is longer shows that requests that were started before need the time. */
const LONG_TURN_MS = 20
/** Requests that are started in a turn while others wait. */
const STARTS_PER_TURN = 32
/**
 * Requests that a turn may start at all. The quota shrinks when turns are long. It is small from the beginning, because
 * requests that were started together also do their work together, and nothing else is served meanwhile.
 */
const LEAST_QUOTA = 8
const MOST_QUOTA = 64
/** Each keeps a connection or a stream and its headers in memory. */
const MOST_WAITING = 1_000
/** So few are never too many: a process that got no processor for a while looks slower than it is. */
const LEAST_WAITING = 16
/** How often to look whether the store has caught up. */
const HELD_MS = 5
/** The pace is measured over about this time. */
const PACE_MS = 250

const systemTurns: Turns = {
  now: () => performance.now(),
  next: (run) => void setImmediate(run),
  after: (milliseconds, run) => void setTimeout(run, milliseconds),
}

export class Admission {
  readonly #targetMs: number
  readonly #intervalMs: number
  readonly #storeDelayMs: () => number
  readonly #turns: Turns
  readonly #queue = new PriorityQueue<Waiting>()
  readonly #refusing: Pick<Entry, 'refuse' | 'isOver'>[] = []
  readonly #refused: Record<QueuedPriority, number> = { sign_in: 0, usual: 0, bulk: 0 }
  /** When nothing waited for the last time. */
  #emptyAt: number
  #isTurnOpen = false
  #turnStartedAt = 0
  /** When the first of the waiting requests was started in this turn. */
  #sliceStartedAt: number | undefined
  /** Whether requests waited when the turn began. */
  #isCatchingUp = false
  #started = 0
  /** The same for each priority, of requests that had waited. */
  readonly #startsOf: Record<QueuedPriority, number> = { sign_in: 0, usual: 0, bulk: 0 }
  #hasAccepted = false
  #acceptingTurns = 0
  /** When a waiting request was last started. */
  #startedAt = 0
  #quota = MOST_QUOTA
  /** Time in which requests waited, and those started in it; older ones count less. */
  #busyMs = 0
  readonly #busyStarts: Record<QueuedPriority, number> = { sign_in: 0, usual: 0, bulk: 0 }

  constructor({ targetMs, intervalMs, storeDelayMs = () => 0, turns = systemTurns }: AdmissionOptions) {
    this.#targetMs = targetMs
    this.#intervalMs = intervalMs
    this.#storeDelayMs = storeDelayMs
    this.#turns = turns
    this.#emptyAt = turns.now()
  }

  /** Starts the request now or in its turn, or refuses it at the end of this turn of the event loop. */
  enter(entry: Entry): void {
    const { priority } = entry
    if (priority === 'monitoring') {
      entry.start()
      return
    }
    const now = this.#turns.now()
    if (this.#mayStart(now)) {
      this.#started++
      entry.start()
      return
    }
    const share = entry.share()
    if (this.#queue.length < MOST_WAITING && !this.#wouldWaitTooLong(priority, share, now)) {
      // It is started in the middle of another request, but must not be taken for a part of it.
      const start = AsyncLocalStorage.bind(() => entry.start())
      this.#queue.add(priority, share, { priority, start, isOver: () => entry.isOver() })
      return
    }
    this.#refused[priority]++
    // Most of the request has arrived by then: an earlier answer would cost the connection or a reset.
    this.#refusing.push(entry)
  }

  /** For the parts of a long request, which wait as long as it takes; undefined when nothing waits. */
  takeTurn(priority: QueuedPriority, share: Share): Promise<void> | undefined {
    const now = this.#turns.now()
    if (this.#mayStart(now)) {
      this.#started++
      return undefined
    }
    return new Promise((resolve) => {
      this.#queue.add(priority, share, { priority, start: resolve, isOver: () => false })
    })
  }

  /** To be called for each new connection. */
  noteConnection(): void {
    this.#hasAccepted = true
  }

  /** Whether requests have to wait. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#refusing.length > 0
  }

  readLoad(): AdmissionLoad {
    const { sign_in, usual, bulk } = this.#refused
    return {
      waiting: {
        sign_in: this.#queue.lengthOf('sign_in'),
        usual: this.#queue.lengthOf('usual'),
        bulk: this.#queue.lengthOf('bulk'),
      },
      refused: { sign_in, usual, bulk },
    }
  }

  #mayStart(now: number): boolean {
    if (!this.#isTurnOpen) this.#openTurn(now)
    if (this.#queue.length > 0) return false
    this.#emptyAt = now
    return this.#started < this.#quota && now - this.#turnStartedAt <= DIRECT_MS && !this.#isHeld()
  }

  #isHeld(): boolean {
    return this.#storeDelayMs() > this.#targetMs
  }

  /** Whether a new request would wait too long: by the measured pace, or because the store has held all of them up. */
  #wouldWaitTooLong(priority: QueuedPriority, share: Share, now: number): boolean {
    const limit = now - this.#emptyAt > this.#intervalMs ? this.#targetMs : this.#intervalMs
    const heldMs = this.#isHeld() ? now - Math.max(this.#startedAt, this.#emptyAt) : 0
    const ahead = this.#queue.ahead(priority, share)
    // The pace of this priority: what arrives later with a higher one goes first.
    const expectedMs = ahead === 0 ? 0 : (ahead * this.#busyMs) / this.#busyStarts[priority]
    return heldMs > limit || (ahead >= LEAST_WAITING && expectedMs > limit)
  }

  #openTurn(now: number): void {
    this.#isTurnOpen = true
    this.#turnStartedAt = now
    this.#sliceStartedAt = undefined
    this.#started = 0
    for (const priority of QUEUED) this.#startsOf[priority] = 0
    const { length } = this.#queue
    this.#isCatchingUp = length > 0
    if (length > 0 && this.#isHeld()) {
      this.#turns.after(HELD_MS, () => this.#endTurn())
      return
    }
    const isAccepting = this.#hasAccepted && this.#acceptingTurns < ACCEPTING_TURNS
    this.#hasAccepted = false
    this.#acceptingTurns = isAccepting ? this.#acceptingTurns + 1 : 0
    const starts = isAccepting ? 0 : Math.min(length, this.#quota, STARTS_PER_TURN)
    // Each in a step of its own: what one request can do without waiting is done before the next one is started.
    for (let left = starts; left > 0; left--) this.#turns.next(() => this.#step())
    this.#turns.next(() => this.#endTurn())
  }

  #step(): void {
    const now = this.#turns.now()
    this.#sliceStartedAt ??= now
    if (now - this.#sliceStartedAt > SLICE_MS) return
    let entry = this.#queue.next()
    while (entry?.isOver()) entry = this.#queue.next()
    if (entry === undefined) return
    this.#started++
    this.#startsOf[entry.priority]++
    this.#startedAt = now
    entry.start()
  }

  #endTurn(): void {
    const now = this.#turns.now()
    const took = now - this.#turnStartedAt
    this.#isTurnOpen = false
    if (took > LONG_TURN_MS) this.#quota = Math.max(LEAST_QUOTA, this.#quota >> 1)
    else this.#quota = Math.min(MOST_QUOTA, this.#quota + (this.#quota >> 2))
    if (this.#isCatchingUp) this.#measure(took)
    for (const entry of this.#refusing.splice(0)) if (!entry.isOver()) entry.refuse()
    if (this.#queue.length === 0) this.#emptyAt = now
    else this.#openTurn(now)
  }

  #measure(took: number): void {
    const kept = Math.exp(-took / PACE_MS)
    this.#busyMs = this.#busyMs * kept + took
    for (const priority of QUEUED)
      this.#busyStarts[priority] = this.#busyStarts[priority] * kept + this.#startsOf[priority]
  }
}
