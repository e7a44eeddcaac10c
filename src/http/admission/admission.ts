/**
 * Admission control: what the server does when more is asked of it than it can do (docs/decisions/0045). Without
 * overload every request is started at once. When the event loop or the store is behind, requests wait here and take
 * turns by priority and by caller. Only what would not be answered while its caller still wants it is refused.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Share } from './fair-queue.ts'
import { HeldRefusals, type Refusable } from './held-refusals.ts'
import { Pace } from './pace.ts'
import { type Priority, QUEUED, type QueuedPriority } from './priority.ts'
import { PriorityQueue } from './priority-queue.ts'

/** Time as admission sees it; tests pass their own. */
export interface Turns {
  /** Milliseconds of a clock that never goes back. */
  now(): number
  /** Milliseconds of processor time that this thread has used: what others use does not count. */
  worked(): number
  /** Runs after the input and output of this turn of the event loop, and not before everything else had a chance. */
  next(run: () => void): void
  /** Runs after this time. */
  after(milliseconds: number, run: () => void): void
}

export interface AdmissionOptions {
  /** How long a caller wants an answer, unless it says that it waits less. */
  readonly targetMs: number
  /** How long requests wait for what is beside the event loop: the commit queue and the database connections. */
  storeDelayMs?(): number
  readonly turns?: Turns
}

/** One request at the entrance. */
export interface Entry extends Refusable {
  readonly priority: Priority
  /** Read only when the request has to wait. */
  share(): Share
  /** Starts the work. Must not throw. */
  start(): void
}

interface Waiting {
  readonly priority: QueuedPriority
  /** What is refused when others need its place; a part of a long request is not. */
  readonly entry?: Entry
  start(): void
  isOver(): boolean
}

/** What admission has done since the start. */
export interface AdmissionLoad {
  readonly waiting: Readonly<Record<QueuedPriority, number>>
  readonly refused: Readonly<Record<QueuedPriority, number>>
}

/** The part of the time for an answer that a request may wait here. The store may take a quarter, see below. */
const WAIT_SHARE = 0.7
/** While more of that time passes in the store, nothing is started: order and pace are decided here, not there. */
const STORE_SHARE = 0.25
/**
 * libuv accepts one connection in each turn of the event loop, and how many more there are is not known. While they
 * arrive, that many turns start no request. Otherwise clients would give up before their requests are seen and connect
 * again, and all work would be for clients that have left.
 */
const ACCEPTING_TURNS = 64
/** A turn of more processor time delays health checks and whatever goes first. */
const LONG_TURN_MS = 20
/** Requests that a turn may start: they do their work together. Fewer when turns are long, and more when they are not. */
const FIRST_QUOTA = 32
const LEAST_QUOTA = 8
const MOST_QUOTA = 256
/** Each keeps a connection or a stream and its headers in memory. */
const MOST_WAITING = 4_000
/** How often to look whether the store has caught up. */
const HELD_MS = 5

const systemTurns: Turns = {
  now: () => performance.now(),
  worked: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  next: (run) => void setImmediate(run),
  after: (milliseconds, run) => void setTimeout(run, milliseconds),
}

function forEachQueued<Value>(make: (priority: QueuedPriority) => Value): Record<QueuedPriority, Value> {
  return { sign_in: make('sign_in'), usual: make('usual'), bulk: make('bulk') }
}

/** One turn of the event loop, from its first request. */
interface Turn {
  readonly openedAt: number
  readonly worked: number
  /** The priorities of which requests waited when it began. */
  readonly waited: readonly QueuedPriority[]
}

export class Admission {
  readonly #targetMs: number
  readonly #storeDelayMs: () => number
  readonly #turns: Turns
  readonly #queue = new PriorityQueue<Waiting>()
  readonly #paces = forEachQueued(() => new Pace())
  readonly #refusals = new HeldRefusals()
  readonly #refused = forEachQueued(() => 0)
  #turn: Turn | undefined
  /** In this turn. */
  #started = 0
  #quota = FIRST_QUOTA
  #hasAccepted = false
  #acceptingTurns = 0

  constructor({ targetMs, storeDelayMs = () => 0, turns = systemTurns }: AdmissionOptions) {
    this.#targetMs = targetMs
    this.#storeDelayMs = storeDelayMs
    this.#turns = turns
  }

  /** Starts the request now or in its turn, or refuses it at the end of this turn of the event loop or later. */
  enter(entry: Entry): void {
    const { priority } = entry
    if (priority === 'monitoring' || this.#mayStart()) {
      entry.start()
      return
    }
    const share = entry.share()
    if (this.#isWorthWaiting(priority, share, entry.timeoutMs()) && this.#hasPlaceFor(share)) {
      // It is started in the middle of another request, but must not be taken for a part of it.
      const start = AsyncLocalStorage.bind(() => entry.start())
      this.#add(priority, share, { priority, entry, start, isOver: () => entry.isOver() })
      return
    }
    this.#refuse(priority, entry)
  }

