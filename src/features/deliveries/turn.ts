/** One run of a queue: its state, what it may still do, and what is written of it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../module/app.ts'
import type { Destination, DestinationKind, DestinationRef, OutgoingRequest } from '../../module/destinations.ts'
import type { Job } from '../../store/index.ts'
import { deliveryCounts } from './counts.ts'
import { SLOW } from './names.ts'
import type { Lane } from './places.ts'
import { failedBy, type QueueState, queueState } from './queue-state.ts'
import { type Attempt, addToRecord } from './records.ts'
import { type Answer, send } from './send.ts'

/** After this time others have their turn. */
const TURN_MS = 10_000
/** How much is sent again at most after a crash. */
const SAVED_EVERY_MS = 250
const RECORDED_EVERY_MS = 5_000
/** A destination whose answers take longer than this is slow. */
const SLOW_MS = 1_000

/** What an attempt is about. */
export interface Subject {
  readonly type: string
  readonly sequence?: number
}

/** Whose turn it is, and among which queues. */
export interface TurnOf {
  readonly ref: DestinationRef
  readonly kind: DestinationKind<App>
  readonly destination: Destination
  readonly lane: Lane
}

export class Turn {
  state: QueueState
  /** Set when the destination wants nothing more. */
  isGone = false
  /** Set when nothing more is sent in this turn. */
  isStopped = false
  readonly app: App
  readonly ref: DestinationRef
  readonly kind: DestinationKind<App>
  readonly destination: Destination
  readonly lane: Lane
  readonly #job: Job
  readonly #startedAt = performance.now()
  #savedAt = performance.now()
  #recordedAt = performance.now()
  #saving: Promise<void> = Promise.resolve()
  #attempts: Attempt[] = []
  #nextSlot = 0
  #answers = 0
  #answeredMs = 0

  constructor(app: App, { ref, kind, destination, lane }: TurnOf, job: Job) {
    this.app = app
    this.ref = ref
    this.kind = kind
    this.destination = destination
    this.lane = lane
    this.#job = job
    const { cursor = destination.since, ...rest } = queueState(job.data)
    // What happened before `since` is never for it, also when that was moved.
    this.state = { ...rest, cursor: Math.max(cursor, destination.since), run: randomUUID() }
  }

  get now() {
    return this.app.clock()
  }

  /** Whether to leave the rest to the next turn. */
  get isOver(): boolean {
    const mayGoOn = this.lane === SLOW || !this.isSlow
    return this.isStopped || this.isAborted || !mayGoOn || performance.now() - this.#startedAt > TURN_MS
  }

  /** Whether it takes long to answer; without an answer in this turn, as before. It continues among its like. */
  get isSlow(): boolean {
    return this.#answers === 0 ? this.lane === SLOW : this.#answeredMs / this.#answers > SLOW_MS
  }

  get isAborted(): boolean {
    return this.#job.signal.aborted
  }

  /** Makes the state durable. When another node runs the queue meanwhile, this throws, and nothing more is sent. */
  async save(): Promise<void> {
    const saving = this.#saving.then(() => this.#job.save(this.state))
    this.#saving = saving.catch(() => {
      this.isStopped = true
    })
    await saving
    this.#savedAt = performance.now()
  }

  async saveIfTime(): Promise<void> {
    const now = performance.now()
    if (now - this.#savedAt > SAVED_EVERY_MS) {
      this.#savedAt = now
      await this.save()
    }
    if (now - this.#recordedAt > RECORDED_EVERY_MS) await this.record()
  }

  /** Writes down what became of the attempts. */
  async record(): Promise<void> {
    this.#recordedAt = performance.now()
    const attempts = this.#attempts
    this.#attempts = []
    await addToRecord(this.app, this.ref, attempts)
  }

  async #waitForSlot(): Promise<void> {
    const now = performance.now()
    const slot = Math.max(this.#nextSlot, now)
    this.#nextSlot = slot + 1000 / this.destination.perSecond
    if (slot > now) await sleep(slot - now, undefined, { signal: this.#job.signal }).catch(() => {})
  }

  /**
   * Sends one request. Undefined: nothing was sent, or the process stops and the answer does not count. A failure of the
   * destination ends the turn.
   */
  async attempt(
    subject: Subject,
    prepare: () => Promise<OutgoingRequest | undefined>,
  ): Promise<Answer | 'skipped' | undefined> {
    await this.#waitForSlot()
    if (this.isStopped || this.isAborted) return undefined
    const answer = await this.#send(prepare)
    if (answer === 'skipped') return answer
    // The request was cut off because the process stops.
    if (this.isAborted && answer.outcome === 'failed') return undefined
    deliveryCounts(this.app)[answer.outcome]++
    const { outcome, status, reason, milliseconds, body } = answer
    this.#answers++
    this.#answeredMs += milliseconds
    this.#attempts.push({ ...subject, at: this.now, outcome, status, reason, milliseconds, body })
    if (outcome === 'gone') this.isGone = true
    const hasFailed = outcome === 'failed' || outcome === 'gone'
    // Several requests of one turn that fail are one failure.
    if (hasFailed && !this.isStopped) this.state = failedBy(this.state, this.now, reason, answer.waitMs)
    if (hasFailed) this.isStopped = true
    return answer
  }

  async #send(prepare: () => Promise<OutgoingRequest | undefined>): Promise<Answer | 'skipped'> {
    try {
      const request = await prepare()
      return request === undefined ? 'skipped' : await send(this.app, request, this.destination, this.#job.signal)
    } catch (error) {
      // The request could not be made: nothing is skipped because of that.
      this.app.log.error({ error, destination: this.ref }, 'a delivery could not be prepared')
      return { outcome: 'failed', status: 0, reason: 'not_prepared', body: '', milliseconds: 0, waitMs: 0 }
    }
  }
}
