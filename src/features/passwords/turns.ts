/**
 * One after the other, per key, in this process: whoever tries a secret waits until the try before is counted, so that
 * many at once are not looked at more often than many in a row.
 */

export interface Turns {
  /** Runs `act` when all earlier ones of this key are done; undefined, at once, when too many wait already. */
  take<Value>(key: string, act: () => Promise<Value>): Promise<Value> | undefined
}

/** Opens a line for each key in which at most `longest` wait. */
export function openTurns(longest: number): Turns {
  const lines = new Map<string, { length: number; last: Promise<unknown> }>()
  return {
    take(key, act) {
      const line = lines.get(key) ?? { length: 0, last: Promise.resolve() }
      if (line.length > longest) return undefined
      lines.set(key, line)
      line.length += 1
      const turn = line.last.then(act)
      const leave = () => {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
      line.last = turn.then(leave, leave)
      return turn
    },
  }
}
