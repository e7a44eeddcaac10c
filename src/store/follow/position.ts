/**
 * A position in the log, as those who follow it keep it: the number of an event, and a mark of that event. The log of a
 * restored backup gives out numbers again that an earlier log had given out. The mark tells whether a position is of this
 * log (docs/decisions/0084).
 */
import { hash } from 'node:crypto'
import type { StoredEvent } from '../stored-event.ts'

export interface Position {
  readonly sequence: number
  /** Of the event with this number; empty when it is not known. */
  readonly mark: string
}

/** Before the first event. */
export const BEGINNING: Position = Object.freeze({ sequence: 0, mark: '' })

const MARK_LENGTH = 8
const TEXT = /^(\d{1,16})(?:-([0-9a-f]{8}))?$/

/** The position of an event. It is the same in every copy of the log, whichever database has it. */
export function positionOf({ sequence, kind, id, revision, type, at }: Omit<StoredEvent, 'data'>): Position {
  const mark = hash('sha256', JSON.stringify([sequence, kind, id, revision, type, at]), 'hex').slice(0, MARK_LENGTH)
  return { sequence, mark }
}

/** `1207-5f0c93ab`, or only the number when there is no mark. */
export function positionText({ sequence, mark }: Position): string {
  return mark === '' ? String(sequence) : `${sequence}-${mark}`
}

/** Reads what `positionText` wrote; a number alone is accepted, too. Undefined when it is neither. */
export function readPosition(text: string): Position | undefined {
  const [, number, mark = ''] = TEXT.exec(text) ?? []
  const sequence = Number(number)
  return Number.isSafeInteger(sequence) ? { sequence, mark } : undefined
}
