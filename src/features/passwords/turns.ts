/**
 * Runs actions with the same key one after the other, in this process: a check of a secret waits until the one before it
 * is counted, so that many at once are compared no more often than many in a row.
 */

export interface Turns {
  /** Runs `act` when all earlier ones of this key are done; returns undefined at once when too many wait already. */
  take<Value>(key: string, act: () => Promise<Value>): Promise<Value> | undefined
}

/** Opens a queue for each key in which at most `longest` wait. */
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
