/**
 * Ids. Objects get 18-digit decimal numbers that sort by time: 12 digits of milliseconds, 3 of the node that gives the id
 * out, 3 that count within the millisecond, from a number that nobody can foresee. Requests and jobs get UUIDs, which need
 * no node.
 */
import { randomInt, randomUUIDv7 } from 'node:crypto'
import { type Clock, type Instant, instant } from './instant.ts'

declare const named: unique symbol

/** What an id names, when nothing is known of it. */
// biome-ignore lint/suspicious/noExplicitAny: with `unknown`, such an id would not be one of a user; with `never`, no id would be such a one
export type Anything = any

/**
 * An id, and the kind of thing that it names. A text of which nothing is known can be one; the id of something else does not
 * compile.
 */
export type Id<Of extends string = Anything> = string & { readonly [named]?: Of }

/** Where ids come from; tests pass their own. */
export type NewId = () => string

/** An id for what is no object of the contract: a request, a job. Objects get theirs from `app.newId`. */
export const newId: NewId = () => randomUUIDv7()

/** How many nodes can give out ids at the same time. */
export const NODE_NUMBERS = 1000

/** 2026-01-01T00:00:00Z. The digits of the time begin at 10^11 here, so that none starts with 0, and last until 2054. */
export const EPOCH = 1_767_225_600_000
const FIRST = 100_000_000_000
const PER_MILLISECOND = 1000
/** The first number in a millisecond is less than this, so that others follow it. */
const FIRST_NUMBERS = 900

/** The times whose ids only this node may give out. */
export interface IdRange {
  readonly node: number
  /** The first of them. */
  readonly from: Instant
  /** The first one that is no longer its own. */
  readonly until: Instant
}

export interface Ids {
  /** The next id, greater than all before; undefined when the range is used up. */
  next(): string | undefined
  /** Moves the end of the range to a later time. */
  extend(until: Instant): void
  /** The first time that no id has yet. */
  unused(): Instant
}

function digits(number: number): string {
  return String(number).padStart(3, '0')
}

/** Gives out the ids of a range. A clock that is set back, or more than 1000 ids in a millisecond, repeat none. */
export function openIds({
  node,
  from,
  until: end,
  clock,
  firstNumber = () => randomInt(FIRST_NUMBERS),
}: IdRange & { readonly clock: Clock; readonly firstNumber?: () => number }): Ids {
  if (!Number.isInteger(node) || node < 0 || node >= NODE_NUMBERS) throw new RangeError(`${node} is no node number`)
  const nodeDigits = digits(node)
  let until = end
  let time: number = Math.max(from, EPOCH)
  let counter = 0
  let timeDigits = ''
  return {
    next() {
      const now = clock()
      const later = now > time ? now : counter === PER_MILLISECOND ? time + 1 : time
      // Nothing is remembered of a time that was out of range: a clock may be wrong for a moment.
      if (later >= until) return undefined
      if (later > time || timeDigits === '') {
        counter = firstNumber()
        time = later
        timeDigits = String(time - EPOCH + FIRST)
        if (timeDigits.length > 12) throw new RangeError('there are no more ids of 18 digits')
      }
      return timeDigits + nodeDigits + digits(counter++)
    },
    extend(later) {
      if (later > until) until = later
    },
    unused: () => instant(timeDigits === '' ? time : time + 1),
  }
}