  /** For the parts of a long request, which wait as long as it takes; undefined when nothing waits. */
  takeTurn(priority: QueuedPriority, share: Share): Promise<void> | undefined {
    if (this.#mayStart()) return undefined
    return new Promise((resolve) => {
      this.#add(priority, share, { priority, start: resolve, isOver: () => false })
    })
  }

  /** To be called for each new connection. */
  noteConnection(): void {
    this.#hasAccepted = true
    this.#refusals.noteConnection()
  }

  /** Whether requests have to wait. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#refusals.length > 0
  }

  readLoad(): AdmissionLoad {
    return {
      waiting: forEachQueued((priority) => this.#queue.lengthOf(priority)),
      refused: { ...this.#refused },
    }
  }

  #mayStart(): boolean {
    if (this.#turn === undefined) this.#openTurn()
    const isBehind = this.#queue.length > 0 || this.#hasAccepted || this.#started >= this.#quota
    if (isBehind || this.#isStoreBehind()) return false
    this.#started++
    return true
  }

  #refuse(priority: QueuedPriority, entry: Entry): void {
    this.#refused[priority]++
    // Not before the turn ends: most of the request has arrived by then, and an earlier answer would cost the connection.
    this.#refusals.add(entry, this.#turns.now())
  }

  /** Whether there is a place in the queue. When it is full, whoever has the most in it gives one to those who have less. */
  #hasPlaceFor(share: Share): boolean {
    if (this.#queue.length < MOST_WAITING) return true
    const last = this.#queue.takeBackFor(share)
    if (last === undefined) return false
    if (last.entry === undefined) last.start()
    else this.#refuse(last.priority, last.entry)
    return true
  }

  #isStoreBehind(): boolean {
    return this.#storeDelayMs() > this.#targetMs * STORE_SHARE
  }

  #isWorthWaiting(priority: QueuedPriority, share: Share, timeoutMs = this.#targetMs): boolean {
    const ahead = this.#queue.ahead(priority, share)
    return this.#paces[priority].waitMs(ahead) <= Math.min(this.#targetMs, timeoutMs) * WAIT_SHARE
  }

  #add(priority: QueuedPriority, share: Share, waiting: Waiting): void {
    if (this.#queue.lengthOf(priority) === 0) this.#paces[priority].begin(this.#turns.now())
    this.#queue.add(priority, share, waiting)
  }

  #openTurn(): void {
    const waited = QUEUED.filter((priority) => this.#queue.lengthOf(priority) > 0)
    this.#turn = { openedAt: this.#turns.now(), worked: waited.length === 0 ? 0 : this.#turns.worked(), waited }
    this.#started = 0
    if (waited.length > 0 && this.#isStoreBehind()) this.#turns.after(HELD_MS, () => this.#endTurn())
    else this.#turns.next(() => this.#endTurn())
  }

  /** Starts some of the waiting requests, and opens the next turn as long as there is something to do. */
  #endTurn(): void {
    const { openedAt, worked, waited } = this.#turn as Turn
    const mayStart = !this.#isAccepting() && !this.#isStoreBehind()
    const starts = this.#startWaiting(mayStart ? this.#quota - this.#started : 0)
    const now = this.#turns.now()
    for (const priority of waited) this.#paces[priority].note(now, now - openedAt, starts[priority])
    if (waited.length > 0) this.#adaptQuota(this.#turns.worked() - worked)
    this.#refusals.release(now, this.#started, this.#queue.length > 0)
    this.#turn = undefined
    if (this.isBusy) this.#openTurn()
  }

  #isAccepting(): boolean {
    const isAccepting = this.#hasAccepted && this.#acceptingTurns < ACCEPTING_TURNS
    this.#hasAccepted = false
    this.#acceptingTurns = isAccepting ? this.#acceptingTurns + 1 : 0
    return isAccepting
  }

  /** The work of what a turn starts is done in the next one. */
  #adaptQuota(workedMs: number): void {
    const quota = this.#quota
    if (workedMs > LONG_TURN_MS) this.#quota = Math.max(LEAST_QUOTA, quota >> 1)
    else if (this.#started >= quota) this.#quota = Math.min(MOST_QUOTA, quota + (quota >> 2))
  }

  #startWaiting(most: number): Readonly<Record<QueuedPriority, number>> {
    const starts = forEachQueued(() => 0)
    for (let left = most; left > 0; left--) {
      let waiting = this.#queue.next()
      while (waiting?.isOver()) waiting = this.#queue.next()
      if (waiting === undefined) break
      this.#started++
      starts[waiting.priority]++
      waiting.start()
    }
    return starts
  }
}
