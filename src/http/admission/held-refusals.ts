/**
 * Refusals that are not answered at once. Callers who ask again as soon as they are refused would otherwise keep the
 * server busy with refusing them. A refusal is answered when the server has done enough other work for it, or after a
 * while; when too many are held, the oldest is answered at once.
 */

export interface Refusable {
  /** How long the caller waits for an answer, in milliseconds; undefined when it did not say. */
  timeoutMs(): number | undefined
  /** Refuses the request. Must not throw. */
  refuse(): void
  /** Whether the caller has left. */
  isOver(): boolean
}

interface Held {
  readonly request: Refusable
  readonly until: number
}

/** Each keeps a connection or a stream and its headers in memory. */
const MOST_HELD = 2_000
/** The longest that a refusal is held; less when the caller waits less. */
const HELD_MS = 5_000
/** A refusal costs about a third of the cheapest request, and so less than a twentieth of the work. */
const STARTS_PER_REFUSAL = 8
/** Refusals that a turn of the event loop answers when no other work waits. */
const IDLE_PER_TURN = 32
const SWEEP_MS = 100

export class HeldRefusals {
  #held: Held[] = []
  /** How many may be answered for the work that was done. */
  #credit = IDLE_PER_TURN
  #sweptAt = Number.NEGATIVE_INFINITY

  get length(): number {
    return this.#held.length
  }

  add(request: Refusable, now: number): void {
    // Half of what the caller waits, so that the refusal arrives in time.
    const holdMs = Math.min(HELD_MS, (request.timeoutMs() ?? Number.POSITIVE_INFINITY) / 2)
    this.#held.push({ request, until: now + holdMs })
    if (this.#held.length > MOST_HELD) this.#answerOldest()
  }

  /** To be called when this many requests were started; `isBehind`: others still wait. */
  release(now: number, starts: number, isBehind: boolean): void {
    const credit = this.#credit + starts / STARTS_PER_REFUSAL
    this.#credit = isBehind ? Math.min(credit, IDLE_PER_TURN) : IDLE_PER_TURN
    while (this.#credit >= 1 && this.#held.length > 0) this.#answerOldest()
    if (now - this.#sweptAt >= SWEEP_MS) this.#sweep(now)
  }

  #answerOldest(): void {
    const oldest = this.#held.shift()
    if (oldest === undefined || oldest.request.isOver()) return
    this.#credit = Math.max(0, this.#credit - 1)
    oldest.request.refuse()
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    const due = this.#held.filter(({ until }) => until <= now)
    this.#held = this.#held.filter(({ request, until }) => until > now && !request.isOver())
    for (const { request } of due) if (!request.isOver()) request.refuse()
  }
}
