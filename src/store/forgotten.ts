/** What an event says about streams that leave the log, so that every number that is missing is accounted for. */
import { createHash } from 'node:crypto'
import type { Forgotten } from './index.ts'

/** The part of an event that records what left; JSON as it is. */
export interface ForgottenRecord {
  readonly streams: number
  readonly events: number
  /** The sequences that left, first and last included, in ascending order. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
  /** SHA-256 of what left: whoever has a copy of the log from before can prove that it is the right one. */
  readonly digest: string
}

/**
 * Sums up what leaves with one commit. The digest is taken over one line of JSON for each event, in order of sequence:
 * sequence, kind, id, revision, type, data, actor, owner, at.
 */
export function recordForgotten(left: readonly Forgotten[]): ForgottenRecord {
  const events = left.flatMap((each) => each.events).sort((one, other) => one.sequence - other.sequence)
  const hash = createHash('sha256')
  const ranges: [number, number][] = []
  for (const { sequence, kind, id, revision, type, data, actor, owner, at } of events) {
    hash.update(`${JSON.stringify([sequence, kind, id, revision, type, data, actor, owner, at])}\n`)
    const range = ranges.at(-1)
    if (range?.[1] === sequence - 1) range[1] = sequence
    else ranges.push([sequence, sequence])
  }
  const streams = left.filter((each) => each.events.length > 0).length
  return { streams, events: events.length, ranges, digest: hash.digest('hex') }
}
