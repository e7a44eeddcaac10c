/** What became of the last deliveries of a destination: for the console, not for the queue. Bounded in number and bytes. */
import type { Instant } from '../../kernel/instant.ts'
import type { App } from '../../module/app.ts'
import type { DestinationRef } from '../../module/destinations.ts'
import { NEVER, RECORD, recordId } from './names.ts'
import type { Answer } from './send.ts'

const HOUR_MS = 3_600_000
/** Of those that were accepted, and of the others. */
const MOST_OF_EACH = 50
const MOST_HOURS = 72

/** One attempt. */
export interface Attempt {
  /** The event; undefined: it was a call. */
  readonly sequence?: number
  readonly type: string
  readonly at: Instant
  readonly outcome: Answer['outcome']
  readonly status: number
  readonly reason: string
  readonly milliseconds: number
  readonly body: string
}

/** The attempts of one hour. */
export interface AttemptsOfHour {
  /** Its beginning. */
  readonly at: number
  readonly delivered: number
  readonly failed: number
}

export interface Record {
  /** The last attempts, newest first. */
  readonly attempts: readonly Attempt[]
  /** Oldest first. */
  readonly hours: readonly AttemptsOfHour[]
}

const EMPTY: Record = { attempts: [], hours: [] }

/** The record with further attempts, oldest first. */
function withAttempts(record: Record, attempts: readonly Attempt[]): Record {
  const newest = [...attempts.toReversed(), ...record.attempts]
  const isFine = ({ outcome }: Attempt) => outcome === 'delivered'
  const kept = new Set([
    ...newest.filter(isFine).slice(0, MOST_OF_EACH),
    ...newest.filter((one) => !isFine(one)).slice(0, MOST_OF_EACH),
  ])
  const hours = new Map(record.hours.map((hour) => [hour.at, hour]))
  for (const one of attempts) {
    const at = one.at - (one.at % HOUR_MS)
    const { delivered, failed } = hours.get(at) ?? { delivered: 0, failed: 0 }
    const isDelivered = isFine(one)
    hours.set(at, { at, delivered: delivered + Number(isDelivered), failed: failed + Number(!isDelivered) })
  }
  const sorted = [...hours.values()].sort((one, other) => one.at - other.at)
  return { attempts: newest.filter((one) => kept.has(one)), hours: sorted.slice(-MOST_HOURS) }
}

/** The record of a destination. */
export async function readRecord({ store }: App, ref: DestinationRef): Promise<Record> {
  const job = await store.jobs.read(recordId(ref))
  return { ...EMPTY, ...(job?.data as Partial<Record> | undefined) }
}

/** Adds attempts to the record of a destination. Whoever has the lease of its queue does it, so nothing is overwritten. */
export async function addToRecord(app: App, ref: DestinationRef, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return
  const { jobs } = app.store
  const id = recordId(ref)
  if ((await jobs.read(id)) === undefined) await jobs.schedule(id, RECORD, NEVER)
  await jobs.rewrite(id, withAttempts(await readRecord(app, ref), attempts))
}
