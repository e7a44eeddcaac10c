/** Days on which something expires, as date fields of forms have them. */
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

const DAY_MS = 86_400_000

/** The day in so many days, for a date field. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}

/** The end of a day in the user's time zone; undefined when it is no day. */
export function endOfDay(day: string): Timestamp | undefined {
  const date = new Date(`${day}T23:59:59`)
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date)
}
