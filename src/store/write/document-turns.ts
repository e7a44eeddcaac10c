/**
 * Writers that met at a document take turns: each decides again when the one before it has ended. If all tried again at
 * once, one of them would succeed and the others would meet again. Those that only guard a document share a turn.
 */
import { type StreamName, streamKey } from '../streams.ts'

/** The documents that a write changes, and those that must stay as it has read them. */
export interface Touched {
  readonly changes: readonly StreamName[]
  readonly guards: readonly StreamName[]
}

/** What is known of a document at which writers have met. */
interface Queue {
  /** The end of the last turn that changes it. */
  changed: Promise<void> | undefined
  /** The ends of the turns since that guard it. */
  guarded: Set<Promise<void>>
  /** Turns that have not ended, and those of them that have not begun. */
  open: number
  waiting: number
}

/** The turn of one writer. */
export interface Turn {
  /** Whether it has ended, perhaps because it took too long: then others may meet this writer again. */
  readonly isOver: boolean
  end(): void
}

/**
 * After this time, the next one begins. A writer may itself wait for one of those behind it, as a check of a password does for
 * another one of the same user. Then they all meet again at worst: that nothing is lost does not depend on turns.
 */
const LONGEST_TURN_MS = 250

export class Turns {
  readonly #longestTurnMs: number
  readonly #queues = new Map<string, Queue>()

  constructor(longestTurnMs = LONGEST_TURN_MS) {
    this.#longestTurnMs = longestTurnMs
  }

  /** Whether a writer waits for its turn at a document that this one would change. Who comes later must not overtake it. */
  isAwaited({ changes }: Pick<Touched, 'changes'>): boolean {
    return this.#queues.size > 0 && changes.some((one) => (this.#queues.get(streamKey(one))?.waiting ?? 0) > 0)
  }

  /**
   * Waits until every earlier turn has ended that changes one of these documents, or guards one that this turn changes.
   * Returns this one. A turn is taken at all documents at once, so that no two wait for each other.
   */
  async take({ changes, guards }: Touched): Promise<Turn> {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const earlier: Promise<void>[] = []
    const changed = new Set(changes.map(streamKey))
    const guarded = new Set(guards.map(streamKey)).difference(changed)
    const queues = [...changed, ...guarded].map((key) => [key, this.#join(key)] as const)
    for (const [key, queue] of queues) {
      if (queue.changed !== undefined) earlier.push(queue.changed)
      if (guarded.has(key)) {
        queue.guarded.add(ended)
      } else {
        earlier.push(...queue.guarded)
        queue.changed = ended
        queue.guarded = new Set()
      }
      queue.waiting++
    }
    if (earlier.length > 0) await Promise.all(earlier)
    for (const [, queue] of queues) queue.waiting--
    void ended.then(() => {
      for (const [key, queue] of queues) {
        queue.guarded.delete(ended)
        if (--queue.open === 0) this.#queues.delete(key)
      }
    })
    let isOver = false
    const end = () => {
      isOver = true
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, this.#longestTurnMs)
    return {
      get isOver() {
        return isOver
      },
      end,
    }
  }

  #join(key: string): Queue {
    const queue = this.#queues.get(key) ?? { changed: undefined, guarded: new Set(), open: 0, waiting: 0 }
    queue.open++
    this.#queues.set(key, queue)
    return queue
  }
}
