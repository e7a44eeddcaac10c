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
/**
 * How long a refusal is held at most. It grows while callers put up with it, up to this. It shrinks when they leave, or open
 * other connections meanwhile: those do not wait for answers, and a connection costs more than a refusal.
 */
const MOST_HOLD_MS = 5_000
const GROWTH = 1.01
const GROWTH_MS = 1
const SHRINKAGE = 0.5
/** Fewer new connections for each refusal are those of other clients. */
const CONNECTIONS_PER_REFUSAL = 1 / 8
/** A refusal costs about a third of the cheapest request, and so less than a twentieth of the work. */
const STARTS_PER_REFUSAL = 8
/** Refusals that a turn of the event loop answers when no other work waits. */
const IDLE_PER_TURN = 32
const SWEEP_MS = 100

export class HeldRefusals {
  #held: Held[] = []
  /** How many may be answered for the work that was done. */
  #credit = IDLE_PER_TURN
  #holdMs = 0
  /** Since the last sweep. */
  #connections = 0
  #answered = 0
  #sweptAt = Number.NEGATIVE_INFINITY

  get length(): number {
    return this.#held.length
  }

  add(request: Refusable, now: number): void {
    // Half of what the caller waits, so that the refusal arrives in time.
    const mostMs = (request.timeoutMs() ?? Number.POSITIVE_INFINITY) / 2
    this.#held.push({ request, until: now + Math.min(this.#holdMs, mostMs) })
    if (this.#held.length > MOST_HELD) this.#answerOldest()
  }

  /** To be called for each new connection. */
  noteConnection(): void {
    this.#connections++
  }

  /** To be called when this many requests were started; `isBehind`: others still wait. */
  release(now: number, starts: number, isBehind: boolean): void {
    const credit = this.#credit + starts / STARTS_PER_REFUSAL
    this.#credit = isBehind ? Math.min(credit, IDLE_PER_TURN) : IDLE_PER_TURN
    while (this.#credit >= 1 && this.#held.length > 0) this.#answerOldest()
    if (now - this.#sweptAt >= Math.min(SWEEP_MS, this.#holdMs)) this.#sweep(now)
  }

  #answerOldest(): void {
    const oldest = this.#held.shift()
    if (oldest !== undefined && !oldest.request.isOver()) this.#answer(oldest)
  }

  #answer({ request }: Held): void {
    this.#credit = Math.max(0, this.#credit - 1)
    this.#answered++
    request.refuse()
  }

  #sweep(now: number): void {
    this.#sweptAt = now
    const present = this.#held.filter(({ request }) => !request.isOver())
    const haveLeft = present.length < this.#held.length
    this.#held = present.filter(({ until }) => until > now)
    for (const one of present) if (one.until <= now) this.#answer(one)
    if (haveLeft || this.#connections > this.#answered * CONNECTIONS_PER_REFUSAL) this.#holdMs *= SHRINKAGE
    else
      for (let left = this.#answered; left > 0; left--)
        this.#holdMs = Math.min(MOST_HOLD_MS, this.#holdMs * GROWTH + GROWTH_MS)
    this.#connections = 0
    this.#answered = 0
  }
}
