/** The requests that wait, by priority. A higher priority goes first, but never takes all turns of a lower one. */
import { FairQueue, type Share } from './fair-queue.ts'
import { QUEUED, type QueuedPriority } from './priority.ts'

/** How many of the turns each priority gets while all of them wait. */
const TURNS: Readonly<Record<QueuedPriority, number>> = { sign_in: 16, usual: 4, bulk: 1 }

export class PriorityQueue<Item> {
  readonly #queues: Readonly<Record<QueuedPriority, FairQueue<Item>>> = {
    sign_in: new FairQueue(),
    usual: new FairQueue(),
    bulk: new FairQueue(),
  }
  /** Turns that are left in this round. */
  readonly #left: Record<QueuedPriority, number> = { ...TURNS }

  get length(): number {
    const { sign_in, usual, bulk } = this.#queues
    return sign_in.length + usual.length + bulk.length
  }

  lengthOf(priority: QueuedPriority): number {
    return this.#queues[priority].length
  }

  add(priority: QueuedPriority, share: Share, item: Item): void {
    this.#queues[priority].add(share, item)
  }

  next(): Item | undefined {
    if (this.length === 0) return undefined
    const isNext = (priority: QueuedPriority) => this.#left[priority] > 0 && this.#queues[priority].length > 0
    let priority = QUEUED.find(isNext)
    if (priority === undefined) {
      Object.assign(this.#left, TURNS)
      priority = QUEUED.find(isNext)
    }
    if (priority === undefined) return undefined
    this.#left[priority]--
    return this.#queues[priority].next()
  }

  /** Takes back an item of whoever has the most waiting, so that a share with few gets a place in a full queue. */
  takeBackFor(share: Share): Item | undefined {
    const queue = QUEUED.map((priority) => this.#queues[priority]).toSorted((a, b) => b.largest - a.largest)[0]
    return queue?.takeBackFor(share)
  }

  /** How many items of this priority would be taken before a new one of this share. */
  ahead(priority: QueuedPriority, share: Share): number {
    return this.#queues[priority].ahead(share)
  }
}
