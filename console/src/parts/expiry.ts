/** Days on which something expires, as date fields of forms have them. */
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'

/** The day that is this number of days from now where the user is, for a date field. */
export function dayIn(days: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  const month = String(day.getMonth() + 1).padStart(2, '0')
  return `${day.getFullYear()}-${month}-${String(day.getDate()).padStart(2, '0')}`
}

/** The end of a day in the user's time zone; undefined when it is no day. */
export function endOfDay(day: string): Timestamp | undefined {
  const date = new Date(`${day}T23:59:59`)
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date)
}

/** Whether something never expires: the API says then that it does at the end of the year 9999. */
export function isForGood(expirationDate: Timestamp | undefined): boolean {
  return expirationDate !== undefined && timestampDate(expirationDate).getUTCFullYear() >= 9999
}
