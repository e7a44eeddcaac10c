/**
 * Runs actions with the same key one after the other in this process. A check of a secret waits until the previous one
 * is counted, so that parallel checks are limited like sequential ones.
 */

export interface Turns {
  /** Runs `act` after all earlier ones with this key; returns undefined immediately when too many are waiting. */
  take<Value>(key: string, act: () => Promise<Value>): Promise<Value> | undefined
}

/** Opens a queue for each key, with at most `longest` waiting. */
export function openTurns(longest: number): Turns {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>()
  return {
    take(key, act) {
      const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
      if (queue.length > longest) return undefined
      queues.set(key, queue)
      queue.length += 1
      const turn = queue.last.then(act)
      const leave = () => {
        queue.length -= 1
        if (queue.length === 0) queues.delete(key)
      }
      queue.last = turn.then(leave, leave)
      return turn
    },
  }
}
