/**
 * Remembers where in the log the events of a time are. Times follow the order of the log, but not strictly: nodes have different
 * clocks, and clocks are set back. So the log is divided into parts, and the earliest and the latest time of each is kept in
 * memory. What is known may include too much, never too little, so removing events does not matter.
 */
import type { LogRange, Stamp } from './engine.ts'

/** Some events: between which sequences and between which times they are. */
export interface LogPart {
  readonly first: number
  readonly last: number
  readonly earliest: number
  readonly latest: number
}

/** Parts of the log that have all events up to a moment. */
export interface LogParts extends Stamp {
  readonly parts: readonly LogPart[]
}

/** From `since` on, before `until`. */
interface Time {
  readonly since?: number
  readonly until?: number
}

/** Reads the parts of the log that have all events after a sequence. */
export type ReadParts = (since: number) => Promise<LogParts>

/** About how many events a part has. */
export const EVENTS_IN_PART = 1_000

/** A range of the log in parts: `first`, `last`, `earliest` and `latest` of each. The same on both databases. */
export const PARTS_OF_RANGE = `select min(sequence) as first, max(sequence) as last, min(at) as earliest, max(at) as latest
  from events where instance = 1 and sequence > $1 and sequence <= $2 group by sequence / ${EVENTS_IN_PART}`

interface Known {
  readonly history: string
  sequence: number
  readonly parts: LogPart[]
}

export class EventTimes {
  #known: Known | undefined
  #reading: Promise<void> | undefined

  /** A range of the log with all events of a time that are in it now; later ones are not in the range. */
  async rangeOf({ since = 0, until = Number.POSITIVE_INFINITY }: Time, read: ReadParts): Promise<LogRange> {
    const { parts, sequence } = await this.#current(read)
    const within = parts.filter(({ earliest, latest }) => latest >= since && earliest < until)
    if (within.length === 0) return { since: 0, until: 0 }
    const { first, last } = within.reduce(join)
    return { since: first - 1, until: Math.min(sequence, last) }
  }

  async #current(read: ReadParts): Promise<Known> {
    for (;;) {
      this.#reading ??= this.#known === undefined ? this.#readAll(read) : undefined
      // Others may have begun before the latest write, so what they read is continued below.
      await this.#reading
      const known = this.#known
      if (known === undefined) continue
      const later = await read(known.sequence)
      if (later.history === known.history) {
        extend(known, later)
        return { ...known }
      }
      this.#known = undefined
    }
  }

  async #readAll(read: ReadParts): Promise<void> {
    try {
      const { history, sequence, parts } = await read(0)
      this.#known = { history, sequence, parts: [...parts] }
    } finally {
      this.#reading = undefined
    }
  }
}

/** Adds later events; to the last part until it is full, because there may be a single one after each query. */
function extend(known: Known, { sequence, parts }: LogParts): void {
  known.sequence = Math.max(known.sequence, sequence)
  for (const part of parts) {
    const before = known.parts.at(-1)
    const isFull = before === undefined || before.last - before.first >= EVENTS_IN_PART
    known.parts.push(isFull ? part : join(known.parts.pop() ?? part, part))
  }
}

function join(one: LogPart, other: LogPart): LogPart {
  return {
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
    earliest: Math.min(one.earliest, other.earliest),
    latest: Math.max(one.latest, other.latest),
  }
}
