/** Moments as fields for date and time have them. */
import { type Timestamp, timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt'

/** The moment of a local time; undefined for none, or for a text that is none. */
export function momentOf(local: string | undefined): Timestamp | undefined {
  const date = new Date(local ?? '')
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date)
}

const HOUR_MS = 3_600_000

/** The ranges that end now, by the names that addresses have. */
export const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const

/** When a range that ends now begins; undefined for none, or for a name that is none. */
export function startOf(range: string | undefined, now = Date.now()): Timestamp | undefined {
  return range !== undefined && Object.hasOwn(RANGES, range)
    ? timestampFromMs(now - RANGES[range as keyof typeof RANGES])
    : undefined
}
